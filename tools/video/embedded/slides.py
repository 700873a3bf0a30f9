"""Pictures shown one after the other, each whole on itself enlarged and blurred."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import PIL.Image

from ...shared.pixels import rgb
from ...shared.video_files import even
from .canvas import whole

_RATE = 25
_FADE = 0.8  # seconds of a transition, at most a third of the time that a picture is shown
_LARGE, _USUAL, _SMALL = 1080, 720, 360
_LONG = 240.0  # seconds from which on pictures are written smaller, so that it does not take long


def frame_size(images: Sequence[PIL.Image.Image], shape: float, seconds: float) -> tuple[int, int]:
    """The size of a slideshow of a shape: HD where the pictures have so many pixels."""
    largest = max(max(image.size) for image in images)
    short = _LARGE if largest >= 1600 and seconds <= _LONG else _USUAL
    short = _SMALL if largest < 480 else short
    wide, high = (short * shape, short) if shape >= 1 else (short, short / shape)
    return even(min(wide, 3840)), even(min(high, 3840))


def frames(
    images: Sequence[PIL.Image.Image], size: tuple[int, int], each: float, fades: bool
) -> Iterator[tuple[float, np.ndarray]]:
    """The pictures of a slideshow with their seconds; each picture is shown for `each`, and half of
    each transition belongs to it."""
    import cv2

    count = round(each * len(images) * _RATE)
    half = min(_FADE, each / 3) / 2 if fades else 0.0
    slide, number = _slide(images[0], size), 0
    following = _slide(images[1], size) if len(images) > 1 else slide
    earlier = slide
    for place in range(max(count, 1)):
        time = place / _RATE
        if min(int(time / each + 1e-6), len(images) - 1) > number:
            number += 1
            earlier, slide = slide, following
            following = _slide(images[number + 1], size) if number + 1 < len(images) else slide
        within = time - number * each
        shown = slide
        if half and number and within < half:
            share = 0.5 + 0.5 * within / half
            shown = cv2.addWeighted(slide, share, earlier, 1 - share, 0)
        elif half and number + 1 < len(images) and each - within < half:
            share = 0.5 + 0.5 * (each - within) / half
            shown = cv2.addWeighted(slide, share, following, 1 - share, 0)
        yield time, shown


def _slide(image: PIL.Image.Image, size: tuple[int, int]) -> np.ndarray:
    return whole(rgb(image), size, blurred=True)
