"""The outline of the thing in a box: what stands out where a network looks at the box alone.

Colours move the outline, by OpenCV's GrabCut (Rother, Kolmogorov and Blake, "GrabCut", 2004), which
starts from what the network sees; where they would take much of the thing away, the network is
believed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from controlllm.resources import Box

from ...seeing.embedded import salience
from ...shared import boxes
from ...shared.pixels import at_most
from . import matting

#: How much is seen around a box, in parts of its sides; where things crowd, both are tried.
_AROUND, _TIGHT = 0.2, 0.05
#: Things crowd where so much more stands out around a box than in it.
_BESIDE = 1.05
#: In a box there is a thing, so what stands out only a little belongs to it.
_STANDS_OUT = 0.15
#: For colours: where the thing may be at first, where it is and where it is not.
_LIKELY, _SURE, _NEVER = 0.4, 0.8, 0.03
#: Colours have to leave this share of what the network sees.
_LEAST_LEFT = 0.85
#: A thing fills at least this share of its box.
_LEAST_FILLED = 0.15
_SMALLEST = 12  # pixels


def in_box(
    picture: np.ndarray, box: Box, crowded: bool | None = False, network: Any = None
) -> np.ndarray:
    """The pixels of the thing in a box: bool, height x width of the picture.

    `picture` is uint8, height x width x 3, RGB; the box may be a little larger than the thing. A
    box of a few pixels is taken whole. In a `crowded` place only what stands out in the box by
    itself, too, is taken; None means to see whether something stands out beside the box. `network`
    is that of `salience.salience`.
    """
    inside = boxes.pixels_in(box, picture.shape)
    within = np.zeros(picture.shape[:2], bool)
    within[inside] = True
    if min(within[inside].shape) < _SMALLEST:
        return within
    seen = salience.in_box(picture, boxes.widened(box, _AROUND), network)
    if crowded is None:
        crowded = bool(seen.sum() > _BESIDE * seen[inside].sum())
    if crowded:
        seen = np.minimum(seen, salience.in_box(picture, boxes.widened(box, _TIGHT), network))
    seen = np.where(within, seen, 0)
    found = seen > _STANDS_OUT
    if found[inside].mean() < _LEAST_FILLED:
        return cut_marked(picture, box, _oval(inside, found), np.zeros_like(found), ~within)
    moved = cut_marked(picture, box, seen > _LIKELY, seen > _SURE, seen < _NEVER)
    return moved if moved.sum() > _LEAST_LEFT * found.sum() else tidy(found)


def _oval(inside: tuple[slice, slice], like: np.ndarray) -> np.ndarray:
    """The oval in a box: a first guess where nothing stands out."""
    import cv2

    oval = np.zeros(like.shape, np.uint8)
    height, width = oval[inside].shape
    middle = (inside[1].start + width // 2, inside[0].start + height // 2)
    cv2.ellipse(oval, middle, (width // 2, height // 2), 0, 0, 360, 1, -1)
    return oval > 0


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
