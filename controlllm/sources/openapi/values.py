"""Values of arguments of OpenAPI operations that may be of one of several kinds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from controlllm.sources import wire
from controlllm.sources.source import ForeignArgument
from controlllm.toolbox import ToolError

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][-+]?\d{1,3})?")
#: The order in which kinds are tried: a text may be anything, so that comes last.
_ORDER = ("object", "integer", "number", "boolean", "string")


def sent(argument: ForeignArgument, value: Any) -> Any:
    """A value as JSON has it, of the first kind of its schema's that it can be of.

    Raises ToolError, with `Code.BAD_INPUT`, where it can be of none.
    """
    either = argument.call.get("either")
    if not either:
        return wire.sent(argument, value)
    if argument.part:
        value = wire.part_of(argument, value)
    fault: ToolError | None = None
    for shape in sorted(either, key=_rank):
        if not shape.get("enum") and not _may_be(value, shape.get("type")):
            continue
        call = {"type": shape.get("type"), "enum": shape.get("enum")}
        try:
            return wire.sent(replace(argument, part="", call=call), value)
        except ToolError as error:
            fault = fault or error
    kinds = " or ".join(dict.fromkeys(str(shape.get("type")) for shape in either))
    raise fault or wire.bad_input(argument, f"is {str(value)[:60]!r}, and is to be {kinds}")


def _rank(shape: Mapping[str, Any]) -> tuple[bool, int]:
    kind = shape.get("type")
    return not shape.get("enum"), _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _may_be(value: Any, kind: Any) -> bool:
    """Whether a value is written as one of a kind: of "room 12" only a text, although a number can
    be heard in it."""
    words = str(value).strip()
    if kind in ("integer", "number"):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number or bool(_NUMBER.fullmatch(words))
    if kind == "boolean":
        return isinstance(value, bool) or words.lower() in ("true", "false")
    if kind == "object":
        return isinstance(value, Mapping) or words.startswith("{")
    return True
