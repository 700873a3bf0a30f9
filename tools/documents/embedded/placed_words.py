"""The words of a page of a PDF with where they stand, in lines, and the lines that are drawn on it:
of a scan both are seen. Places are in points from the upper left corner, as the page is shown."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Box

from ...seeing.embedded import text_reader
from . import page_pictures

#: Letters that are so much of their height apart are of two words.
_APART = 0.3
#: Dots that lead from a word to its price are no word.
_LEADERS = re.compile(r"[.…·_]{4,}|(?:[.…·] ){3,}[.…·]?")
_NO_LETTER = re.compile(r"[\x00-\x1f\x7f-\x9f\ufffe\uffff]")
#: What is read by sight has so much of its height of paper above and below it.
_AROUND = 0.12
#: How exactly places are told, in parts of a point.
_PARTS = 100
#: The shortest lines across and down that are drawn as rules and are no letters, in points.
_ACROSS, _DOWN = 30.0, 16.0
#: Rules so near to each other, in points, are one.
_SAME = 3.5
#: A rule of a grid goes along so much of its side.
_MOSTLY = 0.4


@dataclass(frozen=True)
class Word:
    """Letters without a blank between; sides in points."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


Line = list[Word]


@dataclass(frozen=True)
class Grid:
    """A ruled table: where its rules are, from left to right and from the top down."""

    columns: tuple[float, ...]
    rows: tuple[float, ...]

    def holds(self, word: Word) -> bool:
        across, down = word.middle
        return (self.columns[0] < across < self.columns[-1]) and (
            self.rows[0] < down < self.rows[-1]
        )


@dataclass(frozen=True)
class PlacedPage:
    """A page: its lines of words from the top down, its grids, and the heights of rules across it,
    each with where it begins and ends."""

    lines: list[Line]
    grids: list[Grid]
    rules: list[tuple[float, float, float]]


def placed(page: Any, may_look: bool) -> PlacedPage:
    """A page of a PDF as it stands; one without letters is read by its looks where it may be."""
    _set_upright(page)
    words = list(_written(page))
    picture = None
    if words:
        lines = _in_lines(words)
    elif may_look:
        picture = page_pictures.picture(page)
        scale = page.get_width() / picture.width
        grey = np.asarray(picture.convert("L"))
        read = (list(_seen(row, grey, scale)) for row in text_reader.read(picture).rows)
        lines = [line for line in read if line]
    else:
        lines = []
    if sum(len(line) > 1 for line in lines) < 2:
        return PlacedPage(lines, [], [])
    picture = picture or page_pictures.picture(page)
    return PlacedPage(lines, *_rules(picture, page.get_width() / picture.width))


def _set_upright(page: Any) -> None:
    """Turn a page so that most of its letters stand upright."""
    import pypdfium2.raw as pdfium

    letters = page.get_textpage()
    angles = Counter(
        round(math.degrees(pdfium.FPDFText_GetCharAngle(letters, place)) / 90) * 90 % 360
        for place in range(letters.count_chars())
        if not chr(pdfium.FPDFText_GetUnicode(letters, place)).isspace()
    )
    if angles:
        page.set_rotation(-angles.most_common(1)[0][0] % 360)


def _written(page: Any) -> Iterator[Word]:
    """The words whose letters the page holds, in the order in which it holds them."""
    import pypdfium2.raw as pdfium

    letters = page.get_textpage()
    size = [round(side * _PARTS) for side in page.get_size()]
    text, box = "", (0.0, 0.0, 0.0, 0.0)

    def shown(across: float, down: float) -> tuple[float, float]:
        x, y = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDF_PageToDevice(page, 0, 0, *size, 0, across, down, x, y)
        return x.value / _PARTS, y.value / _PARTS

    for place in range(letters.count_chars()):
        sign = chr(pdfium.FPDFText_GetUnicode(letters, place))
        if sign.isspace() or _NO_LETTER.match(sign):
            if text and sign != "\u202f":
                yield Word(text, *box)
                text = ""
            continue
        left, bottom, right, top = letters.get_charbox(place, loose=True)
        (x1, y1), (x2, y2) = shown(left, bottom), shown(right, top)
        new = (min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
        height = max(new[3] - new[1], 0.1)
        follows = -0.6 * height < new[0] - box[2] < _APART * height
        if text and not (follows and abs(new[3] - box[3]) < 0.4 * height):
            yield Word(text, *box)
            text = ""
        box = new if not text else (box[0], min(box[1], new[1]), new[2], max(box[3], new[3]))
        text += sign
    if text:
        yield Word(text, *box)


def _seen(row: Sequence[Box], grey: np.ndarray, scale: float) -> Iterator[Word]:
    """The words of what was read in one row of a picture, where its widest gaps part them."""
    for box in row:
        words = box.label.split()
        edge = _AROUND * (box.bottom - box.top)
        top, bottom = round(box.top + edge), round(box.bottom - edge)
        part = grey[top:bottom, round(box.left) : round(box.right)]
        sides = _parted(part, len(words)) or _spread(part.shape[1], words)
        for text, (left, right) in zip(words, sides, strict=True):
            places = (box.left + left, box.top + edge, box.left + right, box.bottom - edge)
            yield Word(text, *(place * scale for place in places))


def _parted(part: np.ndarray, count: int) -> list[tuple[float, float]]:
    """Where so many words begin and end in the picture of a line; nothing where that is not
    seen."""
    import cv2

    if min(part.shape) < 4:
        return []
    dark = cv2.threshold(part, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1]
    # A rule below the letters is none of them.
    dark = dark[dark.mean(axis=1) < 0.8]
    inked = np.flatnonzero(dark.any(axis=0)) if len(dark) else np.array([])
    if len(inked) < 2:
        return []
    widths = np.diff(inked)
    widest = np.sort(np.argsort(-widths, kind="stable")[: count - 1])
    if len(widest) < count - 1 or any(widths[widest] < 2):
        return []
    starts = [inked[0], *inked[widest + 1]]
    return [(float(one), float(two) + 1)
            for one, two in zip(starts, [*inked[widest], inked[-1]], strict=True)]  # fmt: skip


def _spread(width: int, words: Sequence[str]) -> list[tuple[float, float]]:
    """About where the words of a line stand that is so many pixels wide."""
    letter = width / max(sum(map(len, words)) + len(words) - 1, 1)
    starts = [sum(len(word) + 1 for word in words[:place]) for place in range(len(words))]
    return [(start * letter, (start + len(word)) * letter)
            for start, word in zip(starts, words, strict=True)]  # fmt: skip


def _in_lines(words: Iterable[Word]) -> list[Line]:
    """Words that stand beside each other are a line, from left to right; lines go down."""
    lines: list[Line] = []
    for word in sorted(words, key=lambda word: word.middle[1]):
        bare = _LEADERS.sub("", word.text)
        if not bare:
            continue
        word = Word(bare, word.left, word.top, word.right, word.bottom)
        if lines and abs(lines[-1][-1].middle[1] - word.middle[1]) < 0.45 * word.height:
            lines[-1].append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.left) for line in lines]


def _rules(
    picture: PIL.Image.Image, scale: float
) -> tuple[list[Grid], list[tuple[float, float, float]]]:
    """The grids of rules in the picture of a page, and all rules that go across; `scale` is how
    many points a pixel is."""
    import cv2

    grey = np.asarray(picture.convert("L"))
    dark = cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 25, 8
    )
    across, down = (
        cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones(shape, np.uint8))
        for shape in ((1, round(_ACROSS / scale)), (round(_DOWN / scale), 1))
    )
    wider = np.ones((5, 5), np.uint8)
    count, marks, found, _ = cv2.connectedComponentsWithStats(cv2.dilate(across | down, wider))
    grids, rules = [], []
    for number in range(1, count):
        left, top, wide, tall = found[number][:4]
        part = (slice(top, top + tall), slice(left, left + wide))
        is_own = marks[part] == number
        rows = _steps(((across[part] > 0) & is_own).sum(axis=1) > _MOSTLY * wide, top, scale)
        columns = _steps(((down[part] > 0) & is_own).sum(axis=0) > _MOSTLY * tall, left, scale)
        if len(rows) > 2 and len(columns) > 2:
            grids.append(Grid(tuple(columns), tuple(rows)))
        else:
            rules += [(row, left * scale, (left + wide) * scale) for row in rows]
    return grids, sorted(rules)


def _steps(is_ruled: np.ndarray, start: int, scale: float) -> list[float]:
    """Where the rules are, in points; those side by side are one."""
    steps: list[list[float]] = []
    for place in (np.flatnonzero(is_ruled) + start) * scale:
        if steps and place - steps[-1][-1] < _SAME:
            steps[-1].append(float(place))
        else:
            steps.append([float(place)])
    return [median(step) for step in steps]
