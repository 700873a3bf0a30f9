"""Arguments of tools as JSON: their schemas, and how what was sent becomes inputs of a plan.

Pictures, sound and film are names of files of the conversation. Words and numbers are themselves;
boxes, points and categories are lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import TypeAdapter, ValidationError

from controlllm.core.plans import Literal, Reference, Value
from controlllm.resources import FILE_TYPES, BadInput, Box, ClickedPoint, Label, encode
from controlllm.resources.well_formed import json_from_outside
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox

_LISTS: Mapping[str, TypeAdapter[Any]] = {
    "bbox": TypeAdapter(tuple[Box, ...]),
    "point": TypeAdapter(tuple[ClickedPoint, ...]),
    "category": TypeAdapter(tuple[Label, ...]),
    "tags": TypeAdapter(tuple[str, ...]),
}
_MOST_ITEMS = 10_000
_MOST_SEVERAL = 100
_LONGEST_NAME = 300

#: Keeps an encoded value as a resource of a type, and gives the resource's name.
Keep = Callable[[str, bytes, str], str]


def is_media(type_name: str) -> bool:
    """Whether a value of this type is a file that is handed over as it is."""
    return type_name in FILE_TYPES


def schema_of(tool: Tool, toolbox: Toolbox) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    properties: dict[str, Any] = {}
    for argument in tool.args:
        one = _one_schema(argument, toolbox)
        if argument.many:
            said = one.pop("description", "")
            one = {"type": "array", "items": one, "minItems": 1, "maxItems": _MOST_SEVERAL}
            one["description"] = said
        properties[argument.name] = one
    for parameter in tool.parameters:
        properties[parameter.name] = _setting_schema(parameter)
    return {
        "type": "object",
        "properties": properties,
        "required": [argument.name for argument in tool.required],
        "additionalProperties": False,
    }


def _one_schema(argument: Argument, toolbox: Toolbox) -> dict[str, Any]:
    kind, said = argument.type, argument.description
    if is_media(kind):
        return {"type": "string", "description": _joined(said, f"a file's name: {kind}")}
    if kind in _LISTS:
        listed = _LISTS[kind].json_schema()
        items = listed.get("items", {})
        if "$ref" in items:
            items = dict(listed["$defs"][items["$ref"].rsplit("/", 1)[-1]])
            items.pop("title", None)
            # A dataclass says its shape; what it says of itself is for programmers of ours.
            items.pop("description", None)
        return {"type": "array", "items": items, "description": said or f"A list: {kind}."}
    if kind == "number":
        return {"type": "number", "description": said}
    if toolbox.lattice.is_a(kind, "text") or kind == "html":
        return {"type": "string", "description": said}
    return {"type": "string", "description": _joined(said, f"a result's name: {kind}")}


def _joined(said: str, what: str) -> str:
    return f"{said} ({what})" if said else what


def _setting_schema(parameter: Parameter) -> dict[str, Any]:
    kinds = {bool: "boolean", int: "integer", float: "number"}
    return {
        "type": kinds.get(type(parameter.default), "string"),
        "default": parameter.default,
        "description": parameter.description,
    }


def read_arguments(
    tool: Tool, toolbox: Toolbox, sent: Mapping[str, Any], keep: Keep
) -> dict[str, Value | tuple[Value, ...]]:
    """Arguments as inputs of an action; what is neither words nor a file is kept with `keep`.

    Files are names here. Raises BadInput with the argument's name where one is missing, unknown or
    of another kind.
    """
    arguments = {argument.name: argument for argument in tool.args}
    settings = {parameter.name for parameter in tool.parameters}
    for name in sent:
        if name not in arguments and name not in settings:
            known = ", ".join([*arguments, *sorted(settings)])
            raise BadInput(f"{tool.name} has no argument {name[:80]!r}. It takes: {known}.")
    inputs: dict[str, Value | tuple[Value, ...]] = {}
    for name, argument in arguments.items():
        given = sent.get(name)
        if given is None:
            if not argument.optional:
                raise BadInput(f"{tool.name} needs {argument.type} for {name!r}.")
        elif argument.many:
            several = given if isinstance(given, list) else [given]
            if not 0 < len(several) <= _MOST_SEVERAL:
                raise BadInput(f"{tool.name} takes 1 to {_MOST_SEVERAL} for {name!r}.")
            inputs[name] = tuple(_read(tool, argument, toolbox, one, keep) for one in several)
        else:
            inputs[name] = _read(tool, argument, toolbox, given, keep)
    for name in settings & sent.keys():
        given = sent[name]
        inputs[name] = Literal(given if isinstance(given, str) else json.dumps(given))
    return inputs


def _read(tool: Tool, argument: Argument, toolbox: Toolbox, given: Any, keep: Keep) -> Value:
    kind = argument.type
    wrong = BadInput(f"{tool.name}: {argument.name!r} is no {kind}.")
    if isinstance(given, Mapping):
        if set(given) != {"file"} or not _is_name(given["file"]):
            raise wrong
        return Reference(given["file"])
    if kind in _LISTS and kind != "tags":
        given = _listed(given)
    if kind in _LISTS and isinstance(given, list):
        try:
            if len(given) > _MOST_ITEMS:
                raise wrong
            value = _LISTS[kind].validate_python(given)
        except (ValidationError, RecursionError):
            raise wrong from None
        return Reference(keep(kind, *encode(kind, value)))
    if toolbox.lattice.is_a(kind, "text") and kind not in ("category",):
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise wrong
        return Literal(given if isinstance(given, str) else json.dumps(given))
    if not isinstance(given, str):
        raise wrong
    if kind == "html":
        return Reference(keep(kind, *encode(kind, given)))
    if not _is_name(given):
        raise wrong
    return Reference(given)


def _listed(given: Any) -> Any:
    """A list that was sent as its JSON, as forms do; anything else as it is."""
    if not (isinstance(given, str) and given.lstrip().startswith("[")):
        return given
    try:
        return json_from_outside(given)
    except (ValueError, RecursionError):
        return given


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and 0 < len(given) <= _LONGEST_NAME
