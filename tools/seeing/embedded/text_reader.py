"""Reading the text in a picture, at any angle, in the order in which a person would.

How the lines lie is told from them: their slant, and whether they stand on their heads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import Context

from ...shared.boxes import centre, clipped, labelled
from . import text_looks
from .text_looks import Line

#: A line tells its direction where it is so much longer than it is tall.
_LONG = 2.0
#: Lines of one direction differ by so many degrees at most, and are so much of all the writing.
_ALIKE, _MOSTLY = 6.0, 0.6
#: So many lines are read both ways round.
_TRIED = 6
#: What is read upside down must be surer by so much before an upright picture is turned.
_SURER, _SURE_ENOUGH = 0.1, 0.8
#: Angles so near to a quarter turn are one: nothing is lost by turning so.
_QUARTER = 1.0


def slant_of(lines: Sequence[Line]) -> float:
    """The direction of most lines in degrees, above -90 up to 90; 0 is level, or is not known.

    Positive is downhill to the right.
    """
    angles, lengths = [], []
    for line in lines:
        across, down = line.corners[1] - line.corners[0], line.corners[2] - line.corners[1]
        longer, shorter = sorted((across, down), key=np.linalg.norm, reverse=True)
        length = float(np.linalg.norm(longer))
        if length >= _LONG * float(np.linalg.norm(shorter)):
            angles.append(math.degrees(math.atan2(longer[1], longer[0])) % 180)
            lengths.append(length)
    if not angles:
        return 0.0
    apart = np.abs(np.subtract.outer(angles, angles))
    alike = np.minimum(apart, 180 - apart) <= _ALIKE
    support = alike @ np.array(lengths)
    best = int(support.argmax())
    if support[best] < _MOSTLY * sum(lengths):
        return 0.0
    # Directions are doubled to be averaged, so that 1 and 179 degrees have 0 between them.
    doubled = np.radians(2 * np.array(angles)[alike[best]])
    weights = np.array(lengths)[alike[best]]
    middle = math.atan2(weights @ np.sin(doubled), weights @ np.cos(doubled))
    found = math.degrees(middle) / 2
    return found + 180 if found <= -90 else found


def upside_down(picture: PIL.Image.Image, lines: Sequence[Line], angle: float) -> bool:
    """Whether lines that lie in a direction (degrees) are read better the other way round."""
    longest = sorted(lines, key=lambda line: -len(line.text))[:_TRIED]
    pixels = np.asarray(picture)[..., ::-1]
    crops = [_level(pixels, line, angle) for line in longest]
    one = _sureness(text_looks.recognised(crops))
    other = _sureness(text_looks.recognised([crop[::-1, ::-1] for crop in crops]))
    if abs(angle) > 45:
        return other > one
    return other > one + _SURER and other >= _SURE_ENOUGH


def sureness(lines: Sequence[Line]) -> float:
    """How surely the lines were read, each by the number of its letters."""
    return _sureness([(line.text, line.score) for line in lines])


def _sureness(read: Sequence[tuple[str, float]]) -> float:
    letters = sum(len(text) for text, _ in read)
    return sum(len(text) * score for text, score in read) / letters if letters else 0.0


def _level(pixels: np.ndarray, line: Line, angle: float) -> np.ndarray:
    """The pixels of one line, its direction across."""
    import cv2

    along = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])
    down = np.array([-along[1], along[0]])
    places = np.stack([line.corners @ along, line.corners @ down], axis=1)
    low, high = places.min(axis=0), places.max(axis=0)
    wide, tall = np.maximum(np.ceil(high - low), 1).astype(int)
    start = low[0] * along + low[1] * down
    matrix = np.column_stack([along, down, start])
    return cv2.warpAffine(
        pixels,
        matrix,
        (int(wide), int(tall)),
        flags=cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )


def turned(picture: PIL.Image.Image, angle: float) -> tuple[PIL.Image.Image, float]:
    """The picture turned so that lines of a direction are level, and the angle that it was."""
    quarters = round(angle / 90) % 4
    nearest = 90.0 * round(angle / 90)
    if abs(angle - nearest) <= _QUARTER:
        ways = {
            1: PIL.Image.Transpose.ROTATE_90,
            2: PIL.Image.Transpose.ROTATE_180,
            3: PIL.Image.Transpose.ROTATE_270,
        }
        return (picture.transpose(ways[quarters]) if quarters else picture), nearest
    sides = np.asarray(picture.resize((64, 64)))[[0, -1]].reshape(-1, 3)
    behind = tuple(int(value) for value in np.median(sides, axis=0))
    level = picture.rotate(angle, PIL.Image.Resampling.BICUBIC, expand=True, fillcolor=behind)
    return level, angle


def turned_back(
    corners: np.ndarray, angle: float, level: tuple[int, int], size: tuple[int, int]
) -> np.ndarray:
    """Points in a picture that was turned by an angle, as they lie in the picture of `size`."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    x, y = (corners - np.array(level) / 2).T
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=1) + np.array(size) / 2


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
    slant = slant_of(lines)
    angle = slant if abs(slant) > _LEANS else 0.0
    surely = sureness(lines)
    if (angle or surely < _UPRIGHT) and upside_down(picture, lines, slant):
        angle += 180
    if angle:
        level, angle = turned(picture, angle)
        again = text_looks.look(level, pixels, context.part(0.5, 1.0))
        if _worth(again, threshold) >= _AS_MUCH * _worth(lines, threshold):
            slant = slant_of(again)
            rows = _in_rows(_sure(again, threshold), slant)
            return _placed(
                rows,
                lambda corners: turned_back(corners, angle, level.size, picture.size),
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
            corners = turned_back(corners, -slant, (0, 0), (0, 0))
        sides = np.concatenate([corners.min(axis=0), corners.max(axis=0)])
        boxed.append((labelled(sides, line.text, line.score), line))
    rows: list[list[tuple[Box, Line]]] = []
    for box, line in sorted(boxed, key=lambda item: centre(item[0])[1]):
        if rows and rows[-1][0][0].top < centre(box)[1] < rows[-1][0][0].bottom:
            rows[-1].append((box, line))
        else:
            rows.append([(box, line)])
    return [[line for _, line in sorted(row, key=lambda item: item[0].left)] for row in rows]
