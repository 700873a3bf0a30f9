"""Values that stand in a request: numbers, dates, times, money, names, addresses, quoted words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache

from controlllm.layout import ASSETS

_LISTS = ASSETS / "language"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})|(?P<written>{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?"
    rf"|{_MONTH}\s+{_DAY}(?!\d)(?:,?\s+\d{{4}}\b)?|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}})"
    r"|(?P<near>day after tomorrow|today|tonight|tom+or+ow|yesterday)"
    r"|(?P<nth>the\s+(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)"
    rf"(?!\s+(?:of\s+)?{_MONTH}))"
    rf"|(?P<ahead>in\s+\d+\s+(?:days?|weeks?))"
    rf"|(?P<week>(?:(?:this|next|coming|on)\s+)*(?:{'|'.join(_DAYS)})))\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:(?P<hour>[01]?\d|2[0-3])[:.h](?P<minute>[0-5]\d)\s*(?P<half>[ap]\.?m\b\.?)?"
    r"|(?P<full>0?[1-9]|1[0-2])\s*(?P<only>[ap]\.?m\b\.?)|(?P<word>noon|midnight)"
    r"|(?P<clock>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?:\s+o['’]?clock(?P<part>\s+in\s+the\s+(?:morning|afternoon|evening))?"
    r"|(?P<only_part>\s+in\s+the\s+(?:morning|afternoon|evening))))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,-])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w-]|[.,]\d)")
_GLUED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?)(?=[a-zA-Z]{1,3}\b)")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADDRESS = re.compile(r"https?://[^\s\"'<>]+")
_PHONE = re.compile(r"(?<!\w)\+\d[\d ()/-]{6,}\d")
_CODE = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\b")
_CAPITALS = re.compile(r"\b[A-Z]{3}\b")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|(?<!\w)'((?:[^']|'(?=\w))+)'(?!\w)")
_NAME = re.compile(
    r"(?<![\w'])[A-ZÀ-ÞŁŚŽ][\w'’.&-]*\w(?:\s+(?:(?:of|de|la|the|van|von|der|da|do|del|du|des|di|&)\s+)*"
    r"(?:[A-ZÀ-ÞŁŚŽ][\w'’-]*|\d+(?!\w)))*"
)
_PLACE_SAID = re.compile(r"\b(?:in|to|from|near|around|at)\s+([a-zà-þ]{4,}(?:\s[a-zà-þ]{4,})?)\b")
#: What is written with a capital and names nothing.
_NO_NAMES = frozenset("i i'm i'd i'll i've i’m i’ll i’d ok please".split()) | set(_DAYS)
_POSSESSIVE = re.compile(r"['’]s$")


#: Any day, where only what stands for a time counts and not which it is.
SOME_DAY = date(2000, 1, 1)


@dataclass(frozen=True)
class Mention:
    """A value in a request.

    `kind` is ``number``, ``date``, ``time``, ``currency``, ``country``, ``language``, ``email``,
    ``address``, ``phone``, ``code``, ``quoted`` or ``name``; `value` is a number, or a text (a date
    as ``2026-05-01``, a time as ``18:30``, a currency, a country and a language as their codes).
    `start` and `end` are the characters that say it, `said` is what stands there.
    """

    kind: str
    value: str | int | float
    start: int
    end: int
    said: str = ""


def mentions_in(text: str, today: date = SOME_DAY) -> tuple[Mention, ...]:
    """The values in a text, in order; the same words may be of two kinds (a name and a country).

    Which day is `today` counts only for those who ask which day is meant.
    """
    found: list[Mention] = []
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        return all(end <= first or start >= last for first, last in taken)

    def add(kind: str, value: str | int | float, start: int, end: int, claims: bool = True) -> None:
        if free(start, end):
            found.append(Mention(kind, value, start, end))
            if claims:
                taken.append((start, end))

    quoted = [match for match in _QUOTED.finditer(text)]
    for pattern, kind in ((_ADDRESS, "address"), (_MAIL, "email"), (_PHONE, "phone")):
        for match in pattern.finditer(text):
            add(kind, match.group().rstrip(".,;!?"), *match.span())
    for match in quoted:
        add("quoted", next(filter(None, match.groups())).strip(" .,"), *match.span())
    for match in _DATE.finditer(text):
        if (day := _date_of(match, today)) is not None:
            add("date", day.isoformat(), *match.span())
    for match in _TIME.finditer(text):
        add("time", _time_of(match), *match.span())
    for start, end, value in _currencies(text):
        add("currency", value, start, end)
    for match in _CODE.finditer(text):
        if not _GLUED.match(match.group()):
            add("code", match.group(), *match.span())
    for match in _NUMBER.finditer(text):
        # It may still be part of a name: Blade Runner 2049.
        add("number", number_of(match.group().replace(",", "")), *match.span(), claims=False)
    for match in _GLUED.finditer(text):
        add("number", number_of(match.group(1)), match.start(), match.end())
    found += [item for item in _spelt_numbers(text) if free(item.start, item.end)]
    for kind, names in (("country", _countries()), ("language", _languages())):
        for match in re.finditer(r"[A-ZÀ-Þ][\w'’-]*(?:\s+(?:of|the|and)?\s*[A-Z][\w-]*)*", text):
            for start, end in _pieces(match):
                if (code := names.get(text[start:end].lower())) is not None and free(start, end):
                    found.append(Mention(kind, code, start, end))
                    break
    found += [item for item in _names(text) if free(item.start, item.end)]
    found.sort(key=lambda item: (item.start, item.end))
    return tuple(replace(item, said=text[item.start : item.end]) for item in found)


def day_told(text: str, today: date) -> date:
    """The day that a request says it is ("Today is 14 May 2026"), or else `today`."""
    match = re.search(r"\btoday\s*(?:is|:|=|\()\s*(?:\w+day,?\s+)?(?:the\s+)?", text, re.IGNORECASE)
    said = _DATE.match(text, match.end()) if match else None
    return (_date_of(said, today) if said else None) or today


def number_of(text: str) -> int | float:
    """A number as an integer where it is one."""
    value = float(text)
    return int(value) if value.is_integer() and "." not in text else value


def _names(text: str) -> Iterator[Mention]:
    for match in _NAME.finditer(text):
        start, end = match.span()
        words = match.group().split()
        # What begins a sentence is written with a capital anyway.
        while words and (words[0].lower() in _NO_NAMES or _begins(text, start, words)):
            rest = text[start:end].split(maxsplit=1)
            start = end - len(rest[1]) if len(rest) > 1 else end
            words = words[1:]
        while words and words[0].islower():
            start = text.index(words[1], start) if len(words) > 1 else end
            words = words[1:]
        while words and words[-1].lower() in _NO_NAMES:
            end = text.rindex(words[-1], start, end)
            words = words[:-1]
        value = _POSSESSIVE.sub("", text[start:end].rstrip()).rstrip(".'’")
        if words and not value.isdigit():
            yield Mention("name", value, start, start + len(value))
    for match in _PLACE_SAID.finditer(text):
        # Places are named in small letters too.
        name = match.group(1).title()
        if kind_of_name(name) == "place":
            yield Mention("name", name, *match.span(1))


def _begins(text: str, start: int, words: Sequence[str]) -> bool:
    """Whether a word has its capital only because a sentence begins with it."""
    before = text[:start].rstrip()
    at_start = not before or before[-1] in ".!?:\n"
    return at_start and words[0].strip(".,").removesuffix("'s") not in _known_names()


def kind_of_name(name: str) -> str:
    """Whether a name is one of a ``place`` or a ``person``, by `assets/language`; empty where it is
    in no list."""
    if name in _names_listed("places"):
        return "place"
    return "person" if name.split(" ")[0] in _names_listed("first-names") else ""


@cache
def _known_names() -> frozenset[str]:
    """First words of names of places and people."""
    lists = ("places", "first-names", "organisations")
    firsts = frozenset(item.split()[0] for name in lists for item in _names_listed(name))
    return firsts - {"The", "Will", "May", "Mark", "Sue", "Bill", "Grant", "Pat", "Rob", "Chase"}


@cache
def _names_listed(name: str) -> frozenset[str]:
    lines = (_LISTS / f"{name}.txt").read_text("utf-8").splitlines()
    told = (line for line in lines if not line.startswith("#"))
    return frozenset(item.strip() for line in told for item in line.split(",") if item.strip())


def _pieces(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Runs of words in a match, the longest first."""
    words = [found.span() for found in re.finditer(r"\S+", match.group())]
    for length in range(len(words), 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            piece = match.group()[start:end]
            end -= len(piece) - len(_POSSESSIVE.sub("", piece))
            yield match.start() + start, match.start() + end


def _date_of(match: re.Match[str], today: date) -> date | None:
    from dateutil import parser

    words = match.group().lower()
    if match["near"]:
        ahead = {"yesterday": -1, "day after tomorrow": 2, "today": 0, "tonight": 0}
        return today + timedelta(days=ahead.get(words, 1))
    if match["nth"]:
        wanted = int(re.findall(r"\d+", words)[0])
        ahead_days = (today + timedelta(days=count) for count in range(62))
        return next((day for day in ahead_days if day.day == wanted), None)
    if match["ahead"]:
        count = int(re.findall(r"\d+", words)[0])
        return today + timedelta(days=count * (7 if "week" in words else 1))
    if match["week"]:
        wanted = next(place for place, name in enumerate(_DAYS) if words.endswith(name))
        return today + timedelta(days=(wanted - today.weekday() - 1) % 7 + 1)
    if match["iso"]:
        try:
            return date.fromisoformat(words)
        except ValueError:
            return None
    try:
        start = datetime(today.year, today.month, today.day)
        found = parser.parse(words.replace(" of ", " "), dayfirst=True, default=start).date()
    except (ValueError, OverflowError):
        return None
    says_year = re.search(r"\d{4}", words)
    if not says_year and found < today:
        found = found.replace(year=found.year + 1) if (found.month, found.day) != (2, 29) else found
    return found


def _time_of(match: re.Match[str]) -> str:
    if match["word"]:
        return "12:00" if match["word"].lower() == "noon" else "00:00"
    if match["clock"]:
        said = match["clock"].lower()
        hour = int(said) if said.isdigit() else _HOURS.index(said) + 1
        is_late = re.search("afternoon|evening", match["part"] or match["only_part"] or "")
        return f"{hour % 12 + 12 if is_late else hour:02}:00"
    hour, minute = int(match["hour"] or match["full"]), int(match["minute"] or 0)
    half = (match["half"] or match["only"] or "").lower()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"{hour:02}:{minute:02}"


def _spelt_numbers(text: str) -> Iterator[Mention]:
    """Numbers in words: "twenty-five", "two"; "one" is mostly no number."""
    from text_to_num import text2num

    words = list(re.finditer(r"[A-Za-z]+(?:-[A-Za-z]+)*", text))
    place = 0
    while place < len(words):
        for length in (4, 3, 2, 1):
            run = words[place : place + length]
            said = text[run[0].start() : run[-1].end()]
            if len(run) < length or said.lower() in ("one", "a", "and", "second"):
                continue
            try:
                value = text2num(said.replace("-", " ").lower(), "en")
            except ValueError:
                continue
            yield Mention("number", number_of(str(value)), run[0].start(), run[-1].end())
            place += length - 1
            break
        place += 1


def _currencies(text: str) -> Iterator[tuple[int, int, str]]:
    names, codes = _currency_names()
    for match in _CAPITALS.finditer(text):
        if match.group() in codes:
            yield (*match.span(), match.group())
    for match in re.finditer(r"[A-Za-zÀ-ž]+(?:\s+[A-Za-zÀ-ž]+)*", text):
        words = [found.span() for found in re.finditer(r"\S+", match.group())]
        place = 0
        while place < len(words):
            for length in (3, 2, 1):
                if place + length > len(words):
                    continue
                start, end = words[place][0], words[place + length - 1][1]
                said = match.group()[start:end]
                code = names.get(said.lower())
                if said in _OTHERWISE and not re.search(r"\d\s*$", text[: match.start() + start]):
                    code = None
                if code:
                    yield match.start() + start, match.start() + end, code
                    place += length - 1
                    break
            place += 1
    for match in re.finditer(r"[€$£¥₹₩₽₺]", text):
        code = names.get(match.group())
        if code:
            yield (*match.span(), code)


#: What a name means that several currencies share: those most traded.
_MEANT = {
    **{"dollar": "USD", "pound": "GBP", "yen": "JPY", "franc": "CHF", "krona": "SEK"},
    **{"krone": "NOK", "rupee": "INR", "peso": "MXN", "yuan": "CNY", "real": "BRL", "won": "KRW"},
    **{"zloty": "PLN", "lira": "TRY", "rand": "ZAR", "ruble": "RUB", "shekel": "ILS", "$": "USD"},
    **{"£": "GBP", "¥": "JPY", "€": "EUR", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY"},
    **{"forint": "HUF", "koruna": "CZK", "baht": "THB", "euro": "EUR", "buck": "USD"},
    **{"quid": "GBP", "sterling": "GBP", "kroner": "NOK", "kronor": "SEK"},
}


#: Names of currencies that are mostly other words, where no number stands before them.
_OTHERWISE = frozenset("won real rand sol mark crown pound pounds lev ruble dram gold".split())


@cache
def _currency_names() -> tuple[dict[str, str], frozenset[str]]:
    from babel import Locale
    from babel.numbers import get_currency_name

    names: dict[str, str] = {}
    codes = frozenset(Locale("en").currencies)
    for code, name in Locale("en").currencies.items():
        if "(" not in name:
            names.setdefault(name.lower(), code)
            names.setdefault(get_currency_name(code, count=2, locale="en").lower(), code)
    for name, code in _MEANT.items():
        names[name] = code
        names[f"{name}s"] = code
    return names, codes


@cache
def _countries() -> dict[str, str]:
    from babel import Locale

    return {
        name.lower(): code for code, name in Locale("en").territories.items() if len(code) == 2
    } | {"usa": "US", "uk": "GB", "u.s.": "US", "britain": "GB", "america": "US"}


@cache
def _languages() -> dict[str, str]:
    from babel import Locale

    return {
        name.lower(): code
        for code, name in Locale("en").languages.items()
        if len(code) in (2, 3) and code.islower()
    }
