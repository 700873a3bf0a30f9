"""Pictures on a canvas of another shape: whole with bars or a blurred edge, or cut to it."""

from __future__ import annotations

import math

import numpy as np

_DIM = 0.72  # how bright a blurred ground is, so that the picture on it stands out
_SMALL = 64  # pixels of the longer side at which a ground is blurred


def cut_to(width: int, height: int, shape: float, place: str) -> tuple[int, int, int, int]:
    """The largest part of a shape (width by height) that a picture holds at a place: left, top,
    width and height, the latter even."""
    wide, high = (height * shape, height) if width / height > shape else (width, width / shape)
    wide, high = _even(wide, width), _even(high, height)
    across, down = shares(place)
    return round((width - wide) * across), round((height - high) * down), wide, high


def _even(side: float, most: int) -> int:
    return min(max(round(side / 2) * 2, 2), most)


def _filling(side: float, most: int) -> int:
    """A side in whole pixels; a line or two that were left free would look like a fault."""
    return most if most - side <= 2.5 else max(round(side), 1)


def shares(place: str) -> tuple[float, float]:
    """How far to the right and how far down a place lies, 0 to 1; the middle where none is said."""
    words = place.split()
    across = 0.0 if "left" in words else 1.0 if "right" in words else 0.5
    return across, 0.0 if "top" in words else 1.0 if "bottom" in words else 0.5


def around(width: int, height: int, shape: float) -> tuple[float, float]:
    """The size of a canvas of a shape whose shorter side is the picture's."""
    short = min(width, height)
    return (short * shape, short) if shape >= 1 else (short, short / shape)


def whole(
    picture: np.ndarray, size: tuple[int, int], blurred: bool = False, place: str = ""
) -> np.ndarray:
    """All of a picture on a canvas, on black or on itself, enlarged and blurred."""
    height, width = picture.shape[:2]
    scale = min(size[0] / width, size[1] / height)
    wide, high = _filling(width * scale, size[0]), _filling(height * scale, size[1])
    shown = resized(picture, (wide, high))
    if (wide, high) == size:
        return shown
    canvas = _ground(picture, size) if blurred else np.zeros((size[1], size[0], 3), np.uint8)
    across, down = shares(place)
    left, top = round((size[0] - wide) * across), round((size[1] - high) * down)
    canvas[top : top + high, left : left + wide] = shown
    return canvas


def resized(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A picture at another size, smooth both ways."""
    import cv2

    if picture.shape[1::-1] == size:
        return picture
    way = cv2.INTER_AREA if picture.shape[1] > size[0] else cv2.INTER_CUBIC
    return cv2.resize(picture, size, interpolation=way)


def covering(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A picture that fills a canvas, what stands out cut off on both sides."""
    height, width = picture.shape[:2]
    left, top, wide, high = cut_to(width, height, size[0] / size[1], "")
    return resized(picture[top : top + high, left : left + wide], size)


def _ground(picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    import cv2

    scale = _SMALL / max(size)
    small = (max(math.ceil(size[0] * scale), 2), max(math.ceil(size[1] * scale), 2))
    blurred = cv2.GaussianBlur(covering(picture, small), (0, 0), 2.2)
    dim = (blurred * np.float32(_DIM)).astype(np.uint8)
    return cv2.resize(dim, size, interpolation=cv2.INTER_CUBIC)
