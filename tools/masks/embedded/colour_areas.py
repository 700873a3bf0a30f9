"""Areas of even colour, and the map that shows areas in colours of their own."""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...shared.pixels import at_most

_WORKING_SIDE = 480
_MAP_SIDE = 1600
#: How far colours may change within an area, and into how many areas a picture falls at most.
_EVENNESS, _MOST = 400, 400


def divided(picture: np.ndarray) -> np.ndarray:
    """The area that each pixel belongs to: int, height x width, from 0 up.

    `picture` is uint8, height x width x 3, RGB. Felzenszwalb and Huttenlocher, "Efficient
    Graph-Based Image Segmentation", 2004, on smoothed colours in CIE Lab.
    """
    import cv2
    from skimage.segmentation import felzenszwalb

    height, width = picture.shape[:2]
    small = at_most(picture, _WORKING_SIDE)
    smooth = cv2.cvtColor(cv2.bilateralFilter(small, 9, 40, 5), cv2.COLOR_RGB2LAB)
    areas = felzenszwalb(
        smooth.astype(np.float32) / 255,
        scale=_EVENNESS,
        sigma=0.5,
        min_size=max(small.shape[0] * small.shape[1] // _MOST, 4),
    )
    full = cv2.resize(areas.astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST)
    return full.astype(int)


def at_map_size(image: PIL.Image.Image) -> PIL.Image.Image:
    """The picture, or a copy of the size at which a map is made."""
    shown = image.copy()
    shown.thumbnail((_MAP_SIDE, _MAP_SIDE))
    return shown


def colour_map(regions: np.ndarray, image: PIL.Image.Image) -> PIL.Image.Image:
    """The map at the size of the picture: the largest regions take the first colours; thin light
    lines between regions."""
    import cv2

    values, indices, counts = np.unique(regions, return_inverse=True, return_counts=True)
    order = np.empty(len(values), int)
    order[np.argsort(-counts)] = np.arange(len(values))
    ranks = order[indices].reshape(regions.shape)
    shown = _palette(len(values))[ranks]
    width = max(1, round(max(regions.shape) / 600))
    height_value = ranks.astype(np.float32)
    kernel = np.ones((width + 1, width + 1), np.uint8)
    lines = cv2.dilate(height_value, kernel) != cv2.erode(height_value, kernel)
    shown[lines] = (250, 250, 250)
    return PIL.Image.fromarray(shown).resize(image.size, PIL.Image.Resampling.NEAREST)


def _palette(count: int) -> np.ndarray:
    """Soft, well separated colours: steps of the golden angle around the colour circle."""
    import colorsys

    colours = [
        colorsys.hsv_to_rgb((0.58 + index * 0.381966) % 1, 0.45 + 0.3 * (index % 3) / 2, value)
        for index in range(count)
        for value in [(0.95, 0.8, 0.65)[index // 3 % 3]]
    ]
    return (np.array(colours) * 255).astype(np.uint8)
