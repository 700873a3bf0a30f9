"""Which rows or kinds of a table have the most or the least."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from controlllm.toolbox import ToolError

from ...shared.sentences import listed
from .answer_words import basis_said, row_said, rows_said, unsure_said, where_said
from .asking import Asked
from .cells import Column
from .group_wishes import PARTS, Group
from .measure_wishes import Measure
from .measures import NAMES, called, cell, is_added, measure_of, measures, written
from .order_wishes import Extreme
from .reckoning import grouped, in_words, reckon, shown
from .row_tests import Conditions
from .words import parts

#: Columns of which more is good or bad, as it is of what comes in or goes out.
_EITHER_WAY = frozenset("amount cost price expense spending value betrag rate time".split())
_EXPENSE = re.compile(
    r"\b(?:expenses?|expenditures?|spen[dt]|spending|costs?|paid|payments?)\b", re.IGNORECASE
)
#: What moved the most is told by how far it moved.
_MOVED = re.compile(
    r"\b(?:(?:went|gone|goes|go) (?:up|down)|rose|risen|fell|fallen|changed|grew|grown|increased|"
    r"decreased) (?:by )?(?:the )?(?:most|least)\b",
    re.IGNORECASE,
)
_HOW_FAR = "difference change growth increase decrease delta".split()
_COUNTED = re.compile(
    r"\b(?:most|fewest|least) (?:\w+ )?(?:people|persons?|passengers|rows|entries|women|men|"
    r"children|"
    r"members|students|pupils|guests|survivors|orders|times)\b",
    re.IGNORECASE,
)


def extreme_said(
    asked: Asked, extreme: Extreme, found: Sequence[Measure], groups: Sequence[Group],
    rows: Sequence[int], conditions: Conditions,
) -> str:  # fmt: skip
    """Which has the most or the least, or the highest number itself."""
    column, who = extreme.column, extreme.who
    named = asked.named(asked.line)
    ways = [measure for measure in found if measure.way in ("sum", "mean", "count", "median")]
    group = groups[0] if groups else None
    if column is not None and column.kind == "text":
        # "The top five customers", "the most common city": rows are grouped by it.
        who, column = who or column, None
    if column is None:
        numbers = [one for one in named if one.kind == "number" and not one.is_label] + [
            measure.column for measure in ways if measure.column is not None
        ]
        column = next(iter(numbers), None)
        others = [one for one in measures(asked.sheet) if one is not who]
        if column is not None and column is who and set(parts(who.name)) & PARTS.keys() and others:
            # "Which week was the worst": the week is what is told.
            column = others[0] if len(others) == 1 else None
    if who is None and column is not None and group is None:
        others = [one for one in named if one.kind == "text"]
        who = next(iter(others), None)
    if who is not None and _tells_kinds(who) and _COUNTED.search(asked.text):
        # "Which class had the most passengers": the class is none of what is counted.
        return ranked(extreme, Measure("count"), Group(who), rows, conditions)
    if who is not None and (who is column or who.is_label):
        who = None
    if group is None and who is not None and who.kind != "number":
        group = Group(who, "day" if who.kind == "date" else "")
    is_count = column is None and (
        any(measure.way == "count" for measure in ways)
        or extreme.is_counted and (not measures(asked.sheet) or "common" in asked.text.lower()
                                   or "often" in asked.text.lower() or _is_of_rows(asked, group))
    )  # fmt: skip
    if group is not None and is_count:
        return ranked(extreme, Measure("count"), group, rows, conditions)
    if _MOVED.search(asked.text) and (column is None or not called([column], _HOW_FAR)):
        column = called(measures(asked.sheet), _HOW_FAR)
        if column is None:
            raise ToolError(
                "How far each went up or down stands in no column. Let a column with the "
                "difference be added first."
            )
    if column is None:
        column = measure_of(asked, "is meant")
        if extreme.word in ("best", "worst") and _EITHER_WAY & set(parts(column.name)):
            raise ToolError(
                f"It is not clear whether the {extreme.word} has the highest or the lowest "
                f"{column.name}. Say which."
            )
    if column.kind == "date":
        return _rows_of(asked, extreme, column, rows, conditions, who)
    if min(column.numbers, default=0.0) < 0 and _EXPENSE.search(asked.text):
        # Where what is spent is below zero, the most is the lowest number.
        rows = [row for row in rows if isinstance(v := column.values[row], float) and v < 0]
        extreme = replace(extreme, is_most=not extreme.is_most)
    if group is not None and _repeats(group, rows):
        way = next((measure.way for measure in ways), "")
        if way or group.part or (is_added(column) and not extreme.is_single):
            return ranked(extreme, Measure(way or "sum", column), group, rows, conditions)
    return _rows_of(asked, extreme, column, rows, conditions, who)


def _is_of_rows(asked: Asked, group: Group | None) -> bool:
    """ "Who placed the most orders": a word that names no column and so the rows."""
    found = re.search(r"(?<!\w)(?:most|fewest|least) ([a-z]+)", asked.text.lower())
    if group is None or not found:
        return False
    return found[1] in (
        "orders", "rows", "entries", "transactions", "times", "purchases", "bookings", "records",
        "visits", "tickets", "customers", "employees", "people", "products", "items",
    )  # fmt: skip


def _tells_kinds(column: Column) -> bool:
    """Whether the numbers of a column are names of a few kinds, such as classes 1 to 3."""
    kinds = set(column.numbers)
    return column.kind == "number" and len(kinds) <= 12 and all(
        value.is_integer() and abs(value) < 100 for value in kinds
    )  # fmt: skip


def _repeats(group: Group, rows: Sequence[int]) -> bool:
    """Whether several rows belong to one: of a list of names with one that stands there twice by
    mistake rows are asked for."""
    if group.part:
        return True
    cells = [group.column.cells[row].strip().casefold() for row in rows]
    return len(set(cells)) <= 0.85 * len(cells) or len(set(cells)) < len(cells) < 8


def ranked(
    extreme: Extreme, measure: Measure, group: Group, rows: Sequence[int], conditions: Conditions
) -> str:
    """The groups with the most or the least."""
    values = [
        (names[0], found.value)
        for names, members in grouped([group], rows)
        if names[0] and (found := reckon(measure, members)).value is not None
    ]
    values.sort(key=lambda one: one[1], reverse=extreme.is_most)
    word = "highest" if extreme.is_most else "lowest"
    what = f"{NAMES[measure.way]} of {measure.column.name}" if measure.column else "number of rows"
    if not values:
        return f"No row{where_said(conditions)} has a number there."
    basis = basis_said(len(rows), conditions)
    if extreme.count == 1:
        best = values[0][1]
        tied = [in_words(name, group) for name, value in values if value == best]
        names = listed(tied)
        verb = "have" if len(tied) > 1 else "has"
        return (
            f"{names} {verb} the {word} {what}: {shown(measure, best)}, {basis} with "
            f"{len(values):,} different values of {group.name}.{unsure_said([group.column])}"
        )
    lines = [
        f"{place}. {in_words(name, group)}: {shown(measure, value)}"
        for place, (name, value) in enumerate(values[: extreme.count], 1)
    ]
    return f"The {len(lines)} {word} of {group.name} by {what}, {basis}:\n" + "\n".join(lines)


def _rows_of(
    asked: Asked, extreme: Extreme, column: Column, rows: Sequence[int], conditions: Conditions,
    who: Column | None,
) -> str:  # fmt: skip
    """The rows with the largest or the smallest value in a column."""
    having = [row for row in rows if column.values and column.values[row] is not None]
    if not having:
        return f"No row{where_said(conditions)} has a value in the column {column.name}."
    having.sort(key=lambda row: column.values[row], reverse=extreme.is_most)  # type: ignore[arg-type, return-value]
    if column.kind == "date":
        word = "latest" if extreme.is_most else "earliest"
    else:
        word = "highest" if extreme.is_most else "lowest"
    basis = basis_said(len(having), conditions) + "." + unsure_said([column])
    if extreme.count > 1:
        lines = [
            f"{place}. {row_said(asked.sheet, row, who, column)}"
            for place, row in enumerate(having[: extreme.count], 1)
        ]
        return f"The {len(lines)} {word} of {column.name}, {basis[:-1]}:\n" + "\n".join(lines)
    best = column.values[having[0]]
    tied = [row for row in having if column.values[row] == best]
    value = cell(column, tied[0]) if column.kind == "date" else written(best, column)  # type: ignore[arg-type]
    if len(tied) > 3:
        return f"The {word} {column.name} is {value}, in {rows_said(len(tied))}, {basis}"
    said = "; ".join(row_said(asked.sheet, row, None, column) for row in tied)
    if who is not None and who is not column:
        names = " and ".join(who.cells[row].strip() or "(empty)" for row in tied)
        verb = "has" if len(tied) == 1 else "have"
        return f"{names} {verb} the {word} {column.name}: {value}, {basis} The row: {said}."
    return f"The {word} {column.name} is {value}, {basis} The row: {said}."
