"""How the lines of text in a picture lie: their slant, and whether they stand on their heads."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import PIL.Image

from . import text_looks
from .text_looks import Line

#: A line tells its direction where it is so much longer than it is tall.
_LONG = 2.0
#: Lines of one direction differ by so many degrees at most, and are so much of all the writing.
_ALIKE, _MOST = 6.0, 0.6
#: So many lines are read both ways round.
_TRIED = 6
#: What is read upside down must be surer by so much before an upright picture is turned.
_SURER, _SURE_ENOUGH = 0.1, 0.8
#: Angles so near to a quarter turn are one: nothing is lost by turning so.
_QUARTER = 1.0


def slant(lines: Sequence[Line]) -> float:
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
    if support[best] < _MOST * sum(lengths):
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
