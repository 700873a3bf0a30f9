"""Words and phrases found in a text and put in place of others, their capitals kept."""

from __future__ import annotations

import re

_QUOTES = "\"'“”‘’«»„`"


def quoted_words(words: str) -> str:
    """A word or phrase without the quotation marks that it was given in."""
    plain = words.strip()
    while len(plain) > 1 and plain[0] in _QUOTES and plain[-1] in _QUOTES:
        plain = plain[1:-1].strip()
    return plain


def named(phrase: str) -> str:
    """A phrase as it is named in a sentence, cut where it is long."""
    phrase = " ".join(phrase.split())
    return f"“{phrase}”" if len(phrase) <= 60 else f"“{phrase[:60]}…”"


def word_pattern(phrase: str) -> re.Pattern[str]:
    """A pattern for a phrase as whole words, in any case, also over the end of a line."""
    start = r"(?<!\w)" if re.match(r"\w", phrase) else ""
    end = r"(?!\w)" if re.search(r"\w\Z", phrase) else ""
    return re.compile(start + _loosely(phrase) + end, re.IGNORECASE)


def inner_pattern(phrase: str) -> re.Pattern[str]:
    """A pattern for a phrase anywhere, also inside of words."""
    return re.compile(_loosely(phrase), re.IGNORECASE)


def _loosely(phrase: str) -> str:
    words = [re.sub(r"['’]", "['’]", re.escape(word)) for word in phrase.split()]
    return r"\s+".join(words)


def exchanged(text: str, old: str, new: str) -> tuple[str, int]:
    """The text with a phrase in place of another, and how often it was put there.

    The new one has a capital, or only capitals, where the old one does.
    """

    def instead(match: re.Match[str]) -> str:
        found = match[0]
        letters = [letter for letter in found if letter.isalpha()]
        if found == old or not letters:
            return new
        if len(letters) > 1 and all(letter.isupper() for letter in letters):
            return new.upper()
        if letters[0].isupper() and old[:1].islower():
            return new[:1].upper() + new[1:]
        if letters[0].islower() and old[:1].isupper() and old[1:].islower() and new[1:].islower():
            return new[:1].lower() + new[1:]
        return new

    changed, count = word_pattern(old).subn(instead, text)
    if count and not new.strip():
        # Where a word is taken out, one of the blanks around it goes as well.
        changed = re.sub(r"(?<=\S)[ \t]{2,}(?=\S)", " ", changed)
        changed = re.sub(r"(?<![ \t])[ \t]+(?=[,.;:!?](?:\s|\Z)|\n|\Z)", "", changed)
    return changed, count
