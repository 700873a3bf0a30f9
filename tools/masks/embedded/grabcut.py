"""Cut a marked object out of its background by colours.

The cut is OpenCV's GrabCut (Rother, Kolmogorov and Blake, "GrabCut", 2004).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controlllm.resources import Box

WORKING_SIDE = 320
_REFINED_SIDE = 1280


@dataclass(frozen=True)
class _View:
    """The part of a picture around a box, at working size."""

    left: int
    top: int
    right: int
    bottom: int
    pixels: np.ndarray  # uint8, height x width x 3
    scale: float

    def place(self, box: Box, margin: float = 0.0) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of a box in this view, within it, widened by a margin."""
        height, width = self.pixels.shape[:2]
        more_x, more_y = margin * (box.right - box.left), margin * (box.bottom - box.top)
        left = round((box.left - more_x - self.left) * self.scale)
        top = round((box.top - more_y - self.top) * self.scale)
        right = round((box.right + more_x - self.left) * self.scale)
        bottom = round((box.bottom + more_y - self.top) * self.scale)
        left, top = min(max(left, 0), width - 1), min(max(top, 0), height - 1)
        return left, top, min(max(right, left + 1), width), min(max(bottom, top + 1), height)


def cut_marked(
    picture: np.ndarray, area: Box, start: np.ndarray, front: np.ndarray, back: np.ndarray
) -> np.ndarray:
    """The object that marks mean: bool, height x width of the picture.

    `area` is where it may be; `start` is a guess of it, `front` and `back` are what surely does
    and does not belong to it (all bool, size of the picture).
    """
    import cv2

    view = _view(picture, area, margin=0.1)
    shape = view.pixels.shape[1::-1]

    def seen(mask: np.ndarray) -> np.ndarray:
        part = mask[view.top : view.bottom, view.left : view.right].astype(np.uint8)
        return cv2.resize(part * 255, shape, interpolation=cv2.INTER_AREA) > 127

    guess, sure, never = seen(start), seen(front), seen(back)
    left, top, right, bottom = view.place(area, 0.05)
    labels = np.full(guess.shape, cv2.GC_BGD, np.uint8)
    labels[top:bottom, left:right] = cv2.GC_PR_BGD
    labels[guess] = cv2.GC_PR_FGD
    labels[never] = cv2.GC_BGD
    labels[sure] = cv2.GC_FGD
    found = (_cut(view.pixels, labels, rounds=3) | sure) & ~never
    found = _tidy(found, ~never, keep=sure)
    full = np.zeros(picture.shape[:2], bool)
    part = picture[view.top : view.bottom, view.left : view.right]
    full[view.top : view.bottom, view.left : view.right] = _enlarge(found, part)
    return (full | front) & ~back


def _view(picture: np.ndarray, box: Box, margin: float) -> _View:
    import cv2

    height, width = picture.shape[:2]
    more_x, more_y = margin * (box.right - box.left) + 4, margin * (box.bottom - box.top) + 4
    left, top = int(max(box.left - more_x, 0)), int(max(box.top - more_y, 0))
    left, top = min(left, width - 1), min(top, height - 1)
    right = max(int(min(box.right + more_x, width)), left + 1)
    bottom = max(int(min(box.bottom + more_y, height)), top + 1)
    part = picture[top:bottom, left:right]
    scale = min(1.0, WORKING_SIDE / max(part.shape[:2]))
    if scale < 1:
        shape = (max(round(part.shape[1] * scale), 1), max(round(part.shape[0] * scale), 1))
        part = cv2.resize(part, shape, interpolation=cv2.INTER_AREA)
    return _View(left, top, right, bottom, np.ascontiguousarray(part), scale)


def _cut(pixels: np.ndarray, labels: np.ndarray, rounds: int) -> np.ndarray:
    import cv2

    certain = np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD))
    if not certain.any() or certain.all():
        return certain
    cv2.setRNGSeed(0)
    back, front = np.zeros((1, 65)), np.zeros((1, 65))
    bgr = np.ascontiguousarray(pixels[:, :, ::-1])
    labels = labels.copy()
    try:
        cv2.grabCut(bgr, labels, None, back, front, rounds, cv2.GC_INIT_WITH_MASK)
    except cv2.error:  # too few different colours for its mixture models
        return certain
    return np.isin(labels, (cv2.GC_FGD, cv2.GC_PR_FGD))


def _tidy(mask: np.ndarray, inside: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """Close cracks, fill holes, drop crumbs and, where there are marks, what bears none."""
    import cv2
    from scipy import ndimage

    mask = (mask & inside).astype(np.uint8)
    size = max(3, round(0.015 * max(mask.shape)) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    mask = cv2.morphologyEx(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), cv2.MORPH_CLOSE, kernel)
    holes = ndimage.binary_fill_holes(mask) & (mask == 0)
    count, pieces, facts, _ = cv2.connectedComponentsWithStats(holes.astype(np.uint8))
    for piece in range(1, count):  # an opening such as that between two legs is background
        if facts[piece, cv2.CC_STAT_AREA] < 0.03 * mask.sum():
            mask[pieces == piece] = 1
    count, pieces, facts, _ = cv2.connectedComponentsWithStats(mask)
    if count <= 1:
        return mask.astype(bool)
    areas = facts[1:, cv2.CC_STAT_AREA]
    large = np.flatnonzero(areas >= 0.12 * areas.max()) + 1
    if keep.any():
        large = np.setdiff1d(np.unique(pieces[keep]), [0])
    return np.isin(pieces, large)


def _enlarge(mask: np.ndarray, picture: np.ndarray) -> np.ndarray:
    """The mask at the size of `picture`, its rim moved to the picture's edges.

    The rim is refined with a guided filter (He, Sun and Tang, "Guided Image Filtering", 2010).
    """
    import cv2

    height, width = picture.shape[:2]
    if mask.shape == (height, width):
        return mask
    if max(height, width) > _REFINED_SIDE:  # beyond this a pixel more or less is not seen
        scale = _REFINED_SIDE / max(height, width)
        shape = (max(round(width * scale), 1), max(round(height * scale), 1))
        smaller = _enlarge(mask, cv2.resize(picture, shape, interpolation=cv2.INTER_AREA))
        soft = cv2.GaussianBlur(smaller.astype(np.uint8) * 255, (0, 0), 1)
        return cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR) > 127
    soft = cv2.resize(mask.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    light = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32) / 255
    side = 2 * max(1, round(width / mask.shape[1])) + 1

    def mean(values: np.ndarray) -> np.ndarray:
        return cv2.blur(values, (side, side))

    mean_light, mean_soft = mean(light), mean(soft)
    slope = (mean(light * soft) - mean_light * mean_soft) / (
        mean(light * light) - mean_light**2 + 1e-4
    )
    level = mean_soft - slope * mean_light
    return mean(slope) * light + mean(level) > 0.5
