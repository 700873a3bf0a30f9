"""Conditions on stretches of a table's own times: its first three months, from April until June."""

from __future__ import annotations

import datetime as dt
import re

from .asking import Asked
from .cells import EMPTY, MONTHS, WEEKDAYS, Column
from .row_tests import Condition, among, by_value, condition, unless

_MONTHS = frozenset(name[:3] for name in MONTHS)
ORDINALS = {
    word: place
    for place, words in enumerate(
        ("first 1st", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"), 1
    )
    for word in words.split()
}
#: The numbers of a column that says of which class, grade or round something is.
_FEW = {float(number) for number in range(1, 13)}
_UNITS = {"month": "month", "week": "week", "day": "day", "quarter": "quarter", "year": "year"}


def from_to(asked: Asked, found: re.Match[str]) -> Condition | None:
    """From one month, day of the week or quarter until another, in a column of their names."""
    if re.search(r"V\d+ and ", found[0]) and not re.search(r"(?<!\w)between(?!\w)", found[0]):
        return None  # "April and June" are these two.
    first, last = asked.items[found["v"]], asked.items[found["w"]]
    for place in first.cells.keys() & last.cells.keys():
        column = asked.sheet.columns[place]
        if not column.has_calendar_order:
            continue
        kinds = _kinds(column)
        ends = [_place(kinds, item.cells[place]) for item in (first, last)]
        low, high = ends
        meant = kinds[low : high + 1] if low <= high else kinds[low:] + kinds[: high + 1]
        is_not = found["no"]
        said = f"{column.name} is {'not ' if is_not else ''}from {kinds[low]} to {kinds[high]}"
        return condition(said, unless(is_not, among(column, meant)), found, column)
    return None


def at_an_end(asked: Asked, found: re.Match[str]) -> Condition | None:
    """The first or the last so many months, weeks or other times that the table has."""
    count = round(asked.items[found["n"]].number)
    is_first = found["way"] == "first"
    column = asked.column(found["c"]) if found["c"] else None
    if column is not None and column.has_calendar_order:
        kinds = _kinds(column)
        meant = kinds[:count] if is_first else kinds[-count:]
        is_not = found["no"]
        said = f"{column.name} is {'not ' if is_not else ''}{' or '.join(meant)}"
        return condition(said, unless(is_not, among(column, meant)), found, column)
    unit = _UNITS.get((found["unit"] or "").removesuffix("s"))
    if column is not None and column.kind == "date":
        unit = unit or _UNITS.get(asked.items[found["c"]].said.lower().removesuffix("s"))
    dates = [one for one in asked.sheet.columns if one.kind == "date"]
    if unit is None or not dates or count < 1:
        return None
    return _of_dates(dates[0], unit, count, found)


def nth(asked: Asked, found: re.Match[str]) -> Condition | None:
    """The first class of a column of classes 1 to 3."""
    column = asked.column(found["c"])
    if column is None or column.kind != "number" or not set(column.numbers) <= _FEW:
        return None
    number = ORDINALS[found["nth"]]
    if number not in column.numbers:
        return None
    said = f"{column.name} is {'not ' if found['no'] else ''}{number}"
    holds = by_value(column, lambda value: value == number)
    return condition(said, unless(found["no"], holds), found, column)


def quarter_of(asked: Asked, found: re.Match[str]) -> Condition | None:
    """A quarter or a half of the year, in a column of the names of months."""
    size = 6 if found["part"] == "half" else 3
    which = found["which"] or ""
    place = ORDINALS.get(which, 0) or (12 // size if which == "last" else int(found["q"] or 0))
    column = next(
        (one for one in asked.sheet.columns
         if one.has_calendar_order and _kinds(one)[0][:3].lower() in _MONTHS), None
    )  # fmt: skip
    if column is None or not 1 <= place <= 12 // size:
        return None
    months = {name[:3] for name in MONTHS[(place - 1) * size : place * size]}
    meant = [kind for kind in _kinds(column) if kind[:3].casefold() in months]
    is_not = found["no"]
    said = f"{column.name} is {'not ' if is_not else ''}in {found['what']}"
    return condition(said, unless(is_not, among(column, meant)), found, column)


def _of_dates(column: Column, unit: str, count: int, found: re.Match[str]) -> Condition | None:
    known = [value for value in column.values if isinstance(value, dt.datetime)]
    if not known:
        return None
    numbers = sorted({_number(value, unit) for value in known})
    is_first = found["way"] == "first"
    low = numbers[0] if is_first else numbers[-1] - count + 1
    high = low + count - 1

    def holds(row: int) -> bool:
        value = column.values[row]
        return isinstance(value, dt.datetime) and low <= _number(value, unit) <= high

    met = [value for value in known if low <= _number(value, unit) <= high]
    span = f"{_said(min(met))} to {_said(max(met))}" if met else "none"
    way = "first" if is_first else "last"
    is_not = found["no"]
    said = (
        f"{column.name} is {'not ' if is_not else ''}in the {way} {count} {unit}s of the table, "
        f"{span}"
    )
    return condition(said, unless(is_not, holds), found, column)


def _number(moment: dt.datetime, unit: str) -> int:
    """Which month, week or so since the beginning of time a moment lies in."""
    if unit == "month":
        return moment.year * 12 + moment.month - 1
    if unit == "quarter":
        return moment.year * 4 + (moment.month - 1) // 3
    if unit == "year":
        return moment.year
    days = moment.date().toordinal()
    return days if unit == "day" else (days - 1) // 7


def _said(moment: dt.datetime) -> str:
    return f"{moment.day} {moment:%b %Y}"


def _kinds(column: Column) -> list[str]:
    """The different words of a column in the order of the calendar."""
    words = {cell.strip().casefold(): cell.strip() for cell in column.cells}
    order = {name[:3]: place for names in (MONTHS, WEEKDAYS) for place, name in enumerate(names)}
    filled = [word for word in words if word not in EMPTY]
    return [words[word] for word in sorted(filled, key=lambda one: (order.get(one[:3], 0), one))]


def _place(kinds: list[str], cells: set[str]) -> int:
    return next(place for place, kind in enumerate(kinds) if kind.casefold() in cells)
