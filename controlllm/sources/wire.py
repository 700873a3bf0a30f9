"""Values of resources as an operation wants them sent, and what it answers as values of resources.

What comes back is known by its content, never by what a server calls it.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

from controlllm.resources import PARENTS, BadInput, Limits, decode, encode, ingest
from controlllm.resources.encoding import SUFFIXES
from controlllm.resources.well_formed import json_from_outside
from controlllm.sources.naming import named, printable
from controlllm.sources.source import ForeignArgument, ForeignTool
from controlllm.toolbox import Code, Context, ToolError

#: Characters of a text that is returned; of an entity, which other tools take as words.
MOST_TEXT, MOST_ENTITY = 400_000, 18_000
_MEDIA = ("image", "audio", "video")
_TRUTH = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
_BETWEEN = re.compile(r"\band\b|[\s,;]+")
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w])")
#: A whole number in words. It never passes through a float, which would change a long one.
_WHOLE = re.compile(r"([-+]?\d+)(?:\.0*)?")
_MOST_DIGITS = 300
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,300})(?:\.\d{1,300})?(?:[eE][-+]?\d{1,3})?")
#: The order in which kinds are tried where a value may be of several.
_ORDER = ("object", "integer", "number", "boolean", "string")


def bad_input(argument: ForeignArgument, why: str) -> ToolError:
    return ToolError(f"The {argument.name.replace('_', ' ')} {why}.", Code.BAD_INPUT)


def file_of(argument: ForeignArgument, value: Any) -> tuple[str, bytes, str]:
    """A value as a file: its name, its bytes, their media type."""
    if argument.type in _MEDIA:
        content, media_type = encode(argument.type, value)
    else:
        content, media_type = str(value).encode(), "text/plain"
    return f"{argument.name}{SUFFIXES.get(media_type, '.txt')}", content, media_type


def sent(argument: ForeignArgument, value: Any) -> Any:
    """A value as JSON has it, of the type that the operation's schema says.

    Raises ToolError, with `Code.BAD_INPUT`, where it cannot be one of that type.
    """
    if argument.part:
        value = _part_of(argument, value)
    if either := argument.call.get("either"):
        return _of_kinds(argument, value, either)
    call = argument.call
    if argument.type in _MEDIA:
        return base64.b64encode(file_of(argument, value)[1]).decode()
    if call.get("type") == "array":
        kind = str(call.get("items") or "")
        if kind in ("object", "array"):
            return _nested_items(argument, value, kind)
        return [_scalar(argument, item, kind) for item in _several(value, kind)]
    if call.get("type") == "object":
        return _object(argument, value)
    if call.get("base64") and isinstance(value, str):
        return base64.b64encode(value.encode()).decode()
    return _scalar(argument, value, str(call.get("type") or ""))


def _part_of(argument: ForeignArgument, value: Any) -> Any:
    """What an argument takes of an entity; the value itself where it is no entity but words."""
    if not isinstance(value, str):
        return value
    try:
        entity = json_from_outside(value)
    except (ValueError, RecursionError):
        return value.strip()
    if not isinstance(entity, Mapping):
        # An id that reads as a number ("1.10", "1e5") is still what was written.
        return entity if isinstance(entity, str) else value.strip()
    found = entity.get(argument.part)
    if found is None or isinstance(found, dict | list):
        raise bad_input(argument, f"has no {argument.part!r}")
    return found


def _of_kinds(argument: ForeignArgument, value: Any, either: Sequence[Mapping[str, Any]]) -> Any:
    """A value of the first of several kinds that it can be of; a text may be anything, so that is
    tried last."""
    fault: ToolError | None = None
    for shape in sorted(either, key=_rank):
        if not shape.get("enum") and not _may_be(value, shape.get("type")):
            continue
        call = {"type": shape.get("type"), "enum": shape.get("enum")}
        try:
            return sent(replace(argument, part="", call=call), value)
        except ToolError as error:
            fault = fault or error
    kinds = " or ".join(dict.fromkeys(str(shape.get("type")) for shape in either))
    raise fault or bad_input(argument, f"is {str(value)[:60]!r}, and is to be {kinds}")


def _rank(shape: Mapping[str, Any]) -> tuple[bool, int]:
    kind = shape.get("type")
    return not shape.get("enum"), _ORDER.index(kind) if kind in _ORDER else len(_ORDER)


def _may_be(value: Any, kind: Any) -> bool:
    """Whether a value is written as one of a kind: of "room 12" only a text, although a number can
    be heard in it."""
    words = str(value).strip()
    if kind in ("integer", "number"):
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number or bool(_JSON_NUMBER.fullmatch(words))
    if kind == "boolean":
        return isinstance(value, bool) or words.lower() in ("true", "false")
    if kind == "object":
        return isinstance(value, Mapping) or words.startswith("{")
    return True


def _several(value: Any, kind: str) -> Sequence[Any]:
    """The items of a list that was written in words: as JSON, or with commas; numbers as they are
    said."""
    if isinstance(value, list | tuple):
        return value
    text = str(value).strip()
    # Where nothing says what the items are, one that is JSON is that.
    if text.startswith("[") or (text.startswith("{") and not kind):
        try:
            items = json_from_outside(text)
            return items if isinstance(items, list) else [items]
        except (ValueError, RecursionError):
            pass
    if kind in ("integer", "number") and not _BETWEEN.sub("", _NUMBER.sub("", text)):
        return _NUMBER.findall(text)
    return [item.strip() for item in text.split(",") if item.strip()]


def _nested_items(argument: ForeignArgument, value: Any, kind: str) -> list[Any]:
    """The items of a list of objects, or of lists, from JSON; a single one is a list of one."""
    is_list = isinstance(value, list | tuple)
    found = [_json(argument, item) for item in value] if is_list else _json(argument, value)
    inner = Mapping if kind == "object" else list | tuple
    is_one = isinstance(found, Mapping) or (
        bool(found)
        and kind == "array"
        and isinstance(found, list)
        and not any(isinstance(item, inner) for item in found)
    )
    items = [found] if is_one else found
    if not isinstance(items, list) or not all(isinstance(item, inner) for item in items):
        what = "objects" if kind == "object" else "lists"
        raise bad_input(argument, f"is to be a JSON list of {what}, and is none")
    return items


def _json(argument: ForeignArgument, value: Any) -> Any:
    try:
        return json_from_outside(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        raise bad_input(argument, "is to be JSON, and is none") from None


def _object(argument: ForeignArgument, value: Any) -> Any:
    found = _json(argument, value)
    if not isinstance(found, Mapping):
        raise bad_input(argument, "is to be a JSON object, and is none")
    return found


def _scalar(argument: ForeignArgument, value: Any, kind: str) -> Any:
    if isinstance(value, dict | list):
        return value
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if kind in ("integer", "number"):
        number = value if is_number else _said(argument, str(value))
        value = _of_number(argument, number, kind)
    elif kind == "boolean" and not isinstance(value, bool):
        found = _TRUTH.get(str(value).strip().lower())
        if found is None:
            raise bad_input(argument, f"is to be true or false, not {str(value)[:60]!r}")
        value = found
    elif is_number:
        value = str(_plain_number(argument, value))
    return _allowed(argument, value)


def _of_number(argument: ForeignArgument, value: Any, kind: str) -> int | float:
    number = _plain_number(argument, value)
    if not math.isfinite(number):
        raise bad_input(argument, "is to be a finite number")
    if kind == "integer" and isinstance(number, float):
        raise bad_input(argument, f"is to be a whole number, not {number:g}")
    return number


def _plain_number(argument: ForeignArgument, value: Any) -> int | float:
    """A number of any kind as JSON has it: whole ones digit by digit as they are."""
    if isinstance(value, Integral):
        if abs(value) >= 10**_MOST_DIGITS:
            raise bad_input(argument, f"has more than the {_MOST_DIGITS} digits of a number")
        return int(value)
    number = float(value)
    return int(number) if number.is_integer() else number


def _said(argument: ForeignArgument, words: str) -> int | float:
    """The number that words are, or the only one that they say ("hour 6")."""
    words = words.strip()
    try:
        return _read_number(words)
    except ValueError:
        numbers = _NUMBER.findall(words[:1000])
    if len(numbers) != 1:
        raise bad_input(argument, f"is to be a number, and {words[:60]!r} is none")
    return _read_number(numbers[0])


def _read_number(words: str) -> int | float:
    """Raises ValueError where words are no number."""
    found = _WHOLE.fullmatch(words)
    # What is longer than a number may be is told so of the float, which is infinite.
    return int(found[1]) if found and len(found[1]) <= _MOST_DIGITS else float(words)


def _allowed(argument: ForeignArgument, value: Any) -> Any:
    """A value in the spelling of those that are allowed, where only some are."""
    allowed = argument.call.get("enum")
    if not allowed or value in allowed:
        return value
    spelt = {str(item).lower().replace("_", " "): item for item in allowed}
    found = spelt.get(str(value).strip().lower().replace("_", " "))
    if found is None:
        raise bad_input(argument, f"is {str(value)[:60]!r}, and can be: {named(allowed)}")
    return found


def in_words(value: Any) -> str:
    """A value of JSON as it stands in an address, a header or a form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


# --- what comes back ---


@contextmanager
def after_acting(tool: ForeignTool) -> Iterator[None]:
    """Around what reads the answer of a tool: the engine takes a ToolError for a word that nothing
    was done, and would call it again, unless an error of the network is its cause."""
    fault: ToolError
    try:
        yield
        return
    except ToolError as error:
        if not tool.acts_outside:
            raise
        fault = ToolError(str(error), error.code)
    raise fault from ConnectionError()


def read_json(content: bytes, source: str) -> Any:
    """What an answer in JSON holds; raises ToolError where it holds none."""
    try:
        return json_from_outside(content.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise ToolError(f"{source} sent an answer that cannot be read as JSON.") from None


def taken(value: Any, way: Sequence[str | int], source: str) -> Any:
    """What lies in an answer where it is told to; raises ToolError where nothing does."""
    for step in way:
        if isinstance(step, int) and isinstance(value, list) and step >= len(value):
            raise ToolError(f"{source} found nothing that fits.", Code.NOT_FOUND)
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            raise ToolError(f"{source} sent an answer without {step!r}.") from None
    return value


def as_value(type_name: str, found: Any, source: str, context: Context) -> Any:
    """What JSON, or a file's bytes, holds as a value of a resource type; raises ToolError.

    Words are without characters that cannot be seen, which may tell a model what no person reads.
    """
    if type_name in _MEDIA:
        content = found if isinstance(found, bytes) else _from_base64(found, source)
        return _medium(type_name, content, source, context)
    if isinstance(found, bytes):
        found = found.decode("utf-8", "replace")
    if type_name == "number":
        return _number(found, source)
    if type_name in ("text", "html"):
        words = found if isinstance(found, str) else _in_json(found, source, 1)
        if len(words) > MOST_TEXT:
            words = f"{words[:MOST_TEXT]}…"
        return printable(words) or "(nothing)"
    return printable(_entity(found, source))


def _number(found: Any, source: str) -> float | int:
    try:
        if isinstance(found, bool) or not isinstance(found, str | int | float):
            raise ValueError
        number = _read_number(found.strip()) if isinstance(found, str) else found
        if not math.isfinite(number):
            raise ValueError
    except ValueError:
        raise ToolError(f"{source} sent no number.") from None
    except OverflowError:
        raise ToolError(f"{source} sent a larger number than can be handed on.") from None
    is_whole = isinstance(number, float) and number.is_integer() and abs(number) < 2**53
    return int(number) if is_whole else number


def _in_json(found: Any, source: str, indent: int | None = None) -> str:
    try:
        return json.dumps(found, ensure_ascii=False, indent=indent)
    except (ValueError, RecursionError):
        raise ToolError(f"{source} sent something nested too deeply to be read.") from None


def _entity(found: Any, source: str) -> str:
    """A text of JSON; of what would be too long only what is short."""
    if not isinstance(found, Mapping):
        raise ToolError(f"{source} sent an answer of another form than it promises.")
    words = _in_json(found, source)
    if len(words) > MOST_ENTITY:
        short = {
            key: value
            for key, value in found.items()
            if value is None
            or isinstance(value, int | float)
            or (isinstance(value, str) and len(value) < 200)
        }
        words = json.dumps(short, ensure_ascii=False)
    if len(words) > MOST_ENTITY:
        raise ToolError(f"{source} sent a larger answer than can be handed on.")
    return words


def _from_base64(found: Any, source: str) -> bytes:
    text = found if isinstance(found, str) else ""
    _, _, text = text.rpartition(",") if text.startswith("data:") else ("", "", text)
    text = "".join(text.split()).replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise ToolError(f"{source} sent something that cannot be read.") from None


def _medium(type_name: str, content: bytes, source: str, context: Context) -> Any:
    """A picture, sound or video in bytes, taken in as if a person had handed it over."""
    if not content:
        raise ToolError(f"{source} sent an empty file.")
    path = context.folder / f"{uuid.uuid4().hex}.answer"
    path.write_bytes(content)
    try:
        # What it is called promises nothing.
        given = ingest(path, "the answer", context.folder, Limits())
    except BadInput as error:
        raise ToolError(f"{source} sent no {type_name} that can be used: {error}") from None
    if type_name not in (given.type, PARENTS.get(given.type)):
        raise ToolError(f"{source} sent {given.type} where {type_name} was promised.")
    return decode(type_name, given.path)
