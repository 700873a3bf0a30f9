"""Numbers as an American says them: ``1,204`` is "one thousand two hundred four"."""

from __future__ import annotations

import re

_SMALL = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
)
_TENS = re.findall(r"\w+", "zero ten twenty thirty forty fifty sixty seventy eighty ninety")
_GROUPS = ("", "thousand", "million", "billion", "trillion", "quadrillion")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def cardinal(number: int) -> str:
    """The words of a whole number; one with more than 18 digits is said digit by digit."""
    if number < 0:
        return f"minus {cardinal(-number)}"
    if number >= 10**18:
        return digits(str(number))
    groups: list[str] = []
    rest, position = number, 0
    while rest:
        rest, group = divmod(rest, 1000)
        if group:
            groups.insert(0, f"{_below_thousand(group)} {_GROUPS[position]}".strip())
        position += 1
    return " ".join(groups) or "zero"


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_SMALL[hundreds]} hundred"] if hundreds else []
    if rest:
        words.append(_below_hundred(rest))
    return " ".join(words)


def _below_hundred(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]


def ordinal(number: int) -> str:
    """The place in a row: 21 is "twenty-first"."""
    words = cardinal(number)
    cut = max(words.rfind(" "), words.rfind("-")) + 1
    head, last = words[:cut], words[cut:]
    if last in _ORDINALS:
        return head + _ORDINALS[last]
    return head + (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")


def year(number: int) -> str:
    """A year from 1000 to 2999: 1905 is "nineteen oh five", 2000 "two thousand"."""
    century, rest = divmod(number, 100)
    if century % 10 == 0 and rest < 10:
        return cardinal(number)
    if rest == 0:
        return f"{cardinal(century)} hundred"
    return f"{cardinal(century)} {'oh ' if rest < 10 else ''}{cardinal(rest)}"


def digits(text: str) -> str:
    """Each digit by itself; what is no digit is left out."""
    return " ".join(_SMALL[int(character)] for character in text if character in "0123456789")


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
