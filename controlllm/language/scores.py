"""Scores from 1 to 5 with reasons, for each of a number of things, in one reply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from controlllm.language.reading import Checked, Unusable

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
