"""The outline of the thing in a box: what stands out where a network looks at the box alone.

Colours move the outline (GrabCut, started from what the network sees); where they would take much
of the thing away, the network is believed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from controlllm.resources import Box

from ...seeing.embedded import salience
from ...shared import boxes
from . import grabcut

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
        return grabcut.cut_marked(picture, box, _oval(inside, found), np.zeros_like(found), ~within)
    moved = grabcut.cut_marked(picture, box, seen > _LIKELY, seen > _SURE, seen < _NEVER)
    return moved if moved.sum() > _LEAST_LEFT * found.sum() else grabcut.tidy(found)


def _oval(inside: tuple[slice, slice], like: np.ndarray) -> np.ndarray:
    """The oval in a box: a first guess where nothing stands out."""
    import cv2

    oval = np.zeros(like.shape, np.uint8)
    height, width = oval[inside].shape
    middle = (inside[1].start + width // 2, inside[0].start + height // 2)
    cv2.ellipse(oval, middle, (width // 2, height // 2), 0, 0, 360, 1, -1)
    return oval > 0
