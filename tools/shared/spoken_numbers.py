"""Numbers as an American says them: ``1,204`` is "one thousand two hundred four"."""

from __future__ import annotations

import re


def cardinal(number: int) -> str:
    """The words of a whole number; one with more than 18 digits is said digit by digit."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    return _words(number, "cardinal")


def ordinal(number: int) -> str:
    """The place in a row: 21 is "twenty-first"."""
    return _words(number, "ordinal")


def year(number: int) -> str:
    """A year from 1000 to 2999: 1905 is "nineteen oh five", 2000 "two thousand"."""
    return _words(number, "year").replace("oh-", "oh ")


def _words(number: int, kind: str) -> str:
    from num2words import num2words

    if number >= 10**18:
        return digits(str(number))
    return re.sub(r",| and\b", "", num2words(number, to=kind))


def digits(text: str) -> str:
    """Each digit by itself; what is no digit is left out."""
    return " ".join(cardinal(int(character)) for character in text if character in "0123456789")


def decimal(text: str) -> str:
    """A number as it is written, with or without commas, a point and a sign."""
    plain = text.replace(",", "")
    sign = "minus " if plain.startswith("-") else ""
    whole, _, fraction = plain.lstrip("+-").partition(".")
    words = cardinal(int(whole or "0"))
    return f"{sign}{words} point {digits(fraction)}" if fraction else f"{sign}{words}"


def plural(words: str) -> str:
    """The plural of number words: "nineteen eighty" becomes "nineteen eighties"."""
    if words.endswith("y"):
        return f"{words[:-1]}ies"
    return f"{words}es" if words.endswith("x") else f"{words}s"
