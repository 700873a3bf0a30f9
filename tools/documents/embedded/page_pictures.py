"""Pages of a PDF as pictures, as sharp as can be read and no larger than is worked with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import PIL.Image

from controlllm.toolbox import Context

_POINTS_AN_INCH = 72
_DOTS = 150
#: The longest side of a picture of one page, and how tall a picture of several gets.
_LONGEST, _TALLEST = 4000, 14_000
_GAP = 24
_BEHIND = (214, 217, 222)


def picture(page: Any, beside: int = 1) -> PIL.Image.Image:
    """A page, of so many in the picture, at 150 dots an inch where that is not too large."""
    longest = max(*page.get_size(), 1.0)
    most = min(_LONGEST, _TALLEST // max(beside, 1))
    scale = min(_DOTS / _POINTS_AN_INCH, most / longest)
    drawn: PIL.Image.Image = page.render(scale=scale).to_pil().convert("RGB")
    return drawn


def pictures(
    pages: Any, wanted: Sequence[int], context: Context, beside: int = 1
) -> Iterator[PIL.Image.Image]:
    """The wanted pages of a PDF, counted from 0, one after the other: see `picture`."""
    for done, number in enumerate(wanted):
        context.progress(done / len(wanted), f"Page {number + 1}")
        yield picture(pages[number], beside)


def below_each_other(pages: Sequence[PIL.Image.Image]) -> PIL.Image.Image:
    """Several pages in one picture, in the middle of its width, with a gap between."""
    width = max(page.width for page in pages)
    height = sum(page.height for page in pages) + _GAP * (len(pages) - 1)
    shown = PIL.Image.new("RGB", (width, height), _BEHIND)
    top = 0
    for page in pages:
        shown.paste(page, ((width - page.width) // 2, top))
        top += page.height + _GAP
    return shown
