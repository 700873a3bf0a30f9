"""The exact object that a hand-drawn box, a rough mask or brush strokes mean.

A rough mask is right in its heart and wrong along its rim, so the heart is taken for certain, a
band along the rim is left open, and GrabCut decides there. Brush strokes are thin: they lie on
the object, which reaches further in all directions. A mask that fills a rectangle is a box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from controlllm.resources import Box
from tools.masks.embedded import grabcut
from tools.shared import boxes
from tools.shared.pixels import bounds

#: A hand-drawn box means a detected object where they agree this much.
_SAME_OBJECT, _MOSTLY_INSIDE = 0.55, 0.8
_RECTANGLE = 0.97
#: Area over squared half thickness: about 3 for a disc, 12 for a standing person.
_STROKE = 22.0
_HEART, _START, _BAND = 0.5, 0.3, 0.5  # in parts of the mask's half thickness
_AROUND_STROKES = 0.25
#: Strokes mean a detected object whose box holds, and whose shape covers, this much of them.
_HELD, _COVERED, _MOST_TRIED = 0.95, 0.8, 3
_SMALLEST = 4  # pixels
_ROUNDS = 2
#: Shares of a drawn box that are taken off each of its sides.
_SHRINKING = (0.0, 0.08, 0.16)
#: Edges are compared in pictures of this size at most.
_EDGE_SIDE = 640


def meant(box: Box, seen: Sequence[Box]) -> Box:
    """The detected object that a hand-drawn box is around, else the box itself."""
    fitting = [
        other
        for other in seen
        if boxes.overlap(box, other) > _SAME_OBJECT and boxes.inside(other, box) > _MOSTLY_INSIDE
    ]
    best = max(fitting, key=lambda other: boxes.overlap(box, other), default=None)
    return box if best is None else replace(best, label=box.label or best.label)


def in_box(picture: np.ndarray, box: Box) -> np.ndarray:
    """The object in a hand-drawn box: bool, height x width of the picture (uint8, RGB).

    The box may be larger than the object, so smaller ones are tried too; the cut whose rim
    follows the picture's edges most closely is kept.
    """
    width, height = box.right - box.left, box.bottom - box.top
    best, crispest = np.zeros(picture.shape[:2], bool), -1.0
    slope = _slope(picture)
    for share in _SHRINKING:
        tried = replace(
            box,
            left=box.left + share * width,
            top=box.top + share * height,
            right=box.right - share * width,
            bottom=box.bottom - share * height,
        )
        found = grabcut.cut_box(picture, tried)
        crispness = _crispness(found, slope)
        if found.any() and crispness > crispest:
            best, crispest = found, crispness
    return best


def under(picture: np.ndarray, rough: np.ndarray, seen: Sequence[Box]) -> np.ndarray:
    """The object that a rough mask or brush strokes mean: bool, height x width of the picture.

    `picture` is uint8, height x width x 3, RGB; `rough` is bool and has pixels that are set;
    `seen` are the objects that were detected.
    """
    import cv2

    corners = bounds(rough)
    assert corners is not None
    left, top, right, bottom = corners
    if min(right - left, bottom - top) < _SMALLEST:
        return rough
    area = int(rough.sum())
    if area > _RECTANGLE * (right - left) * (bottom - top):
        box = Box(left, top, right, bottom)
        known = meant(box, seen)
        return in_box(picture, box) if known == box else grabcut.cut_box(picture, known)
    # A border of zeros: what reaches the picture's edge is not endlessly thick.
    padded = np.pad(rough.astype(np.uint8), 1)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    thickness = float(depth.max())
    if area > _STROKE * thickness**2:
        found = _known_under(picture, rough, seen)
        return _stroked(picture, rough, corners) if found is None else found
    apart = cv2.distanceTransform(1 - rough.astype(np.uint8), cv2.DIST_L2, 5)
    away = apart > max(_BAND * thickness, _SMALLEST)
    wide = bounds(~away)
    assert wide is not None
    return _refined(
        picture, Box(*wide), depth > _START * thickness, depth > _HEART * thickness, away
    )


def _known_under(
    picture: np.ndarray, strokes: np.ndarray, seen: Sequence[Box]
) -> np.ndarray | None:
    """The smallest detected object that the strokes lie on, None where there is none."""
    holding = [
        box
        for box in sorted(seen, key=boxes.area)
        if strokes[
            max(int(box.top), 0) : int(np.ceil(box.bottom)),
            max(int(box.left), 0) : int(np.ceil(box.right)),
        ].sum()
        > _HELD * strokes.sum()
    ]
    for box in holding[:_MOST_TRIED]:
        found = grabcut.cut_box(picture, box)
        if found[strokes].mean() > _COVERED:
            return found | strokes
    return None


def _stroked(
    picture: np.ndarray, strokes: np.ndarray, corners: tuple[int, int, int, int]
) -> np.ndarray:
    import cv2

    left, top, right, bottom = corners
    height, width = strokes.shape
    side = max(right - left, bottom - top)
    more = _AROUND_STROKES * side
    area = Box(
        max(left - more, 0),
        max(top - more, 0),
        min(right + more, width),
        min(bottom + more, height),
    )
    away = np.ones(strokes.shape, bool)
    away[int(area.top) : int(area.bottom), int(area.left) : int(area.right)] = False
    apart = cv2.distanceTransform(1 - strokes.astype(np.uint8), cv2.DIST_L2, 5)
    return _refined(picture, area, apart < 0.1 * side, strokes, away)


def _refined(
    picture: np.ndarray, area: Box, start: np.ndarray, front: np.ndarray, back: np.ndarray
) -> np.ndarray:
    found = start
    for _ in range(_ROUNDS):  # the second cut knows the object's colours from the first
        found = grabcut.cut_marked(picture, area, found, front, back & ~front)
    return found


def _slope(picture: np.ndarray) -> np.ndarray:
    """How steeply colours change at each pixel, of a picture of limited size."""
    import cv2

    scale = min(1.0, _EDGE_SIDE / max(picture.shape[:2]))
    size = [max(round(side * scale), 1) for side in picture.shape[1::-1]]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    colours = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2LAB), (0, 0), 1.5)
    colours = colours.astype(np.float32)
    steep = [
        np.hypot(cv2.Sobel(part, -1, 1, 0), cv2.Sobel(part, -1, 0, 1))
        for part in cv2.split(colours)
    ]
    return np.sum(steep, axis=0)


def _crispness(mask: np.ndarray, slope: np.ndarray) -> float:
    """How steep the picture is along a mask's rim, even where it is least so."""
    import cv2

    small = cv2.resize(mask.astype(np.uint8), slope.shape[::-1], interpolation=cv2.INTER_NEAREST)
    rim = cv2.morphologyEx(small, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    return float(np.percentile(slope[rim], 30)) if rim.any() else 0.0
