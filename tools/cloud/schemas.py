"""JSON that a language model wrote: found in its reply, and checked against a JSON schema."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

#: What servers commonly take in a schema; the rest is checked here alone.
_SENT = frozenset(
    {"type", "properties", "required", "items", "enum", "description", "additionalProperties"}
)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
#: How deep and how large a reply may be nested and grow.
_MOST_ITEMS = 10_000


class NotFitting(ValueError):
    """A reply is not what the schema asks for. The message says where and why, for the model."""


def as_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema whose root is an object, as servers want it: what is none goes under ``answer``."""
    if schema.get("type") == "object":
        return dict(schema)
    return {
        "type": "object",
        "properties": {"answer": dict(schema)},
        "required": ["answer"],
        "additionalProperties": False,
    }


def as_sent(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema without what servers refuse (bounds of numbers, lengths), objects closed."""
    sent = {name: value for name, value in schema.items() if name in _SENT}
    if "properties" in sent:
        sent["properties"] = {name: as_sent(inner) for name, inner in schema["properties"].items()}
        sent["additionalProperties"] = False
    if isinstance(sent.get("items"), Mapping):
        sent["items"] = as_sent(schema["items"])
    return sent


def is_strict(schema: Mapping[str, Any]) -> bool:
    """Whether every object of a schema needs all of its properties, as strict servers ask."""
    properties = schema.get("properties", {})
    if set(properties) != set(schema.get("required", ())):
        return False
    if schema.get("type") == "object" and "properties" not in schema:
        return False
    inner = [*properties.values(), *([schema["items"]] if "items" in schema else [])]
    return all(is_strict(item) for item in inner)


def read_json(reply: str) -> Any:
    """The JSON in a reply, also where words or a fence stand around it; raises NotFitting."""
    fenced = re.search(r"```(?:json)?\s*\n(.*?)```", reply, re.DOTALL)
    text = (fenced[1] if fenced else reply).strip()
    starts = [position for position in (text.find("{"), text.find("[")) if position >= 0]
    for start in [0, *sorted(starts)]:
        try:
            return json.JSONDecoder(parse_constant=_no_number).raw_decode(text[start:])[0]
        except (ValueError, RecursionError):
            continue
    raise NotFitting("it is no JSON")


def check(value: Any, schema: Mapping[str, Any], where: str = "the reply") -> None:
    """Raise NotFitting where a value is not what a schema asks for.

    Understands type, enum, properties, required, additionalProperties, items, minItems, maxItems,
    minLength, maxLength, minimum and maximum.
    """
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(_is_of(value, kind) for kind in kinds):
        raise NotFitting(f"{where} has to be of type {' or '.join(kinds)}")
    if "enum" in schema and value not in schema["enum"]:
        raise NotFitting(f"{where} has to be one of {json.dumps(schema['enum'])}")
    if isinstance(value, dict):
        _check_object(value, schema, where)
    elif isinstance(value, list):
        _check_bounds(len(value), schema, "Items", f"the number of items of {where}")
        if len(value) > _MOST_ITEMS:
            raise NotFitting(f"{where} has too many items")
        if isinstance(schema.get("items"), Mapping):
            for position, item in enumerate(value):
                check(item, schema["items"], f"{where}[{position}]")
    elif isinstance(value, str):
        _check_bounds(len(value), schema, "Length", f"the length of {where}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise NotFitting(f"{where} has to be a finite number")
        if value < schema.get("minimum", -math.inf) or value > schema.get("maximum", math.inf):
            raise NotFitting(f"{where} is out of its bounds")


def _check_object(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> None:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise NotFitting(f"{where} has no {name!r}")
    for name, item in value.items():
        if name in properties:
            check(item, properties[name], f"{where}.{name}")
        elif schema.get("additionalProperties") is False:
            raise NotFitting(f"{where} has {name!r}, which was not asked for")
        elif isinstance(schema.get("additionalProperties"), Mapping):
            check(item, schema["additionalProperties"], f"{where}.{name}")


def _check_bounds(count: int, schema: Mapping[str, Any], kind: str, what: str) -> None:
    if count < schema.get(f"min{kind}", 0):
        raise NotFitting(f"{what} is below {schema[f'min{kind}']}")
    if count > schema.get(f"max{kind}", math.inf):
        raise NotFitting(f"{what} is above {schema[f'max{kind}']}")


def _is_of(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[kind])


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
