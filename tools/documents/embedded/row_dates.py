"""What is reckoned of the dates of each row: their month or weekday, days between, a day later."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence

from controlllm.toolbox import ToolError

from .asking import Asked
from .cells import Column

_PART = re.compile(
    r"(?<!\w)(?P<part>weekday|day of the week|week number|calendar week|month name|name of the "
    r"month|"
    r"month|year|quarter|day)(?!\w)"
)
_UNIT = re.compile(r"(?<!\w)(?P<unit>days?|nights?|weeks?|months?|years?|long|age|old)(?!\w)")
_THAT = re.compile(
    r"(?<!\w)(?:(?:of|for|from|on) (?:that|it|this|these|those|them)|(?:that|this) (?:date|day)|"
    r"its)(?!\w)"
)
_LATER = re.compile(
    r"(?P<n>N\d+) (?P<unit>days?|weeks?|months?|years?|working days?) (?P<way>after|before|later|"
    r"earlier|from|to|past|on)?"
)


def date_cells(asked: Asked, dates: Sequence[Column]) -> tuple[str, list[str]] | None:
    """The name and the cells of a column of dates, or reckoned of such; None where none is."""
    line = asked.line
    if not dates and (one := _of_which(asked)) is not None:
        dates = [one]
    if not dates:
        dates = [column for column in asked.sheet.columns if column.kind == "date"]
        is_span = len(dates) == 2 and re.search(r"how (?:many|long)|(?:days|nights) between", line)
        is_part = _PART.search(line) and not re.search(r"N\d", line)
        if not is_span and (len(dates) != 1 or (re.search(r"(?<!\w)C\d", line) and not is_part)):
            return None
    every = [column for column in asked.sheet.columns if column.kind == "date"]
    if len(dates) == 1 and len(every) == 2 and re.search(r"how (?:many|long)", line):
        dates = every  # "How many days was each out?" is from one to the other.
    if len(dates) >= 2 and (_UNIT.search(line) or re.search(r"between|minus|difference|-", line)):
        return _between(line, dates)
    if (later := _LATER.search(line)) or re.search(r"(?:plus|\+|minus|add) N\d+", line):
        return _moved(asked, dates[0], later)
    if re.search(r"(?<!\w)(?:until|since|ago|overdue|age|old|today)(?!\w)", line):
        return _from_today(line, dates[0])
    if part := _PART.search(line):
        return part["part"].capitalize(), _parts(dates[0], part["part"])
    return None


def _of_which(asked: Asked) -> Column | None:
    """Of several columns of dates none of which is named the last one, which came last, where
    words point at it: "the weekday of that".

    Raises ToolError where a part of a date is asked for and nothing says of which.
    """
    dates = [column for column in asked.sheet.columns if column.kind == "date"]
    if len(dates) < 2 or not _PART.search(asked.line) or re.search(r"(?<!\w)[CN]\d", asked.line):
        return None
    if _THAT.search(asked.line):
        return dates[-1]
    if _UNIT.search(asked.line):
        return None  # "How many days" lie between them.
    names = " and ".join(f"“{column.name}”" for column in dates)
    raise ToolError(f"It is not clear of which date it is meant. There are {names}; name one.")


def _moment(column: Column, row: int) -> dt.datetime | None:
    value = column.values[row]
    return value if isinstance(value, dt.datetime) else None


def _span(first: dt.datetime, last: dt.datetime, unit: str) -> str:
    from dateutil.relativedelta import relativedelta

    days = (last.date() - first.date()).days
    if unit.startswith(("year", "age", "old")):
        return str(relativedelta(last, first).years)
    if unit.startswith("month"):
        gone = relativedelta(last, first)
        return str(gone.years * 12 + gone.months)
    if unit.startswith("week"):
        return f"{days / 7:.1f}".removesuffix(".0")
    return str(days)


def _between(line: str, dates: Sequence[Column]) -> tuple[str, list[str]]:
    found = _UNIT.search(line)
    unit = found["unit"] if found and found["unit"] != "long" else "days"
    first, last = dates[0], dates[1]
    pairs = [(_moment(first, row), _moment(last, row)) for row in range(len(first.cells))]
    if re.search(r"(?<!\w)(?:minus|-|less)(?!\w)", line) or (
        sum(1 for one, two in pairs if one and two and one > two) * 2 > len(pairs)
    ):
        pairs = [(two, one) for one, two in pairs]
    return unit.capitalize(), [_span(one, two, unit) if one and two else "" for one, two in pairs]


def _moved(asked: Asked, column: Column, later: re.Match[str] | None) -> tuple[str, list[str]]:
    from dateutil.relativedelta import relativedelta

    found = later or re.search(r"(?P<n>N\d+) ?(?P<unit>days?|weeks?|months?|years?)?", asked.line)
    assert found is not None
    number = round(asked.items[found["n"]].number)
    is_back = re.search(r"(?<!\w)(?:before|earlier|minus|subtract)(?!\w)", asked.line)
    unit = (found["unit"] or "days").split()[-1].rstrip("s") + "s"
    step = relativedelta(**{unit: -number if is_back else number})
    moved = [moment + step if (moment := _moment(column, row)) else None
             for row in range(len(column.cells))]  # fmt: skip
    return f"{column.name} {'-' if is_back else '+'} {number} {unit}", [
        _as_in(column, moment) if moment else "" for moment in moved
    ]


def _as_in(column: Column, moment: dt.datetime) -> str:
    """A date in the form that those of the column have, 2024-03-01 where it is another."""
    sample = next((cell.strip() for cell in column.cells if cell.strip()), "")
    if re.fullmatch(r"\d{1,2}\.\d{1,2}\.\d{4}", sample):
        return f"{moment:%d.%m.%Y}"
    if re.fullmatch(r"\d{1,2}/\d{1,2}/\d{4}", sample):
        first = next((row for row in range(len(column.cells)) if (value := _moment(column, row))
                      and value.day != value.month), 0)  # fmt: skip
        value = _moment(column, first)
        is_day_first = value is not None and int(column.cells[first].split("/")[0]) == value.day
        return f"{moment:%d/%m/%Y}" if is_day_first else f"{moment:%m/%d/%Y}"
    return f"{moment:%Y-%m-%d}"


def _from_today(line: str, column: Column) -> tuple[str, list[str]]:
    today = dt.datetime.combine(dt.date.today(), dt.time())
    found = _UNIT.search(line)
    unit = found["unit"] if found and found["unit"] != "long" else "days"
    is_ahead = re.search(r"(?<!\w)(?:until|left|to go)(?!\w)", line)
    pairs = [(moment := _moment(column, row)) and ((today, moment) if is_ahead else (moment, today))
             for row in range(len(column.cells))]  # fmt: skip
    title = (
        "Age"
        if unit in ("age", "old")
        else f"{unit.capitalize()} {'left' if is_ahead else 'since'}"
    )
    return title, [_span(*pair, unit) if pair else "" for pair in pairs]


def _parts(column: Column, part: str) -> list[str]:
    made = {
        "weekday": "%A", "day of the week": "%A", "week number": "%V", "calendar week": "%V",
        "month name": "%B", "name of the month": "%B", "month": "%Y-%m", "year": "%Y", "day": "%d",
    }  # fmt: skip
    return [
        "" if (moment := _moment(column, row)) is None
        else f"{moment.year} Q{(moment.month + 2) // 3}" if part == "quarter"
        else moment.strftime(made[part])
        for row in range(len(column.cells))
    ]  # fmt: skip
