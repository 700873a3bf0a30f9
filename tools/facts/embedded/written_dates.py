"""Dates and years as people write them: "the 4th of July", "4/7", "44 BC"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from controlllm.toolbox import ToolError
from tools.facts.embedded.calendar_days import MONTHS, WEEKDAYS, Day, easter, month_length
from tools.facts.embedded.written_numbers import find_number, find_spoken, from_roman

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_NUMBER_WORD = (
    r"(?:twenty|thirty|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|"
    r"nineteenth|twentieth|thirtieth|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?|{_NUMBER_WORD}(?:[- ]{_NUMBER_WORD})?)"
_DAY_MONTH = re.compile(rf"\b({_DAY})\s*(?:day\s+)?(?:of\s+)?({_MONTH})\b\.?(.*)")
_MONTH_DAY = re.compile(rf"\b({_MONTH})\b\.?\s*(?:the\s+)?({_DAY})(?!\d)(.*)")
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_SLASHED = re.compile(r"(?<!\d)(\d{1,2})\s?[/.-]\s?(\d{1,2})(?:\s?[/.-]\s?(\d{4}|\d{2}))?(?!\d)")

_FIXED = {
    r"christmas\s+eve": (24, 12),
    r"(?:christmas|xmas)(?:\s+day)?": (25, 12),
    r"boxing\s+day": (26, 12),
    r"new\s+year'?s?'?\s+eve": (31, 12),
    r"new\s+year(?:'?s)?'?(?:\s+day)?": (1, 1),
    r"valentine'?s?'?(?:\s+day)?": (14, 2),
    r"st\.?\s+patrick'?s?(?:\s+day)?": (17, 3),
    r"april\s+fools?'?s?'?(?:\s+day)?": (1, 4),
    r"may\s+day": (1, 5),
    r"independence\s+day": (4, 7),
    r"bastille\s+day": (14, 7),
    r"hallowe'?en": (31, 10),
    r"(?:bonfire\s+night|guy\s+fawkes(?:\s+(?:day|night))?)": (5, 11),
    r"(?:leap\s+day)": (29, 2),
}
_FROM_EASTER = {
    r"good\s+friday": -2,
    r"easter\s+monday": 1,
    r"ash\s+wednesday": -46,
    r"ascension(?:\s+day)?": 39,
    r"(?:whit\s+sunday|pentecost)": 49,
    r"easter(?:\s+(?:sunday|day))?": 0,
}


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
    if not text.strip():
        raise ToolError("There is no date to tell of; give me one, such as 4 July or 2024-02-29.")
    plain = text.lower().replace("’", "'")
    found = (
        _named_date(plain, today)
        or _written_date(plain)
        or _figures(plain)
        or _relative_date(plain, today)
    )
    if found is None:
        said = " ".join(text.split())
        said = said if len(said) <= 60 else said[:59] + "…"
        raise ToolError(
            f"I find no date in “{said}”; write it like 4 July, 4 July 1969 or 1969-07-04."
        )
    _check(found)
    return found


def _check(asked: AskedDate) -> None:
    if not 1 <= asked.month <= 12:
        raise ToolError(f"There is no month number {asked.month}; a year has twelve.")
    if asked.year is not None and not 1 <= asked.year <= 9999:
        raise ToolError("I know the calendar from the year 1 to 9999; give me a date in between.")
    # Without a year, 29 February is a day: it comes in leap years.
    length = month_length(asked.year if asked.year is not None else 2000, asked.month)
    name = MONTHS[asked.month - 1]
    if not 1 <= asked.day <= length:
        when = f" {asked.year}" if asked.year is not None and asked.month == 2 else ""
        raise ToolError(
            f"There is no {asked.day} {name}{when}: {name}{when} has {length} days. Give me "
            "another date."
        )
    if (asked.year, asked.month) == (1582, 10) and 5 <= asked.day <= 14:
        raise ToolError(
            f"{asked.day} October 1582 never was: with the Gregorian calendar the 4th was followed "
            "by the 15th. Give me another date."
        )


def _named_date(plain: str, today: date) -> AskedDate | None:
    for pattern, (day, month) in _FIXED.items():
        if found := re.search(rf"\b{pattern}\b", plain):
            return AskedDate(day, month, _year_in(plain[found.end() :]), name=_title(found))
    for pattern, offset in _FROM_EASTER.items():
        if found := re.search(rf"\b{pattern}\b", plain):
            year = _year_in(plain[found.end() :])
            if year is not None and not 326 <= year <= 9999:
                raise ToolError(f"I can reckon Easter from the year 326 to 9999, not for {year}.")
            chosen = _moved(year or today.year, offset)
            if year is None and chosen.number < Day.of(today).number:
                chosen = _moved(today.year + 1, offset)
            return AskedDate(chosen.day, chosen.month, chosen.year, name=_title(found))
    return None


def _moved(year: int, offset: int) -> Day:
    return Day.from_number(easter(year).number + offset)


def _title(found: re.Match[str]) -> str:
    words = " ".join(found.group().split())
    return re.sub(r"(^|\s)(\w)", lambda part: part[1] + part[2].upper(), words)


def _written_date(plain: str) -> AskedDate | None:
    for pattern, day_first in ((_DAY_MONTH, True), (_MONTH_DAY, False)):
        for found in pattern.finditer(plain):
            day, month = (found[1], found[2]) if day_first else (found[2], found[1])
            number = find_number(day)
            index = _month_number(month)
            if number is not None and index:
                return AskedDate(int(number), index, _year_in(found[3]))
    return None


def _month_number(word: str) -> int:
    """1 to 12 for the name of a month, cut short or nearly right; 0 for other words."""
    word = word.rstrip(".")
    for index, name in enumerate(MONTHS, 1):
        full = name.lower()
        if full.startswith(word) and len(word) >= 3 or word == "sept" == full[:4]:
            return index
        # "Febuary", "Septmber": the beginning and the end are right.
        if len(word) >= 5 and word[:3] == full[:3] and word[-2:] == full[-2:]:
            return index
    return 0


def _figures(plain: str) -> AskedDate | None:
    if found := _ISO.search(plain):
        return AskedDate(int(found[3]), int(found[2]), int(found[1]))
    if not (found := _SLASHED.search(plain)):
        return None
    first, second = int(found[1]), int(found[2])
    year = _whole_year(found[3])
    if first > 12 >= second:
        return AskedDate(first, second, year)
    if second > 12 >= first:
        return AskedDate(second, first, year)
    note = ""
    if first != second and first <= 12:
        note = (
            f"I read {found.group().strip()} with the day first, as {first} {MONTHS[second - 1]}; "
            f"for {second} {MONTHS[first - 1]} write the month's name."
        )
    return AskedDate(first, second, year, note)


def _whole_year(written: str | None) -> int | None:
    if not written:
        return None
    year = int(written)
    return year if len(written) == 4 else year + (2000 if year < 50 else 1900)


def _relative_date(plain: str, today: date) -> AskedDate | None:
    days = {
        r"day after tomorrow": 2,
        r"day before yesterday": -2,
        r"tomorrow": 1,
        r"yesterday": -1,
        r"today|this day|tonight|right now": 0,
    }
    chosen: date | None = None
    if found := re.search(r"\bin\s+(.{1,30}?)\s+(day|week)s?\b", plain):
        count = find_number("one" if found[1] in ("a", "an") else found[1])
        if count is not None and abs(count) < 10**6:
            chosen = _shifted(today, int(count) * (7 if found[2] == "week" else 1))
    elif found := re.search(r"(.{1,30}?)\s+(day|week)s?\s+ago\b", plain):
        count = find_number("one" if found[1].split()[-1] in ("a", "an") else found[1])
        if count is not None and abs(count) < 10**6:
            chosen = _shifted(today, -int(count) * (7 if found[2] == "week" else 1))
    else:
        for pattern, shift in days.items():
            if re.search(rf"\b(?:{pattern})\b", plain):
                chosen = _shifted(today, shift)
                break
    if chosen is None:
        for index, name in enumerate(WEEKDAYS):
            if found := re.search(rf"\b(last\s+)?{name.lower()}\b", plain):
                ahead = (index - today.weekday()) % 7
                chosen = _shifted(today, ahead - 7 if found[1] else ahead or 7)
                break
    return AskedDate(chosen.day, chosen.month, chosen.year) if chosen else None


def _shifted(today: date, days: int) -> date:
    try:
        return today + timedelta(days)
    except OverflowError:
        raise ToolError("That day lies too far away; I know the years 1 to 9999.") from None


def _year_in(following: str) -> int | None:
    """The year that stands right after a day, None where none does."""
    if re.match(r"\s*,?\s*\d{5,}", following):
        raise ToolError("I know the calendar from the year 1 to 9999; give me a date in between.")
    found = re.match(
        r"\s*,?\s*(?:(?:in|of)\s+)?(?:the\s+year\s+)?(\d{1,4})\b(?!\s*[:.]\d)", following
    )
    if found and (len(found[1]) >= 3 or re.match(r"\s*(?:ad|ce)\b", following[found.end() :])):
        return int(found[1])
    if re.match(r"\s*'(\d\d)\b", following):
        return _whole_year(following.strip()[1:3])
    words = re.match(r"\s*,?\s*(?:(?:in|of)\s+)?(?:the\s+year\s+)?([a-z][a-z\s-]{5,60})", following)
    if words and re.match(_NUMBER_WORD, words[1]):
        spoken = find_spoken(words[1])
        if spoken is not None and spoken >= 100:
            return spoken
    return None


def read_year(text: str, today: date) -> int:
    """The year that a text is about, those before Christ below 1: 1 BC is 0, 44 BC is -43.

    Raises ToolError where it names none or one beyond 9999.
    """
    if not text.strip():
        raise ToolError("There is no year to tell of; give me one, such as 1969.")
    plain = text.replace("’", "'").replace(",", "")
    lowered = plain.lower()
    year: int | None
    before = re.search(r"(\d{1,5})\s*(?:b\.?\s?c\b|b\.?\s?c\.?\s?e\b)", lowered)
    if before:
        year = 1 - int(before[1])
        if before[1].strip("0") == "":
            raise ToolError("There was no year 0: 1 BC was followed by AD 1.")
    elif found := re.search(r"(?:^|\s)'(\d\d)\b", plain):
        year = _whole_year(found[1])
    elif relative := re.search(r"\b(this|next|last|current|coming|past)\s+year\b", lowered):
        year = today.year + {"next": 1, "coming": 1, "last": -1, "past": -1}.get(relative[1], 0)
    else:
        figures = re.findall(r"(?<![\w.])\d{1,6}(?=s?\b)", plain)
        # Of several figures the one that looks like a year: "What happened at 9 in 1969?"
        figures.sort(key=lambda written: abs(len(written) - 4))
        romans = re.findall(r"\b[MDCLXVI]{2,}\b", plain)
        if figures:
            year = int(figures[0])
        else:
            year = find_spoken(lowered)
            if year is None and romans:
                year = from_roman(romans[0])
        if year == 0:
            raise ToolError("There was no year 0: 1 BC was followed by AD 1.")
        if year is not None and re.search(r"\bb\.?\s?c\.?(?:\s?e)?\b", lowered):
            year = 1 - year
    if year is None:
        said = " ".join(text.split())
        said = said if len(said) <= 60 else said[:59] + "…"
        raise ToolError(f"I find no year in “{said}”; write it like 1969, or 44 BC.")
    if not -9999 < year <= 9999:
        raise ToolError("I know the years from 9999 BC to 9999; give me one in between.")
    return year
