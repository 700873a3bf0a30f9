"""Where parts of a recording begin and end, and their names: by times that were said, by the rows
of a table, or in equal parts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from controlllm.toolbox import ToolError
from controlllm.values.times import seconds_of

from .members import as_name

#: No part is shorter, in seconds.
LEAST = 0.05
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


def parts_of(
    seconds: float, table: str | None, times: str, count: int, most: int, also: str
) -> list[tuple[str, float, float]]:
    """The parts that a recording of so many seconds is to be cut into: the name of each, where it
    begins and where it ends.

    `table` holds their times in rows; `times` is where to cut ("6,11"), passages ("5..12,30..41")
    or how long each is ("every600"); `count` is how many equal parts there are where neither is
    said; `also` is what else one may say, told where nothing was.

    Raises ToolError where nothing says where to cut, where nothing of it lies within the recording,
    or there were more parts than `most`.
    """
    if table is not None:
        found = _within(rows_of(table), seconds)
    elif ".." in times:
        spans = [part.split("..") for part in times.split(",") if ".." in part]
        rows = [Row(f"part {number}", float(first), float(last))
                for number, (first, last) in enumerate(spans, 1)]  # fmt: skip
        found = _within(rows, seconds)
    elif times.startswith("every"):
        step = float(times.removeprefix("every"))
        if step < LEAST:
            raise ToolError("The parts would last no time. Ask for longer ones.")
        if seconds / step > 10 * most:
            raise ToolError(f"These are too many parts; at most {most} are made at once.")
        found = numbered([step * n for n in range(1, int(seconds / step) + 1)], seconds)
    elif times:
        found = numbered([float(part) for part in times.split(",")], seconds)
    elif count > 1:
        found = numbered([seconds * n / count for n in range(1, count)], seconds)
    else:
        raise ToolError(
            "It is not said where to cut. Name times, such as “at 1:30 and 3:00”, a number of "
            f"equal parts, or say “{also}”."
        )
    if len(found) > most:
        raise ToolError(
            f"That would be {len(found):,} files, and at most {most} are made at once. Ask for "
            "longer parts."
        )
    return found


def numbered(cuts: Sequence[float], seconds: float) -> list[tuple[str, float, float]]:
    """The parts between some times, from the start to the end.

    Raises ToolError where none of them lies within the recording.
    """
    inside = sorted({time for time in cuts if 0 < time < seconds - LEAST})
    if not inside:
        raise ToolError(
            f"The recording lasts {seconds:.1f} seconds, and none of the places to cut lies within "
            "it. Name times within it."
        )
    return [
        (f"part {number}", *span)
        for number, span in enumerate(pairwise([0.0, *inside, seconds]), 1)
    ]


def _within(rows: Sequence[Row], seconds: float) -> list[tuple[str, float, float]]:
    """The parts that rows tell, each to its end or where the next begins."""
    found = []
    for place, row in enumerate(rows):
        following = rows[place + 1].start if place + 1 < len(rows) else seconds
        end = min(row.end if row.end is not None else following, seconds)
        if end - row.start >= LEAST:
            found.append((row.name, row.start, end))
    if not found:
        raise ToolError(
            f"The recording lasts {seconds:.1f} seconds, and nothing of it lies between the times. "
            "Check the times."
        )
    return found


def placed(start: float, end: float, seconds: float, what: str) -> tuple[float, float]:
    """From when to when a part lies, in seconds from the beginning; times below zero, and an end of
    zero, count from the end. Raises ToolError where there is no such part."""
    first = start + seconds if start < 0 else start
    last = end + seconds if end <= 0 else end
    if not 0 <= first < min(last, seconds):
        raise ToolError(
            f"The {what} is {seconds:.1f} seconds long: there is no part from {first:.1f} to "
            f"{last:.1f} seconds in it. Choose one that lies inside."
        )
    return first, min(last, seconds)
