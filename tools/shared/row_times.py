"""Times in the rows of a table: where parts of a recording begin and end, and their names."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from controlllm.toolbox import ToolError
from controlllm.values.times import seconds_of

from .members import as_name

_SEPARATORS = ",;\t|"
_CLOCK = re.compile(r"(?:\d{1,2}:)?\d{1,3}:\d{2}(?:[.,]\d+)?")
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)? ?(?:s|secs?|seconds?|min|minutes?)?", re.IGNORECASE)
_START = re.compile(r"start|begin|from|time|position|at|von|ab|anfang", re.IGNORECASE)
_END = re.compile(r"end|until|till?|to|stop|bis|ende", re.IGNORECASE)
_NAME = re.compile(
    r"title|name|chapter|label|topic|section|song|track|speaker|titel|kapitel", re.IGNORECASE
)


@dataclass(frozen=True)
class Row:
    """A part of a recording: its name, where it begins and, if that is told, ends, in seconds."""

    name: str
    start: float
    end: float | None = None


def rows_of(table: str) -> list[Row]:
    """The parts that the rows of a table tell, in their order.

    Raises ToolError where no column holds times.
    """
    first_line = table.strip().split("\n", 1)[0]
    separator = max(_SEPARATORS, key=first_line.count)
    cells = [
        [cell.strip() for cell in row]
        for row in csv.reader(io.StringIO(table.strip()), delimiter=separator)
        if any(cell.strip() for cell in row)
    ]
    width = max((len(row) for row in cells), default=0)
    cells = [row + [""] * (width - len(row)) for row in cells]
    has_head = bool(cells) and not any(_CLOCK.fullmatch(cell) for cell in cells[0])
    head, body = (cells[0], cells[1:]) if has_head else ([""] * width, cells)
    timed = [place for place in range(width) if body and _are_times(body, place)]
    starts = [place for place in timed if not _is(_END, head[place])]
    start = next((place for place in starts if _is(_START, head[place])), None)
    if start is None:
        # A number alone is a time only where its column says so.
        clocks = [place for place in starts if any(":" in row[place] for row in body)]
        start = next(iter(clocks), None)
    if start is None:
        raise ToolError(
            "No column of the table holds times, such as 0:06 or 1:30. Give me a table in which "
            "each row says where a part begins."
        )
    others = [place for place in timed if place != start]
    end = next((place for place in others if _is(_END, head[place])), None)
    if end is None and not has_head:
        end = next((place for place in others if ":" in body[0][place]), None)
    names = [place for place in range(width) if place not in (start, end)]
    name = next((place for place in names if _is(_NAME, head[place])), None)
    if name is None:
        name = next((place for place in names if place not in timed), None)
    return _read(body, start, end, name)


def _read(
    body: Sequence[Sequence[str]], start: int, end: int | None, name: int | None
) -> list[Row]:
    found = []
    for number, row in enumerate((row for row in body if row[start]), 1):
        told = as_name(row[name]) if name is not None else ""
        last = _seconds(row[end]) if end is not None and row[end] else None
        found.append(Row(told or f"part {number}", _seconds(row[start]), last))
    return sorted(found, key=lambda item: item.start)


def _are_times(body: Sequence[Sequence[str]], place: int) -> bool:
    cells = [row[place] for row in body if row[place]]
    return bool(cells) and all(_CLOCK.fullmatch(cell) or _AMOUNT.fullmatch(cell) for cell in cells)


def _is(words: re.Pattern[str], head: str) -> bool:
    return any(words.fullmatch(word) for word in re.split(r"[\W_]+", head) if word)


def _seconds(cell: str) -> float:
    return seconds_of(cell.lower().replace(",", "."))
