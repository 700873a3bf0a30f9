"""Cut an object out of its background: from a box around it, or from marks on it.

The cut is OpenCV's GrabCut (Rother, Kolmogorov and Blake, "GrabCut", 2004). Several starting
guesses are tried and the result that fits the box best is kept, since colours alone often take
one half of a two-coloured object for background.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controlllm.resources import Box
from tools.seeing.embedded import foreground

WORKING_SIDE = 320
_REFINED_SIDE = 1280

#: Things whose outline has no dents worth keeping: their mask is closed to its convex hull.
CONVEX = frozenset(
    [
        "bus",
        "car",
        "truck",
        "stop sign",
        "traffic light",
        "parking meter",
        "tv",
        "laptop",
        "microwave",
        "oven",
        "toaster",
        "refrigerator",
        "book",
        "clock",
        "cell phone",
        "remote",
        "keyboard",
        "mouse",
        "suitcase",
        "sports ball",
        "frisbee",
        "bowl",
        "orange",
        "apple",
        "pizza",
        "donut",
        "umbrella",
    ]
)

_ON_WHEELS = frozenset(["bus", "car", "truck"])
_BOXY = frozenset(["bus", "truck"])


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


def cut_box(picture: np.ndarray, box: Box) -> np.ndarray:
    """The pixels of the object in a box: bool, height x width of the picture.

    `picture` is uint8, height x width x 3, RGB. A box of a few pixels is taken whole.
    """
    height, width = picture.shape[:2]
    view = _view(picture, box, margin=0.3)
    inside = np.zeros(view.pixels.shape[:2], bool)
    left, top, right, bottom = view.place(box, 0.03)
    inside[top:bottom, left:right] = True
    guesses = [] if right - left < 12 or bottom - top < 12 else _guesses(view, box, inside)
    tight = view.place(box)
    scored = [(_fit(guess, tight, view.pixels), guess) for guess in guesses if guess.any()]
    highest, best = max(scored, key=lambda item: item[0], default=(0.0, inside))
    if box.label in CONVEX:
        # Each guess finds another part of a thing of several colours.
        spread = 0.3 if box.label in _BOXY else 0.12
        parts = [guess for fit, guess in scored if fit > highest - spread]
        best = _hull(np.logical_or.reduce([best, *parts])) & inside
    if box.label in _ON_WHEELS:
        best = _lowered(best, tight) & inside
    full = np.zeros((height, width), bool)
    part = picture[view.top : view.bottom, view.left : view.right]
    full[view.top : view.bottom, view.left : view.right] = _enlarge(best, part)
    return full


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


def _guesses(view: _View, box: Box, inside: np.ndarray) -> list[np.ndarray]:
    """Cuts from different starting points, each tidied."""
    import cv2

    guesses = []
    likely = _likely(view, box)
    left, top, right, bottom = view.place(box)
    core = likely[top:bottom, left:right]
    if (core > 0.5).mean() > 0.1:
        size = max(3, round(0.03 * max(core.shape)) | 1)
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        labels = np.where(likely > 0.5, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
        labels[cv2.erode((likely > 0.8).astype(np.uint8), kernel) > 0] = cv2.GC_FGD
        labels[cv2.dilate((likely > 0.2).astype(np.uint8), kernel) == 0] = cv2.GC_BGD
        labels[~inside] = cv2.GC_BGD
        guesses.append(_tidy(_cut(view.pixels, labels, rounds=2), inside))
        guesses.append(_tidy(likely > 0.5, inside))
    ellipse = np.zeros(inside.shape, np.uint8)
    centre = ((left + right) // 2, (top + bottom) // 2)
    half = (right - left) / 2, (bottom - top) / 2
    starts = [(1.0, 0.0), (1.15, 0.45)] + [(1.15, 0.85)] * (box.label in _BOXY)
    for reach, heart in starts:
        labels = np.where(inside, cv2.GC_PR_BGD, cv2.GC_BGD).astype(np.uint8)
        ellipse[:] = 0
        cv2.ellipse(ellipse, centre, [int(side * reach) for side in half], 0, 0, 360, 1, -1)
        if inside.mean() > 0.97:  # nothing outside to learn the background from but the corners
            labels[ellipse == 0] = cv2.GC_BGD
        labels[(ellipse > 0) & inside] = cv2.GC_PR_FGD
        if heart:
            ellipse[:] = 0
            cv2.ellipse(ellipse, centre, [int(side * heart) for side in half], 0, 0, 360, 1, -1)
            labels[ellipse > 0] = cv2.GC_FGD
        guesses.append(_tidy(_cut(view.pixels, labels, rounds=4), inside))
    return guesses


def _likely(view: _View, box: Box) -> np.ndarray:
    """The foreground network's opinion, of a close and of a wider look at the box."""
    closer = np.zeros(view.pixels.shape[:2], np.float32)
    left, top, right, bottom = view.place(box, 0.06)
    closer[top:bottom, left:right] = foreground.likelihood(view.pixels[top:bottom, left:right])
    wider = foreground.likelihood(view.pixels)
    likely = (closer + wider) / 2 if (wider > 0.5).mean() > 0.05 else closer
    strongest = float(np.percentile(likely[top:bottom, left:right], 90))
    return np.minimum(likely / max(strongest, 0.6), 1) if strongest > 0.3 else likely


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


def _tidy(mask: np.ndarray, inside: np.ndarray, keep: np.ndarray | None = None) -> np.ndarray:
    """Close cracks, fill holes, drop crumbs."""
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
    if keep is not None:
        large = np.setdiff1d(np.unique(pieces[keep]), [0])
    return np.isin(pieces, large)


def _fit(mask: np.ndarray, box: tuple[int, int, int, int], pixels: np.ndarray) -> float:
    """How well a mask fits its box: it touches all sides, and its rim follows edges."""
    import cv2

    left, top, right, bottom = box
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    width = min(columns[-1] + 1, right) - max(columns[0], left)
    height = min(rows[-1] + 1, bottom) - max(rows[0], top)
    shared = max(width, 0) * max(height, 0)
    extent = (columns[-1] + 1 - columns[0]) * (rows[-1] + 1 - rows[0])
    tightness = shared / (extent + (right - left) * (bottom - top) - shared)
    share = mask[top:bottom, left:right].mean()
    light = cv2.GaussianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB), (0, 0), 1).astype(np.float32)
    slope = sum(
        np.hypot(cv2.Sobel(light[..., i], -1, 1, 0), cv2.Sobel(light[..., i], -1, 0, 1))
        for i in range(3)
    )
    rim = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_GRADIENT, np.ones((3, 3))) > 0
    crispness = slope[rim].mean() / max(float(np.percentile(slope, 95)), 1e-3)
    return tightness + 0.5 * min(crispness, 1.0) - (0.4 if share < 0.25 or share > 0.97 else 0.0)


def _lowered(mask: np.ndarray, box: tuple[int, int, int, int]) -> np.ndarray:
    """The mask drawn down to the foot of its box: dark wheels are often taken for the road."""
    foot = int(np.flatnonzero(mask.any(axis=1))[-1]) + 1 if mask.any() else box[3]
    gap = box[3] - foot
    if not 0 < gap < 0.2 * (box[3] - box[1]):
        return mask
    lowered = mask.copy()
    for step in range(1, gap + 1):
        lowered[step:] |= mask[:-step]
    return lowered


def _hull(mask: np.ndarray) -> np.ndarray:
    import cv2

    points = np.argwhere(mask)[:, ::-1].astype(np.int32)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(filled, cv2.convexHull(points), 1)
    return filled.astype(bool)


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
