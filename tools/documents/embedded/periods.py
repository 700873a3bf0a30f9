"""Times that are named in words: a day, a month of any or of one year, a quarter, last week."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .cells import MONTHS, WEEKDAYS, date_of

_MONTH = "|".join([*MONTHS, *(f"{month[:3]}\\.?" for month in MONTHS if month != "may"), "sept"])
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?"
_PATTERN = re.compile(
    rf"""(?<![\w.])(?:
    (?P<iso>\d{{4}}-\d{{1,2}}(?:-\d{{1,2}})?|\d{{1,2}}[./]\d{{1,2}}[./](?:\d{{4}}|\d{{2}}))
    |(?P<day>{_DAY})(?:\sof)?\s(?P<month1>{_MONTH})(?:,?\s(?P<year1>\d{{4}}))?
    |(?P<month2>{_MONTH})\s(?P<day2>{_DAY})(?!\d)(?:,?\s(?P<year2>\d{{4}}))?
    |(?P<month3>{_MONTH})(?:,?\s(?:of\s)?(?P<year3>\d{{4}}))?
    |q(?P<quarter>[1-4])(?:\s(?:of\s)?(?P<year4>\d{{4}}))?
    |(?:the\s)?(?P<ordinal>first|second|third|fourth|1st|2nd|3rd|4th)\squarter
     (?:\s(?:of\s)?(?P<year5>\d{{4}}))?
    |(?P<relative>last|this|next|previous)\s(?P<unit>week|month|quarter|year)
    |(?P<near>today|yesterday)
    |(?P<weekday>{"|".join(WEEKDAYS)})s?
    |(?P<year>(?:19|20)\d{{2}})
    )(?![\w])""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Period:
    """A stretch of time from `start` to before `end`, or what comes again each year or week.

    `months` (1 to 12), `weekdays` (0 is Monday) and `days` (month, day) say which where it comes
    again.
    """

    said: str
    start: dt.datetime | None = None
    end: dt.datetime | None = None
    months: tuple[int, ...] = ()
    weekdays: tuple[int, ...] = ()
    day: tuple[int, int] | None = None

    @property
    def is_year(self) -> bool:
        return bool(re.fullmatch(r"\d{4}", self.said))

    @property
    def is_day(self) -> bool:
        """Whether it is one day."""
        if self.start is not None and self.end is not None:
            return (self.end - self.start).days == 1
        return self.day is not None

    def holds(self, moment: dt.datetime) -> bool:
        """Whether a moment lies in it."""
        if self.start is not None and self.end is not None:
            return self.start <= moment < self.end
        if self.day:
            return (moment.month, moment.day) == self.day
        return moment.month in self.months or moment.weekday() in self.weekdays

    def in_year(self, year: int) -> Period:
        """The one in a year, where it comes again each year."""
        if self.day:
            return _from_day(self.said, year, *self.day)
        if self.months:
            return _from_months(self.said, year, self.months[0], len(self.months))
        return self


def periods_in(text: str) -> Iterator[tuple[int, int, Period]]:
    """The times in a text, each with where it stands."""
    for found in _PATTERN.finditer(text):
        if found["month3"] and not _is_month(text, found):
            continue
        try:
            period = _period(found)
        except (ValueError, OverflowError):
            continue
        if period is not None:
            yield found.start(), found.end(), period


def _is_month(text: str, found: re.Match[str]) -> bool:
    """Whether "may" or "march" is a month and no verb."""
    word = found["month3"].lower()
    if word not in ("may", "march", "mar", "sep", "dec", "jan", "jun") or found["year3"]:
        return True
    before = re.search(r"(\w+)\W*$", text[: found.start()])
    led = before and before[1].lower() in (
        "in", "of", "for", "during", "since", "until", "before", "after", "and", "to", "from", "or",
        "last", "by", "between", "till", "through",
    )  # fmt: skip
    # "Jan to march" are months, whatever stands before.
    goes_on = re.match(
        rf"\s*(?:to|until|till|through|thru|and|or|-|–|,)\s*(?:{_MONTH})\b",
        text[found.end() :],
        re.IGNORECASE,
    )
    return bool(led or goes_on) or (found[0][0].isupper() and found.start() > 0)


def _period(found: re.Match[str]) -> Period | None:
    said = found[0]
    if found["iso"]:
        return _written(said)
    year = next(
        (int(found[f"year{place}"]) for place in range(1, 6) if found[f"year{place}"]), None
    )
    month = found["month1"] or found["month2"] or found["month3"]
    if month:
        number = next(
            place for place, name in enumerate(MONTHS, 1) if name[:3] == month[:3].lower()
        )
        day = found["day"] or found["day2"]
        if day:
            date = int(re.sub(r"\D", "", day))
            return _from_day(said, year, number, date) if year else Period(said, day=(number, date))
        return _from_months(said, year, number, 1)
    if found["quarter"] or found["ordinal"]:
        words = ("first 1st", "second 2nd", "third 3rd", "fourth 4th")
        which = found["quarter"] or next(
            place for place, both in enumerate(words, 1) if found["ordinal"].lower() in both.split()
        )
        return _from_months(said, year, int(which) * 3 - 2, 3)
    if found["weekday"]:
        return Period(said, weekdays=(WEEKDAYS.index(found["weekday"].lower()),))
    if found["year"]:
        return _from_months(said, int(found["year"]), 1, 12)
    return _near(said, found)


def _written(said: str) -> Period | None:
    parts = re.split(r"[-./]", said)
    moment = date_of(said, day_first=True)
    if moment is None:
        return None
    if len(parts) == 2:
        return _from_months(said, moment.year, moment.month, 1)
    return _from_day(said, moment.year, moment.month, moment.day)


def _from_day(said: str, year: int, month: int, day: int) -> Period:
    start = dt.datetime(year, month, day)
    return Period(said, start, start + dt.timedelta(days=1))


def _from_months(said: str, year: int | None, first: int, count: int) -> Period:
    months = tuple(range(first, first + count))
    if year is None:
        return Period(said, months=months)
    after = year * 12 + first - 1 + count
    return Period(said, dt.datetime(year, first, 1), dt.datetime(after // 12, after % 12 + 1, 1))


def _near(said: str, found: re.Match[str]) -> Period:
    """A time that is told from today."""
    today = dt.datetime.combine(dt.date.today(), dt.time())
    if found["near"]:
        start = today - dt.timedelta(days=found["near"].lower() == "yesterday")
        return Period(said, start, start + dt.timedelta(days=1))
    step = {"last": -1, "previous": -1, "this": 0, "next": 1}[found["relative"].lower()]
    unit = found["unit"].lower()
    if unit == "week":
        start = today - dt.timedelta(days=today.weekday()) + dt.timedelta(weeks=step)
        return Period(said, start, start + dt.timedelta(weeks=1))
    size = {"month": 1, "quarter": 3, "year": 12}[unit]
    begun = (today.year * 12 + today.month - 1) // size * size + step * size
    return _from_months(said, begun // 12, begun % 12 + 1, size)
