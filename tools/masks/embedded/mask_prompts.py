"""The exact object that a hand-drawn box, a rough mask or brush strokes mean.

A rough mask is right in its heart and wrong along its rim, so the heart is taken for certain, and
in a band along the rim the outline of what its box holds decides, or colours where they tell
something else altogether. Brush strokes are thin: they lie on the object, which reaches further in
all directions. A mask that fills a rectangle is a box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from controlllm.resources import Box

from ...shared import boxes
from ...shared.pixels import bounds
from . import clicked, grabcut, outlines

#: A hand-drawn box means a detected object where they agree this much.
_SAME_OBJECT, _MOSTLY_INSIDE = 0.55, 0.8
_RECTANGLE = 0.97
#: Area over squared half thickness: about 3 for a disc, 12 for a standing person.
_STROKE = 22.0
_HEART, _BAND = 0.5, 0.5  # in parts of the mask's half thickness
#: What a network sees is believed where it is as much like what was marked, and like what colours
#: make of it.
_MEANT, _BELIEVED = 0.5, 0.75
_SMALLEST = 4  # pixels


def meant(box: Box, seen: Sequence[Box]) -> Box:
    """The detected object that a hand-drawn box is around, else the box itself."""
    fitting = [
        other
        for other in seen
        if boxes.overlap(box, other) > _SAME_OBJECT and boxes.inside(other, box) > _MOSTLY_INSIDE
    ]
    best = max(fitting, key=lambda other: boxes.overlap(box, other), default=None)
    return box if best is None else replace(best, label=box.label or best.label)


def under(
    picture: np.ndarray,
    rough: np.ndarray,
    seen: Sequence[Box],
    outline: clicked.Outline | None = None,
) -> np.ndarray:
    """The object that a rough mask or brush strokes mean: bool, height x width of the picture.

    `picture` is uint8, height x width x 3, RGB; `rough` is bool and has pixels that are set;
    `seen` are the objects that were detected, `outline` as of `clicked.under`.
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
        nothing = np.zeros_like(rough)
        return clicked.under(picture, rough, nothing, seen, outline)[0] | rough
    apart = cv2.distanceTransform(1 - rough.astype(np.uint8), cv2.DIST_L2, 5)
    away = apart > max(_BAND * thickness, _SMALLEST)
    heart = depth > _HEART * thickness
    boxed = outlines.in_box(picture, Box(*corners))
    found = boxed & ~away | heart
    wide = bounds(~away)
    assert wide is not None
    by_colours = grabcut.cut_marked(picture, Box(*wide), found, heart, away)
    believed = clicked.alike(boxed, rough) > _MEANT and clicked.alike(found, by_colours) > _BELIEVED
    return found if believed else by_colours
