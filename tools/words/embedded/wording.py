"""Another tone by exchanging words: formal for casual ones, plain for learned ones.

What is said stays as it is: only words and phrases of the lists in ``assets/language`` change.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tools.words.embedded.spelling_correction import LANGUAGE_FOLDER, corrected, written_out
from tools.words.embedded.text_edits import sentence_case, tidy_spaces

_SHORT_FORMS = (
    ("cannot", "can't"),
    ("will not", "won't"),
    (r"(do|does|did|is|are|was|were|has|have|had|would|could|should) not", r"\1n't"),
    ("I am", "I'm"),
    (r"(you|we|they) are", r"\1're"),
    (r"(it|that|there|he|she) is", r"\1's"),
    (r"(I|you|we|they) have(?= (?:been|not|already|just|\w+ed)\b)", r"\1've"),
    (r"(I|you|he|she|it|we|they) will", r"\1'll"),
    (r"(I|you|he|she|we|they) would", r"\1'd"),
)


def formal(text: str) -> str:
    """The text as in a formal letter: mistakes mended, nothing contracted, no casual words."""
    mended = _exchanged(corrected(text), "formal-words.txt")
    return sentence_case(re.sub(r"!+", ".", written_out(mended)))


def plain(text: str) -> str:
    """The text in plainer and fewer words."""
    return sentence_case(tidy_spaces(_exchanged(text, "plain-words.txt")))


def casual(text: str) -> str:
    """The text with "don't" for "do not" and plain words for learned ones."""
    text = plain(text)
    for full, short in _SHORT_FORMS:
        text = re.sub(
            rf"\b{full}\b(?![.!?])",
            lambda match, short=short: _as_begun(match, match.expand(short)),  # type: ignore[misc]
            text,
            flags=re.IGNORECASE,
        )
    return text


def _exchanged(text: str, name: str) -> str:
    pattern, table = _table(name)
    return pattern.sub(lambda match: _as_begun(match, table[match[0].lower()]), text)


def _as_begun(match: re.Match[str], words: str) -> str:
    return words[:1].upper() + words[1:] if match[0][0].isupper() else words


@lru_cache(maxsize=4)
def _table(name: str) -> tuple[re.Pattern[str], dict[str, str]]:
    lines = (LANGUAGE_FOLDER / name).read_text(encoding="utf-8").splitlines()
    pairs = [line.split("|", 1) for line in lines if line and not line.startswith("#")]
    table = {old.lower(): new for old, new in pairs}
    longest_first = sorted(table, key=len, reverse=True)
    choices = "|".join(re.escape(old) for old in longest_first)
    return re.compile(rf"(?<![\w'-])(?:{choices})(?![\w'-])", re.IGNORECASE), table
