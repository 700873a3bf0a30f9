"""The outline of the thing in a box: what stands out where a network looks at the box alone.

Colours move the outline (GrabCut, started from what the network sees); where they would take much
of the thing away, the network is believed.
"""

from __future__ import annotations

import numpy as np

from controlllm.resources import Box
from tools.masks.embedded import grabcut
from tools.seeing.embedded import salience

#: How much is seen around a box, in parts of its sides.
_AROUND = 0.2
#: In a box there is a thing, so what stands out only a little belongs to it.
_STANDS_OUT = 0.15
#: For colours: where the thing may be at first, where it is and where it is not.
_LIKELY, _SURE, _NEVER = 0.4, 0.8, 0.03
#: Colours have to leave this share of what the network sees.
_LEAST_LEFT = 0.85
#: A thing fills at least this share of its box.
_LEAST_FILLED = 0.15
_SMALLEST = 12  # pixels
#: Pieces smaller than this share of the largest are crumbs, holes smaller than that are cracks.
_CRUMB, _CRACK = 0.05, 0.01


def in_box(picture: np.ndarray, box: Box) -> np.ndarray:
    """The pixels of the thing in a box: bool, height x width of the picture.

    `picture` is uint8, height x width x 3, RGB; the box may be a little larger than the thing. A
    box of a few pixels is taken whole.
    """
    height, width = picture.shape[:2]
    found = np.zeros((height, width), bool)
    left, top = max(int(box.left), 0), max(int(box.top), 0)
    right, bottom = min(int(np.ceil(box.right)), width), min(int(np.ceil(box.bottom)), height)
    inside = np.s_[top:bottom, left:right]
    if min(right - left, bottom - top) < _SMALLEST:
        found[inside] = True
        return found
    more_x, more_y = round(_AROUND * (right - left)), round(_AROUND * (bottom - top))
    view_left, view_top = max(left - more_x, 0), max(top - more_y, 0)
    view = picture[view_top : bottom + more_y, view_left : right + more_x]
    likely = salience.salience(np.ascontiguousarray(view))
    part = np.s_[top - view_top : bottom - view_top, left - view_left : right - view_left]
    seen = np.zeros((height, width), np.float32)
    seen[inside] = likely[part]
    found = seen > _STANDS_OUT
    if found[inside].mean() < _LEAST_FILLED:
        return _by_colours(picture, box, inside)
    moved = grabcut.cut_marked(picture, box, seen > _LIKELY, seen > _SURE, seen < _NEVER)
    return moved if moved.sum() > _LEAST_LEFT * found.sum() else tidy(found)


def tidy(mask: np.ndarray) -> np.ndarray:
    """A mask without crumbs and cracks: bool, of the same size."""
    import cv2

    result = mask.copy()
    for value, least in ((1, _CRUMB), (0, _CRACK)):
        _, pieces, facts, _ = cv2.connectedComponentsWithStats((result == value).astype(np.uint8))
        areas = facts[:, cv2.CC_STAT_AREA].copy()
        areas[0] = 0  # what is not of this value
        whole = areas.max() if value else result.sum()
        small = areas < least * whole
        small[0] = False
        result[small[pieces]] = not value
    return result


def _by_colours(picture: np.ndarray, box: Box, inside: tuple[slice, slice]) -> np.ndarray:
    """Where nothing stands out: what has other colours than the rim of the box."""
    import cv2

    nothing = np.zeros(picture.shape[:2], bool)
    start, outside = nothing.astype(np.uint8), ~nothing
    height, width = start[inside].shape
    middle = (inside[1].start + width // 2, inside[0].start + height // 2)
    cv2.ellipse(start, middle, (width // 2, height // 2), 0, 0, 360, 1, -1)
    outside[inside] = False
    return grabcut.cut_marked(picture, box, start > 0, nothing, outside)
