"""JSON that a language model wrote: found in its reply, and checked against a JSON schema."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

#: What servers commonly take in a schema; the rest is checked here alone.
_SENT = ("type", "properties", "required", "items", "enum", "additionalProperties")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
}
_MOST_ITEMS = 10_000

Schema = Mapping[str, Any]

SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def closed(**properties: Schema) -> Schema:
    """The schema of an object with all of these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


class NotFitting(ValueError):
    """A reply is not what the schema asks for. The message says where and why, for the model."""


def as_sent(schema: Schema) -> dict[str, Any]:
    """A schema without what servers refuse: bounds of numbers and lengths."""
    sent = {name: schema[name] for name in _SENT if name in schema}
    if "properties" in sent:
        sent["properties"] = {name: as_sent(inner) for name, inner in schema["properties"].items()}
    if "items" in sent:
        sent["items"] = as_sent(schema["items"])
    return sent


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


def check(value: Any, schema: Schema, where: str = "the reply") -> None:
    """Raise NotFitting where a value is not what a schema asks for.

    Understands type, enum, properties, which are all that an object has, items, minItems, maxItems,
    minLength, maxLength, minimum and maximum.
    """
    if not _is_of(value, schema["type"]):
        raise NotFitting(f"{where} has to be of type {schema['type']}")
    if "enum" in schema and value not in schema["enum"]:
        raise NotFitting(f"{where} has to be one of {json.dumps(schema['enum'])}")
    if isinstance(value, dict):
        properties = schema["properties"]
        for name in [name for name in properties if name not in value]:
            raise NotFitting(f"{where} has no {name!r}")
        for name, item in value.items():
            if name not in properties:
                raise NotFitting(f"{where} has {name!r}, which was not asked for")
            check(item, properties[name], f"{where}.{name}")
    elif isinstance(value, list):
        _check_bounds(len(value), schema, "Items", f"the number of items of {where}")
        if len(value) > _MOST_ITEMS:
            raise NotFitting(f"{where} has too many items")
        for position, item in enumerate(value):
            check(item, schema["items"], f"{where}[{position}]")
    elif isinstance(value, str):
        _check_bounds(len(value), schema, "Length", f"the length of {where}")
    elif not isinstance(value, bool) and not (
        schema.get("minimum", -math.inf) <= value <= schema.get("maximum", math.inf)
    ):
        raise NotFitting(f"{where} is out of its bounds")


def _check_bounds(count: int, schema: Schema, kind: str, what: str) -> None:
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
