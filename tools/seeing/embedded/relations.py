"""How two found objects stand to each other, as far as their boxes tell."""

from __future__ import annotations

import tomllib
from pathlib import Path

from controlllm.resources import Box

from ...shared.boxes import area, centre, distance, inside
from . import things

SUPPORTS = things.that_are("support")
RIDDEN = things.that_are("ridden")
CARRIED = things.that_are("carried")
#: Relations that say on which side of a thing another one is.
SIDES = ("to the left of", "to the right of", "above", "below")
#: Of these the hand is sure: nobody wears them, and they do not lie on a table before a person.
HELD = things.that_are("held")
_BOARDS = RIDDEN & SUPPORTS
_WORDS: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: Each word for a relation with the relation, one of `holds`; longer words come first.
NAMED = dict(
    sorted(
        ((word, name) for name, words in _WORDS.items() for word in words.split(", ")),
        key=lambda named: -len(named[0]),
    )
)


def meant_by(word: str) -> str:
    """The relation that a word of a question names; "with" for verbs such as "wear"."""
    return NAMED.get(word, "with")


def holds(name: str, one: Box, other: Box) -> bool:
    """Whether `one` stands to `other` in a relation, one of those that `NAMED` names."""
    if name == "riding":
        return rides(one, other)
    if name == "with":
        return has(one, other)
    if name == "on":
        return rides(one, other) or rests_on(one, other)
    if name == "beside":
        reach = 0.5 * max(one.right - one.left, other.right - other.left)
        return distance(one, other) < reach
    if name in ("to the left of", "to the right of"):
        return (centre(one)[0] < centre(other)[0]) == (name == "to the left of")
    if name in ("above", "below"):
        return (centre(one)[1] < centre(other)[1]) == (name == "above")
    return relation(one, other) == name


def rides(one: Box, other: Box) -> bool:
    """Whether `one`, a living thing, is on `other` as a rider is: above it and reaching into it."""
    if one.label != "person" or other.label not in RIDDEN:
        return False
    if other.label in _BOARDS:
        height = one.bottom - one.top
        below = other.bottom > one.top + 0.65 * height and area(other) < area(one)
        return below and distance(one, other) < 0.1 * height
    height = other.bottom - other.top
    seated = one.top < other.top + 0.1 * height and centre(one)[1] < centre(other)[1]
    deep = one.bottom > other.top + 0.15 * height
    # One who stands before or behind it has the feet as low as it has its own.
    standing = one.bottom > other.bottom - 0.03 * height and other.label in things.ALIVE
    return seated and deep and not standing and _across(one, other) > 0.6


def has(one: Box, other: Box) -> bool:
    """Whether `one`, a living thing, probably holds, wears or carries `other`."""
    if one.label not in things.ALIVE or other.label not in CARRIED:
        return False
    if other.label == "umbrella":
        return _across(one, other) > 0.5 and other.top < centre(one)[1] and distance(one, other) < 1
    reach = 0.12 * (one.right - one.left)
    around = Box(one.left - reach, one.top - reach, one.right + reach, one.bottom)
    # What is swung reaches far from the body.
    return inside(other, around) > (0.15 if other.label in HELD else 0.6)


def rests_on(one: Box, other: Box) -> bool:
    """Whether `one` lies, stands or sits on `other`."""
    if other.label not in SUPPORTS or one.label in SUPPORTS:
        return False
    height = other.bottom - other.top
    if other.label == "dining table" and one.label not in things.ALIVE:
        foot = other.top <= one.bottom <= other.bottom + 0.05 * height
        return foot and _across(one, other) > 0.7
    if other.label == "dining table" and one.label == "person":
        return False
    low = one.bottom > other.top + 0.2 * height
    return low and _across(one, other) > 0.6 and centre(one)[1] <= centre(other)[1] + 0.1 * height


def relation(one: Box, other: Box) -> str:
    """Where `one` is, seen from `other`, as words that its name can follow: "on the", "left of"."""
    if rides(one, other) or rests_on(one, other):
        return "on"
    if has(other, one):
        return "with"
    if other.label == "umbrella" and has(one, other):
        return "under"
    (x, y), (other_x, other_y) = centre(one), centre(other)
    apart = distance(one, other)
    if apart == 0 and max(inside(one, other), inside(other, one)) > 0.3:
        nearer = one.bottom - other.bottom
        least = 0.05 * max(one.bottom - one.top, other.bottom - other.top)
        if abs(nearer) > least and "dining table" not in (one.label, other.label):
            return "in front of" if nearer > 0 else "behind"
        return "beside"
    width = (one.right - one.left + other.right - other.left) / 2
    height = (one.bottom - one.top + other.bottom - other.top) / 2
    across, down = (x - other_x) / max(width, 1), (y - other_y) / max(height, 1)
    if abs(across) >= 0.8 * abs(down):
        return "to the left of" if across < 0 else "to the right of"
    return "above" if down < 0 else "below"


def _across(one: Box, other: Box) -> float:
    """How much of the narrower box's width lies over the other one."""
    shared = min(one.right, other.right) - max(one.left, other.left)
    narrower = min(one.right - one.left, other.right - other.left)
    return max(shared, 0.0) / max(narrower, 1e-6)
