"""Dates and years as people write them, and what the calendar says of them."""

from __future__ import annotations

import calendar
import difflib
import math
import re
from dataclasses import dataclass
from datetime import date, timedelta

from controlllm.toolbox import ToolError
from tools.facts.embedded.data import table
from tools.facts.embedded.numbers import from_roman, in_figures, place, to_roman

_MONTHS = list(calendar.month_name)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WORD = r"(?P<month>[a-z]{3,9})\b\.?"
_YEAR = r"\s*,?\s*(?:(?:in|of)\s+)?(?:the\s+year\s+)?(?P<year>\d{3,}\b(?!\s*[:.]\d)|'\d\d\b)"
#: Ways to write a day, the surest first.
_WRITTEN = (
    rf"\b{_DAY}\s*(?:day\s+)?(?:of\s+)?{_WORD}(?:{_YEAR})?",
    rf"\b{_WORD}\s*(?:the\s+)?{_DAY}(?!\d)(?:{_YEAR})?",
    r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<day>\d{1,2})\s?[/.-]\s?(?P<month>\d{1,2})(?:\s?[/.-]\s?(?P<year>\d{4}|\d\d))?(?!\d)",
)
_NEAR_YEARS = {"this": 0, "current": 0, "next": 1, "coming": 1, "last": -1, "past": -1}
_ANIMALS = "rat ox tiger rabbit dragon snake horse goat monkey rooster dog pig".split()
_ELEMENTS = "wood fire earth metal water".split()
_SEASONS = "winter spring summer autumn".split()
#: How far in degrees the moon goes from the sun in half a day.
_HALF_DAY = 6.1
#: Weekdays are told from here on; before, other calendars were in use.
_FIRST_YEAR = 1583


@dataclass(frozen=True)
class AskedDate:
    """A day that a request names; `year` is None where it says no year. `note` tells how
    ambiguous figures were read, `name` what the day is called."""

    day: int
    month: int
    year: int | None = None
    note: str = ""
    name: str = ""


def read_date(text: str, today: date) -> AskedDate:
    """The day that a text is about; raises ToolError where it names none, or none that exists."""
    plain = in_figures(text.lower())
    found = _named(plain, today) or _written(plain, today) or _near(plain, today)
    if found is None:
        raise ToolError(
            f"I find no date in “{' '.join(text.split())[:60]}”; write it like 4 July, 4 July 1969 "
            "or 1969-07-04."
        )
    # Without a year, 29 February is a day: it comes in leap years.
    _day(2000 if found.year is None else found.year, found.month, found.day)
    return found


def _day(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise ToolError(
            f"There is no {day}/{month} in the year {year} that I know; give me another date, from "
            "the year 1 to 9999."
        ) from None


def _easter(year: int) -> date:
    from dateutil import easter

    if not _FIRST_YEAR <= year <= 9999:
        raise ToolError(f"I can reckon Easter from the year {_FIRST_YEAR} to 9999, not for {year}.")
    return easter.easter(year)


def _named(plain: str, today: date) -> AskedDate | None:
    for pattern, told in table("days")["named"].items():
        if not (found := re.search(rf"\b{pattern}\b", plain)):
            continue
        after = re.match(_YEAR, plain[found.end() :])
        year = _whole_year(after["year"]) if after else _near_year(plain, today)
        if isinstance(told, list):
            return AskedDate(told[0], told[1], year, "", found[0])
        chosen = _easter(year or today.year) + timedelta(told)
        if year is None and chosen < today:
            chosen = _easter(today.year + 1) + timedelta(told)
        return AskedDate(chosen.day, chosen.month, chosen.year, "", found[0])
    return None


def _written(plain: str, today: date) -> AskedDate | None:
    for found in (found for way in _WRITTEN for found in re.finditer(way, plain)):
        day, month = int(found["day"]), _month(found["month"])
        year = _whole_year(found["year"]) if found["year"] else _near_year(plain, today)
        if not found["month"].isdigit():
            if month:
                return AskedDate(day, month, year)
            continue
        if month > 12 >= day:
            return AskedDate(month, day, year)
        is_open = day != month and day <= 12 and not found[0].startswith(str(year))
        note = f"I read {found[0].strip()} with the day first; otherwise write the month's name."
        return AskedDate(day, month, year, note if is_open else "")
    return None


def _month(word: str) -> int:
    """1 to 12 for a month's number or its name, cut short or nearly right; 0 for other words."""
    if word.isdigit():
        return int(word)
    names = [name.lower() for name in _MONTHS]
    near = [name for name in names if name.startswith(word)]
    near += difflib.get_close_matches(word, names, 1, 0.8) if len(word) > 5 else []
    return names.index(near[0]) if near else 0


def _whole_year(written: str) -> int:
    """The year of four figures, or of two: 49 is 2049, 50 is 1950."""
    year = int(written.lstrip("'"))
    return year if len(written.lstrip("'")) > 2 else year + (2000 if year < 50 else 1900)


def _near(plain: str, today: date) -> AskedDate | None:
    near: dict[str, int] = table("days")["near"]
    if found := re.search(r"(\bin\s+)?\b(\d{1,5}|an?)\s+(day|week)s?(?(1)\b|\s+ago\b)", plain):
        many = int(found[2]) if found[2].isdigit() else 1
        days = many * (7 if found[3] == "week" else 1) * (1 if found[1] else -1)
    elif found := re.search(rf"\b(?:{'|'.join(near)})\b", plain):
        days = near[found[0]]
    elif found := re.search(r"\b(last\s+)?((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b", plain):
        ahead = (list(calendar.day_name).index(found[2].title()) - today.weekday()) % 7
        days = ahead - 7 if found[1] else ahead or 7
    else:
        return None
    chosen = today + timedelta(days)
    return AskedDate(chosen.day, chosen.month, chosen.year)


def _near_year(plain: str, today: date) -> int | None:
    found = re.search(rf"\b({'|'.join(_NEAR_YEARS)})\s+year\b", plain)
    return today.year + _NEAR_YEARS[found[1]] if found else None


def read_year(text: str, today: date) -> int:
    """The year that a text is about, those before Christ below 1: 1 BC is 0, 44 BC is -43.

    Raises ToolError where it names none or one beyond 9999.
    """
    plain = in_figures(text.lower().replace(",", ""), 3.0)
    year = _near_year(plain, today)
    # Of several figures the one that looks like a year: "What happened at 9 in 1969?"
    numbers = sorted(
        re.findall(r"(?<![\w.'])\d+(?=s?\b)", plain), key=lambda one: abs(len(one) - 4)
    )
    numerals = [from_roman(one) for one in re.findall(r"\b[MDCLXVI]{2,}\b", text)]
    if short := re.search(r"(?:^|\s)('\d\d)\b", plain):
        year = _whole_year(short[1])
    elif year is None and (numbers or any(numerals)):
        year = int(numbers[0]) if numbers else max(numerals)
    if year is None:
        raise ToolError(
            f"I find no year in “{' '.join(text.split())[:60]}”; write it like 1969, or 44 BC."
        )
    if year == 0:
        raise ToolError("There was no year 0: 1 BC was followed by AD 1.")
    is_before = re.search(r"\bb\.?\s?c\b|\d\s?bce?\b|\bbce\b", plain)
    if year > 9999:
        raise ToolError("I know the years from 9999 BC to 9999; give me one in between.")
    return 1 - year if is_before else year


def facts_of_date(asked: AskedDate, today: date) -> str:
    """What the calendar says of a day, of its next coming where no year is told."""
    year, name = asked.year, f"{asked.day} {_MONTHS[asked.month]}"
    called = f" ({asked.name.title()})".replace("'S", "'s") if asked.name else ""
    if year is None:
        year = today.year + ((asked.month, asked.day) < (today.month, today.day))
        while (asked.month, asked.day) == (2, 29) and not calendar.isleap(year):
            year += 1
    day = _day(year, asked.month, asked.day)
    if year < _FIRST_YEAR:
        return (
            f"{name} {year}{called} was some {today.year - year:,} years ago; weekdays I can tell "
            f"from {_FIRST_YEAR} on."
        )
    ahead = (day - today).days
    away = f"in {ahead:,} days from today" if ahead > 0 else f"{-ahead:,} days ago"
    away = {0: "today", 1: "tomorrow", -1: "yesterday"}.get(ahead, away)
    if asked.year is None:
        lines = [f"{name}{called} next falls on a {day:%A}, in {year}, {away}."]
    else:
        verb = "was" if ahead < 0 else "will be" if ahead else "is"
        lines = [f"{name} {year}{called} {verb} a {day:%A}, {away}."]
    leap = calendar.isleap(year)
    lines.append(
        f"It is day {day.timetuple().tm_yday} of the {365 + leap} of {year} "
        f"({'a' if leap else 'not a'} leap year), in calendar week {day.isocalendar().week}."
    )
    north, south = (_SEASONS[(asked.month % 12 // 3 + turn) % 4] for turn in (0, 2))
    lines.append(f"It is {north} in the northern half of the world and {south} in the southern.")
    lines += [f"The moon: {_moon(day)}.", asked.note]
    return "\n".join(filter(None, lines))


def _moon(day: date) -> str:
    """The moon's phase at noon of universal time."""
    import astronomy

    phase = astronomy.MoonPhase(astronomy.Time.Make(day.year, day.month, day.day, 12, 0, 0))
    quarter, past = divmod(phase + _HALF_DAY, 90)
    if past < 2 * _HALF_DAY:
        return ("new moon", "first quarter", "full moon", "last quarter")[int(quarter) % 4]
    kind = ("waxing crescent", "waxing gibbous", "waning gibbous", "waning crescent")[int(quarter)]
    return f"{kind}, {(1 - math.cos(math.radians(phase))) / 2:.0%} of its disc lit"


def facts_of_year(year: int, today: date) -> str:
    """What the calendar says of a year; those before Christ are below 1, 44 BC is -43."""
    count, era = (year, "") if year > 0 else (1 - year, " BC")
    away = abs(year - today.year)
    years = f"{away:,} year{'s' * (away != 1)}"
    far = "this year" if not away else f"{years} {'ahead' if year > today.year else 'ago'}"
    length = "leap year of 366" if calendar.isleap(year) else "common year of 365"
    leap = f"a {length} days, " if year >= _FIRST_YEAR else ""
    century, millennium = (place(-(-count // size)) for size in (100, 1000))
    animal = f"{_ELEMENTS[(year - 4) % 10 // 2]} {_ANIMALS[(year - 4) % 12]}"
    roman = to_roman(count)
    lines = [
        f"{count}{era} ({far}) {'was' if year < today.year else 'is'} {leap}in the {century} "
        f"century{era} and the {millennium} millennium{era}.",
        f"In Roman numerals it is {roman}{era}." if roman else "",
        f"In the Chinese calendar most of it is the year of the {animal}.",
    ]
    if year >= _FIRST_YEAR:
        first, last, easter = date(year, 1, 1), date(year, 12, 31), _easter(year)
        lines.append(f"It begins on a {first:%A} and ends on a {last:%A}.")
        lines.append(f"Easter Sunday is {easter.day} {_MONTHS[easter.month]}.")
    return "\n".join(filter(None, lines))


def today_facts(today: date) -> str:
    """``Saturday 21 November 2026, calendar week 47, day 325 of the year``."""
    week, number = today.isocalendar().week, today.timetuple().tm_yday
    return f"{today:%A} {today.day} {today:%B %Y}, calendar week {week}, day {number} of the year"
