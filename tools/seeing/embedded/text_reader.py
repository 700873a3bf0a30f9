"""Reading the text in a picture, at any angle, in the order in which a person would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import Context

from ...shared.boxes import centre, clipped, labelled
from . import text_angles, text_looks
from .text_looks import Line

_SMALLEST = 12
#: Lines that lean by so many degrees are read again in a picture turned level; by less they are
#: read well as they are, and only their rows are told apart along their direction.
_LEANS, _LEVEL = 10.0, 1.5
#: Writing that is read so surely stands upright.
_UPRIGHT = 0.9
#: A reading of the turned picture counts from so much of what was read before.
_AS_MUCH = 0.8


@dataclass(frozen=True)
class Reading:
    """Text that was read: its rows in order, and in each the lines from left to right, as boxes in
    pixels of the picture that are labelled with what they say."""

    rows: tuple[tuple[Box, ...], ...] = ()

    @property
    def lines(self) -> tuple[Box, ...]:
        """All lines, in reading order."""
        return tuple(line for row in self.rows for line in row)

    @property
    def text(self) -> str:
        """The text as a person would copy it: a row of the picture is a line of the text."""
        return "\n".join(" ".join(line.label for line in row) for row in self.rows)

    def those(self, are_meant: Callable[[Box], bool]) -> Reading:
        """The reading with only the lines that are meant."""
        rows = (tuple(line for line in row if are_meant(line)) for row in self.rows)
        return Reading(tuple(row for row in rows if row))


def read(
    image: PIL.Image.Image,
    threshold: float = 0.6,
    pixels: int = text_looks.CLOSELY,
    context: Context | None = None,
) -> Reading:
    """The text in a picture, of which so many pixels are looked at closely where it is large.

    Turned and slanted writing is read as if it stood upright.
    """
    context = context or Context()
    picture = image.convert("RGB")
    if min(picture.size) < _SMALLEST:
        return Reading()
    lines = text_looks.look(picture, pixels, context.part(0.1, 0.5))
    if not lines:
        return Reading()
    slant = text_angles.slant(lines)
    angle = slant if abs(slant) > _LEANS else 0.0
    surely = text_angles.sureness(lines)
    if (angle or surely < _UPRIGHT) and text_angles.upside_down(picture, lines, slant):
        angle += 180
    if angle:
        level, angle = text_angles.turned(picture, angle)
        again = text_looks.look(level, pixels, context.part(0.5, 1.0))
        if _worth(again, threshold) >= _AS_MUCH * _worth(lines, threshold):
            slant = text_angles.slant(again)
            rows = _in_rows(_sure(again, threshold), slant)
            return _placed(
                rows,
                lambda corners: text_angles.turned_back(corners, angle, level.size, picture.size),
                picture.size,
            )
    return _placed(_in_rows(_sure(lines, threshold), slant), lambda corners: corners, picture.size)


def _sure(lines: Sequence[Line], threshold: float) -> list[Line]:
    return [line for line in lines if line.score >= threshold and line.text and not line.cut]


def _worth(lines: Sequence[Line], threshold: float) -> float:
    return sum(line.worth for line in _sure(lines, threshold))


def _placed(
    rows: Iterable[Sequence[Line]],
    original: Callable[[np.ndarray], np.ndarray],
    size: tuple[int, int],
) -> Reading:
    """The rows as boxes in the picture of `size`, whose pixels `original` tells."""
    return Reading(tuple(tuple(_box(line, original, size) for line in row) for row in rows))


def _box(line: Line, original: Callable[[np.ndarray], np.ndarray], size: tuple[int, int]) -> Box:
    corners = original(line.corners)
    sides = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
    return clipped(labelled(sides, line.text, line.score), size)


def _in_rows(lines: Iterable[Line], slant: float) -> list[list[Line]]:
    """Lines that stand beside each other form a row, from left to right; rows go down.

    Where the writing leans a little, beside means along its direction.
    """
    leans = _LEVEL < abs(slant) <= _LEANS
    boxed = []
    for line in lines:
        corners = line.corners
        if leans:
            corners = text_angles.turned_back(corners, -slant, (0, 0), (0, 0))
        sides = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
        boxed.append((labelled(sides, line.text, line.score), line))
    rows: list[list[tuple[Box, Line]]] = []
    for box, line in sorted(boxed, key=lambda item: centre(item[0])[1]):
        if rows and rows[-1][0][0].top < centre(box)[1] < rows[-1][0][0].bottom:
            rows[-1].append((box, line))
        else:
            rows.append([(box, line)])
    return [[line for _, line in sorted(row, key=lambda item: item[0].left)] for row in rows]
