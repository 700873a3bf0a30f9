"""Every day that a request names, in order: dates as they are written, feasts, weekdays, today."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from controlllm.toolbox import ToolError

from ...shared.tables import filled, table_beside

_TABLE = table_beside(__file__)
_WEEKDAY, _MONTH = _TABLE["weekdays"], filled(_TABLE["months"], {})
_MONTHS = [name.lower() for name in calendar.month_abbr]
_WEEKDAYS = [name.lower() for name in calendar.day_name]
_YEAR = r"(?:(?:,? *(?:in |of )?(?:the year )?)(?P<year>\d{3,}\b(?! ?[-/:.]\d)|'\d\d\b))"
_TURN = r"(?: (?P<turn>this|next|last|the coming) year)"
_WHEN = rf"(?:{_YEAR}|{_TURN})?"
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4,
             "4th": 4, "fifth": 5, "5th": 5, "last": -1, "1": 1}  # fmt: skip
#: Easter is reckoned and weekdays are told from here on; before, other calendars were in use.
FIRST_YEAR = 1583


@dataclass(frozen=True)
class Day:
    """A day that words name: where they stand, and which day it is in a year.

    `year` is None where the words leave it open; `note` says how an unclear one was read, and
    `name` is what to call a day that has a name.
    """

    start: int
    end: int
    in_year: Callable[[int], date]
    year: int | None = None
    words: str = ""
    note: str = ""
    name: str = ""

    def of(self, year: int) -> date:
        """The day in a year; raises ToolError where there is none."""
        try:
            return self.in_year(year)
        except (ValueError, OverflowError) as error:
            raise ToolError(
                f"There is no such day as “{self.words}”; give me one from the year 1 to 9999."
            ) from error

    def after(self, day: date) -> date:
        """The day, where the year is open the first one from `day` on."""
        if self.year is not None:
            return self.of(self.year)
        return next(one for one in self._near(day, 1) if one >= day)

    def before(self, day: date) -> date:
        """The day, where the year is open the last one up to `day`."""
        if self.year is not None:
            return self.of(self.year)
        return next(one for one in self._near(day, -1) if one <= day)

    def _near(self, day: date, step: int) -> Iterator[date]:
        # 29 February may be eight years away.
        for year in range(day.year, day.year + 10 * step, step):
            try:
                yield self.in_year(year)
            except (ValueError, OverflowError):
                continue
        self.of(day.year)
        raise ToolError(f"There is no such day as “{self.words}” near; give me its year.")


def days_in(plain: str, today: date) -> list[Day]:
    """The days that words in small letters with figures name, in order, none within another."""
    found: list[Day] = []
    for way in (_written, _numeric, _nth_weekdays, _feasts, _told_from_today, _weekdays):
        for day in way(plain, today):
            if all(day.end <= other.start or day.start >= other.end for other in found):
                found.append(day)
    return sorted(found, key=lambda day: day.start)


def full_year(written: str) -> int:
    """A year as it is written: '49 and 49 are 2049, '50 is 1950."""
    short = written.lstrip("'")
    return int(short) + (0 if len(short) > 2 else 2000 if int(short) < 50 else 1900)


def turned_year(words: str, today: date) -> int | None:
    """The year that words such as "next year" mean, None where they mean none."""
    found = re.search(r"\b(this|current|next|coming|last|past) year\b", words)
    turns = {"this": 0, "current": 0, "next": 1, "coming": 1, "last": -1, "past": -1}
    return today.year + turns[found[1]] if found else None


def _year_of(match: re.Match[str], today: date) -> int | None:
    groups = match.groupdict()
    if groups.get("year"):
        return full_year(groups["year"])
    return turned_year(f"{groups.get('turn')} year", today)


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _written(plain: str, today: date) -> Iterator[Day]:
    """14 July 1789, July 14th, 1789, Friday the 14th of July."""
    day, weekday = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", rf"(?:{_WEEKDAY},? )?(?:the )?"
    for pattern in (
        rf"\b{weekday}{day}\.?(?: day)?(?: of)? ?(?P<month>{_MONTH})\b\.?{_WHEN}",
        rf"\b{weekday}(?P<month>{_MONTH})\.? (?:the )?{day}(?!\d|[:%]){_WHEN}",
        rf"\b{weekday}(?P<day>\d{{1,2}})-(?P<month>{_MONTH})-(?P<year>\d{{4}})\b",
    ):
        for match in re.finditer(pattern, plain):
            month = _MONTHS.index(match["month"][:3])
            yield Day(*match.span(), _fixed(month, int(match["day"])), _year_of(match, today),
                      match[0].strip())  # fmt: skip


def _numeric(plain: str, today: date) -> Iterator[Day]:
    """2025-04-03 and 03/04/2025; the day first where both orders are possible."""
    for match in re.finditer(r"(?<![\d/.-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-])", plain):
        year, month, day = int(match[1]), int(match[3]), int(match[4])
        yield Day(*match.span(), _fixed(month, day), year, match[0])
    pattern = (
        r"(?<![\d/.-])(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}|\d\d)(?![\d/])|"
        r"(?=[/.]?(?:[\s?!,]|$))(?<!-))\.?"
    )
    for match in re.finditer(pattern, plain):
        if match[4] is None and match[2] != "/" and not match[0].endswith("."):
            continue
        day, month = int(match[1]), int(match[3])
        unclear = match[4] is not None and day != month and max(day, month) <= 12
        if month > 12:
            day, month = month, day
        told = full_year(match[4]) if match[4] else None
        note = ""
        if unclear and told:
            note = f"{match[0]} read as {day} {calendar.month_name[month]} {told}, the day first"
        yield Day(*match.span(), _fixed(month, day), told, match[0], note)


def _nth_weekdays(plain: str, today: date) -> Iterator[Day]:
    """The first Monday of September 2026, the last Friday in October."""
    pattern = (
        rf"\b(?:the )?(?P<nth>{'|'.join(_ORDINALS)}) (?P<weekday>{_WEEKDAY}) (?:of|"
        rf"in) (?:the month of )?"
        rf"(?P<month>{_MONTH})\b{_WHEN}"
    )
    for match in re.finditer(pattern, plain):
        month = _MONTHS.index(match["month"][:3])
        told = _nth(match["weekday"], _ORDINALS[match["nth"]], month, 0)
        name = f"The {match['nth']} {match['weekday'].title()} in {calendar.month_name[month]}"
        yield Day(*match.span(), told, _year_of(match, today), match[0], name=name)
    # "Friday the 13th": the next day that is both.
    for match in re.finditer(
        rf"\b(?:next |the next )?({_WEEKDAY}),? the (\d{{1,2}})(?:st|nd|rd|th)\b", plain
    ):
        weekday, number = _WEEKDAYS.index(match[1]), int(match[2])
        ahead = (today + timedelta(count) for count in range(1, 6000))
        both = next((one for one in ahead if (one.weekday(), one.day) == (weekday, number)), None)
        if both is not None:
            yield _one(match, both, name=f"The next {match[1].title()} the {match[2]}th")


def _nth(weekday: str, nth: int, month: int, more: int) -> Callable[[int], date]:
    def told(year: int) -> date:
        last = calendar.monthrange(year, month)[1]
        days = [date(year, month, day) for day in range(1, last + 1)]
        fitting = [day for day in days if day.weekday() == _WEEKDAYS.index(weekday)]
        if nth > len(fitting):
            raise ValueError("there are not so many")
        return fitting[nth if nth < 0 else nth - 1] + timedelta(more)

    return told


def easter_of(year: int) -> date:
    """Easter Sunday of a year; raises ValueError where it was reckoned otherwise."""
    from dateutil import easter

    if year < FIRST_YEAR:
        raise ValueError("Easter was reckoned otherwise")
    return easter.easter(year)


def _after_easter(days: int) -> Callable[[int], date]:
    return lambda year: easter_of(year) + timedelta(days)


def _feasts(plain: str, today: date) -> Iterator[Day]:
    named: list[tuple[str, Callable[[int], date]]] = [
        *((words, _fixed(month, day)) for words, (day, month) in _TABLE["fixed"].items()),
        *((words, _after_easter(days)) for words, days in _TABLE["after_easter"].items()),
        *((words, _nth(*told)) for words, told in _TABLE["moving"].items()),
    ]
    for pattern, within in named:
        for match in re.finditer(
            rf"\b(?P<which>(?:the )?(?:next|last|this|coming) )?(?:the )?(?P<feast>{pattern})(?!\w)"
            rf"(?: in the (?:us|usa|uk))?{_WHEN}",
            plain,
        ):
            yield _feast(match, within, today)


def _feast(match: re.Match[str], within: Callable[[int], date], today: date) -> Day:
    year, which = _year_of(match, today), match["which"] or ""
    name = " ".join(word.capitalize() for word in match["feast"].split())
    if year is None and "this" in which:
        year = today.year
    found = Day(*match.span(), within, year, match[0], name=name)
    if year is None and "last" in which:
        return _one(match, found.before(today - timedelta(1)), name=name)
    return found


def _told_from_today(plain: str, today: date) -> Iterator[Day]:
    for pattern, days in (
        ("(?:the )?day after tomorrow", 2),
        ("(?:the )?day before yesterday", -2),
        ("tomorrow", 1),
        ("yesterday", -1),
        ("today|now|tonight", 0),
    ):
        for match in re.finditer(rf"\b(?:{pattern})\b", plain):
            name = match[0][:1].upper() + match[0][1:] if days in (2, -2) else ""
            yield _one(match, today + timedelta(days), name=name)
    for match in re.finditer(r"\b(?:the )?end of (?:the|this) (year|month)\b", plain):
        last = calendar.monthrange(today.year, today.month)[1]
        yield _one(
            match, date(today.year, 12, 31) if match[1] == "year" else today.replace(day=last)
        )


def _weekdays(plain: str, today: date) -> Iterator[Day]:
    for match in re.finditer(
        rf"\b(?P<which>next |last |this |coming |past )?({_WEEKDAY})\b", plain
    ):
        ahead = (_WEEKDAYS.index(match[2]) - today.weekday()) % 7
        coming = today + timedelta(ahead or 7)
        which = (match["which"] or "").strip()
        name = f"{which} {match[2].title()}".strip().capitalize()
        name = re.sub(match[2], match[2].title(), name)
        if which in ("last", "past"):
            yield _one(match, today + timedelta(ahead - 7), name=name)
        elif which == "next" and coming.isocalendar()[1] == today.isocalendar()[1]:
            # On a Wednesday, "next Friday" is the one of the next week for most.
            note = f"the {match[2].title()} of this week is {coming.day} {coming:%B}"
            yield _one(match, coming + timedelta(7), note, name)
        else:
            yield _one(match, coming, name=name)


def _one(match: re.Match[str], day: date, note: str = "", name: str = "") -> Day:
    return Day(*match.span(), lambda year: day, day.year, match[0].strip(), note, name)
