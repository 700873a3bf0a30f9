"""How far a picture is to be turned, as people say it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Kind
from controlllm.values.kinds import Found
from controlllm.values.plain import HIDDEN

_DEGREES = r"(?<![\w.:])([-+]?\d+(?:\.\d+)?) ?(?:°|degrees?\b|deg\b|grad\b)"
#: A number alone behind what is done, which is no picture's number.
_BARE = (
    r"\b(?:by|rotat\w+|turn\w*|tilt\w*)(?: it| this| that)? ([-+]?\d{2,3})\b"
    r"(?! ?(?:and\b|,|px|pix|%|per))"
)
_DIRECTION = re.compile(
    r"\b(?P<left>(?:counter|anti)[ -]?clockwise|a?ccw|acw|left(?:wards?)?)\b|"
    r"\b(?P<right>clockwise|cw|right(?:wards?)?)\b"
)
_LEANS = r"\b(?:lean|hang|tilt|slop|slant|drop|droop|crooked|sag|dip|fall|lopsided|skew)\w*"
#: Where left and right do not say which way something is turned.
_NO_TURN = re.compile(
    rf"{_LEANS}(?: \S+){{0,6}}? (?:to|towards) (?:the|its) (?:left|right)|"
    r"\bright (?:way|side|now|away)\b|\ball right\b|\b(?:left|right)[ -]hand\b|"
    r"\b(?:what|who|how much)(?:'s| is)? left\b|\bleft and right\b|"
    r"\b(?:left|right) (?:edge|one|picture|photo|image)\b"
)
_LYING = re.compile(
    r"\bon(?:to)? (?:its|her|his|their|the) (?P<side>left|right)(?:[ -]hand)? side\b|"
    r"\b(?P<edge>left|right) (?:edge|side) is (?:at |on )?(?:the )?top\b|"
    r"\b(?:top|head|sky) (?:is|points) (?:on|at|to) the (?P<top>left|right)\b"
)
_PARTS = (
    (r"\bthree[ -]quarter turn\b|\b3 quarters? turns?\b", 270.0),
    (r"\b(?:half|180)[ -](?:a |of a )?(?:turn|way round)\b", 180.0),
    (r"\bquarter\b(?! (?:of the|size|hour))|\b90[ -](?:of a )?turn\b", 90.0),
)
_VAGUE = re.compile(
    r"\b(?:(?:a )?(?:few|couple(?: of)?) degrees|slight(?:ly)?|"
    r"a (?:little|bit|touch|tad|hair)|un peu)\b"
)
_OVER = re.compile(
    r"\bupside[ -]?down\b|\bon (?:its|his|her|their) head\b|\bother way up\b|\bhead over heels\b|"
    r"\bbottom to (?:the )?top\b|"
    r"\b(?:turn|rotat)\w*(?: (?!way)\S+){0,8} (?:round|around)(?= *[,.!;]|$| please)"
)
_SLIGHT = 3.0


def _turns(words: str) -> Iterator[Found]:
    said = _NO_TURN.sub(lambda match: HIDDEN * len(match[0]), words)
    ways = [(*match.span(), -1 if match["left"] else 1) for match in _DIRECTION.finditer(said)]

    def sign(end: int) -> int:
        """Of the way that stands nearest, rather behind than before."""
        near = min(
            ways,
            key=lambda way: way[0] - end if way[0] >= end else 1000 + end - way[1],
            default=None,
        )
        return near[2] if near else 1

    for match in re.finditer(_DEGREES, words):
        yield Found(float(match[1]) * sign(match.end()), *match.span())
    for match in re.finditer(_BARE, words):
        yield Found(float(match[1]) * sign(match.end()), *match.span())
    for pattern, angle in _PARTS:
        for match in re.finditer(pattern, words):
            yield Found(angle if angle == 180 else angle * sign(match.end()), *match.span())
    for match in _LYING.finditer(words):
        is_left = "left" in (match["side"], match["edge"], match["top"])
        yield Found(90.0 if is_left else -90.0, *match.span())
    if ways:
        for match in _VAGUE.finditer(words):
            yield Found(_SLIGHT * sign(match.end()), *match.span())
    for match in _OVER.finditer(words):
        if "way" not in match[0] or "other way" in match[0]:
            yield Found(180.0, *match.span())
    for start, end, way in ways:
        yield Found(90.0 * way, start, end)


#: Clockwise, in degrees.
Turn = Annotated[float, Kind("an angle, such as 90 degrees or a quarter to the left", _turns)]


def _leanings(words: str) -> Iterator[Found]:
    """Only angles in figures whose way is known: "a bit to the left" is better measured."""
    for match in re.finditer(_DEGREES, words):
        way = _DIRECTION.search(words)
        angle = float(match[1])
        if way:
            # What leans to the left is turned to the right.
            leans = re.search(rf"{_LEANS}|\btoo far\b", words) is not None
            yield Found(-angle if bool(way["left"]) != leans else angle, *match.span())
        elif angle < 0 or match[1].startswith("+") or words.strip() == match[0]:
            yield Found(angle, *match.span())


#: Clockwise, in degrees, by which something that leans is made level.
Leaning = Annotated[float, Kind("an angle, such as 3 degrees", _leanings)]
