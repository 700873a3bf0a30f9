"""Conditions on what stands in the cells: values, words, yes or no, or nothing."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from dataclasses import replace

from controlllm.toolbox import ToolError

from .asking import Asked, Item
from .cells import EMPTY, NO, YES, Column
from .condition_words import V
from .reading import clipped, columns_of
from .row_tests import Condition, among, condition, unless
from .words import parts, stem


def has_value(asked: Asked, found: re.Match[str]) -> Condition | None:
    """One of some values that stand in the cells of a column."""
    marks = [found["v"], *re.findall(V, found["more"] or "")]
    items = [asked.items[mark] for mark in marks]
    before, after = found["c"], found["after"]
    column = _owner(asked, items, before) or _owner(asked, items, after)
    if column is None:
        words = found[0].split()
        column = _by_word(asked, items, words) or _likely(asked, items)
    place = asked.sheet.columns.index(column)
    if any(place not in item.cells for item in items):
        if len(items) > 1:
            _part_values(asked, found)
        return None
    left = "".join(
        f" {mark} " for mark in (before, after) if mark and asked.column(mark) is not column
    )
    cells = frozenset().union(*(item.cells[place] for item in items))
    # "Berlin" where the column has both "Berlin" and "berlin " is both.
    is_not = bool(found["no"])
    said_values = " or ".join(_as_written(item, place, column) for item in items)
    said = f"{column.name} is {'not ' if is_not else ''}{said_values}"
    made = condition(said, unless(is_not, among(column, cells)), found, column)
    made = replace(made, is_value=not is_not)
    if left:
        # The other column that stood beside it is still to be understood.
        asked.line = asked.line[: found.end()] + left + asked.line[found.end() :]
    return made


def _part_values(asked: Asked, found: re.Match[str]) -> None:
    """Part values of different columns, so that each is understood by itself."""
    line, more = asked.line, found["more"]
    parted = re.sub(r" ?(?:,|or|and|nor|&) ?(?=(?:\w+ )*V)", " ; ", more)
    start = found.start("more")
    asked.line = line[:start] + parted + line[start + len(more) :]


def _owner(asked: Asked, items: Sequence[Item], mark: str | None) -> Column | None:
    """The named column, where it has the first value."""
    column = asked.column(mark)
    if column is None:
        return None
    place = asked.sheet.columns.index(column)
    return column if place in items[0].cells else None


def _by_word(asked: Asked, items: Sequence[Item], words: Sequence[str]) -> Column | None:
    """A column that is called as the word before the value: "from Berlin", "to Rome"."""
    for word in words:
        for place in items[0].cells:
            if stem(word) in parts(asked.sheet.columns[place].name):
                return asked.sheet.columns[place]
    return None


def _likely(asked: Asked, items: Sequence[Item]) -> Column:
    """The column that has all of the values, the most often the first."""
    shared = set(items[0].cells)
    for item in items[1:]:
        shared = shared & set(item.cells) or shared
    counts = {
        place: sum(cell.strip().casefold() in items[0].cells[place]
                   for cell in asked.sheet.columns[place].cells)
        for place in shared
    }  # fmt: skip
    return asked.sheet.columns[max(sorted(counts), key=lambda place: counts[place])]


def _as_written(item: Item, place: int, column: Column) -> str:
    """The value as it stands in the cells."""
    cells = item.cells[place]
    if len(cells) > 1 and item.is_part:
        return f"one with {item.said}"
    return next(cell.strip() for cell in column.cells if cell.strip().casefold() in cells)


def has_quoted(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Quoted words that stand in no cell, which only "not" makes sense of.

    Raises ToolError where they are wanted.
    """
    words = asked.items[found["v"]].said
    column = asked.column(found["c"] or found["after"])
    if column is None:
        raise ToolError(
            f"“{clipped(words)}” stands nowhere in this table. Its columns are "
            f"{columns_of(asked.sheet)}."
        )
    if column.kind != "text":
        return None
    if found["no"]:
        return condition(f"{column.name} is not {words}", lambda row: True, found, column)
    raise _no_value(column, words)


def _no_value(column: Column, words: str) -> ToolError:
    """What is said where a column never has a value."""
    kinds = sorted({cell.strip() for cell in column.cells if cell.strip().lower() not in EMPTY})
    shown = ", ".join(map(clipped, kinds[:8])) + (" and others" if len(kinds) > 8 else "")
    return ToolError(
        f"“{clipped(words)}” does not occur in the column “{column.name}”, which has {shown}."
    )


def contains(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Words within a cell, or at its start or end."""
    item = asked.items.get(found["v"])
    words = (item.said if item else found["v"]).casefold()
    column = asked.column(found["c"])
    columns = [column] if column else list(asked.sheet.columns)
    way = found["op"][:3]
    test = {"sta": str.startswith, "beg": str.startswith, "end": str.endswith}.get(
        way, operator.contains
    )

    def holds(row: int) -> bool:
        return any(test(each.cells[row].strip().casefold(), words) for each in columns)

    verb = {"sta": "starts with", "beg": "starts with", "end": "ends with"}.get(way, "contains")
    name = column.name if column else "a cell"
    return condition(f"{name} {verb} “{words}”", unless(found["no"], holds), found, column,
                 bool(found["no"]))  # fmt: skip


def says_yes_or_no(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Yes or no, said as such."""
    column = asked.column(found["c"])
    assert column is not None
    return _says(column, (found["v"] in ("yes", "true")) != bool(found["no"]), found)


def is_so(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Of a column of yes and no its name is enough: "the paid orders"."""
    column = asked.column(found["c"])
    names_columns = re.search(
        r"(?<!\w)(?:columns?|fields?|by)(?!\w)", found.string[: found.start()]
    )
    if column is None or names_columns:
        return None
    if not column.is_yes_or_no:
        # "Have not come back": of a column of dates what is not is empty.
        is_told = column.kind == "date" and any(map(column.is_empty, range(asked.sheet.count)))
        if not (is_told and (found["no"] or found["no2"])):
            return None
        return condition(f"{column.name} is empty", column.is_empty, found, column)
    return _says(column, not (found["no"] or found["no2"]), found)


def _says(column: Column, is_yes: bool, found: re.Match[str]) -> Condition:
    said = f"{column.name} is {'yes' if is_yes else 'no'}"
    return condition(said, among(column, YES if is_yes else NO), found, column)


def is_empty(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Nothing in the cell of a column, or something."""
    column = asked.column(found["c"])
    assert column is not None
    is_there = found["op"].split()[0] in ("filled", "given", "present")
    wants_empty = is_there == bool(found.groupdict().get("no"))
    said = f"{column.name} is {'' if wants_empty else 'not '}empty"
    rows = range(asked.sheet.count)
    if wants_empty and column.kind == "number" and not any(map(column.is_empty, rows)):
        # "With no stock" is none of it, where every cell has a number.
        said = f"{column.name} is 0"
        return condition(said, lambda row: column.values[row] == 0, found, column)
    return condition(said, lambda row: column.is_empty(row) == wants_empty, found, column)


def has_gaps(asked: Asked, found: re.Match[str]) -> Condition:
    """Rows in which some cell is empty."""
    columns = asked.sheet.columns

    def holds(row: int) -> bool:
        return any(column.is_empty(row) for column in columns)

    is_not = found["no"] or found["no2"]
    said = "no cell is empty" if is_not else "a cell is empty"
    return condition(said, unless(is_not, holds), found, None)


def is_filled(asked: Asked, found: re.Match[str]) -> Condition | None:
    """ "With an email": its cell is not empty."""
    column = asked.column(found["c"])
    if column is None or column.kind == "number":
        return None
    said = f"{column.name} is not empty"
    return condition(said, lambda row: not column.is_empty(row), found, column)
