"""Words brought to the form that values are found in: small letters, numbers as figures."""

from __future__ import annotations

import re
from functools import lru_cache

_QUOTED = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|(?<![\w])['‘][^'’\n]{2,}['’](?!\w)")
_FILE = re.compile(r"(?<![\w.])[\w()-]*[A-Za-z_(][\w()-]*\.[a-z][a-z0-9]{1,4}\b", re.IGNORECASE)
#: In place of the letters of words that no value may be read from.
HIDDEN = "·"
#: So many texts are remembered; a server hears others all the time.
_REMEMBERED = 256
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
#: The numbers that people write as words rather than in figures.
UP_TO_TWELVE = {word: number for number, word in enumerate(_ONES[1:13], 1)}
#: Parts by their names: so many make a whole.
PARTS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6,
    "eighth": 8, "tenth": 10,
}  # fmt: skip
_NUMBER_WORD = (
    rf"(?:{'|'.join(sorted([*_TENS, *_ONES, 'hundred', 'thousand'], key=len, reverse=True))})"
)
_NUMBER = re.compile(rf"\b{_NUMBER_WORD}(?:[ -](?:and )?{_NUMBER_WORD})*\b")
_UNIT = (
    r"(?:seconds?|secs?|minutes?|mins?|hours?|megabytes?|megs?|mb|kilobytes?|gigabytes?|inch(?:es)?|"
    r"cent(?:imet(?:re|er)s?)|octaves?)"
)
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), form)
    for pattern, form in (
        (r" & ", " and "),
        (r"(?<=\d),(?=\d{3}\b)", ""),
        (r"(?<=\d),(?=\d{1,2} ?(?:mb|gb|kb|megs?|mega|kilo|%|db|cm|mm|s\b|sec|min|hours?))", "."),
        (r"(?<=\d) (?=\d{3} ?(?:px|pixels?|hz|kb|x \d))", ""),
        (r"(\d)½", r"\1.5"),
        (r"½", "0.5"),
        (rf"\b(\d+) and a half (?={_UNIT}\b)", r"\1.5 "),
        (rf"\b(\d+) ({_UNIT}) and a half\b", r"\1.5 \2"),
        (rf"\ban? ({_UNIT}) and a half\b", r"1.5 \1"),
        (rf"(?<!\d )\b({_UNIT}) and a half\b", r"1.5 \1"),
        (rf"\bhalf[ -](?:(?:an?|of an?) )?(?=(?:{_UNIT}|degrees?)\b)", "0.5 "),
        (rf"\b(?:a )?quarter (?:of )?(?:an? )(?={_UNIT}\b)", "0.25 "),
        (rf"\bthree quarters of an? (?={_UNIT}\b)", "0.75 "),
        (rf"\ban? (?:(?:full|whole|single|good) )?(?={_UNIT}\b)", "1 "),
        (rf"\b(?:a )?couple of (?={_UNIT}\b)", "2 "),
    )
)


@lru_cache(_REMEMBERED)
def plain(text: str) -> str:
    """The text in small letters, one space between words, numbers in words as figures.

    What stands in quotation marks and the names of files are hidden: "write '50 % off'" names no
    share. Ordinals stay words.
    """
    hidden = _QUOTED.sub(lambda found: HIDDEN * len(found[0]), text)
    hidden = _FILE.sub(lambda found: HIDDEN * len(found[0]), hidden)
    words = " ".join(hidden.lower().replace("’", "'").split())
    words = words.replace("–", "-").replace("—", "-").replace("×", "x").replace("−", "-")
    words = _NUMBER.sub(lambda found: figures(found[0]), words)
    for pattern, form in _FORMS:
        words = pattern.sub(form, words)
    return words


def figures(words: str) -> str:
    """A number in words as figures; the words where they are none."""
    from text_to_num import text2num

    try:
        return str(text2num(words.replace("-", " "), "en"))
    except ValueError:
        return words
