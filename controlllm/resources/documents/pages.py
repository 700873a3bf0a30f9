"""Documents that consist of pages: PDF, and pictures of several pages (TIFF)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.resources.documents.archives import Unreadable

MOST_PAGES = 2000
_POINTS_AN_INCH = 72
_DOTS_AN_INCH = 150
#: Ends of lines that belong to a sentence which goes on. A short line before a number is none: it
#: is a line of a bill or a list.
_GOES_ON = re.compile(
    r"(?<=[^\s.!?:;\n])\n(?=[^\W\d_A-Z])|(?P<long>[^\n]{45,}[^\s.!?:;\n])(?<!\d[.,]\d\d)\n(?=[\d(])"
)


class Locked(Unreadable):
    """A document that opens only with a password."""


_HYPHEN = re.compile(r"(?<=[a-zà-ÿ])[-\xad\ufffe]\n(?=[a-zà-ÿ])")


def page_count(path: Path, kind: str) -> int:
    """How many pages there are."""
    if kind == "tif":
        with PIL.Image.open(path, formats=["TIFF"]) as picture:
            return int(getattr(picture, "n_frames", 1))
    return len(_opened(path))


def pieces_of_pdf(path: Path) -> Iterator[str]:
    """The words of each page of a PDF, lines of one sentence joined."""
    document = _opened(path)
    for number in range(min(len(document), MOST_PAGES)):
        page = document[number]
        words = page.get_textpage().get_text_bounded().replace("\r", "")
        page.close()
        joined = _GOES_ON.sub(
            _joined, _HYPHEN.sub("", "\n".join(map(str.strip, words.split("\n"))))
        )
        # NUL and other controls stand for letters that the file gives no meaning.
        yield re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]", "", joined).strip()


def _joined(end: re.Match[str]) -> str:
    return f"{end['long'] or ''} "


def picture_of_page(path: Path, kind: str, number: int, most: int) -> PIL.Image.Image:
    """A page as a picture, no side longer than `most` pixels; `number` counts from 1.

    Raises Unreadable where there is no such page.
    """
    if not 1 <= number <= page_count(path, kind):
        raise Unreadable(f"has no page {number}.")
    if kind == "tif":
        with PIL.Image.open(path, formats=["TIFF"]) as picture:
            picture.seek(number - 1)
            frame = picture.convert("RGB")
            frame.thumbnail((most, most))
            return frame
    page = _opened(path)[number - 1]
    longest = max(*page.get_size(), 1.0)
    scale = min(_DOTS_AN_INCH / _POINTS_AN_INCH, most / longest)
    return page.render(scale=scale).to_pil().convert("RGB")


def _opened(path: Path) -> Any:
    import pypdfium2

    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Locked(
                "is protected by a password. Have it taken off first: “unlock it, the password is "
                "…”."
            ) from None
        raise Unreadable(
            "is a damaged PDF document. Get the file again, or save it anew, and add that."
        ) from None
