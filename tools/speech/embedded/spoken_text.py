"""Written English to what is said: numbers, dates, times, money, units, abbreviations.

What units, abbreviations and signs stand for, and where numbers are what, is in
``spoken_text.toml``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from roman_numerals import RomanNumeral

from ...shared.spoken_numbers import cardinal, decimal, digits, ordinal, plural, year
from ...shared.tables import filled, table_beside

_WORDS = table_beside(__file__)
_UNITS, _SIGNS = _WORDS["units"], _WORDS["signs"]
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_CURRENCIES, _SCALES, _FRACTIONS = _WORDS["currencies"], _WORDS["scales"], _WORDS["fractions"]


def spoken_text(text: str) -> str:
    """The text with everything written out that is said otherwise than it is written.

    Only words, apostrophes, hyphens and ``. , ; : ! ?`` are left.
    """
    text = _plain_characters(text)
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    for sign, words in _SIGNS.items():
        text = text.replace(sign, words)
    text = re.sub(r"\s*[()\[\]{}]\s*", ", ", text)
    text = re.sub(r"[^\w\s'.,;:!?-]", " ", text)
    text = re.sub(r"(?<!\w)'|'(?!\w)", " ", text)
    text = re.sub(r"\s+([.,;:!?])", r"\1", re.sub(r"\s+", " ", text))
    return re.sub(r",*([.;:!?])[.,;:]*|,+", lambda match: match[1] or ",", text).strip(", ")


def _plain_characters(text: str) -> str:
    text = re.sub(r"</?[a-zA-Z][^<>]*>", " ", text)
    text = re.sub(r"(?<=\d)\s?([½¼¾])", r" and \1", text)
    text = text.replace("²", "² ")
    kept = "½¼¾²°"
    text = "".join(
        character if character in kept else unicodedata.normalize("NFKC", character)
        for character in unicodedata.normalize("NFC", text)
    )
    text = re.sub(r"[‘’ʼ`´]", "'", text)
    text = re.sub(r"\s*(?:—|–(?=\s)|(?<=\s)-+(?=\s)|--+|…)\s*", ", ", text)
    text = re.sub(r"\.{2,}", ".", text)
    return re.sub(r"[−–‑‒]", "-", text)


def _date(match: re.Match[str]) -> str:
    month = next(name for name in _MONTHS if name.startswith(match["month"][:3]))
    words = f"{month} {ordinal(int(match['day']))}"
    return f"{words}, {year(int(match['year']))}" if match["year"] else words


def _numeric_date(match: re.Match[str]) -> str:
    month, day = int(match["month"]), int(match["day"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return match[0]
    return f"{_MONTHS[month - 1]} {ordinal(day)}, {year(int(match['year']))}"


def _time(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), int(match["minute"])
    if hour > 24 or minute > 59:
        return match[0]
    half = re.sub(r"[^apm]", "", (match["half"] or "").lower())
    words = cardinal(hour)
    if minute:
        words += f" {'oh ' if minute < 10 else ''}{cardinal(minute)}"
    elif not half:
        words += " o'clock" if hour <= 12 else " hundred"
    return f"{words} {half.upper()}" if half else words


def _hour(match: re.Match[str]) -> str:
    return f"{cardinal(int(match['hour']))} {match['half'].replace('.', '').upper()}"


def _money(match: re.Match[str]) -> str:
    unit, part = _CURRENCIES[match["currency"]]
    amount = match["amount"].replace(",", "")
    whole, _, cents = amount.partition(".")
    plural_unit = unit if unit == "yen" else f"{unit}s"
    if match["scale"]:
        scale = _SCALES.get(match["scale"], match["scale"])
        return f"{decimal(amount)} {scale} {plural_unit}"
    if len(cents) != 2 or not part:
        return f"{decimal(amount)} {unit if amount == '1' else plural_unit}"
    words = f"{cardinal(int(whole))} {unit if whole == '1' else plural_unit}"
    if not int(cents):
        return words
    small = {"penny": "pence"}.get(part, f"{part}s") if cents != "01" else part
    cents_words = f"{cardinal(int(cents))} {small}"
    return f"{words} and {cents_words}" if int(whole) else cents_words


def _measure(match: re.Match[str]) -> str:
    unit = _UNITS[match["unit"]]
    if match["number"] == "1":
        unit = {"feet": "foot"}.get(unit, re.sub(r"s(?= per|$)", "", unit, count=1))
        unit = unit.replace("degree Celsiu", "degree Celsius")
    return f"{decimal(match['number'])} {unit}"


def _decade(match: re.Match[str]) -> str:
    return plural(year(int(match[1]))) if len(match[1]) == 4 else plural(cardinal(int(match[1])))


def _fraction(match: re.Match[str]) -> str:
    if match[0] in _FRACTIONS:
        return _FRACTIONS[match[0]]
    above, below = int(match[1]), int(match[2])
    if 0 < above < below <= 20:
        part = ordinal(below)
        return f"{cardinal(above)} {part if above == 1 else f'{part}s'}"
    return f"{cardinal(above)} over {cardinal(below)}"


def _whole(match: re.Match[str]) -> str:
    text = match[0]
    if len(text) > 1 and text.startswith("0") or len(text) > 15:
        return digits(text)
    if len(text) == 4 and (1100 <= int(text) <= 1999 or 2010 <= int(text) <= 2099):
        return year(int(text))
    return cardinal(int(text))


def _initials(match: re.Match[str]) -> str:
    letters = match[0].replace(".", "")
    # A full stop that ends the sentence too is kept.
    return letters + ("." if re.match(r"\s+[A-Z]|\s*$", match.string[match.end() :]) else "")


def _address(match: re.Match[str]) -> str:
    words = re.sub(r"^https?://(www\.)?", "", match[0]).rstrip("/")
    words = words.replace("@", " at ").replace(".", " dot ").replace("/", " slash ")
    return re.sub(r"[-_?=&#%]", " ", words)


def _roman(match: re.Match[str]) -> str:
    number = int(RomanNumeral.from_string(match["roman"]))
    said = f"the {ordinal(number)}" if match["ruler"] else cardinal(number)
    return f"{match['before']} {said}"


#: What the words of a rule in the table stand for that are made and not written.
_MADE: dict[str, Callable[[re.Match[str]], str]] = {
    "address": _address,
    "date": _date,
    "decade": _decade,
    "decimal": lambda match: decimal(match[0]),
    "digits": lambda match: digits(match[0]),
    "fraction": _fraction,
    "hour": _hour,
    "initials": _initials,
    "measure": _measure,
    "money": _money,
    "numeric date": _numeric_date,
    "ordinal": lambda match: ordinal(int(match[1])),
    "roman": _roman,
    "time": _time,
    "version": lambda match: " point ".join(cardinal(int(n)) for n in match[0].split(".")),
    "whole": _whole,
}
_PARTS = _WORDS["parts"] | {
    "months": "|".join(_MONTHS),
    "units": "|".join(re.escape(unit) for unit in _UNITS),
}
_RULES = tuple(
    (re.compile(filled(pattern, _PARTS)), _MADE.get(words, words))
    for pattern, words in (*_WORDS["first"], *_WORDS["abbreviations"].items(), *_WORDS["rules"])
)
