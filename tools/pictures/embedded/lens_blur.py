"""Blur as a wide lens gives it: bright points become discs, and nothing sharp bleeds into it."""

from __future__ import annotations

import numpy as np

from ...shared.pixels import at_most

#: The blur is computed at no more than this size: what is blurred holds no finer detail.
_WORKING_SIDE = 1400
#: The radius of the discs as a share of the picture's longer side.
_STRENGTH = 0.025


def blur_around(picture: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """The picture with all but the subject out of focus: uint8, height x width x 3.

    `alpha` is how much of each pixel is subject, 0..1. The blurred ground is made of ground alone,
    so that the subject's colours make no halo around it.
    """
    from ...masks.embedded import matting

    ground = _blurred(picture, 1 - alpha)
    return matting.blended(matting.own_colours(picture, alpha), ground, alpha)


def _blurred(picture: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """A disc blur of the pixels that have weight, spread over those that have none: float32."""
    import cv2

    height, width = weight.shape
    small = at_most(picture, _WORKING_SIDE).astype(np.float32) / 255
    part = at_most(weight.astype(np.float32), _WORKING_SIDE)
    # A pixel at the rim is partly subject: it counts for far less than its share.
    part = np.clip((part - 0.6) / 0.4, 0, 1)
    radius = max(1.0, _STRENGTH * max(part.shape))
    # Light adds up in a lens, not its encoded value: this is what makes the bright discs.
    light = small**2.2
    bright = light.max(axis=-1)
    light = light * (1 + 3.0 * np.clip((bright - 0.6) / 0.4, 0, 1) ** 2)[..., None]
    kernel = _disc(radius)
    border = cv2.BORDER_REFLECT
    total = cv2.filter2D(part, -1, kernel, borderType=border)
    spread = cv2.filter2D(light * part[..., None], -1, kernel, borderType=border)
    spread = np.where(total[..., None] > 0.02, spread / np.maximum(total, 0.02)[..., None], 0)
    spread = _filled(spread.astype(np.float32), (total > 0.02).astype(np.float32), radius)
    spread = np.where(spread > 0.6, 0.6 + 0.4 * np.tanh((spread - 0.6) / 0.4), spread)
    shown = np.clip(spread, 0, 1) ** (1 / 2.2)
    shown = cv2.resize(
        (shown * 255).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    return np.clip(shown, 0, 255, out=shown)


def _disc(radius: float) -> np.ndarray:
    """A disc of a radius in pixels, smooth at its rim, that sums to one."""
    reach = int(np.ceil(radius))
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(down, across), 0, 1).astype(np.float32)
    return disc / disc.sum()


def _filled(colours: np.ndarray, known: np.ndarray, radius: float) -> np.ndarray:
    """Where the subject is wider than the discs, the ground's colours carried on inwards."""
    import cv2

    reach = radius
    while not known.all() and reach < 4 * max(known.shape):
        size = (2 * int(reach) + 1, 2 * int(reach) + 1)
        share = cv2.blur(known, size)
        guess = cv2.blur(colours * known[..., None], size) / np.maximum(share, 1e-6)[..., None]
        new = (known == 0) & (share > 1e-4)
        colours = np.where(new[..., None], guess, colours)
        known = np.maximum(known, new.astype(np.float32))
        reach *= 2
    return colours
