"""Enlarging pictures so that edges stay sharp: back-projection with a guard against ringing.

The picture is enlarged by Lanczos's kernel, then corrected until, made small again, it gives the
original back (Irani and Peleg, "Improving resolution by image registration", 1991). Between the
corrections edges are steepened, and every value stays within what the original holds nearby, so
that no bright or dark rims appear. It makes no new detail, as a network would.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_ROUNDS = 8
_BAND = 256
_MARGIN = 16


def enlarge(
    picture: np.ndarray,
    factor: int,
    progress: Callable[[float, str], None] = lambda fraction, words: None,
) -> np.ndarray:
    """The picture, uint8 with any number of channels, a whole number of times as large.

    Bands of the picture are done one after the other, so that memory stays small.
    """
    rows, columns = picture.shape[:2]
    result = np.empty((rows * factor, columns * factor, *picture.shape[2:]), np.uint8)
    for top in range(0, rows, _BAND):
        progress(top / rows, "Enlarging the picture")
        bottom = min(top + _BAND, rows)
        start, end = max(top - _MARGIN, 0), min(bottom + _MARGIN, rows)
        part = _whole(picture[start:end], (columns * factor, (end - start) * factor))
        first, last = (top - start) * factor, (bottom - start) * factor
        result[top * factor : bottom * factor] = part[first:last]
    return result


def _whole(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    import cv2

    low = picture.astype(np.float32)
    shape = (picture.shape[1], picture.shape[0])
    current = cv2.resize(low, size, interpolation=cv2.INTER_LANCZOS4)
    ceiling, floor = _limits(low, size)
    for step in range(_ROUNDS):
        missing = low - cv2.resize(current, shape, interpolation=cv2.INTER_AREA)
        current = current + cv2.resize(missing, size, interpolation=cv2.INTER_CUBIC)
        if 0 < step < _ROUNDS - 2:
            current = _steeper(current, size[1] / shape[1])
        current = np.clip(current, floor, ceiling)
    return np.clip(current.round(), 0, 255).astype(np.uint8)


def _limits(low: np.ndarray, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """The highest and lowest value that a place may take: those nearby, and a little more."""
    import cv2

    square = np.ones((3, 3), np.uint8)
    high, deep = cv2.dilate(low, square), cv2.erode(low, square)
    slack = 0.1 * (high - deep) + 1
    ceiling = cv2.resize(high + slack, size, interpolation=cv2.INTER_LINEAR)
    return ceiling, cv2.resize(deep - slack, size, interpolation=cv2.INTER_LINEAR)


def _steeper(current: np.ndarray, factor: float) -> np.ndarray:
    """Values moved a little away from the edge that they lie on, as a shock filter does."""
    import cv2

    soft = cv2.GaussianBlur(current, (0, 0), 0.45 * factor)
    return current + 0.25 * (current - soft)
