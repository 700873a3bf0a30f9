"""Places on a picture or a page: corners, edges and the middle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from controlllm.values.kinds import Found

_HEIGHTS = {"top": "top", "upper": "top", "bottom": "bottom", "lower": "bottom"}
_CORNER = re.compile(
    r"\b(?:(?P<height>top|upper|bottom|lower)[ -]?(?:(?:and|,) )?(?:hand )?(?P<side>left|right)|"
    r"(?P<first>left|right)(?:[ -]hand)? (?P<second>top|upper|bottom|lower))\b"
)
_EDGE = re.compile(
    r"\b(?:(?P<height>top|bottom|upper|lower)|(?P<side>left|right)|(?P<under>underneath|below|"
    r"at the foot)|(?P<above>above|at the head)|(?P<middle>centre[ds]?|center(?:ed|s)?|"
    r"(?:the )?middle(?! (?:of|clip|film|half of the (?:clip|film|video)) (?:the )?"
    r"(?:clip|film|video|song|recording))))\b"
)


def find_places(words: str) -> Iterator[Found]:
    """The places in plain words, such as ``"top left"``, corners before edges."""
    taken = []
    for match in _CORNER.finditer(words):
        height = _HEIGHTS[match["height"] or match["second"]]
        taken.append(match.span())
        yield Found(f"{height} {match['side'] or match['first']}", *match.span())
    for match in _EDGE.finditer(words):
        if any(start < match.end() and match.start() < end for start, end in taken):
            continue
        if match["height"]:
            place = _HEIGHTS[match["height"]]
        elif match["side"]:
            place = match["side"]
        elif match["middle"]:
            place = "centre"
        else:
            place = "bottom" if match["under"] else "top"
        yield Found(place, *match.span())
