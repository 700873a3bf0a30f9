"""How answers about tables are worded: rows, what an answer rests on, what is unsure."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .asking import Asked
from .cells import Column
from .measure_wishes import Measure
from .measures import NAMES, cell, is_ever_added, measure_of, measures, moment
from .reading import Sheet, columns_of
from .row_tests import Conditions


def rows_said(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def where_said(conditions: Conditions) -> str:
    return f" where {conditions.said}" if conditions else ""


def basis_said(rows: int, conditions: Conditions, left_out: int = 0) -> str:
    """What an answer rests on."""
    beside = ""
    if left_out:
        beside = f" ({rows_said(left_out)} without a number left out)"
    return f"over {rows_said(rows)}{where_said(conditions)}{beside}"


def unsure_said(columns: Sequence[Column | None]) -> str:
    """Said where days and months of dates may have been taken for each other."""
    for column in columns:
        if column is not None and column.is_unsure:
            sample = next(value for value in column.values if value is not None)
            place = column.values.index(sample)
            return (
                f" The dates could be read in two ways; {column.cells[place].strip()} was read as "
                f"{moment(sample, column)}."  # type: ignore[arg-type]
            )
    return ""


def measured(asked: Asked, measure: Measure) -> Measure:
    if measure.column is not None or measure.way in ("count", "distinct"):
        return measure
    named = asked.named(asked.line)
    numbers = [column for column in named if column.kind == "number"]
    if named and not numbers and measure.way != "share":
        dates = [column for column in named if column.kind == "date"]
        if not dates:
            raise ToolError(
                f"The column “{named[0].name}” has no numbers, so it has no {NAMES[measure.way]}. "
                f"Columns with numbers: "
                f"{columns_of(Sheet(measures(asked.sheet) or asked.sheet.columns))}."
            )
    column = numbers[0] if numbers else measure_of(asked, "is meant")
    if not numbers and measure.way == "sum" and not is_ever_added(column):
        raise ToolError(
            f"The only numbers are those of “{column.name}”, which are not added up. Name the "
            f"column if you mean it: the columns are {columns_of(asked.sheet)}."
        )
    return Measure(measure.way, column)


def row_said(sheet: Sheet, row: int, who: Column | None, column: Column) -> str:
    if who is not None and who is not column:
        return f"{who.cells[row].strip()}: {cell(column, row)}"
    shown_columns = [one for one in sheet.columns if not one.is_empty(row)][:10]
    return ", ".join(f"{one.name} {cell(one, row)}" for one in shown_columns)
