"""Full dates as they are written on papers: 2024-03-05, 05.03.2024, 3/5/24, 5. März 2024 and
March 5, 2024, with the names of months in English, German and French."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

_NAMES = (
    "january jan januar janvier janv jänner",
    "february feb februar février févr",
    "march mar märz mrz mär mars",
    "april apr avril avr",
    "may mai",
    "june jun juni juin",
    "july jul juli juillet juil",
    "august aug août",
    "september sep sept septembre",
    "october oct oktober okt octobre",
    "november nov novembre",
    "december dec dezember dez décembre déc",
)
#: Names of months in English, German and French, and their numbers.
MONTH_NAMES = {name: place for place, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTH = rf"(?:{'|'.join(sorted(MONTH_NAMES, key=len, reverse=True))})"
_YEAR = r"(?:19|20)\d\d"
_DATE = re.compile(
    rf"(?<![\d.])(?P<year>{_YEAR})(?P<mark>[-./])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?!\d)|"
    rf"(?<![\d.])(?P<day2>\d{{1,2}})(?P<mark2>[-./])(?P<month2>\d{{1,2}})(?P=mark2)"
    rf"(?P<year2>{_YEAR}|\d\d)(?!\d|(?P=mark2)\d)|"
    rf"(?<!\d)(?P<day3>\d{{1,2}})(?:st|nd|rd|th|er)?\.?[ -]?(?:of )?(?P<month3>{_MONTH})\b\.?"
    rf",?[ -]?(?P<year3>{_YEAR}|['’]\d\d)(?!\d)|"
    rf"\b(?P<month4>{_MONTH})\b\.? ?(?P<day4>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year4>{_YEAR})(?!\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class WrittenDate:
    """A day, as it is written in a text, and where."""

    day: date
    said: str
    start: int


def dates_in(text: str) -> list[WrittenDate]:
    """The full dates of a text, in their order. Of 3/5/24 the day comes first, but where the text
    is about dollars."""
    found = []
    for match in _DATE.finditer(text):
        named = {key.rstrip("234"): value for key, value in match.groupdict().items() if value}
        day, year = int(named["day"]), int(named["year"].strip("'’"))
        name = named["month"].lower()
        month = int(name) if name.isdigit() else MONTH_NAMES[name]
        # Who pays in dollars writes the month first.
        if month > 12 or (match["mark2"] == "/" and "$" in text and day <= 12):
            day, month = month, day
        with suppress(ValueError):
            whole = date(year + 2000 if year < 100 else year, month, day)
            found.append(WrittenDate(whole, match[0], match.start()))
    return found
