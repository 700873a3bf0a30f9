"""Dates and years as people write them, and what the calendar says of them."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta

from controlllm.toolbox import ToolError

from ...shared.spoken_numbers import ordinal
from ...shared.tables import filled, table_beside
from .numbers import from_roman, in_figures, to_roman

_TABLE = table_beside(__file__)
_WRITTEN = [re.compile(filled(pattern, _TABLE["parts"])) for pattern in _TABLE["written"]]
_ANIMALS, _SEASONS = _TABLE["animals"].split(), _TABLE["seasons"].split()
_MONTHS = [name.lower() for name in calendar.month_abbr]
#: How far in degrees the moon goes from the sun in half a day.
_HALF_DAY = 6.1
#: Weekdays are told from here on; before, other calendars were in use.
_FIRST_YEAR = 1583


def read_date(text: str, today: date) -> date:
    """The day that a text is about, the next such day where it says no year.

    Raises ToolError where it names none, or none that exists.
    """
    plain = " ".join(in_figures(text.lower()).split())
    found = _named(plain, today) or _written(plain, today) or _near(plain, today)
    if found is None:
        raise ToolError("I find no date in this; write it like 4 July, 4 July 1969 or 1969-07-04.")
    return found


def _named(plain: str, today: date) -> date | None:
    for pattern, told in _TABLE["named"].items():
        if found := re.search(rf"\b{pattern}\b{_TABLE['parts']['year']}", plain):
            year = _year(found["year"], plain, today)
            if isinstance(told, list):
                return _in_year(lambda one: date(one, told[1], told[0]), year, today)  # noqa: B023
            return _in_year(lambda one: _easter(one) + timedelta(told), year, today)  # noqa: B023
    return None


def _written(plain: str, today: date) -> date | None:
    found = next(filter(None, (way.search(plain) for way in _WRITTEN)), None)
    if found is None:
        return None
    day, year = int(found["day"]), _year(found["year"], plain, today)
    if found["month"].isdigit():
        # 4/7 has the day first, 7/20 can only have the month first.
        month = int(found["month"])
        month, day = (day, month) if month > 12 else (month, day)
    else:
        month = _MONTHS.index(found["month"][:3])
    return _in_year(lambda one: date(one, month, day), year, today)


def _in_year(day_of: Callable[[int], date], year: int | None, today: date) -> date:
    """A day in the year, the next one where that is None; raises ToolError where there is none."""
    # 29 February may be eight years away.
    for one in range(today.year, today.year + 9) if year is None else [year]:
        with suppress(ValueError, OverflowError):
            if (found := day_of(one)) >= today or year is not None:
                return found
    raise ToolError("There is no such day that I know; give me one from the year 1 to 9999.")


def _easter(year: int) -> date:
    from dateutil import easter

    if year < _FIRST_YEAR:
        raise ValueError("Easter was reckoned otherwise")
    return easter.easter(year)


def _near(plain: str, today: date) -> date | None:
    for words, days in _TABLE["near"].items():
        if re.search(rf"\b{words}\b", plain):
            return today + timedelta(days)
    if found := re.search(r"\b(in )?(\d{1,5}|an?) (day|week)s?(?(1)\b| (ago|from)\b)", plain):
        days = int(found[2]) if found[2].isdigit() else 1
        days *= (7 if found[3] == "week" else 1) * (-1 if found[4] == "ago" else 1)
        return today + timedelta(days)
    if found := re.search(r"\b(last )?((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", plain):
        ahead = (list(calendar.day_name).index(found[2].title()) - today.weekday()) % 7
        return today + timedelta(ahead - 7 if found[1] else ahead or 7)
    return None


def _year(written: str | None, plain: str, today: date) -> int | None:
    """A year in figures, where '49 is 2049 and '50 is 1950; else the one told from today."""
    if written:
        short = written.lstrip("'")
        return int(short) + (0 if len(short) > 2 else 2000 if int(short) < 50 else 1900)
    found = re.search(rf"\b({'|'.join(_TABLE['near_years'])}) year\b", plain)
    return today.year + int(_TABLE["near_years"][found[1]]) if found else None


def read_year(text: str, today: date) -> int:
    """The year that a text is about, those before Christ below 1: 1 BC is 0, 44 BC is -43.

    Raises ToolError where it names none or one beyond 9999.
    """
    plain = in_figures(text.lower().replace(",", ""), 3.0)
    # Of several figures the one that looks like a year: "What happened at 9 in 1969?"
    numbers = re.findall(r"(?<![\w.'])(?:'\d)?\d+(?=s?\b)", plain)
    likely = min(numbers, key=lambda one: abs(len(one) - 4), default="")
    year = _year(likely if likely.startswith("'") else None, plain, today)
    numerals = [from_roman(one) for one in re.findall(r"\b[MDCLXVI]{2,}\b", text)]
    year = year or (int(likely) if likely else max(numerals, default=0))
    if not year:
        raise ToolError("I find no year in this that there was; write it like 1969, or 44 BC.")
    if year > 9999:
        raise ToolError("I know the years from 9999 BC to 9999; give me one in between.")
    return 1 - year if re.search(r"\bb\.?\s?c\b|\d\s?bce?\b|\bbce\b", plain) else year


def facts_of_date(day: date, today: date) -> str:
    """What the calendar says of a day."""
    ahead, name = (day - today).days, f"{day.day} {day:%B} {day.year}"
    if day.year < _FIRST_YEAR:
        return f"{name} was {-ahead:,} days ago; weekdays I can tell from {_FIRST_YEAR} on."
    away = f"in {ahead:,} days from today" if ahead > 0 else f"{-ahead:,} days ago"
    away = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(ahead, away)
    verb = "was" if ahead < 0 else "will be" if ahead else "is"
    leap = calendar.isleap(day.year)
    north, south = (_SEASONS[(day.month % 12 // 3 + turn) % 4] for turn in (0, 2))
    return (
        f"{name} {verb} a {day:%A}, {away}.\n"
        f"It is day {day.timetuple().tm_yday} of the {365 + leap} of {day.year} "
        f"({'a' if leap else 'not a'} leap year), in calendar week {day.isocalendar().week}.\n"
        f"It is {north} in the northern half of the world and {south} in the southern.\n"
        f"The moon: {_moon(day)}."
    )


def _moon(day: date) -> str:
    """The moon's phase at noon of universal time."""
    import astronomy

    phase = astronomy.MoonPhase(astronomy.Time.Make(day.year, day.month, day.day, 12, 0, 0))
    quarter, past = divmod(phase + _HALF_DAY, 90)
    return str(_TABLE["quarters" if past < 2 * _HALF_DAY else "between"][int(quarter) % 4])


def facts_of_year(year: int, today: date) -> str:
    """What the calendar says of a year; those before Christ are below 1, 44 BC is -43."""
    count, era = (year, "") if year > 0 else (1 - year, " BC")
    length = "leap year of 366" if calendar.isleap(year) else "common year of 365"
    leap = f"a {length} days, " if year >= _FIRST_YEAR else ""
    verb = "was" if year < today.year else "is"
    roman = to_roman(count)
    lines = [
        f"{count}{era} {verb} {leap}in the {ordinal(-(-count // 100))} century{era}.",
        f"In Roman numerals it is {roman}{era}." if roman else "",
        f"In the Chinese calendar most of it is the year of the {_ANIMALS[(year - 4) % 12]}.",
    ]
    if year >= _FIRST_YEAR:
        first, last, easter = date(year, 1, 1), date(year, 12, 31), _easter(year)
        lines.append(f"It begins on a {first:%A} and ends on a {last:%A}.")
        lines.append(f"Easter Sunday is {easter.day} {easter:%B}.")
    return "\n".join(filter(None, lines))
