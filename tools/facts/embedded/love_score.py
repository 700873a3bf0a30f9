"""The schoolyard game that makes a per cent of two names; it means nothing."""

from __future__ import annotations

import unicodedata


def love_score(first: str, second: str) -> int:
    """0..99 from how often the letters of LOVES stand in both names; their order does not count.

    The last digits of the five counts are added in neighbouring pairs, again and again, of each
    sum the last digit, until two are left.
    """
    letters = _letters(first) + _letters(second)
    row = [letters.count(letter) % 10 for letter in "loves"]
    while len(row) > 2:
        row = [(one + two) % 10 for one, two in zip(row, row[1:], strict=False)]
    return 10 * row[0] + row[1]


def has_letters(name: str) -> bool:
    """Whether a name has Latin letters to play with."""
    return any("a" <= letter <= "z" for letter in _letters(name))


def _letters(name: str) -> str:
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", name.lower())
        if not unicodedata.combining(letter)
    )
