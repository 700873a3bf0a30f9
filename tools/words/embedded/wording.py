"""Another tone by exchanging words: formal for casual ones, plain for learned ones.

What is said stays as it is: only words and phrases of the lists in ``assets/language`` change.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .spelling_correction import (
    as_begun,
    corrected,
    exchanged_patterns,
    written_out,
)
from .text_edits import sentence_case, tidy_spaces
from .word_lists import lines_of


def formal(text: str) -> str:
    """The text as in a formal letter: mistakes mended, nothing contracted, no casual words."""
    mended = _exchanged(corrected(text), "formal-words")
    return sentence_case(re.sub(r"!+", ".", written_out(mended)))


def plain(text: str) -> str:
    """The text in plainer and fewer words."""
    return sentence_case(tidy_spaces(_exchanged(text, "plain-words")))


def casual(text: str) -> str:
    """The text with "don't" for "do not" and plain words for learned ones."""
    return exchanged_patterns(plain(text), "short-forms")


def _exchanged(text: str, name: str) -> str:
    pattern, table = _table(name)
    return pattern.sub(lambda match: as_begun(match[0], table[match[0].lower()]), text)


@lru_cache(maxsize=4)
def _table(name: str) -> tuple[re.Pattern[str], dict[str, str]]:
    pairs = (line.split("|", 1) for line in lines_of(name))
    table = {old.lower(): new for old, new in pairs}
    longest_first = sorted(table, key=len, reverse=True)
    choices = "|".join(re.escape(old) for old in longest_first)
    return re.compile(rf"(?<![\w'-])(?:{choices})(?![\w'-])", re.IGNORECASE), table
