"""Masks as they lie over a picture while somebody points at things in it."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
import PIL.Image

from controlllm.resources import decode

# Told apart by people of every colour vision (Okabe and Ito), lighter and darker in turn.
_COLOURS = (
    (0, 158, 115), (230, 159, 0), (86, 180, 233), (204, 121, 167), (240, 228, 66), (0, 114, 178),
    (213, 94, 0), (150, 150, 150),
)  # fmt: skip
#: A larger mask is drawn in a smaller copy, and so much of its colour is seen.
_SIDE = 1024
_FOUND, _KEPT = 107, 56


def overlay(pixels: np.ndarray, number: int, is_kept: bool = False) -> str:
    """A mask, bool, in the colour of its number, as the address of a PNG that holds itself.

    A line that is light inside and dark outside is seen on any picture.
    """
    height, width = pixels.shape
    reach = max(1, round(max(height, width) / 512))
    padded = np.pad(pixels, reach)
    beside = [
        padded[reach + down : reach + down + height, reach + across : reach + across + width]
        for across, down in ((-reach, 0), (reach, 0), (0, -reach), (0, reach))
    ]
    drawn = pixels.astype(np.uint8)
    drawn[pixels & ~np.logical_and.reduce(beside)] = 2
    drawn[~pixels & np.logical_or.reduce(beside)] = 3
    picture = PIL.Image.fromarray(drawn, "P")
    colour = _COLOURS[(number - 1) % len(_COLOURS)]
    picture.putpalette([0, 0, 0, *colour, 255, 255, 255, 10, 10, 10])
    seen = bytes((0, _KEPT if is_kept else _FOUND, 255, 255))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=1, transparency=seen)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def kept_pixels(path: Path) -> np.ndarray:
    """The pixels of a mask that is kept, bool, in a moderate size."""
    pixels: np.ndarray = decode("mask", path)[0].pixels
    largest = max(pixels.shape)
    if largest <= _SIDE:
        return pixels
    small = PIL.Image.fromarray(pixels)
    size = [max(1, round(side * _SIDE / largest)) for side in pixels.shape[::-1]]
    return np.asarray(small.resize((size[0], size[1]), PIL.Image.Resampling.NEAREST))


def middle_of(pixels: np.ndarray) -> tuple[float, float]:
    """The middle of a mask, in shares of its sides: to the right, and down."""
    if not pixels.any():
        return 0.5, 0.5
    down, across = np.nonzero(pixels)
    return float(across.mean() / pixels.shape[1]), float(down.mean() / pixels.shape[0])
