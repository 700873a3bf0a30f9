"""File formats, qualities, colours and how solid something is, as people say them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Choice, Kind
from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found

_NAMED = Choice(
    jpeg="jpg jpeg jpe jpegs jpgs",
    png="pngs",
    webp="web_p",
    avif="avifs",
    tiff="tif tiffs tifs",
    gif="gifs",
    bmp="bitmap",
    ico="icon favicon favicons",
    heic="heif",
    jxl="jpeg_xl",
    svg="svgs",
    psd="photoshop",
    raw="dng",
)
#: What stands before the format that a picture has, and shall no longer have.
_BEFORE = re.compile(
    r"(?:\b(?:instead of|rather than|not|no longer|from|of|these|this|that|my|the|its|saves?)"
    r"(?: an?| the| this| my| these)?|\bturn(?: the| this| my)?|\bconvert(?: the| this| my)?) \.?$"
)


def _formats(words: str) -> Iterator[Found]:
    found = list(_NAMED.find(words.replace(".heic", " heic")))
    meant = [item for item in found if not _BEFORE.search(words[: item.start])]
    yield from meant or found


#: The format that a picture is wanted in; of several the last one.
Format = Annotated[
    str,
    Kind(
        "one of jpeg, png, webp, avif, tiff, gif, bmp, ico",
        _formats,
        "jpeg|png|webp|avif|tiff|gif|bmp|ico",
    ),
]


def _qualities(words: str) -> Iterator[Found]:
    for pattern in (
        r"\bquality(?: of| to| at| is|:|=)* ?(\d{1,3}(?:\.\d+)?)(?: ?%| percent)?(?!\w)",
        r"(?<![\w.])(\d{1,3}(?:\.\d+)?) ?(?:%|percent)? quality\b",
        r"\bq ?[=:]? ?(\d{1,3})(?![\w.:])",
        r"(?<![\w.])(\d{1,3}(?:\.\d+)?) ?(?:%|percent\b|per cent\b)",
    ):
        for match in re.finditer(pattern, words):
            if 1 <= float(match[1]) <= 100:
                yield Found(float(match[1]), *match.span())
    for pattern, quality in (
        (r"\b(?:best|highest|top|full|maximum|max) quality\b", 97.0),
        (r"\b(?:high|good) quality\b", 90.0),
        (r"\bmedium quality\b", 75.0),
        (r"\b(?:low|lower|poor) quality\b", 50.0),
    ):
        for match in re.finditer(pattern, words):
            yield Found(quality, *match.span())


#: In percent, 1 to 100.
Quality = Annotated[float, Kind("a quality, such as 85 %", _qualities)]


_LIKE = {
    "bluish": "#0000ff", "blueish": "#0000ff", "reddish": "#ff0000", "purplish": "#800080",
    "orangey": "#ffa500", "rosy": "#ff66a3", "golden": "#ffd700", "silvery": "#c0c0c0",
}  # fmt: skip
_DARK = "#1e1e1e"


def _shades(words: str) -> Iterator[Found]:
    yield from find_colours(words)
    for match in re.finditer(rf"\b(?:{'|'.join(_LIKE)})\b", words):
        yield Found(_LIKE[match[0]], *match.span())
    for match in re.finditer(r"\bdark\b", words):
        yield Found(_DARK, *match.span())


Shade = Annotated[str, Kind("a colour, such as red or #ff8800", _shades, "#[0-9a-fA-F]{6}")]


_SHARE = r"(?<![\w.:])(\d+(?:\.\d+)?) ?(?:%|percent|per cent)"
_SOLID = r"(?:opacity|opaque|strength|solid|visible|visibility)"
_CLEAR = r"(?:transparen(?:t|cy)|see[ -]?through|translucen(?:t|cy))"
_HALF = rf"\b(?:half|semi)[ -]?{_CLEAR}|\b{_CLEAR}\b"


def _solidities(words: str) -> Iterator[Found]:
    """The shares that are said of how solid or how clear it is; others say something else."""
    for kind, is_clear in ((_SOLID, False), (_CLEAR, True)):
        pattern = rf"{_SHARE} {kind}\b|\b{kind}(?: of| at| to| is)?[ :=]*{_SHARE}"
        for match in re.finditer(pattern, words):
            share = float(match[1] or match[2])
            yield Found(100.0 - share if is_clear else share, *match.span())
    for match in re.finditer(_HALF, words):
        yield Found(50.0, *match.span())
    # What a person types into the field of this value alone.
    if alone := re.fullmatch(rf"\s*{_SHARE}\s*", words):
        yield Found(float(alone[1]), *alone.span())


#: In percent: 100 is all solid.
Solidity = Annotated[float, Kind("how solid it is, such as 50 %", _solidities)]
