"""How words on a video look, as people say it: their colour, their size and what is around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from controlllm.values import Choice, Kind
from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found

_AROUND = r"(?:outlin\w+|edg\w+|borders?|strokes?|shadows?|contours?|rims?|surround\w*)"
_PLATE = (
    r"(?:box(?:es)?|plates?|bars?|backgrounds?|strips?|bands?|ground|backdrop|banner|cards?|"
    r"screens?)"
)
#: What stands around a letter or below it, behind its colour and before it.
_BEHIND = rf" ?(?:\w+ )?(?:{_AROUND}|{_PLATE})\b"
_BEFORE = rf"\b(?:{_AROUND}|{_PLATE})(?: (?:in|of|is|are|with|should be|colou?r))*:? $"
_NO_PLATE = re.compile(rf"\b(?:no|without)(?: an?| any)? {_PLATE}\b")

#: How many times as large as usual words are.
SIZES = {"small": 0.7, "": 1.0, "large": 1.5, "huge": 2.1}
LETTERS = Choice(
    small="small little tiny smaller fine",
    large="large big bigger larger",
    huge="huge giant enormous very_large very_big really_big",
)


@dataclass(frozen=True)
class Look:
    """How words look: their colour, how many times as large as usual they are, where they stand,
    and the colour around them, or "plate" for a plate below."""

    colour: str = ""
    times: float = 1.0
    place: str = "bottom"
    around: str = ""


def is_around(words: str, found: Found) -> bool:
    """Whether a colour is that of what stands around letters or below them."""
    return bool(re.match(_BEHIND, words[found.end :]) or re.search(_BEFORE, words[: found.start]))


def _colours(words: str) -> Iterator[Found]:
    return (found for found in find_colours(words) if not is_around(words, found))


def _around(words: str) -> Iterator[Found]:
    for match in re.finditer(rf"\b{_PLATE}\b", words):
        denied = any(no.start() <= match.start() < no.end() for no in _NO_PLATE.finditer(words))
        if not denied and re.search(r"\b(?:on|with|in|over|behind|has|have|add)\b", words):
            yield Found("plate", *match.span())
    for found in find_colours(words):
        if is_around(words, found):
            yield found


LETTER_COLOUR = Kind("a colour, such as yellow", _colours, "#[0-9a-fA-F]{6}")
AROUND = Kind(
    "the colour around letters, or a plate below them, such as black outline",
    _around,
    "#[0-9a-fA-F]{6}|plate",
)
