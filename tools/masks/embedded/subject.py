"""The main subject of a picture: what a photographer would keep in focus.

A network says which pixels stand out. Detected objects put it right: the main ones are looked at by
themselves too, and elsewhere only what stands out strongly counts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import PIL.Image

from controlllm.resources import Box
from tools.masks.embedded import outlines
from tools.seeing.embedded import detection, salience
from tools.shared.boxes import area, centre

#: Furniture that things stand on or before: seldom what a photo is of.
_SETTING = frozenset(["dining table", "bed", "couch", "bench", "chair", "potted plant", "vase"])
_SMALLEST_SIDE = 16
_LEAST_SHARE = 0.004
_MOST_PARTS = 4
#: How much a pixel has to stand out: less in a main object's box, more beside it.
_WITHIN, _BESIDE, _WITHOUT_OBJECTS = 0.5, 0.7, 0.4


def main_subject(
    image: PIL.Image.Image,
    picture: np.ndarray,
    progress: Callable[[float, str], None] = lambda fraction, words: None,
) -> np.ndarray | None:
    """The pixels of the main subject: bool, height x width; None where nothing stands out.

    `picture` is the image as uint8, height x width x 3.
    """
    if min(picture.shape[:2]) < _SMALLEST_SIDE:
        return None
    progress(0.05, "Looking for the main subject")
    likely = salience.salience(picture)
    main = _main(detection.detect(image, threshold=0.3), likely)
    least = np.full(likely.shape, _BESIDE if main else _WITHOUT_OBJECTS)
    for box in main:
        least[_part(box)] = _WITHIN
    found = likely > least
    for index, box in enumerate(main):
        progress(0.4 + 0.5 * index / len(main), f"Cutting out the {box.label}")
        found |= outlines.in_box(picture, box)
    found = outlines.tidy(found)
    return found if _LEAST_SHARE / 4 < found.mean() < 0.97 else None


def _main(boxes: tuple[Box, ...], likely: np.ndarray) -> list[Box]:
    """The box that the picture is of, and those about as important."""
    weights = {box: _weight(box, likely) for box in boxes}
    best = max(weights.values(), default=0.0)
    main = [box for box in boxes if weights[box] > 0 and weights[box] >= 0.45 * best]
    return sorted(main, key=lambda box: -weights[box])[:_MOST_PARTS]


def _weight(box: Box, likely: np.ndarray) -> float:
    """How much a box looks like the subject: large, in the middle, sure, standing out."""
    height, width = likely.shape
    share = area(box) / (width * height)
    if share < _LEAST_SHARE:
        return 0.0
    across, down = (
        2 * at / side - 1 for at, side in zip(centre(box), (width, height), strict=True)
    )
    central = 1 - 0.5 * min(1.0, (across**2 + 0.6 * down**2) ** 0.5)
    weight = box.score * share**0.6 * central * (0.1 + 0.9 * float(likely[_part(box)].mean()))
    return weight * (0.25 if box.label in _SETTING else 1.0)


def _part(box: Box) -> tuple[slice, slice]:
    """The pixels of a box that lies in the picture, at least one."""
    return np.s_[
        max(int(box.top), 0) : int(box.bottom) + 1, max(int(box.left), 0) : int(box.right) + 1
    ]
