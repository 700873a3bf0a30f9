"""The main subject of a picture: what a photographer would keep in focus.

A network says which pixels stand out, detected objects which of them belong together: the main ones
are looked at by themselves too, what they hold is theirs, and other objects are not. A network for
people is asked as well: it knows those clothed like the wall, and sees the whole of an animal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import ToolError

from ...seeing.embedded import detection, salience
from ...shared import boxes
from ...shared.pixels import bounds
from . import outlines

#: Furniture that things stand on or before: seldom what a photo is of.
_SETTING = frozenset(["dining table", "bed", "couch", "bench", "chair", "potted plant", "vase"])
#: What a person or an animal holds, wears or rides on.
_HELD = frozenset(
    ["frisbee", "skis", "snowboard", "sports ball", "baseball bat", "baseball glove", "skateboard"]
    + ["surfboard", "tennis racket", "bottle", "cup", "cell phone", "book", "handbag", "backpack"]
    + ["tie", "umbrella", "suitcase", "teddy bear", "remote"]
)
#: What the network for people knows besides them.
_ANIMALS = frozenset(
    ["bird", "cat", "dog", "horse", "sheep", "cow", "elephant", "bear", "zebra", "giraffe"]
)
#: How far it is believed of people.
_BELIEVED = 0.85
_SMALLEST_SIDE = 16
_LEAST_SHARE = 0.004
_MOST_PARTS = 4
#: How much of the best object's weight makes another one main: of its kind, of another.
_ALIKE, _AS_GOOD = 0.2, 0.45
#: How much a pixel has to stand out: to be looked at where no object is known, to be subject.
_MAYBE, _SURELY = 0.4, 0.6
#: Boxes are a little smaller than what they hold, by this share of their sides.
_LOOSE = 0.05
_SURELY_OTHER, _SEEN, _MOSTLY = 0.4, 0.3, 0.7
_NONE = (
    "No main subject could be made out in this picture. Name the object to keep, so that it can be "
    "cut out with a mask, or try a picture in which it is larger."
)


def main_subject(
    image: PIL.Image.Image,
    picture: np.ndarray,
    progress: Callable[[float, str], None] = lambda fraction, words: None,
    network: Any = None,
) -> np.ndarray:
    """The pixels of the main subject: bool, height x width; raises ToolError where there is none.

    `picture` is the image as uint8, height x width x 3; `network` is that of `salience.salience`.
    """
    if min(picture.shape[:2]) < _SMALLEST_SIDE:
        raise ToolError(_NONE)
    progress(0.05, "Looking for the main subject")
    likely = _standing_out(picture, network)
    seen = detection.detect(image, threshold=0.3)
    main = _main(seen, likely)
    others = [box for box in seen if box not in main]
    if any(box.label == "person" for box in main):
        likely = np.maximum(likely, _BELIEVED * salience.foreground(picture))
        held = [
            box
            for box in others
            if box.label in _HELD
            and any(boxes.shared_area(boxes.widened(box, 1), other) for other in main)
        ]
        others = [box for box in others if box not in held and box.label != "person"]
        main += held
    elif any(box.label in _ANIMALS for box in main):
        likely = np.maximum(likely, np.sqrt(likely * salience.foreground(picture)))
    corners = bounds(likely > _MAYBE)
    if not main and corners:
        main = [Box(*corners, "main subject")]
    main = _together(main)
    beside = [box for box in others if _stands_beside(box, main, likely)]
    # Several boxes hold all of the subject.
    found = (likely > _SURELY) & (len(main) == 1)
    for box in beside:
        found[boxes.pixels_in(box, found.shape)] = False
    crowded = bool(beside) or len(main) > 1
    for index, box in enumerate(main):
        progress(0.4 + 0.5 * index / len(main), f"Cutting out the {box.label}")
        looser = box if crowded else boxes.widened(box, _LOOSE)
        found |= outlines.in_box(picture, looser, crowded, network)
    for box in beside:
        found &= ~outlines.in_box(picture, box, True, network)
    found = outlines.tidy(found)
    if not _LEAST_SHARE / 4 < found.mean() < 0.97:
        raise ToolError(_NONE)
    return found


def _standing_out(picture: np.ndarray, network: Any) -> np.ndarray:
    """What stands out in the picture and in its mirror image: the mean is steadier than either."""
    mirrored = np.ascontiguousarray(picture[:, ::-1])
    found = salience.salience(picture, network), salience.salience(mirrored, network)[:, ::-1]
    return np.mean(found, axis=0)


def _stands_beside(box: Box, main: Sequence[Box], likely: np.ndarray) -> bool:
    """Whether another object stands out, and not only within the main ones."""
    if box.score < _SURELY_OTHER or box.label in _SETTING:
        return False
    within = max(boxes.inside(box, other) for other in main)
    return within < _MOSTLY and float(likely[boxes.pixels_in(box, likely.shape)].mean()) > _SEEN


def _together(main: Sequence[Box]) -> list[Box]:
    """Boxes that overlap as one: such things belong together, and are looked at once."""
    apart: list[Box] = []
    for box in main:
        touching = [other for other in apart if boxes.shared_area(box, other)]
        apart = [other for other in apart if other not in touching]
        for other in touching:
            box = boxes.around(other, box)
        apart.append(box)
    return apart


def _main(seen: Sequence[Box], likely: np.ndarray) -> list[Box]:
    """The box that the picture is of, and those about as important."""
    weights = {box: _weight(box, likely) for box in seen}
    best = max(weights.values(), default=0.0)
    kinds = {box.label for box in seen if weights[box] == best}
    main = [
        box for box in seen if weights[box] > best * (_ALIKE if box.label in kinds else _AS_GOOD)
    ]
    return sorted(main, key=lambda box: -weights[box])[:_MOST_PARTS]


def _weight(box: Box, likely: np.ndarray) -> float:
    """How much a box looks like the subject: large, in the middle, sure, standing out."""
    height, width = likely.shape
    share = boxes.area(box) / (width * height)
    if share < _LEAST_SHARE:
        return 0.0
    across, down = (
        2 * at / side - 1 for at, side in zip(boxes.centre(box), (width, height), strict=True)
    )
    central = 1 - 0.5 * min(1.0, (across**2 + 0.6 * down**2) ** 0.5)
    weight = (
        box.score
        * share**0.6
        * central
        * (0.1 + 0.9 * float(likely[boxes.pixels_in(box, likely.shape)].mean()))
    )
    return weight * (0.25 if box.label in _SETTING else 1.0)
