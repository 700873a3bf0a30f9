"""File formats of pictures and qualities, as people say them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

from controlllm.values import Choice, Kind
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
