"""Conditions held against the rows of a table."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from controlllm.toolbox import ToolError

from .asking import Item
from .cells import Column
from .periods import Period


@dataclass(frozen=True)
class Condition:
    """What a row must meet: `holds` says it of the row's number; `said` says it in words."""

    said: str
    holds: Callable[[int], bool]
    start: int = 0
    end: int = 0
    column: Column | None = None
    #: Whether it says what stands in the cells of its column.
    is_value: bool = False


@dataclass(frozen=True)
class Conditions:
    """Conditions of which all within one of the `ways` must be met."""

    ways: tuple[tuple[Condition, ...], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.ways)

    @property
    def said(self) -> str:
        return " or ".join(" and ".join(each.said for each in way) for way in self.ways)

    @property
    def all(self) -> tuple[Condition, ...]:
        return tuple(each for way in self.ways for each in way)

    def rows(self, count: int) -> list[int]:
        """The numbers of the rows that meet them, of so many."""
        if not self.ways:
            return list(range(count))
        return [
            row for row in range(count)
            if any(all(each.holds(row) for each in way) for way in self.ways)
        ]  # fmt: skip


def condition(
    said: str, holds: Callable[[int], bool], found: re.Match[str], column: Column | None,
    is_not: bool = False,
) -> Condition:  # fmt: skip
    return Condition(f"not ({said})" if is_not else said, holds, found.start(), found.end(), column)


def unless(is_not: object, holds: Callable[[int], bool]) -> Callable[[int], bool]:
    return (lambda row: not holds(row)) if is_not else holds


def as_number(item: Item) -> float:
    if item.period is not None:
        if not item.period.is_year:
            raise ToolError(
                f"“{item.said}” is no number. Name a number to hold the column against."
            )
        return float(item.period.said)
    return item.number


def among(column: Column, kinds: Iterable[str]) -> Callable[[int], bool]:
    """Whether a cell is one of some words, however they are written."""
    wanted = {kind.casefold() for kind in kinds}
    return lambda row: column.cells[row].strip().casefold() in wanted


def by_value(column: Column, test: Callable[[float], bool]) -> Callable[[int], bool]:
    def holds(row: int) -> bool:
        value = column.values[row]
        return isinstance(value, float) and test(value)

    return holds


def in_periods(column: Column, periods: Sequence[Period]) -> Callable[[int], bool]:
    def holds(row: int) -> bool:
        value = column.values[row]
        return isinstance(value, dt.datetime) and any(period.holds(value) for period in periods)

    return holds


def aligned(first: Period, last: Period) -> tuple[Period, Period]:
    """Both ends of a stretch in years, where only one names a year."""
    if first.start is None and last.start is not None:
        first = first.in_year(last.start.year)
    if last.start is None and first.start is not None:
        last = last.in_year(first.start.year)
    return first, last


def in_span(column: Column, first: Period, last: Period) -> Callable[[int], bool]:
    def holds(row: int) -> bool:
        value = column.values[row]
        if not isinstance(value, dt.datetime):
            return False
        if first.start is not None and last.end is not None:
            return first.start <= value < last.end
        return of_year(first)[0] <= (value.month, value.day) <= of_year(last)[1]

    return holds


def of_year(period: Period) -> tuple[tuple[int, int], tuple[int, int]]:
    """The first and the last day of what comes again each year."""
    if period.day:
        return period.day, period.day
    if not period.months:
        raise ToolError(f"“{period.said}” is no stretch of the year. Name months or days.")
    return (period.months[0], 1), (period.months[-1], 31)


def against_period(column: Column, sign: str, period: Period) -> Callable[[int], bool]:
    def holds(row: int) -> bool:
        value = column.values[row]
        if not isinstance(value, dt.datetime):
            return False
        if period.start is not None and period.end is not None:
            return {
                ">": value >= period.end, "<": value < period.start,
                ">=": value >= period.start, "<=": value < period.end,
            }[sign]  # fmt: skip
        first, last = of_year(period)
        day = (value.month, value.day)
        return {">": day > last, "<": day < first, ">=": day >= first, "<=": day <= last}[sign]

    return holds
