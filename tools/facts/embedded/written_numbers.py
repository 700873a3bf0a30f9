"""Numbers as people write them: digits, words, Roman numerals, alone or inside a question."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

#: Longer numbers are no longer a matter for facts.
MOST_DIGITS = 100

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {"nought": 0, "nil": 0, "fourty": 40}
_TENS = {
    word: 10 * value
    for value, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2
    )
} | {"fourty": 40}
_SCALES = {
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
    "quadrillion": 10**15,
    "quintillion": 10**18,
}
_ORDINALS = {
    "first": "one",
    "second": "two",
    "third": "three",
    "fifth": "five",
    "eighth": "eight",
    "ninth": "nine",
    "twelfth": "twelve",
}
_GROUPS = {"dozen": 12, "score": 20, "gross": 144, "googol": 10**100}
_ROMAN = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"M": 1000, "D": 500, "C": 100, "L": 50, "X": 10, "V": 5, "I": 1}
_DIGITS = re.compile(
    r"(?<![\w.])[-−–]?(?:\d{1,3}(?:[,' \u202f\u00a0]\d{3})+(?!\d)|\d+)(?:\.\d+)?"
    r"(?:\s*(?:st|nd|rd|th)\b)?(?:\s*(?:\^|\*\*)\s*\d{1,3})?"
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def find_number(text: str) -> Decimal | None:
    """The number that a text is about, None where it names none.

    Digits come before words, and words before Roman numerals and letters of constants.
    """
    plain = re.sub(
        r"(\d)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: f"{m[1]}^{m[2].translate(_SUPERSCRIPTS)}", text
    )
    found = _DIGITS.search(plain)
    if found:
        return _from_digits(found.group(), plain[found.end() :])
    spoken = find_spoken(plain)
    if spoken is not None:
        return Decimal(spoken)
    for word in re.findall(r"\b[MDCLXVI]+\b", plain):
        # "I" is the person who asks unless nothing else is said.
        if (word != "I" or len(plain.split()) == 1) and _ROMAN.fullmatch(word):
            return Decimal(from_roman(word))
    return None


def _from_digits(written: str, following: str) -> Decimal | None:
    bare = re.sub(r"[,' \u202f\u00a0]|st|nd|rd|th", "", written.replace("**", "^"))
    bare = bare.replace("−", "-").replace("–", "-")
    base, _, power = bare.partition("^")
    if len(base) > MOST_DIGITS + 2:
        return None
    try:
        number = Decimal(base)
    except InvalidOperation:
        return None
    if power:
        whole = int(number) if number == int(number) else None
        if whole is None or abs(whole) ** min(int(power), 400) >= 10 ** (MOST_DIGITS + 1):
            return None
        return Decimal(whole ** int(power))
    scale = re.match(r"\s*(\w+)", following)
    word = scale.group(1).lower().rstrip("s") if scale else ""
    factor = _SCALES.get(word) or _GROUPS.get(word)
    return number * factor if factor else number


def find_spoken(text: str) -> int | None:
    """The first number in words: "one thousand seven hundred and twenty-nine" is 1729."""
    words = re.findall(r"[a-z]+", text.lower().replace("-", " "))
    kinds = [_plain(word) for word in words]
    for start, word in enumerate(kinds):
        if word in _GROUPS or word in _SCALES or word == "hundred":
            return _GROUPS.get(word) or _SCALES.get(word) or 100
        if word in _UNITS or word in _TENS:
            if word == "one" and not _goes_on(kinds, start) and _is_pronoun(words, start):
                continue
            value = _spoken_from(kinds[start:])
            negative = start > 0 and words[start - 1] in ("minus", "negative")
            return -value if negative else value
    return None


def _plain(word: str) -> str:
    """A number word as a cardinal: "fourth" is "four", "twentieth" is "twenty"."""
    if word in _ORDINALS:
        return _ORDINALS[word]
    if word.endswith("ieth"):
        return word[:-4] + "y"
    if word.endswith("th") and word[:-2] in _UNITS | _SCALES | {"hundred": 100}:
        return word[:-2]
    if word.endswith("s") and (word[:-1] in _SCALES or word[:-1] in _UNITS):
        return word[:-1]
    return word


def _goes_on(kinds: list[str], start: int) -> bool:
    following = kinds[start + 1] if start + 1 < len(kinds) else ""
    return following in _SCALES or following == "hundred"


def _is_pronoun(words: list[str], start: int) -> bool:
    """Whether "one" is said of something spoken of: "this one", "one of", "one that"."""
    before = words[start - 1] if start else ""
    after = words[start + 1] if start + 1 < len(words) else ""
    return before in ("this", "that", "which", "every", "no", "some", "any", "a") or after in (
        "of",
        "that",
        "which",
        "who",
        "thing",
    )


def _spoken_from(kinds: list[str]) -> int:
    total = group = 0
    last = ""
    for position, word in enumerate(kinds):
        if word in _UNITS or word in _TENS:
            value = _UNITS.get(word, _TENS.get(word, 0))
            if last == "unit" or (last == "ten" and (value >= 10 or value == 0)):
                # "Nineteen sixty-nine", "twenty twenty-four": a year in two halves.
                if total == 0 and 10 <= group <= 99 and 10 <= value <= 99:
                    rest = kinds[position + 1 : position + 2]
                    small = _UNITS.get(rest[0], 0) if rest and word in _TENS else 0
                    return group * 100 + value + (small if small < 10 else 0)
                break
            group += value
            last = "ten" if word in _TENS else "unit"
        elif word == "hundred" and last:
            group = max(group, 1) * 100
            last = "hundred"
        elif word in _SCALES and last:
            total += max(group, 1) * _SCALES[word]
            group, last = 0, "scale"
        elif word == "dozen" and last:
            return (total + group) * 12
        elif word == "oh" and last and total == 0 and 10 <= group <= 99:
            rest = kinds[position + 1 : position + 2]
            return group * 100 + (_UNITS.get(rest[0], 0) if rest else 0)
        elif word == "and" and last in ("hundred", "scale"):
            following = kinds[position + 1 : position + 2]
            if not following or following[0] not in _UNITS | _TENS:
                break
        else:
            break
    return total + group


def from_roman(numeral: str) -> int:
    """The value of a Roman numeral in capitals: ``XIV`` is 14."""
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    return sum(
        -value if following > value else value
        for value, following in zip(values, [*values[1:], 0], strict=True)
    )


def to_roman(number: int) -> str:
    """A number from 1 to 3999 as a Roman numeral, empty for others."""
    if not 1 <= number <= 3999:
        return ""
    written = ""
    for value, letters in (
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ):
        count, number = divmod(number, value)
        written += letters * count
    return written
