"""The kinds of values that several tools take, as types of their parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found, Kind, found_in
from controlllm.values.pages import find_pages, find_some_pages, find_told_pages
from controlllm.values.plain import HIDDEN, PARTS
from controlllm.values.sizes import find_ratios, find_sizes
from controlllm.values.times import find_all_passages, find_passages, find_seconds

_FIGURE = r"(?<![\w.:])([-+]?\d+(?:\.\d+)?)"


_QUIETER = re.compile(
    r"(?<!too )(?<!so )\b(?:quiet\w*|soft\w*)|\btoo loud\b|\b(?:lower\w*|"
    r"reduc\w+|turn\w* (?:\w+ ){0,3}down|decreas\w+|less loud|down|"
    r"under|below|attenuat\w+)\b"
)


def _levels(words: str) -> Iterator[Found]:
    is_quieter = _QUIETER.search(words)

    def level(match: re.Match[str]) -> float:
        value = float(match[1])
        falls = is_quieter or match[2].startswith("l")
        return -value if value > 0 and not match[1].startswith("+") and falls else value

    # Of levels alone something is said to be below nought without its unit: "-16 rather".
    bare = r"(?<![\w.:])(?<!\d )-\d+(?:\.\d+)?(?![\w:%-]|[.,]\d| ?(?:%|°|[a-z]{1,2}\b))"
    yield from found_in(
        words,
        (rf"{_FIGURE} ?(db\w?|de[cs][ia]b[ea]?ll?e?s?|lufs|lu|lkfs)\b", level),
        (bare, lambda match: float(match[0])),
    )


#: Both sides together are neither a way to turn nor a place.
_BESIDE = r"(?: ?[-/] ?| (?:and|to|with|for) (?:(?:at |on )?the )?)"
_PAIRED = re.compile(
    rf"\b(?:(?:left|right){_BESIDE}(?:left|right)|(?:top|bottom){_BESIDE}(?:top|bottom))"
    r"\b(?![ -](?:left|right|corner|hand))"
)


def _without_pairs(words: str) -> str:
    return _PAIRED.sub(lambda pair: HIDDEN * len(pair[0]), words)


#: A number alone behind what is done: "turn 180", "rotate it by 90 to the left".
_TURNED_BY = (
    r"\b(?:rotat\w+|turn\w*|tilt\w*|spin\w*)(?: (?!page)[a-z]+){0,3}? (\d{2,3})\b"
    r"(?= (?:to|left|right|(?:anti|counter)?[ -]?clockwise|c?cw|please)\b|[,.;!]|$)"
)
#: What is turned so is upright then, which says not how far; what lies on a side is turned back.
_SIDE = r"(?:[ -]hand)? side\b"
_UPRIGHT = re.compile(
    r"\b(?:right[ -]?(?:way|side)[ -]?(?:up|round|around|over)?|(?:way|side) (?:up|round) right|"
    rf"on (?:its|their|the) (?:left|right){_SIDE})\b"
)
_LEFT = re.compile(r"\b(?:left|counter[ -]?clockwise|anti[ -]?clockwise|ccw)\b")


def _angles(words: str) -> Iterator[Found]:
    said = words
    words = _UPRIGHT.sub(lambda match: HIDDEN * len(match[0]), _without_pairs(words))
    sign = -1 if _LEFT.search(words) else 1
    yield from found_in(
        words,
        (rf"{_FIGURE} ?(?:°|degrees?|deg\b)", lambda match: float(match[1]) * sign),
        (_TURNED_BY, lambda match: float(match[1]) * sign),
        (r"\bthree[ -]quarter turn\b", 270.0 * sign),
        (r"\b(?:quarter|90)[ -](?:of a )?turn\b", 90.0 * sign),
        (
            r"\b(?:half|180)[ -](?:a )?turn\b|\bupside[ -]down\b|"
            r"\b(?:on|with) (?:its|his|her|their) heads?\b(?! up)|\bwrong way up\b|\bhead down\b",
            180.0,
        ),
        (r"\b(?:left|right|(?:counter[ -]?|anti[ -]?)?clockwise|sideways|ccw|cw)\b", 90.0 * sign),
    )
    yield from found_in(
        said,
        (rf"\bon (?:its|their|the) left{_SIDE}", 90.0),
        (rf"\bon (?:its|their|the) right{_SIDE}", -90.0),
    )


_PERCENTS = (
    (rf"{_FIGURE} ?(?:%|percent\b|per cent\b)", lambda match: float(match[1])),
    (r"\b(?:twice|double[ds]?|2 ?x|2 times|(?:two|2)[ -]?fold)\b", 200.0),
    (r"\b(?:halve[ds]?|half)\b", 50.0),
    (r"\b(?:three times|triple[ds]?|3 ?x|3 times|(?:three|3)[ -]?fold)\b", 300.0),
    (r"\b2 thirds\b", 200 / 3),
    (r"\b(?:3|three) quarters\b", 75.0),
    *(
        (
            rf"\b(?:an?|1) {part}\b(?! (?:of an? )?(?:second|minute|up|down|higher|lower)\b)",
            100 / PARTS[part],
        )
        for part in ("third", "quarter", "fifth", "sixth", "eighth", "tenth")
    ),
)
_BYTES = re.compile(
    rf"{_FIGURE} ?(k(?:ilo)?b(?:ytes?)?|kilobytes?|m(?:ega)?b(?:ytes?)?|megabytes?|megs?|"
    r"g(?:iga)?b(?:ytes?)?|gigs?|k(?=\b)|m(?=b?\b))(?!\w)"
)
_ABOUT = r"(?:about|around|almost|nearly|over|already|now|currently|like|roughly|only|just) "
#: What stands before a size that a file may have, and behind it.
_MAY_BE = re.compile(
    r"\b(?:under|below|max\w*|most|up to|less than|more than|than|limit\w*|allow\w*|within|into|"
    r"stops?(?: \w+)?|takes?(?: only)?|refus\w+|accept\w*)(?:'s| is| of| at| over|:)? "
    r"(?:a |about )?$|"
    r"\b(?:anything|everything|whatever|what|nothing|all|files?|mails?)"
    r"(?:'s|(?: that| which)?(?:'s| is| are| comes| goes| weighs))? (?:over|above|beyond) $"
)
_AT_MOST = re.compile(
    r"(?: is)? (?:max\w*|tops|at (?:the )?most|or (?:less|smaller|below)|limit)\b"
)
#: What stands before the size that a file has: "the scan is 12 MB", "my 12 MB scan".
_HAS = re.compile(
    rf"(?:\b(?:is|are|was|were|weighs?|has|have|got|from|comes? (?:in|out) at)|'s) (?:{_ABOUT})*$"
)
_OWN = re.compile(rf"\b(?:my|this|that|these|our|his|her) (?:{_ABOUT})?$")


def _file_sizes(words: str) -> Iterator[Found]:
    """How large a file may be: what is said to be its most first; not how large one is."""
    others = []
    for match in _BYTES.finditer(words):
        size = float(match[1]) * 1000 ** ("kmg".index(match[2][0]) + 1)
        before, behind = words[: match.start()], words[match.end() :]
        if _MAY_BE.search(before) or _AT_MOST.match(behind):
            yield Found(size, *match.span())
        elif not _HAS.search(before) and not (_OWN.search(before) and re.match(r"[ -]\w", behind)):
            others.append(Found(size, *match.span()))
    yield from others


_HERTZ = (
    rf"{_FIGURE} ?(k?)(?:hz|hertz|ilohertz)\b",
    lambda match: float(match[1]) * (1000 if match[2] else 1),
)
_LENGTH = (r"(?<![\w.x])(\d+)[ -]?(?:px|pixels?|pix)\b", lambda match: int(match[1]))

_HEIGHTS = {"top": "top", "upper": "top", "bottom": "bottom", "lower": "bottom"}
_CORNER = re.compile(
    r"\b(?:(?P<height>top|upper|bottom|lower)[ -]?(?:(?:and|,) )?(?:hand )?(?P<side>left|right)|"
    r"(?P<first>left|right)(?:[ -]hand)? (?P<second>top|upper|bottom|lower))\b"
)
#: Neither what is left over nor what is the right one is at a side.
_SIDE_NAMES = (
    r"(?<!what's )(?<!what is )(?<!that's )(?<!that is )(?<!still )left(?! (?:over|out|of it)\b)|"
    r"(?<!all )right(?! (?:across|away|now|size|way|shape|format|colou?rs?|one|order|"
    r"in the (?:middle|cent\w+)|(?:on top|under|below|above|behind) (?:it|the))\b)"
)
_SHOWN = (
    r"(?:it|him|her|them|(?:that|this|each|both)(?: (?:one|1))?\b(?! \w)|"
    r"(?:the|that|this|each|my|both) "
    r"(?:picture|photo|image|pic|drawing|painting|video|film|clip|collage|sheet|chart|graph|"
    r"diagram|map|logo|code|front|pie)s?)"
)
_EDGE = re.compile(
    rf"\b(?:(?P<height>top|bottom|upper|lower)|(?P<side>{_SIDE_NAMES})|"
    rf"(?P<under>underneath|below|under {_SHOWN}|at the foot)|(?P<above>above|at the head)|"
    r"(?P<middle>centre[ds]?|center(?:ed|s)?|"
    r"(?:the )?middle(?! (?:of|clip|film|half of the (?:clip|film|video)) (?:the )?"
    r"(?:clip|film|video|song|recording))))\b"
)


def find_places(words: str) -> Iterator[Found]:
    """The places in plain words, such as ``"top left"``, corners before edges."""
    taken = [pair.span() for pair in _PAIRED.finditer(words)]
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


_N = r"\d+(?:\.\d+)?"
_SIZE = rf"{_N}x{_N}(?:cm|mm|in)?|{_N}x|x{_N}|(?:max|min){_N}|{_N}%|a[3-6]"

Size = Annotated[str, Kind("a size, such as 1200x800, 800 wide or 50 %", find_sizes, _SIZE)]
Ratio = Annotated[str, Kind("a shape, such as 16:9 or square", find_ratios, rf"{_N}:{_N}")]
FileSize = Annotated[float, Kind("a file's size, such as 500 kB or 2 MB", _file_sizes)]
Seconds = Annotated[float, Kind("a time, such as 3 seconds or 1:30", find_seconds)]
Decibels = Annotated[float, Kind("a level, such as -6 dB", _levels)]
Degrees = Annotated[float, Kind("an angle, such as 90 degrees", _angles)]
Percent = Annotated[float, Kind("a share, such as 50 %", lambda words: found_in(words, *_PERCENTS))]
Pixels = Annotated[
    int, Kind("a length in pixels, such as 20 px", lambda words: found_in(words, _LENGTH))
]
Hertz = Annotated[float, Kind("a pitch, such as 440 Hz", lambda words: found_in(words, _HERTZ))]
Colour = Annotated[str, Kind("a colour, such as red or #ff8800", find_colours, "#[0-9a-fA-F]{6}")]
Place = Annotated[str, Kind("a place, such as top left or centre", find_places)]
_PASSAGE = rf"(?:-?{_N}%?)?\.\.(?:{_N}%?)?"
Passage = Annotated[str, Kind("a passage, such as 0:05 to 0:12", find_passages, _PASSAGE)]
Passages = Annotated[
    str,
    Kind(
        "passages, such as 0:05 to 0:12 and 0:30 to 0:31",
        find_all_passages,
        rf"{_PASSAGE}(?:, ?{_PASSAGE})*",
    ),
]
_PAGES = r"(?:\d+(?:-\d*)?|last\d*|odd|even|all)(?:,(?:\d+(?:-\d*)?|last\d*))*"
Pages = Annotated[str, Kind("pages, such as 2 to 5", find_pages, _PAGES)]
ToldPages = Annotated[str, Kind("pages, such as 2 to 5", find_told_pages, _PAGES)]
SomePages = Annotated[str, Kind("pages, such as 2 to 5", find_some_pages, _PAGES)]
