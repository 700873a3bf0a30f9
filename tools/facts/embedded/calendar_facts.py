"""What the calendar says of a day or a year: every fact here is computed."""

from __future__ import annotations

import math
from datetime import date

from tools.facts.embedded.calendar_days import (
    MONTHS,
    WEEKDAYS,
    Day,
    easter,
    is_leap,
    month_length,
    year_length,
)
from tools.facts.embedded.sky import moon_phase, season_turn
from tools.facts.embedded.written_dates import AskedDate, read_date, read_year
from tools.facts.embedded.written_numbers import to_roman

#: The moon's path is known well enough for these years.
_MOON_YEARS = range(1000, 3001)
_SIGNS = (
    ("Capricorn", 20), ("Aquarius", 19), ("Pisces", 21), ("Aries", 20), ("Taurus", 21),
    ("Gemini", 21), ("Cancer", 23), ("Leo", 23), ("Virgo", 23), ("Libra", 23), ("Scorpio", 22),
    ("Sagittarius", 22),
)  # fmt: skip
_ANIMALS = "rat ox tiger rabbit dragon snake horse goat monkey rooster dog pig".split()
_ELEMENTS = "wood fire earth metal water".split()


def date_facts(text: str, today: date) -> str:
    """What the calendar says of the day that a text names, a fact on a line."""
    asked = read_date(text, today)
    return facts_of_date(asked, today)


def facts_of_date(asked: AskedDate, today: date) -> str:
    """What the calendar says of a day, of its next coming where no year is told."""
    lines = []
    year = asked.year
    name = f"{asked.day} {MONTHS[asked.month - 1]}"
    if year is None:
        year = _next_year_with(asked, today)
        day = Day(year, asked.month, asked.day)
        called = f"{asked.name}, {name}," if asked.name else name
        when = _how_far(day, today)
        lines.append(f"{called} next falls on a {day.weekday}, in {year}{when}.")
    else:
        day = Day(year, asked.month, asked.day)
        called = f"{day.said()} ({asked.name})" if asked.name else day.said()
        tense = _tense(day, today)
        lines.append(f"{called} {tense} a {day.weekday}{_how_far(day, today)}.")
    length = year_length(year)
    place = day.day_of_year
    left = length - place
    week = ""
    if not day.is_julian:
        iso = date(day.year, day.month, day.day).isocalendar()
        week = f", in calendar week {iso.week}" + (f" of {iso.year}" * (iso.year != year))
    leap = "a leap year" if is_leap(year) else "not a leap year"
    if (asked.month, asked.day) == (2, 29) and asked.year is None:
        lines.append("It comes in leap years only.")
    lines.append(
        f"It is day {place} of the {length} of {year} ({leap}){week}; {left} "
        f"{'day follows' if left == 1 else 'days follow'} in the year."
    )
    lines.append(_season(day))
    if year in _MOON_YEARS:
        phase, lit = moon_phase(day.number)
        shown = f"{phase}, {lit:.0%} of its disc lit" if "moon" not in phase else phase
        lines.append(f"The moon: {shown}.")
    sign = _SIGNS[(asked.month - 1 + (asked.day >= _SIGNS[asked.month - 1][1])) % 12][0]
    lines.append(f"The star sign is {sign}.")
    if day.is_julian:
        lines.append("The date is counted in the Julian calendar, which was in use then.")
    if asked.note:
        lines.append(asked.note)
    return "\n".join(lines)


def _next_year_with(asked: AskedDate, today: date) -> int:
    """The year in which a day of the year comes next, today included."""
    for year in range(today.year, today.year + 9):
        if asked.day > month_length(year, asked.month):
            continue
        if (asked.month, asked.day) >= (today.month, today.day) or year > today.year:
            return year
    raise AssertionError("a leap year comes within eight years")


def _tense(day: Day, today: date) -> str:
    ahead = day.number - Day.of(today).number
    return "is" if ahead == 0 else "will be" if ahead > 0 else "was"


def _how_far(day: Day, today: date) -> str:
    ahead = day.number - Day.of(today).number
    if ahead == 0:
        return ", today"
    if abs(ahead) == 1:
        return ", tomorrow" if ahead == 1 else ", yesterday"
    count = f"{abs(ahead):,} days"
    if abs(ahead) >= 800:
        count += f" (about {round(abs(ahead) / 365.2425):,} years)"
    return f", in {count} from today" if ahead > 0 else f", {count} ago"


def _season(day: Day) -> str:
    north = ("winter", "spring", "summer", "autumn")
    index = day.month % 12 // 3
    said = (
        f"By the calendar it is {north[index]} in the northern half of the world and "
        f"{north[(index + 2) % 4]} in the southern."
    )
    turn = season_turn(day.number) if day.year in _MOON_YEARS else ""
    return f"{said} It is the day of {turn}." if turn else said


def year_facts(text: str, today: date) -> str:
    """What the calendar says of the year that a text names, a fact on a line."""
    return facts_of_year(read_year(text, today), today)


def facts_of_year(year: int, today: date) -> str:
    """What the calendar says of a year; those before Christ are below 1, 44 BC is -43."""
    shown = str(year) if year > 0 else f"{1 - year} BC"
    lines = [_year_opening(year, shown, today)]
    roman = to_roman(year if year > 0 else 1 - year)
    if roman:
        lines.append(f"In Roman numerals it is {roman}{' BC' if year <= 0 else ''}.")
    animal = f"{_ELEMENTS[(year - 4) % 10 // 2]} {_ANIMALS[(year - 4) % 12]}"
    lines.append(
        f"In the Chinese calendar most of it, from about the beginning of February, is the year of "
        f"the {animal}."
    )
    if year < 1:
        return "\n".join(lines)
    first, last = Day(year, 1, 1), Day(year, 12, 31)
    lines.append(f"It begins on a {first.weekday} and ends on a {last.weekday}.")
    if year > 325:
        sunday = easter(year)
        lines.append(f"Easter Sunday is {sunday.day} {MONTHS[sunday.month - 1]}.")
    if year > 1582:
        thirteenths = [
            MONTHS[month - 1] for month in range(1, 13) if Day(year, month, 13).weekday == "Friday"
        ]
        count = ("no", "one", "two", "three")[len(thirteenths)]
        named = f" ({', '.join(thirteenths)})" if thirteenths else ""
        plural = "" if len(thirteenths) == 1 else "s"
        lines.append(f"It has {count} Friday{plural} the 13th{named}.")
        weeks = date(year, 12, 28).isocalendar().week
        same = next(
            other
            for other in range(year + 1, year + 41)
            if is_leap(other) == is_leap(year) and Day(other, 1, 1).weekday == first.weekday
        )
        lines.append(f"It has {weeks} calendar weeks; the next year with the same days is {same}.")
    elif year == 1582:
        lines.append(
            "In Catholic countries the 4th of October was followed by the 15th, since the "
            "Gregorian calendar began."
        )
    else:
        lines.append("The days are counted in the Julian calendar, which was in use then.")
    return "\n".join(lines)


def _year_opening(year: int, shown: str, today: date) -> str:
    # There was no year 0, so that the first century BC ends with the year 1 BC.
    count = year if year > 0 else 1 - year
    century = math.ceil(count / 100)
    millennium = math.ceil(count / 1000)
    era = "" if year > 0 else " BC"
    away = year - today.year
    far = (
        "this year"
        if away == 0
        else (f"{abs(away):,} year{'s' * (abs(away) != 1)} {'ahead' if away > 0 else 'ago'}")
    )
    leap = ""
    if year > 0:
        leap = f" a {'leap year' if is_leap(year) else 'common year'} of {year_length(year)} days,"
    verb = "is" if away >= 0 else "was"
    return (
        f"{shown} ({far}) {verb}{leap} in the {_th(century)} century{era} and the "
        f"{_th(millennium)} millennium{era}."
    )


def _th(number: int) -> str:
    last = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{last}"


def today_facts(today: date) -> str:
    """``Saturday 21 November 2026, calendar week 47, day 325 of the year``."""
    day = Day.of(today)
    return (
        f"{WEEKDAYS[today.weekday()]} {day.said()}, calendar week {today.isocalendar().week}, day "
        f"{day.day_of_year} of the year"
    )
