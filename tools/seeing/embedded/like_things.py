"""Many like things on a plain ground, such as coins, pills or screws: found by how they stand out
from it, whatever they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Box

from ...shared.boxes import labelled

#: The picture is looked at so large.
_SIDE = 640
#: So few are no heap, and so many cannot be told apart.
_FEWEST, _MOST = 3, 500
#: A thing takes at least and at most so much of the picture.
_SMALLEST, _LARGEST = 0.00012, 0.12
#: Of the middle size a thing is so much at least and at most, and so many of all that stands out
#: are so: others are no things of one kind.
_ALIKE, _MOSTLY = (0.35, 2.6), 0.7
#: What is so much larger than the middle one and fills so little of its hull is several that touch.
_OF_TWO, _FULL = 1.4, 0.94
#: How much of the picture is ground, and how well things of one kind fit together at least.
_GROUND, _FITS = (0.25, 0.997), 0.62
#: How deep the waist between two that touch is, of the thing's half width.
_WAIST = 0.15


def find(image: PIL.Image.Image) -> tuple[Box, ...]:
    """A box around each of several things that are alike and lie apart or touch a little on a
    plain ground; none where the picture shows no such things."""
    small = image.convert("RGB")
    scale = min(_SIDE / max(small.size), 1.0)
    small = small.resize([max(round(side * scale), 1) for side in small.size])
    ways = [_alike(mask) for mask in _standing_out(np.asarray(small))]
    found, _ = max(ways, key=lambda way: (way[1], len(way[0])), default=((), 0.0))
    sides = [(box.left, box.top, box.right, box.bottom) for box in found]
    return tuple(labelled([side / scale for side in own], "", 0.5) for own in sides)


def _standing_out(pixels: np.ndarray) -> list[np.ndarray]:
    """What stands out from the ground, told in several ways: boolean, height x width."""
    import cv2

    lab = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB).astype(np.float32)
    lab = cv2.GaussianBlur(lab, (0, 0), 1.2)
    rim = np.concatenate([lab[:3].reshape(-1, 3), lab[-3:].reshape(-1, 3),
                          lab[:, :3].reshape(-1, 3), lab[:, -3:].reshape(-1, 3)])  # fmt: skip
    far = np.linalg.norm(lab - np.median(rim, axis=0), axis=2)
    masks = [_above(far)]
    light = lab[..., 0]
    # A ground that is lighter on one side: what is lighter or darker than around it.
    around = cv2.GaussianBlur(light, (0, 0), max(pixels.shape) / 9)
    masks += [_above(light - around), _above(around - light), _above(light), _above(-light)]
    return masks


def _above(values: np.ndarray) -> np.ndarray:
    import cv2

    low, high = float(values.min()), float(values.max())
    if high - low < 12:
        return np.zeros(values.shape, bool)
    grey = ((values - low) * (255 / (high - low))).astype(np.uint8)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return mask > 0


def _alike(mask: np.ndarray) -> tuple[tuple[Box, ...], float]:
    """The like things of a mask, and how well they fit together, 0..1."""
    from scipy import ndimage
    from skimage import measure
    from skimage.morphology import disk, opening

    mask = opening(ndimage.binary_fill_holes(mask), disk(2))
    if not _GROUND[0] <= 1 - mask.mean() <= _GROUND[1]:
        return (), 0.0
    regions = _regions(measure.label(mask))
    if not 2 <= len(regions) <= _MOST:
        return (), 0.0
    regions = _regions(_apart(regions, mask.shape))
    middle = float(np.median([region.area for region in regions]))
    things = [
        region
        for region in regions
        if _ALIKE[0] * middle <= region.area <= min(_ALIKE[1] * middle, _LARGEST * mask.size)
    ]
    share = sum(region.area for region in things) / sum(region.area for region in regions)
    if len(things) < _FEWEST or len(things) < _MOSTLY * len(regions) or share < _MOSTLY:
        return (), 0.0
    sizes = np.array([region.area for region in things])
    # Letters differ in shape, things of one kind do not.
    shapes = float(np.std([region.solidity for region in things]))
    fits = share / (1 + float(sizes.std() / sizes.mean()) + 3 * shapes)
    return (tuple(map(_box, things)), fits) if fits >= _FITS else ((), 0.0)


def _regions(numbered: np.ndarray) -> list[Any]:
    from skimage import measure

    least = _SMALLEST * numbered.size
    return [region for region in measure.regionprops(numbered) if region.area >= least]


def _apart(regions: list[Any], shape: tuple[int, ...]) -> np.ndarray:
    """The regions, numbered; those that are several which touch are parted at their waists."""
    from scipy import ndimage
    from skimage import measure, segmentation
    from skimage.morphology import h_maxima

    middle = float(np.median([region.area for region in regions]))
    numbered = np.zeros(shape, np.int32)
    for region in regions:
        parts = region.image.astype(np.int32)
        if region.area > _OF_TWO * middle and region.solidity < _FULL:
            inside = ndimage.gaussian_filter(
                ndimage.distance_transform_edt(np.pad(region.image, 1)), 1.0
            )[1:-1, 1:-1]
            tops = h_maxima(inside, max(_WAIST * (middle / np.pi) ** 0.5, 0.75))
            parts = segmentation.watershed(-inside, measure.label(tops), mask=region.image)
        place = numbered[region.slice]
        place[parts > 0] = parts[parts > 0] + numbered.max()
    return numbered


def _box(region: Any) -> Box:
    top, left, bottom, right = region.bbox
    return Box(left, top, right, bottom, "", 0.5)
