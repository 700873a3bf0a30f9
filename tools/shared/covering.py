"""What is said of what was hidden: how many, and which may be none or not all."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from controlllm.resources import Box, Region
from controlllm.toolbox import Context
from controlllm.values import Flag

from .boxes import pixels_in

#: What is covered whole, not along its outline: an ear that is left tells who it is.
WHOLE = frozenset({"face", "number plate"})
#: Said of what is to be covered as it is framed: letters have an outline that hides nothing.
WHOLE_BOX = Flag(
    *("whole box", "entire box", "the box", "whole rectangle", "rectangle", "whole frame"),
    *("black bar", "white bar", "bar over", "black box", "white box"),
    *("the words", "the text", "the writing", "the lettering", "number plate"),
    *("licence plate", "license plate", "registration plate"),
)
#: How far a face reaches beyond its box, which ends at the brows, of the box's sides: at its sides,
#: above and below.
_BESIDE, _ABOVE, _BELOW = 0.18, 0.45, 0.15
#: From this score something surely is what its label says.
SURE = 0.74


def framed(box: Box, shape: tuple[int, ...]) -> Region:
    """All of a box as a region."""
    pixels = np.zeros(shape[:2], bool)
    pixels[pixels_in(box, shape)] = True
    return Region(pixels, box.label, box.score)


def whole_region(box: Box, shape: tuple[int, ...]) -> Region:
    """All of a face, as an ellipse, or of a plate, as a rectangle, with what its box leaves out."""
    if box.label != "face":
        return framed(box, shape)
    rows, columns = np.ogrid[: shape[0], : shape[1]]
    wide, tall = box.right - box.left, box.bottom - box.top
    across = (0.5 + _BESIDE) * wide
    top, bottom = box.top - _ABOVE * tall, box.bottom + _BELOW * tall
    x, y = (box.left + box.right) / 2, (top + bottom) / 2
    away = ((columns + 0.5 - x) / across) ** 2 + ((rows + 0.5 - y) / ((bottom - top) / 2)) ** 2
    return Region(away <= 1, box.label, box.score)


def remark_covered(things: Iterable[Box | Region], context: Context | None) -> None:
    """Have the answer say how many faces or plates are covered, and how many of them are in doubt;
    of other things nothing, for they are seen at a glance."""
    if context is None:
        return
    by_label: dict[str, list[float]] = {}
    for thing in things:
        if thing.label in WHOLE:
            by_label.setdefault(thing.label, []).append(thing.score)
    for label, scores in by_label.items():
        context.remark(f"{_counted(len(scores), label)} {_be(len(scores))} covered.")
        doubtful = sum(score < SURE for score in scores)
        if doubtful:
            which = (
                "It"
                if len(scores) == 1
                else "All"
                if doubtful == len(scores)
                else f"{doubtful} of them"
            )
            context.remark(f"{which} may be something else: have a look at the picture.")


def remark_missing(count: int, whole: str, part: str, context: Context | None) -> None:
    """Have the answer say in how many people or vehicles (`whole`) no face or plate (`part`) was
    found, and what to do about it."""
    if count and context is not None:
        context.remark(
            f"In {_counted(count, whole)} no {part} was found: turned away, hidden, or missed. If "
            f"one shows, point at it in the picture and ask for it again."
        )


def _counted(count: int, label: str) -> str:
    if count == 1:
        return f"1 {label}"
    return f"{count} {'people' if label == 'person' else f'{label}s'}"


def _be(count: int) -> str:
    return "is" if count == 1 else "are"
