"""Large pictures, decoded: one at a time, looked at in bands, their memory given back.

A picture of 50 megapixels takes up to 200 MB while it is decoded. Several at once, whole copies for
a mere look, and memory that stays with the process would together take more than a machine has.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import PIL.Image

#: From how many pixels on a picture is large.
LARGE = 8_000_000
#: Pixels that are looked at together, about.
_BAND = 2_000_000

_one_at_a_time = threading.RLock()


@contextmanager
def room_for(size: tuple[int, int]) -> Iterator[None]:
    """While it lasts no other large picture is decoded; nothing for one that is not large.

    Whoever uses it lets go of the picture inside, in a function of its own: what is free at the end
    is given back to the system.
    """
    if size[0] * size[1] < LARGE:
        yield
        return
    with _one_at_a_time:
        try:
            yield
        finally:
            _give_back()


def bands(picture: PIL.Image.Image, multiple: int = 1) -> Iterator[tuple[int, PIL.Image.Image]]:
    """The picture from above to below in bands, each with its first row; that is a multiple of so
    many rows."""
    rows = max(_BAND // max(picture.width, 1) // multiple, 1) * multiple
    for top in range(0, picture.height, rows):
        bottom = min(top + rows, picture.height)
        yield top, picture.crop((0, top, picture.width, bottom))


def reduced(picture: PIL.Image.Image, side: int) -> PIL.Image.Image:
    """The picture with its sides divided by a whole number, the longer one still at least twice
    `side`, so that it can be scaled well to that; itself where it is not so large."""
    factor = max(picture.size) // (2 * side)
    if factor < 2:
        return picture
    size = (-(-picture.width // factor), -(-picture.height // factor))
    small = PIL.Image.new(picture.mode, size)
    # Pillow would make a whole copy first where there is transparency.
    for top, band in bands(picture, factor):
        small.paste(band.reduce(factor), (0, top // factor))
    return small


def _give_back() -> None:
    """Give free memory back to the system, which the C library keeps otherwise."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
