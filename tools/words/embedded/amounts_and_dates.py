"""Where a text names dates, sums of money and numbers, found by their form."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
#: Months that are nothing else with a capital, so that they need no number beside them.
_SURE_MONTH = r"(?:January|February|April|June|July|September|October|November|December)"
_WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_DAY = r"(?:[0-2]?\d|3[01])(?:st|nd|rd|th)?"
_NUMBER_WORD = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|"
    r"sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|"
    r"hundreds?|thousands?|millions?|billions?|trillions?|dozens?)"
)
_GREAT = r"(?:hundred|thousand|million|billion|trillion|bn|mn|m|k|lakh|crore)"
_DIGITS = r"(?:\d{1,3}(?:[,.\u00a0\u202f ]\d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
_WORDS = (
    rf"(?:(?:one|an?|half an?)\s(?=hundred|thousand|million|billion))?{_NUMBER_WORD}"
    rf"(?:[\s-](?:and\s)?(?:one|{_NUMBER_WORD}))*"
)

_CURRENCY_SIGN = (
    r"(?:(?:US|A|AU|C|CA|NZ|HK|S|R)?\$|[€£¥₹₽₩₺₪]|"
    r"(?:USD|EUR|GBP|CHF|JPY|INR|Rs\.?|CNY|SEK|NOK|DKK)(?=\s?\d))"
)
_CURRENCY_WORD = (
    r"(?:(?:US|American|Canadian|Australian|Hong Kong)\s)?(?:dollars?|euros?|pounds?(?: sterling)?|"
    r"yen|yuan|renminbi|francs?|rupees?|roubles?|rubles?|pesos?|kron(?:or|er|a|e)|"
    r"zloty|cents?|pence|"
    r"lira|shekels?|rand|won|dirhams?|riyals?|baht|forints?|bitcoins?|USD|EUR|GBP|CHF|JPY|bucks)\b"
)
_MONEY = re.compile(
    rf"(?<![\w]){_CURRENCY_SIGN}\s?{_DIGITS}(?:\s?{_GREAT}\b)?"
    rf"|(?<![\w.,]){_DIGITS}\s?[€£¥₹](?:\s?{_GREAT}\b)?"
    rf"|(?<![\w.,-])(?:{_DIGITS}(?:[\s-]{_GREAT})?|{_WORDS}|\b(?:one|"
    rf"an?)\b)[\s-](?:of\s)?{_CURRENCY_WORD}",
    re.IGNORECASE,
)
_DATE = re.compile(
    rf"\b(?:{_WEEKDAY},?\s(?:the\s)?)?{_DAY}\s(?:of\s)?{_MONTH}(?:,?\s{_YEAR}\b)?(?!\w)"
    rf""
    rf""
    rf"|\b(?:{_WEEKDAY},?\s)?{_MONTH}\s{_DAY}(?:\s?[-–]\s?\d{{1,2}})?(?:,?\s{_YEAR})?\b(?![%\w]|\.\d)"
    rf"|\b{_MONTH},?\s(?:of\s)?{_YEAR}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d{2})\b"
    rf"|\b(?:(?:early|mid|late)[\s-])?(?:spring|summer|autumn|fall|winter)\s(?:of\s)?{_YEAR}\b"
    rf"|\bQ[1-4]\s{_YEAR}\b"
    r"|\b(?:the\s)?(?:(?:early|mid|late)[\s-])?(?:1[0-9]|20)\d0s\b|\bthe\s(?:\w+teen|"
    r"twen|thir|for|fif"
    r"|six|seven|eigh|nine)ties\b"
    r"|\b(?:the\s)?(?:(?:early|mid|late)[\s-])?(?:\d{1,2}(?:st|nd|rd|th)|\w+(?:teenth|"
    r"tieth|y-first)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|"
    r"twelfth)"
    r"\scentury\b"
    rf"|\b{_YEAR}\s?[-–/]\s?(?:{_YEAR}|\d{{2}})\b|(?<![\w$€£.,/:-]){_YEAR}(?:\s?(?:AD|BC|CE|BCE))?"
    r"(?![\w%€£/:-]|[.,]\d|\s(?:people|men|women|children|workers|euros|dollars|"
    r"pounds|miles|metres|"
    r"meters|kilometres|kilometers|copies|tons|tonnes|students|jobs|chairs|patients|units))"
    rf"|\b(?:(?:next|last|this|every|early|late)\s)?{_WEEKDAY}(?:\s(?:morning|"
    rf"afternoon|evening|night))?\b"
    r"|\b(?:next|last|this|the following|the previous)\s(?:week|month|year|weekend|"
    r"spring|summer|autumn|"
    rf"winter|decade|century)\b|\b(?:next|last|this)\s{_MONTH}"
    rf"|\b{_SURE_MONTH}\b|(?<=\b[Ii]n )(?:March|May|August)\b|(?<=\b[Bb]y )(?:March|May|August)\b"
    r"|(?<=\b[Uu]ntil )(?:March|May|August)\b|(?<=\b[Ss]ince )(?:March|May|August)\b"
    r"|(?<=\b(?:from|last|next|this|late|into) )(?:March|May|August)\b"
    r"|(?<=\b(?:early|after) )(?:March|May|August)\b|(?<=\b(?:before|"
    r"during) )(?:March|May|August)\b"
    r"|\b(?:[Tt]oday|[Tt]omorrow|[Yy]esterday|[Tt]onight)\b"
    r"|\b(?:New Year's (?:Day|Eve)|Christmas (?:Day|Eve)|Boxing Day|Good Friday|Independence Day)\b"
)
_NUMBER = re.compile(
    rf"(?<![\w.,:/+#@-])(?:{_DIGITS}(?:\s?(?:%|per\s?cent\b|percent\b|percentage points\b)"
    rf"|[\s-](?:hundred|thousand|million|billion|trillion|dozen)\b)?"
    r"|\d+(?:\s?[-–:]\s?\d+)+)(?![\w@]|[./:-]\d|[:/])"
    rf"|(?<![\w-])(?:{_WORDS})(?![\w-])(?:\sper\s?cent\b|\spercent\b)?",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?<![\w.,:/-])\d+[-–]\d+(?![\w@]|[./:-]\d)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\w+")


@dataclass(frozen=True)
class Found:
    """A part of a text from `start` to `end` and what it is."""

    start: int
    end: int
    kind: str


def amounts_and_dates(text: str) -> list[Found]:
    """The dates, sums of money and numbers of a text, in order, none within another."""
    taken = [(match.start(), match.end()) for match in _ADDRESS.finditer(text)]
    found: list[Found] = []
    for kind, pattern in (
        ("money", _MONEY),
        ("date", _DATE),
        ("number", _RANGE),
        ("number", _NUMBER),
    ):
        for match in pattern.finditer(text):
            start, end = match.span()
            if kind == "number" and _is_none(match[0], text, start, end):
                continue
            if all(end <= begun or start >= ended for begun, ended in taken):
                taken.append((start, end))
                found.append(Found(start, end, kind))
    return sorted(found, key=lambda item: item.start)


def _is_none(words: str, text: str, start: int, end: int) -> bool:
    """Whether a number only names or orders something: "page 4", "four-legged", "hundreds"."""
    if re.fullmatch(r"(?:hundred|thousand|million|billion|trillion|dozen)s?", words, re.IGNORECASE):
        return not re.search(r"\b(?:an?|one|several|many|some|few)\s$", text[:start])
    if re.fullmatch(r"\d{1,2}:[0-5]\d", words):
        return True
    before = text[max(start - 14, 0) : start]
    if re.search(r"\b(?:[a-z]+[A-Z]\w*|Windows|Apollo|Boeing|Airbus|Article|Covid)[\s-]$", before):
        return True
    if re.search(
        r"(?:\b(?:page|chapter|no|nos|figure|table|line|room|gate|platform|version|step)\b\.?)\s$",
        before,
        re.IGNORECASE,
    ):
        return True
    return bool(re.match(r"-[a-z]", text[end:])) and not words[-1].isdigit()
