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
from tools.masks.embedded import grabcut, outlines
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


def meant(box: Box, seen: Sequence[Box]) -> Box:
    """The detected object that a hand-drawn box is around, else the box itself."""
    fitting = [
        other
        for other in seen
        if boxes.overlap(box, other) > _SAME_OBJECT and boxes.inside(other, box) > _MOSTLY_INSIDE
    ]
    best = max(fitting, key=lambda other: boxes.overlap(box, other), default=None)
    return box if best is None else replace(best, label=box.label or best.label)


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
        framed = outlines.in_box(picture, meant(Box(left, top, right, bottom), seen))
        return framed if framed.any() else rough
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
        found = outlines.in_box(picture, box)
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
