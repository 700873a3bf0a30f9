"""JSON out of what a language model wrote, the schemas it is to follow, and the scores in it.

Only repairs that cannot be wrong are made: words around one JSON value are dropped, a comma before
a closing bracket is dropped. What is cut off or ambiguous is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
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


#: A reason is shown to people; what is longer is no reason, in characters.
_LONGEST_REASON = 400


@dataclass(frozen=True)
class Score:
    """A score on the paper's scale 1..5 (Tables 7, 8) and why."""

    value: float
    reason: str


def read_scores(data: Any, names: Sequence[str], what: str) -> Checked[dict[str, Score]]:
    """The score of every name; `what` says in words what is scored. Raises Unusable.

    A name that was not asked for is left out, a number in quotes is read; a score that is missing
    or off the scale is refused.
    """
    if isinstance(data, dict) and len(data) == 1 and not set(data) & set(names):
        # Everything under one more key, as in {"scores": {...}}.
        data = next(iter(data.values()))
    if isinstance(data, list):
        data = _by_name(data)
    if not isinstance(data, dict):
        raise Unusable(f"Expected a JSON object with a score for every {what}.")
    found: dict[str, Score] = {}
    repairs = []
    for name, entry in data.items():
        if name not in names:
            repairs.append(f"there is no {what} {name}")
            continue
        found[name] = _score(name, entry)
    missing = [name for name in names if name not in found]
    if missing:
        raise Unusable(f"There is no score for {what} {', '.join(missing[:10])}.")
    return Checked(found, tuple(repairs[:3]))


def _by_name(entries: Sequence[Any]) -> dict[str, Any] | None:
    """A list of scores that name what they are for, as an object; None where they do not."""
    found: dict[str, Any] = {}
    for entry in entries:
        if not isinstance(entry, dict):
            return None
        name = next((entry[key] for key in ("name", "tool", "number") if key in entry), None)
        if name is None or str(name) in found:
            return None
        found[str(name)] = entry
    return found


def _score(name: str, entry: Any) -> Score:
    told = entry.get("score", entry.get("Score")) if isinstance(entry, dict) else entry
    reason = entry.get("reason", "") if isinstance(entry, dict) else ""
    return Score(read_value(name, told), " ".join(str(reason).split())[:_LONGEST_REASON])


def read_value(name: str, told: Any) -> float:
    """A number on the paper's scale; one in quotes is read. Raises Unusable where it is none."""
    if isinstance(told, bool) or not isinstance(told, int | float | str):
        raise Unusable(f"The score of {name} is no number.")
    try:
        value = float(told)
    except ValueError:
        raise Unusable(f"The score of {name} is no number.") from None
    if not 1.0 <= value <= 5.0:
        raise Unusable(f"The score of {name} is {told}; it must be from 1 to 5.")
    return value


def strict_object(**properties: Any) -> dict[str, Any]:
    """The schema of an object with all of these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
