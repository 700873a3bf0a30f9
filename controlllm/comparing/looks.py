"""Whether two pictures look the same: to say so is better than to let a person search."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

#: A channel of 0 to 255 that differs by no more than this is not seen to differ.
_NOT_SEEN = 3
#: Pictures are compared at most this wide and high, in pixels.
_MOST_SIDE = 768
#: Larger ones are not compared: they take hundreds of megabytes to read.
_MOST_PIXELS = 40_000_000


@lru_cache(maxsize=256)
def look_alike(left: Path, right: Path) -> bool:
    """Whether nobody would see where two pictures differ: nowhere, at up to 768 pixels, by more
    than 3 of 255 in any channel, clear places counting as one colour. False where one cannot be
    read, or has more than 40 megapixels. Files are content-addressed: what was found stays true."""
    import numpy
    from PIL import Image

    seen: list[numpy.ndarray] = []
    size = (0, 0)
    try:
        for path in (left, right):
            with Image.open(path) as picture:
                is_other = bool(seen) and picture.size != size
                if is_other or picture.width * picture.height > _MOST_PIXELS:
                    return False
                whole = picture.convert("RGBA")
            size = whole.size
            whole.thumbnail((_MOST_SIDE, _MOST_SIDE))
            pixels = numpy.asarray(whole, numpy.int16)
            seen.append(pixels * (pixels[..., 3:] > 0))
    except (OSError, ValueError, Image.DecompressionBombError):
        return False
    return bool(numpy.abs(seen[0] - seen[1]).max(initial=0) <= _NOT_SEEN)
