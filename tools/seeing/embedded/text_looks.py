"""Looking for lines of text with RapidOCR: at a whole picture, and closer at its strips.

A picture is first looked at whole, at a size that is quick. Small text on a large picture is too
small in that look, so the parts with any contrast are looked at again in strips across the
picture: a line of writing then lies whole in one of them, however long it is.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import PIL.Image

from controlllm.models import resident
from controlllm.toolbox import Context

from ...shared import networks

FINDER, READER = networks.shipped("text_finder"), networks.shipped("text_reader")
#: The longest side in the look at the whole picture.
_LONGEST = 2000
#: So many pixels are looked at in strips, at most; a million takes 1.3 s on one core.
CLOSELY, BRIEFLY = 6_000_000, 2_000_000
#: How tall a strip is as the network sees it (less is enlarged to 736), and what two share.
_STRIP, _SHARED = 768, 128
#: A closer look is worth its time from so much more detail.
_GAIN = 1.25
#: Contrast is looked for in squares of so many pixels; writing has at least so much of it between
#: pixels so near to each other, and what is blurred more than that shows no more from near by.
_CELL, _CONTRAST, _SHARP = 64, 50, 3


@dataclass(frozen=True, eq=False)
class Line:
    """A line of text: its four corners in pixels, and how surely it was read, 0..1.

    A line is `cut` where it touches the side of a strip beyond which the picture goes on.
    """

    corners: np.ndarray
    text: str
    score: float
    cut: bool = False

    @property
    def middle(self) -> np.ndarray:
        return self.corners.mean(axis=0)

    @property
    def worth(self) -> float:
        """How much was read, by how surely."""
        return len(self.text) * self.score**2


@resident
def _engine() -> Any:
    # The package would fetch a file that is missing, so they are looked at first.
    FINDER.path()
    READER.path()
    logging.getLogger("RapidOCR").setLevel(logging.ERROR)
    from rapidocr import RapidOCR

    threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or min(os.cpu_count() or 1, 4)
    return RapidOCR(
        params={
            "Global.log_level": "error",
            # Its test for upside-down lines turns short ones wrongly; see text_reader.
            "Global.use_cls": False,
            # What is read badly tells that a picture stands on its head.
            "Global.text_score": 0.0,
            # Strips are longer than its limit; the sizes are decided here.
            "Global.max_side_len": 20_000,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def look(picture: PIL.Image.Image, pixels: int, context: Context) -> tuple[Line, ...]:
    """The lines that are seen in an RGB picture, looking at so many pixels of it closely."""
    small = picture.copy()
    small.thumbnail((_LONGEST, _LONGEST))
    context.progress(0.0, "reading the text")
    scale = picture.width / small.width
    lines = list(_seen(small, scale))
    if scale < _GAIN:
        return tuple(lines)
    strips = list(_strips(picture, pixels, 1 / scale))
    for number, (part, share) in enumerate(strips):
        context.progress((number + 1) / (len(strips) + 1), "reading the small text")
        lines += _in_strip(picture, part, share)
    return tuple(_told_once(lines))


def recognised(crops: Sequence[np.ndarray]) -> list[tuple[str, float]]:
    """The text on each picture of one line (blue, green, red), and how surely it was read."""
    found = _engine().recognize_txt(list(crops))
    return list(zip(found.txts, map(float, found.scores), strict=True))


def _seen(picture: PIL.Image.Image, scale: float) -> Iterator[Line]:
    result = _engine()(np.asarray(picture)[..., ::-1].copy())
    if result.boxes is None or result.txts is None:
        return
    for corners, text, score in zip(result.boxes, result.txts, result.scores, strict=True):
        yield Line(np.asarray(corners, np.float64) * scale, text.strip(), float(score))


def _in_strip(
    picture: PIL.Image.Image, part: tuple[int, int, int, int], share: float
) -> Iterator[Line]:
    """The lines in a part of a picture (left, top, right, bottom) that is shown so much smaller."""
    left, top, right, bottom = part
    size = (max(round((right - left) * share), 1), max(round((bottom - top) * share), 1))
    shown = picture.resize(size, PIL.Image.Resampling.LANCZOS, box=part)
    near = 4 / share
    for line in _seen(shown, 1 / share):
        corners = line.corners + [left, top]
        highest, lowest = corners[:, 1].min(), corners[:, 1].max()
        cut = (top > 0 and highest < top + near) or (
            bottom < picture.height and lowest > bottom - near
        )
        yield replace(line, corners=corners, cut=bool(cut))


def _strips(
    picture: PIL.Image.Image, pixels: int, whole: float
) -> Iterator[tuple[tuple[int, int, int, int], float]]:
    """Parts with contrast that together have so many pixels at the scale that comes with each.

    Nothing where that shows hardly more than the look at the whole did, at the scale `whole`.
    """
    inked = _inked(picture)
    spans = [np.flatnonzero(row) for row in inked]
    area = sum((span[-1] - span[0] + 3) * _CELL**2 for span in spans if span.size)
    if not area:
        return
    share = min(1.0, (pixels / area) ** 0.5)
    if share < _GAIN * whole:
        return
    tall, step = _STRIP / share, (_STRIP - _SHARED) / share
    rows = np.flatnonzero(inked.any(axis=1))
    top = max((rows[0] - 1) * _CELL, 0)
    end = min((rows[-1] + 2) * _CELL, picture.height)
    while top < end:
        bottom = min(top + tall, end)
        rows_here = inked[int(top // _CELL) : int(-(-bottom // _CELL))]
        within = np.flatnonzero(rows_here.any(axis=0))
        if within.size:
            left = max((int(within[0]) - 1) * _CELL, 0)
            right = min((int(within[-1]) + 2) * _CELL, picture.width)
            yield (left, int(top), right, int(bottom)), share
        if bottom >= end:
            return
        top += step


def _inked(picture: PIL.Image.Image) -> np.ndarray:
    """In which squares of the picture light and dark differ as they do around writing."""
    grey = np.asarray(picture.convert("L")).astype(np.int16)
    steep = np.zeros(grey.shape, bool)
    steep[:, _SHARP:] |= np.abs(grey[:, _SHARP:] - grey[:, :-_SHARP]) >= _CONTRAST
    steep[_SHARP:] |= np.abs(grey[_SHARP:] - grey[:-_SHARP]) >= _CONTRAST
    down, across = -(-grey.shape[0] // _CELL), -(-grey.shape[1] // _CELL)
    short = ((0, down * _CELL - grey.shape[0]), (0, across * _CELL - grey.shape[1]))
    cells: np.ndarray = np.pad(steep, short).reshape(down, _CELL, across, _CELL)
    return np.asarray(cells.any(axis=(1, 3)))


def _told_once(lines: Iterable[Line]) -> list[Line]:
    """Of lines that stand in several looks the one that was read best, whole lines first."""
    import cv2

    def covers(one: Line, other: Line) -> bool:
        outline = one.corners.astype(np.float32)
        return bool(cv2.pointPolygonTest(outline, [*map(float, other.middle)], False) >= 0)

    kept: list[Line] = []
    for line in sorted(lines, key=lambda item: (item.cut, -item.worth)):
        if not any(covers(line, other) or covers(other, line) for other in kept):
            kept.append(line)
    return kept
