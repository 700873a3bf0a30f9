"""Rows grouped and reckoned together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from .asking import Asked
from .cells import MONTHS, WEEKDAYS
from .group_wishes import Group, groups_in
from .measure_wishes import Measure
from .measures import AGGREGATES, figures, written


@dataclass(frozen=True)
class Reckoned:
    """One number, over how many rows that have one; None where none has."""

    value: float | None
    rows: int
    left_out: int = 0


def reckon(measure: Measure, rows: Sequence[int]) -> Reckoned:
    """A measure over rows."""
    column = measure.column
    if measure.way == "count" or column is None:
        return Reckoned(float(len(rows)), len(rows))
    if measure.way == "distinct":
        kinds = {column.cells[row].strip().casefold() for row in rows if not column.is_empty(row)}
        return Reckoned(float(len(kinds)), len(rows))
    values = [value for row in rows if isinstance(value := column.values[row], float)]
    if not values:
        return Reckoned(None, 0, len(rows))
    return Reckoned(AGGREGATES[measure.way](values), len(values), len(rows) - len(values))


def shown(measure: Measure, value: float | None) -> str:
    """A reckoned number as a person reads it."""
    if value is None:
        return "nothing"
    if measure.way in ("count", "distinct") or measure.column is None:
        return f"{value:,.0f}"
    return written(value, measure.column, measure.way)


def plain(measure: Measure, value: float | None) -> str:
    """A reckoned number as it stands in a cell."""
    if value is None:
        return ""
    if measure.way in ("count", "distinct") or measure.column is None:
        return f"{value:.0f}"
    if measure.column.is_clock:
        return written(value, measure.column, measure.way)
    return figures(value, measure.column, measure.way)


def key_of(group: Group, row: int) -> tuple[object, str] | None:
    """What a row belongs to: what groups are put in order by, and the group's name; None where
    the cell is empty."""
    column = group.column
    if column.is_empty(row):
        return None
    value = column.values[row] if column.values else None
    if isinstance(value, dt.datetime):
        return _part_of(value, group.part or "day")
    if isinstance(value, float):
        # What only names a kind is no amount: the cost centre 1000.
        return (0, value), column.cells[row].strip() if column.is_whole else written(value, column)
    cell = column.cells[row].strip()
    return column.sort_key(row), cell


def _part_of(value: dt.datetime, part: str) -> tuple[object, str]:
    if part == "year":
        return value.year, f"{value.year}"
    if part == "month":
        return (value.year, value.month), f"{value:%Y-%m}"
    if part == "quarter":
        quarter = (value.month + 2) // 3
        return (value.year, quarter), f"{value.year} Q{quarter}"
    if part == "week":
        year, week, _ = value.isocalendar()
        return (year, week), f"{year} week {week:02}"
    if part == "weekday":
        return value.weekday(), WEEKDAYS[value.weekday()].title()
    if part == "hour":
        return value.hour, f"{value.hour:02}:00"
    return value.date(), f"{value:%Y-%m-%d}"


def grouped(
    groups: Sequence[Group], rows: Sequence[int]
) -> list[tuple[tuple[str, ...], list[int]]]:
    """The groups in order, each with its rows. What differs only in capitals is one group."""
    found: dict[tuple[str, ...], list[int]] = {}
    keys: dict[tuple[str, ...], tuple[object, ...]] = {}
    names: dict[tuple[str, ...], tuple[str, ...]] = {}
    for row in rows:
        both = [key_of(group, row) for group in groups]
        said = tuple(one[1] if one else "" for one in both)
        folded = tuple(word.casefold() for word in said)
        if folded not in found:
            found[folded] = []
            # Empty cells come last; a tuple keeps what cannot be compared with another apart.
            keys[folded] = tuple((one is None, one[0] if one else 0) for one in both)
            names[folded] = said
        found[folded].append(row)
    return [(names[folded], found[folded]) for folded in sorted(found, key=lambda one: keys[one])]


def in_words(name: str, group: Group) -> str:
    """The name of a group as a person reads it: 2024-03 is March 2024."""
    if group.part == "month" and group.column.kind == "date" and name:
        return f"{MONTHS[int(name[5:]) - 1].title()} {name[:4]}"
    if group.part == "day" and group.column.kind == "date" and name:
        day = dt.date.fromisoformat(name)
        return f"{day.day} {day:%B %Y}"
    return name or "(empty)"


def rows_by(groups: Sequence[Group], count: int) -> list[list[int]]:
    """The rows of each group, all together where there is none."""
    found: dict[object, list[int]] = {}
    for row in range(count):
        found.setdefault(tuple(key_of(group, row) for group in groups), []).append(row)
    return list(found.values())


def groups_apart(asked: Asked) -> list[Group]:
    """What is told apart: "per customer", but no "each month" of a table of months."""
    found = groups_in(asked)
    return [
        group for group in found
        if len(rows_by([group], asked.sheet.count)) < asked.sheet.count
        and not (group.column.kind == "number" and not group.column.is_label)
    ]  # fmt: skip
