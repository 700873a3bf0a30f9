"""Dates and years as people write them, and what the calendar says of them."""

from __future__ import annotations

import calendar
import re
from datetime import date, timedelta

from controlllm.toolbox import ToolError

from ...shared.spoken_numbers import ordinal
from ...shared.tables import table_beside
from .day_phrases import FIRST_YEAR, days_in, easter_of, full_year, turned_year
from .numbers import from_roman, in_figures, to_roman

_TABLE = table_beside(__file__)
_ANIMALS, _SEASONS = _TABLE["animals"].split(), _TABLE["seasons"].split()
#: How far in degrees the moon goes from the sun in half a day.
_HALF_DAY = 6.1


def read_date(text: str, today: date) -> date:
    """The day that a text is about, the next such day where it says no year.

    Raises ToolError where it names none, or none that exists.
    """
    plain = " ".join(in_figures(text.lower()).split())
    if near := re.search(r"\b(in )?(\d{1,5}|an?) (day|week)s?(?(1)\b| (ago|from)\b)", plain):
        days = int(near[2]) if near[2].isdigit() else 1
        days *= (7 if near[3] == "week" else 1) * (-1 if near[4] == "ago" else 1)
        return today + timedelta(days)
    if found := days_in(plain, today):
        return found[0].after(today)
    raise ToolError("I find no date in this; write it like 4 July, 4 July 1969 or 1969-07-04.")


def read_year(text: str, today: date) -> int:
    """The year that a text is about, those before Christ below 1: 1 BC is 0, 44 BC is -43.

    Raises ToolError where it names none or one beyond 9999.
    """
    plain = in_figures(text.lower().replace(",", ""), 3.0)
    # Of several figures the one that looks like a year: "What happened at 9 in 1969?"
    numbers = re.findall(r"(?<![\w.'])(?:'\d)?\d+(?=s?\b)", plain)
    likely = min(numbers, key=lambda one: abs(len(one) - 4), default="")
    year = full_year(likely) if likely.startswith("'") else turned_year(plain, today)
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
    if day.year < FIRST_YEAR:
        return f"{name} was {-ahead:,} days ago; weekdays I can tell from {FIRST_YEAR} on."
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
    leap = f"a {length} days, " if year >= FIRST_YEAR else ""
    verb = "was" if year < today.year else "is"
    roman = to_roman(count)
    lines = [
        f"{count}{era} {verb} {leap}in the {ordinal(-(-count // 100))} century{era}.",
        f"In Roman numerals it is {roman}{era}." if roman else "",
        f"In the Chinese calendar most of it is the year of the {_ANIMALS[(year - 4) % 12]}.",
    ]
    if year >= FIRST_YEAR:
        first, last, easter = date(year, 1, 1), date(year, 12, 31), easter_of(year)
        lines.append(f"It begins on a {first:%A} and ends on a {last:%A}.")
        lines.append(f"Easter Sunday is {easter.day} {easter:%B}.")
    return "\n".join(filter(None, lines))
