"""Putting a cut-out subject before a drawn background."""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...masks.embedded import matting
from . import backdrops, lens_blur


def before(
    picture: np.ndarray, subject: np.ndarray, kind: str, shades: tuple[backdrops.Colour, ...]
) -> PIL.Image.Image:
    """The subject (bool, height x width) of a picture before a background of a kind: RGB, or RGBA
    where the background is to be transparent."""
    alpha = matting.soft_edge(picture, subject)
    if kind == backdrops.BLURRED:
        return PIL.Image.fromarray(lens_blur.blur_around(picture, alpha))
    if kind == backdrops.TRANSPARENT:
        return cut_out(picture, alpha)
    height, width = alpha.shape
    return on_ground(picture, alpha, backdrops.draw(kind, shades, (width, height)))


def cut_out(picture: np.ndarray, alpha: np.ndarray) -> PIL.Image.Image:
    """What `alpha` (0..1, height x width) shows of a picture, in its own colours: RGBA."""
    result = PIL.Image.fromarray(matting.own_colours(picture, alpha))
    result.putalpha(PIL.Image.fromarray((alpha * 255).round().astype(np.uint8)))
    return result


def on_ground(picture: np.ndarray, alpha: np.ndarray, ground: np.ndarray) -> PIL.Image.Image:
    """What `alpha` shows of a picture, in its own colours before a ground of the same size."""
    return PIL.Image.fromarray(matting.blended(matting.own_colours(picture, alpha), ground, alpha))
