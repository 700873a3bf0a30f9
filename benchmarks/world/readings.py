"""How the APIs read what they are given: dates, times, months, currencies, ids."""

from __future__ import annotations

import calendar
import datetime
import re
from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.world.apis import ApiArgument, setting
from benchmarks.world.facts import Tables, plain
from controlllm.toolbox import Code, ToolError

_WEEKDAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS.update({name.lower(): number for number, name in enumerate(calendar.month_abbr) if name})
#: Currencies by what people call them; the longer names first.
_NAMES_OF_CURRENCIES = {
    **{"australian dollar": "AUD", "canadian dollar": "CAD", "dollar": "USD", "buck": "USD"},
    **{"swedish kron": "SEK", "norwegian kron": "NOK", "danish kron": "DKK", "koruna": "CZK"},
    **{"pound": "GBP", "sterling": "GBP", "quid": "GBP", "euro": "EUR", "franc": "CHF"},
    **{"yen": "JPY", "zloty": "PLN", "dirham": "MAD", "lira": "TRY"},
    **{"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"},
}
#: The longest text that an API takes, in characters.
_LONGEST = 2_000
#: What an id of an entity looks like.
_ID = re.compile(r"\b[a-z]{3}_\d+\b")


def bad_input(message: str) -> ToolError:
    return ToolError(message, Code.BAD_INPUT)


def read(argument: ApiArgument, given: Any, tables: Tables) -> Any:
    """The value of an argument as the API works with it: an entity's id, a date in ISO 8601 ...

    Raises ToolError with BAD_INPUT and what would be right.
    """
    if argument.is_entity:
        return _entity(argument, given, tables)
    if argument.kind == "number" and argument.reading != "month":
        try:
            number = float(given)
        except (TypeError, ValueError):
            raise bad_input(f"{argument.name} has to be a number.") from None
        return int(number) if number.is_integer() else number
    text = str(given).strip()
    if not argument.reading:
        text = _only_id(argument, text)
    if len(text) > _LONGEST:
        raise bad_input(f"414: {argument.name} is too long.")
    return _READERS[argument.reading](argument.name, text) if argument.reading else text


def _entity(argument: ApiArgument, given: Any, tables: Tables) -> str:
    table = setting().kinds[argument.kind]
    for found in _ID.findall(str(given)):
        if tables.row(table, found) is not None:
            return found
    raise bad_input(f"{argument.name} has to be a {argument.kind}, with its id, and none is in it.")


def _only_id(argument: ApiArgument, text: str) -> str:
    """The one id in an answer of another API, where that is given for an id; else the text."""
    prefix = argument.description[:4]
    if not re.fullmatch(r"[a-z]{3}_", prefix):
        return text
    found = {item for item in _ID.findall(text) if item.startswith(prefix)}
    if len(found) > 1:
        raise bad_input(f"{argument.name} has to be one id; {len(found)} are in what was given.")
    return found.pop() if found else text


def _date(name: str, text: str) -> str:
    """A date as people write it, as ISO 8601; weekdays are the next ones, today included."""
    today = datetime.date.fromisoformat(setting().today)
    words = plain(text).removeprefix("on ").replace(",", " ")
    try:
        return datetime.date.fromisoformat(words[:10]).isoformat()
    except ValueError:
        pass
    found = {"today": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2}.get(words)
    if found is not None:
        return (today + datetime.timedelta(found)).isoformat()
    numbers = [int(item) for item in re.findall(r"\d+", words)]
    months = [_MONTHS[word] for word in re.findall(r"[a-z]+", words) if word in _MONTHS]
    if not months and re.fullmatch(r"\d{1,2}\.\d{1,2}\.?(\d{4})?", words):
        months = [numbers.pop(1)]
    if numbers and months:
        year = next((number for number in numbers if number > 1900), today.year)
        day = next((number for number in numbers if number < 32), 0)
        try:
            return datetime.date(year, months[0], day).isoformat()
        except ValueError:
            raise bad_input(f"{name}: there is no such day as {text!r}.") from None
    for word in words.split():
        if word in _WEEKDAYS:
            ahead = (_WEEKDAYS[word] - today.weekday()) % 7
            return (today + datetime.timedelta(ahead)).isoformat()
    raise bad_input(f"{name} has to be a date such as 2026-05-16, and {text[:40]!r} is none.")


def _iso_date(name: str, text: str) -> str:
    try:
        return datetime.date.fromisoformat(text).isoformat()
    except ValueError:
        raise bad_input(f"{name} has to be YYYY-MM-DD.") from None


def _time(name: str, text: str) -> str:
    """A time of day as hh:mm; "7 pm", "19.30" and "T19:30:00" are read too."""
    found = re.search(r"(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm)?", plain(text).split("t")[-1])
    if found is None:
        raise bad_input(f"{name} has to be a time such as 19:30.")
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        hour = hour % 12 + (12 if found[3] == "pm" else 0)
    if hour > 23 or minute > 59:
        raise bad_input(f"{name}: there is no such time as {text[:40]!r}.")
    return f"{hour:02}:{minute:02}"


def _month(name: str, text: str) -> int:
    number = _MONTHS.get(plain(text))
    if number is None and re.fullmatch(r"\d{1,2}(\.0)?", text):
        number = int(float(text))
    if number is None or not 1 <= number <= 12:
        raise bad_input(f"{name} has to be a month from 1 to 12.")
    return number


def _currency(name: str, text: str) -> str:
    words = plain(text)
    if re.fullmatch(r"[a-z]{3}", words) and words != "yen":
        return words.upper()
    for known, code in _NAMES_OF_CURRENCIES.items():
        if known in words:
            return code
    raise bad_input(f"{name} has to be a currency's code such as EUR.")


_READERS: Mapping[str, Callable[[str, str], Any]] = {
    "date": _date,
    "iso_date": _iso_date,
    "time": _time,
    "month": _month,
    "currency": _currency,
}
