"""Putting a cut-out subject before a drawn background."""

from __future__ import annotations

import numpy as np
import PIL.Image

from tools.masks.embedded import matting
from tools.pictures.embedded import backdrops, lens_blur


def before(
    picture: np.ndarray, subject: np.ndarray, kind: str, shades: tuple[backdrops.Colour, ...]
) -> PIL.Image.Image:
    """The subject (bool, height x width) of a picture before a background of a kind: RGB, or RGBA
    where the background is to be transparent."""
    alpha = matting.soft_edge(picture, subject)
    if kind == backdrops.BLURRED:
        return PIL.Image.fromarray(lens_blur.blur_around(picture, alpha))
    front = matting.own_colours(picture, alpha)
    if kind == backdrops.TRANSPARENT:
        result = PIL.Image.fromarray(front)
        result.putalpha(PIL.Image.fromarray((alpha * 255).round().astype(np.uint8)))
        return result
    height, width = alpha.shape
    ground = backdrops.draw(kind, shades, (width, height))
    share = alpha[..., None]
    return PIL.Image.fromarray((front * share + ground * (1 - share)).round().astype(np.uint8))
