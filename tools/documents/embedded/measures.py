"""Numbers of columns: which one is meant, reckoned together, and written as the column does."""

from __future__ import annotations

import datetime as dt
import math
import re
import statistics
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal

from controlllm.toolbox import ToolError

from .asking import Asked
from .cells import Column
from .reading import Sheet, columns_of
from .words import parts

#: Names of columns that are added up first where no column is named, the likeliest first.
_USUAL = (
    "total amount revenue sale turnover betrag umsatz sum value price cost expense spending salary "
    "quantity qty unit count number hour score rating"
).split()
#: Columns whose sum says nothing; of several rows the mean or the largest is asked for.
_NOT_ADDED = frozenset(
    "price age rating score rate temperature temp percent percentage share grade mark height "
    "weight speed salary wage year rank latitude longitude average mean ratio margin index level "
    "size".split()
)
#: Names of columns that say how many of something there are.
QUANTITY = frozenset("quantity qty unit piece menge anzahl".split())
_VERBS = {
    "spend spent cost costs pay paid": "amount cost price expense spending total betrag value",
    "earn earned revenue income turnover make made": "revenue income earning amount sale total "
    "salary",
    "sell sold": "quantity qty unit sold sale amount revenue total",
    "work worked": "hour time duration",
}
#: Words that tell one column of numbers from others without its name.
MONEY_OR_TIME = re.compile(
    r"\b(?:spen[dt]|costs?|paid|pay|earn(?:ed|ings)?|revenue|income|turnover|sales|sold|expenses?|worked)\b"
)

AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": lambda values: math.fsum(values) / len(values),
    "median": statistics.median,
    "max": max,
    "min": min,
    "spread": lambda values: max(values) - min(values),
    "deviation": lambda values: statistics.stdev(values) if len(values) > 1 else 0.0,
}
NAMES = {
    "sum": "total", "mean": "average", "median": "median", "max": "highest", "min": "lowest",
    "count": "count", "distinct": "count", "spread": "range", "deviation": "standard deviation",
}  # fmt: skip


def is_added(column: Column) -> bool:
    """Whether the sum of a column says something: that of units × price, though not of prices."""
    if "×" in column.name:
        return True
    return column.after != "%" and not _NOT_ADDED & set(parts(column.name))


def is_ever_added(column: Column) -> bool:
    """Whether a sum may be meant where the column is not named: of prices, though of no ages."""
    return is_added(column) or bool({"price", "salary", "wage", "weight"} & set(parts(column.name)))


def is_measure(column: Column) -> bool:
    """Whether a column has numbers that can be reckoned with, and no names or codes."""
    return column.kind == "number" and not column.is_label


def tells_age(column: Column) -> bool:
    """Whether a column says how old somebody is."""
    return not {"age", "alter"}.isdisjoint(parts(column.name))


#: The name of a column of which less is quicker.
_TIME = re.compile(r"\b(?:times?|seconds?|secs?|minutes?|duration|pace|laps?|splits?)\b", re.I)


def tells_time(column: Column) -> bool:
    """Whether a column says how long somebody took."""
    return column.kind == "number" and (column.is_clock or bool(_TIME.search(column.name)))


def measures(sheet: Sheet) -> list[Column]:
    """The columns that are reckoned with."""
    return [column for column in sheet.columns if is_measure(column)]


def measure_of(asked: Asked, what: str) -> Column:
    """The column of numbers that is meant where none is named.

    Raises ToolError where it may be several, or there is none.
    """
    found = measures(asked.sheet)
    if not found:
        raise ToolError(
            f"There is no column of numbers in this table that {what}. Its columns are "
            f"{columns_of(asked.sheet)}."
        )
    if len(found) == 1:
        return found[0]
    said = set(re.findall(r"[a-z]+", asked.text.lower()))
    for verbs, names in _VERBS.items():
        if "sold" in verbs and "how much" in asked.text.lower():
            continue
        if said & set(verbs.split()) and (column := called(found, names.split())):
            return column
    if column := called(found, _USUAL):
        return column
    raise ToolError(f"It is not clear which column {what}. Name one of {columns_of(Sheet(found))}.")


def called(columns: Sequence[Column], names: Sequence[str]) -> Column | None:
    """The column that is called by the first of some names that any has."""
    for name in names:
        for column in columns:
            if name in parts(column.name):
                return column
    return None


def written(value: float, column: Column, way: str = "max") -> str:
    """A number of a column as a person reads it: "€1,234.50", "7:30", "1,234 kg"."""
    if column.is_clock:
        minutes = round(abs(value) * 60)
        return f"{'-' if value < 0 else ''}{minutes // 60:,}:{minutes % 60:02}"
    if column.is_year and way not in ("mean", "median", "deviation"):
        return f"{value:.0f}"
    digits = figures(value, column, way, ",")
    sign, digits = ("-", digits[1:]) if digits.startswith("-") else ("", digits)
    after = column.after
    if after and (after[0].isalpha() or after in "€"):
        after = f" {after}"
    before = column.before + (" " if column.before[-1:].isalpha() else "")
    return f"{sign}{before}{digits}{' %' if after == '%' else after}"


def figures(value: float, column: Column, way: str = "max", thousands: str = "") -> str:
    """A number of a column in figures, with as many decimals as make sense."""
    decimals = column.decimals
    if way in ("mean", "median", "deviation"):
        decimals = max(decimals, 2 if abs(value) >= 0.1 or not value else 4)
    # Halves are rounded up as people do, not to the even digit.
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    shown = f"{exact:{thousands}f}"
    if column.decimals == 0 and "." in shown:
        shown = shown.rstrip("0").rstrip(".")
    elif decimals > 2 and "." in shown:
        whole, _, rest = shown.partition(".")
        shown = f"{whole}.{rest[:2]}{rest[2:].rstrip('0')}"
    return shown[1:] if re.fullmatch(r"-0(?:\.0*)?", shown) else shown


def moment(value: dt.datetime, column: Column) -> str:
    """A moment of a column as a person reads it: "3 March 2024"."""
    day = f"{value.day} {value:%B %Y}"
    return f"{day}, {value:%H:%M}" if column.has_times and (value.hour or value.minute) else day


def cell(column: Column, row: int) -> str:
    """A cell as a person reads it."""
    value = column.values[row] if column.values else None
    if isinstance(value, dt.datetime):
        return moment(value, column)
    return column.cells[row].strip()
