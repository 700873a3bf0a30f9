"""Where words of a text that was read in a picture stand in it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import PIL.Image

from controlllm.resources import Box
from controlllm.toolbox import ToolError

from ...shared import fonts
from .text_reader import Reading

#: How far a box goes beyond its letters, and how far from where a word is reckoned to begin the gap
#: before it is looked for, of the line's height.
_BEYOND, _NEAR = 0.15, 0.8
#: Columns of pixels that differ by less, of 255, have no letter in them.
_BLANK = 40
_MEASURED = 40.0


def boxes_of(
    reading: Reading, spans: Sequence[tuple[int, int]], picture: PIL.Image.Image
) -> list[list[Box]]:
    """The boxes around spans of a reading's text, a little larger than the words: for each span
    that has any its boxes, one in each line."""
    grey = np.asarray(picture.convert("L"))
    found: list[list[Box]] = [[] for _ in spans]
    start = 0
    for line in reading.lines:
        end = start + len(line.label)
        for boxes, span in zip(found, spans, strict=True):
            within = max(span[0], start) - start, min(span[1], end) - start
            if within[0] < within[1]:
                boxes.append(_part_of_line(line, within, grey))
        start = end + 1  # between lines is a blank or a break
    return [boxes for boxes in found if boxes]


def _part_of_line(line: Box, span: tuple[int, int], grey: np.ndarray) -> Box:
    """The box of some letters of a line; all of the line where it does not run across."""
    wide, tall = line.right - line.left, line.bottom - line.top
    edge = max(2.0, _BEYOND * tall)
    left, right = line.left - edge, line.right + edge
    if wide > tall:
        sides = [line.left + wide * share for share in _shares(line.label, span)]
        if span[0] > 0:
            left = max(left, _gap(grey, line, sides[0], -1))
        if span[1] < len(line.label):
            right = min(right, _gap(grey, line, sides[1], 1))
    return Box(left, line.top - edge, right, line.bottom + edge, line.label, line.score)


def _shares(text: str, span: tuple[int, int]) -> tuple[float, float]:
    """How far along its line a span begins and ends, 0..1, by the widths of letters."""
    try:
        whole = fonts.length(text, _MEASURED)
        return tuple(fonts.length(text[:at], _MEASURED) / whole for at in span)  # type: ignore[return-value]
    except ToolError:
        return span[0] / len(text), span[1] / len(text)


def _gap(grey: np.ndarray, line: Box, at: float, side: int) -> float:
    """The middle of the widest gap between letters near a place across a line; where there is none
    a letter beyond it, to the left (side -1) or right (1)."""
    tall = line.bottom - line.top
    first, last = max(0, int(at - _NEAR * tall)), min(grey.shape[1], int(at + _NEAR * tall) + 1)
    rows = grey[max(0, int(line.top)) : int(line.bottom) + 1, first:last].astype(int)
    if not rows.size:
        return at
    blank = np.concatenate([[False], np.ptp(rows, axis=0) < _BLANK, [False]])
    turns = np.flatnonzero(np.diff(blank.astype(int))).reshape(-1, 2)
    if not len(turns):
        return at + side * 0.6 * tall
    start, end = max(turns, key=lambda turn: turn[1] - turn[0])
    return float(first + (start + end) / 2)
