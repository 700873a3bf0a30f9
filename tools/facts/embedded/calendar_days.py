"""Days of the calendar, of the Julian one before 15 October 1582 and the Gregorian one since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

MONTHS = (
    "January February March April May June July August September October November December".split()
)
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_REFORM = (1582, 10, 15)


@dataclass(frozen=True, order=True)
class Day:
    """A day of a year from 1 on, as it was dated at its time."""

    year: int
    month: int
    day: int

    @property
    def is_julian(self) -> bool:
        return (self.year, self.month, self.day) < _REFORM

    @property
    def number(self) -> int:
        """The Julian day number at noon: days since the beginning of 4713 BC."""
        shift = (14 - self.month) // 12
        year, month = self.year + 4800 - shift, self.month + 12 * shift - 3
        count = self.day + (153 * month + 2) // 5 + 365 * year + year // 4
        return count - 32083 if self.is_julian else count - year // 100 + year // 400 - 32045

    @property
    def weekday(self) -> str:
        return WEEKDAYS[self.number % 7]

    @property
    def day_of_year(self) -> int:
        return self.number - Day(self.year, 1, 1).number + 1

    @classmethod
    def of(cls, moment: date) -> Day:
        return cls(moment.year, moment.month, moment.day)

    @classmethod
    def from_number(cls, number: int) -> Day:
        """The day with a Julian day number."""
        if number >= cls(*_REFORM).number:
            return cls.of(date.fromordinal(number - 1721425))
        shifted = number + 32082
        four = (4 * shifted + 3) // 1461
        rest = shifted - 1461 * four // 4
        month = (5 * rest + 2) // 153
        return cls(
            four - 4800 + month // 10,
            month + 3 - 12 * (month // 10),
            rest - (153 * month + 2) // 5 + 1,
        )

    def said(self) -> str:
        """``4 July 1969``."""
        return f"{self.day} {MONTHS[self.month - 1]} {self.year}"


def is_leap(year: int) -> bool:
    """Whether a year from 1 on has 366 days in the calendar of its time."""
    return year % 4 == 0 and (year <= 1582 or year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    """How many days a month has, by the last of them (October 1582 ended with the 31st too)."""
    if month == 2:
        return 29 if is_leap(year) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def year_length(year: int) -> int:
    """How many days a year had: 355 in 1582, when ten were left out."""
    return Day(year, 12, 31).day_of_year


def easter(year: int) -> Day:
    """Easter Sunday of a year from 326 on, in the calendar of its time (after Meeus)."""
    if year > 1582:
        a, (b, c) = year % 19, divmod(year, 100)
        d, e = divmod(b, 4)
        g = (8 * b + 13) // 25
        h = (19 * a + b - d - g + 15) % 30
        i, k = divmod(c, 4)
        weekday = (32 + 2 * e + 2 * i - h - k) % 7
        m = (a + 11 * h + 22 * weekday) // 451
        month, day = divmod(h + weekday - 7 * m + 114, 31)
    else:
        a, b, c = year % 4, year % 7, year % 19
        d = (19 * c + 15) % 30
        e = (2 * a + 4 * b - d + 34) % 7
        month, day = divmod(d + e + 114, 31)
    return Day(year, month, day + 1)
