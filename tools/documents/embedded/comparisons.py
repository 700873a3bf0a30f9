"""Conditions that hold a column against a number, a time or another column."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .asking import Asked, Item
from .cells import Column
from .condition_words import ABOUT, FLIPPED, MONEY, SAID, SIGNS, D
from .measures import QUANTITY, called, is_measure, measure_of, measures, tells_age
from .reading import columns_of
from .row_tests import (
    Condition,
    against_period,
    aligned,
    among,
    as_number,
    by_value,
    condition,
    in_periods,
    in_span,
    unless,
)
from .words import parts

_PEOPLE = re.compile(
    r"\b(?:everybody|everyone|anybody|anyone|people|persons?|those|kids|children|adults|members|"
    r"passengers|guests|women|men|boys|girls|who|all|them|they|someone|somebody)\b",
    re.IGNORECASE,
)

#: A number said with a currency, and columns of money that have no sign of one.
_MONEY = re.compile(rf"[€$£]|(?<!\w){MONEY}(?!\w)")
_SURELY_MONEY = re.compile(r"[€$£]|(?<!\w)(?:euros?|dollars?|eur|usd|gbp)(?!\w)")
_MONEY_NAMES = (
    "price cost rent fee amount debt budget salary wage rate revenue turnover income total".split()
)


def between(asked: Asked, found: re.Match[str]) -> Condition | None:
    """A number or a time between two."""
    first, last = asked.items[found["v"]], asked.items[found["w"]]
    column = _measured(asked, found, first, "")
    if column is None:
        return None
    if first.period and last.period:
        low, high = aligned(first.period, last.period)
        holds = in_span(column, low, high)
    else:
        low_number, high_number = sorted((as_number(first), as_number(last)))
        holds = by_value(column, lambda value: low_number <= value <= high_number)
    said = f"{column.name} is between {first.said} and {last.said}"
    return condition(said, holds, found, column)


def compared(asked: Asked, found: re.Match[str], sign: str) -> Condition | None:
    """More, less, later or earlier than something."""
    item = asked.items[found["v"]]
    groups = found.groupdict()
    word = groups.get("op") or ""
    if word in ("from", "by", "min", "max", "starting") and item.period is None:
        return None
    if word in ("from", "by") and item.period and (word == "from" or item.period.months):
        return None  # "Sales from March" are those in March.
    column = _measured(asked, found, item, word)
    if column is None:
        return None
    sign = FLIPPED[sign] if found["no"] else sign
    if item.period and column.kind == "date":
        holds = against_period(column, sign, item.period)
        words = {">": "after", "<": "before", ">=": "from", "<=": "up to"}[sign]
    else:
        limit = as_number(item)
        holds = by_value(column, lambda value: SIGNS[sign](value, limit))
        words = SAID[sign]
    return condition(f"{column.name} is {words} {item.said}", holds, found, column)


def in_each(asked: Asked, found: re.Match[str], sign: str) -> Condition | None:
    """Several columns held against one number: "90 or more in both Latin and Greek"."""
    item = asked.items[found["v"]]
    columns = [column for column in asked.named(found["all"]) if is_measure(column)]
    if item.period is not None or len(columns) < 2:
        return None
    sign = FLIPPED[sign] if found["no"] else sign
    tests = [by_value(column, lambda value: SIGNS[sign](value, item.number)) for column in columns]
    is_any = re.search(r"(?<!\w)or(?!\w)", found["all"]) is not None
    every = any if is_any else all
    names = (" or " if is_any else " and ").join(column.name for column in columns)
    said = f"{names} {'is' if is_any else 'are'} {SAID[sign]} {item.said}"
    return condition(said, lambda row: every(test(row) for test in tests), found, None)


def two_columns(asked: Asked, found: re.Match[str], sign: str) -> Condition | None:
    """A column held against another of its kind; an empty number is none at all."""
    one, two = asked.column(found["c"]), asked.column(found["w"])
    if one is None or two is None or one is two or one.kind != two.kind:
        return None
    sign = FLIPPED[sign] if found["no"] else sign
    test = {**SIGNS, "=": operator.eq, "!=": operator.ne}[sign]

    def holds(row: int) -> bool:
        if one.kind == "text":
            pair = [column.cells[row].strip().casefold() for column in (one, two)]
            return bool(test(*pair))
        first, second = one.values[row], two.values[row]
        return first is not None and second is not None and bool(test(first, second))

    words = {**SAID, "=": "the same as", "!=": "other than"}[sign]
    return condition(f"{one.name} is {words} {two.name}", holds, found, one)


def equals(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Just so much: "class 3"."""
    column = asked.column(found["c"])
    item = asked.items[found["v"]]
    assert column is not None
    is_not = bool(found["no"])
    said = f"{column.name} is {'not ' if is_not else ''}{item.said}"
    if column.kind == "number":
        holds = by_value(column, lambda value: abs(value - item.number) < 1e-9)
    elif column.kind == "text":
        holds = among(column, [item.said])
    else:
        return None
    return condition(said, unless(is_not, holds), found, column)


def so_many(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Just so many of what a column counts: "with 0 in stock", "who have 2 children"."""
    column = asked.column(found["c"])
    return equals(asked, found) if column is not None and column.kind == "number" else None


_SOLD_OUT = ["out", "of", "stock"]
_STOCK = frozenset("stock quantity qty inventory left available remaining".split())


def sold_out(asked: Asked, found: re.Match[str]) -> Condition | None:
    """What there is none of any more, where a column tells how much there is."""
    stocks = [
        column for column in asked.sheet.columns
        if column.kind == "number" and _STOCK & set(parts(column.name))
    ]  # fmt: skip
    if len(stocks) != 1:
        return None
    is_there = bool(found["no"])
    holds = by_value(stocks[0], (lambda value: value > 0) if is_there else lambda value: value <= 0)
    return condition(
        f"{stocks[0].name} is {'over 0' if is_there else '0'}", holds, found, stocks[0]
    )


def in_stock(asked: Asked, found: re.Match[str]) -> Condition | None:
    """What there is any of: "in stock", and "out of stock" for what there is none of."""
    column = asked.column(found["c"])
    said = f"{found['way'] or ''} {asked.items[found['c']].said}".lower().split()
    if column is None or column.kind != "number" or said not in (["in", "stock"], _SOLD_OUT):
        return None
    is_none = bool(found["no"]) != (said == _SOLD_OUT)
    holds = by_value(column, (lambda value: value <= 0) if is_none else (lambda value: value > 0))
    return condition(f"{column.name} is {'0' if is_none else 'over 0'}", holds, found, column)


def has_sign(asked: Asked, found: re.Match[str]) -> Condition | None:
    """Over or under zero."""
    column = asked.column(found["c"])
    if column is None or column.kind != "number":
        column = _only_measure(asked, Item(found["op"]))
    is_less = found["op"] == "negative"
    holds = by_value(column, lambda value: value < 0 if is_less else value > 0)
    return condition(f"{column.name} is {found['op']}", holds, found, column)


def in_period(asked: Asked, found: re.Match[str]) -> Condition | None:
    """At one of some times: "in March or May"."""
    marks = [found["v"], *re.findall(D, found["more"] or "")]
    periods = [period for mark in marks if (period := asked.items[mark].period)]
    named = asked.column(found["c"])
    years = _year_column(asked)
    if years is not None and all(period.is_year for period in periods):
        column: Column = years
        numbers = {float(period.said) for period in periods}
        holds = by_value(column, lambda value: value in numbers)
    else:
        column = named if named and named.kind == "date" else _date_column(asked)
        holds = in_periods(column, periods)
    is_not = bool(found["no"])
    word = "on" if all(period.is_day for period in periods) else "in"
    times = " or ".join(period.said for period in periods)
    said = f"{column.name} is {'not ' if is_not else ''}{word} {times}"
    made = condition(said, unless(is_not, holds), found, column)
    if named is not None and named is not column:
        asked.line = f"{asked.line[: found.end()]} {found['c']} {asked.line[found.end() :]}"
    return made


def in_year(asked: Asked, found: re.Match[str]) -> Condition | None:
    """In a year, of a column of years: "of 1984"."""
    item = asked.items[found["v"]]
    column = _year_column(asked)
    if column is None or not 1000 <= item.number <= 2200:
        return None
    said = f"{column.name} is {item.said}"
    return condition(said, by_value(column, lambda value: value == item.number), found, column)


def _nearest(asked: Asked, found: re.Match[str]) -> str | None:
    """The column that stands beside a number: before it, or behind it where the one before
    has no numbers to be held against or stands farther off."""
    groups = found.groupdict()
    before, behind = groups.get("c"), groups.get("mid") or groups.get("after")
    column = asked.column(behind)
    if before is None or column is None or column.kind != "number":
        return before or behind
    first = asked.column(before)
    is_near = re.match(
        rf"{before} (?:(?:is|are|was|were|of|not) )*{re.escape(groups.get('op') or '')}",
        found[0],
    )
    if first is None or not is_measure(first) or not is_near:
        return behind
    return before


def _measured(asked: Asked, found: re.Match[str], item: Item, word: str) -> Column | None:
    """The column that a number or a time is held against."""
    named = asked.column(_nearest(asked, found))
    said = f"{found[0]} {item.said}".lower()
    money = _of_money(asked, said) if item.period is None else None
    if money is not None and (named is None or _SURELY_MONEY.search(said) and not _signed(named)):
        return money
    wanted = (
        "date" if item.period and not (item.period.is_year and _year_column(asked)) else "number"
    )
    if (
        named is not None
        and named.kind == wanted
        and not (named.is_label and not named.is_year and item.period is None)
    ):
        return named
    if named is not None and named.kind == "text" and wanted == "number":
        return None
    if wanted == "date":
        return _date_column(asked)
    for about, names in ABOUT.items():
        if about in word:
            return _called(asked, names.split(), word)
    if item.period:
        return _year_column(asked)
    if "fewer" in word and not any(map(is_measure, asked.named(asked.line))):
        # "Fewer than 10 of" counts them.
        pieces = called(measures(asked.sheet), [*QUANTITY, "stock", "number", "count"])
        return pieces or _only_measure(asked, item)
    return _only_measure(asked, item)


def _signed(column: Column) -> bool:
    """Whether the numbers of a column, or its name, have a sign of a currency."""
    return bool(_MONEY.search(f"{column.before} {column.after} {column.name}".lower()))


def _of_money(asked: Asked, said: str) -> Column | None:
    """The only column of money, where a number is said with a currency."""
    if not _MONEY.search(said):
        return None
    numbers = measures(asked.sheet)
    some = list(filter(_signed, numbers)) or [
        column for column in numbers if set(_MONEY_NAMES) & set(parts(column.name))
    ]
    return some[0] if len(some) == 1 else None


def _only_measure(asked: Asked, item: Item) -> Column:
    """The column that is reckoned with, where none is named beside a number."""
    named = next(filter(is_measure, asked.named(asked.line)), None)
    if named is not None:
        return named
    ages = list(filter(tells_age, measures(asked.sheet)))
    if ages and item.number <= 120 and _PEOPLE.search(asked.text):
        # "Everybody under 18" is told by the age.
        return ages[0]
    return measure_of(asked, f"{item.said} is held against")


def _called(asked: Asked, names: Sequence[str], word: str) -> Column:
    """The column of numbers that a word such as "older" is about."""
    for column in asked.sheet.columns:
        if column.kind == "number" and set(names) & set(parts(column.name)):
            return column
    raise ToolError(
        f"It is not clear which column “{word}” is about. The columns are "
        f"{columns_of(asked.sheet)}; name one of them."
    )


def _date_column(asked: Asked) -> Column:
    """The column of dates that is named, else the first.

    Raises ToolError where there is none.
    """
    dates = [column for column in asked.sheet.columns if column.kind == "date"]
    if not dates:
        raise ToolError(
            f"There is no column of dates in this table. Its columns are {columns_of(asked.sheet)}."
        )
    named = (column for column in asked.named(asked.line) if column.kind == "date")
    return next(named, dates[0])


def _year_column(asked: Asked) -> Column | None:
    return next((column for column in asked.sheet.columns if column.is_year), None)
