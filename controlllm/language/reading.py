"""JSON out of what a language model wrote.

Only repairs that cannot be wrong are made: words around one JSON value are dropped, a comma before
a closing bracket is dropped. What is cut off or ambiguous is refused.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from controlllm.resources.well_formed import json_from_outside, well_formed_value

T = TypeVar("T")

#: A string, or a comma with nothing but a closing bracket behind it.
_STRING_OR_LAST_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])')


class Unusable(Exception):
    """A reply cannot be used. The message says what is wrong with it, for the model to correct."""


@dataclass(frozen=True)
class Checked(Generic[T]):
    """What a reply comes to, and in words what had to be put right for it."""

    value: T
    repairs: tuple[str, ...] = ()


def read_json(text: str) -> Checked[Any]:
    """The JSON value in a reply; raises Unusable where there is none, or more than one."""
    stripped = text.strip()
    if not stripped:
        raise Unusable("The reply is empty.")
    try:
        return Checked(json_from_outside(stripped))
    except (ValueError, RecursionError):
        pass
    found = _values_in(stripped)
    if not found:
        tidied = _STRING_OR_LAST_COMMA.sub(lambda m: "" if m[0] == "," else m[0], stripped)
        found = _values_in(tidied) if tidied != stripped else []
        repairs: tuple[str, ...] = ("commas too many were dropped",)
    else:
        repairs = ("words around the JSON were dropped",)
    if not found:
        raise Unusable("The reply is no complete JSON.")
    if any(item != found[0] for item in found):
        raise Unusable("The reply holds more than one JSON value.")
    return Checked(found[0], repairs)


def _values_in(text: str) -> list[Any]:
    """The objects and lists that stand in a text, outermost only, in order.

    Nothing where one begins and does not end: what stands inside it is not the reply.
    """
    decoder = json.JSONDecoder()
    found: list[Any] = []
    position = 0
    while (start := _next_opening(text, position)) >= 0:
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            if text[start] == "{" or not found and _looks_like_json(text[start:]):
                return []
            # A bracket in prose, as in "[note]".
            position = start + 1
            continue
        found.append(well_formed_value(value))
    objects = [value for value in found if isinstance(value, dict)]
    return objects or found


def _next_opening(text: str, position: int) -> int:
    places = [place for place in (text.find("{", position), text.find("[", position)) if place >= 0]
    return min(places, default=-1)


def _looks_like_json(text: str) -> bool:
    return re.match(r"\[\s*[\[{\"\d-]", text) is not None
