"""Cut a marked object out of its background by colours.

The cut is OpenCV's GrabCut (Rother, Kolmogorov and Blake, "GrabCut", 2004).
"""

from __future__ import annotations

import numpy as np

from controlllm.resources import Box

from ...shared import boxes
from ...shared.pixels import at_most
from . import matting

_WORKING_SIDE, _REFINED_SIDE = 320, 1280
#: How far around an area is looked, and how far the object may reach out of it.
_SEEN, _POSSIBLE = 0.12, 0.05


def cut_marked(
    picture: np.ndarray, area: Box, start: np.ndarray, front: np.ndarray, back: np.ndarray
) -> np.ndarray:
    """The object that marks mean: bool, height x width of the picture.

    `area` is where it may be; `start` is a guess of it, `front` and `back` are what surely does
    and does not belong to it (all bool, size of the picture).
    """
    import cv2

    part = boxes.pixels_in(boxes.widened(area, _SEEN), start.shape)
    view = np.ascontiguousarray(picture[part])
    small = at_most(view, _WORKING_SIDE)

    def seen(mask: np.ndarray) -> np.ndarray:
        shape = small.shape[1::-1]
        return cv2.resize(mask[part].astype(np.uint8) * 255, shape, interpolation=3) > 127

    possible = np.zeros(start.shape, bool)
    possible[boxes.pixels_in(boxes.widened(area, _POSSIBLE), start.shape)] = True
    sure, never = seen(front), seen(back)
    labels = np.where(seen(possible), cv2.GC_PR_BGD, cv2.GC_BGD).astype(np.uint8)
    labels[seen(start)] = cv2.GC_PR_FGD
    labels[never] = cv2.GC_BGD
    labels[sure] = cv2.GC_FGD
    found = _closed((_cut(small, labels) | sure) & ~never) & ~never
    found = tidy(found, crumb=0.12, crack=0.03) & ~never
    if sure.any():
        _, pieces = cv2.connectedComponents(found.astype(np.uint8))
        found &= np.isin(pieces, np.unique(pieces[sure]))
    full = np.zeros(start.shape, bool)
    full[part] = _enlarged(found, view)
    return (full | front) & ~back


def tidy(mask: np.ndarray, crumb: float = 0.05, crack: float = 0.01) -> np.ndarray:
    """A mask without crumbs and cracks: bool, of the same size.

    Crumbs are pieces smaller than that share of the largest, cracks are holes smaller than that
    share of the mask; a larger opening, such as that between two legs, is background.
    """
    from scipy import ndimage

    pieces, sizes = _pieces(mask)
    whole = mask & (sizes >= crumb * sizes[1:].max(initial=0))[pieces]
    holes = ndimage.binary_fill_holes(whole) & ~whole
    pieces, sizes = _pieces(holes)
    return whole | holes & (sizes < crack * whole.sum())[pieces]


def _pieces(mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The connected piece that each pixel lies in, 0 for none, and how many pixels each has."""
    import cv2

    _, pieces, facts, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return pieces, facts[:, cv2.CC_STAT_AREA]


def _cut(pixels: np.ndarray, labels: np.ndarray) -> np.ndarray:
    import cv2

    certain = np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD))
    if not certain.any() or certain.all():
        return certain
    cv2.setRNGSeed(0)
    bgr, found = np.ascontiguousarray(pixels[:, :, ::-1]), labels.copy()
    try:
        models = np.zeros((1, 65)), np.zeros((1, 65))
        cv2.grabCut(bgr, found, None, *models, 3, cv2.GC_INIT_WITH_MASK)
    except cv2.error:  # too few different colours for its mixture models
        return certain
    return np.isin(found, (cv2.GC_FGD, cv2.GC_PR_FGD))


def _closed(mask: np.ndarray) -> np.ndarray:
    """A mask with a smooth rim."""
    import cv2

    size = max(3, round(0.015 * max(mask.shape)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    smooth = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    return cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, kernel) > 0


def _enlarged(mask: np.ndarray, picture: np.ndarray) -> np.ndarray:
    """The mask at the size of `picture`, its rim moved to the picture's edges."""
    import cv2

    height, width = picture.shape[:2]
    if mask.shape == (height, width):
        return mask
    smaller = at_most(picture, _REFINED_SIDE)  # beyond this a pixel more or less is not seen
    shape = smaller.shape[1::-1]
    soft = cv2.resize(mask.astype(np.float32), shape, interpolation=cv2.INTER_CUBIC)
    side = max(1, round(shape[0] / mask.shape[1]))
    found = matting.guided(smaller.astype(np.float32) / 255, soft, side, 1e-4)
    return cv2.resize(found, (width, height), interpolation=cv2.INTER_LINEAR) > 0.5
