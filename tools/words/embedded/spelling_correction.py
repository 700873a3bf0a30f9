"""Mistakes that can be mended by rule: common misspellings, shorthand, capitals, spaces.

Only what is certainly wrong is changed; grammar is not understood. The word lists lie in
``assets/language``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from tools.words.embedded.text_edits import sentence_case, tidy_spaces

LANGUAGE_FOLDER = Path(__file__).resolve().parents[3] / "assets" / "language"
_ALWAYS_CAPITAL = (
    "monday tuesday wednesday thursday friday saturday sunday january february april june july "
    "august september october november december english french german spanish italian dutch "
    "christmas easter"
).split()
_CONTRACTIONS = (
    (r"\bwon't\b", "will not"),
    (r"\bcan't\b", "cannot"),
    (r"\bshan't\b", "shall not"),
    (r"\blet's\b", "let us"),
    (r"\bain't\b", "is not"),
    (r"\b(\w+)n't\b", r"\1 not"),
    (r"\b(I)'m\b", r"\1 am"),
    (r"\b(\w+)'re\b", r"\1 are"),
    (r"\b(\w+)'ve\b", r"\1 have"),
    (r"\b(\w+)'ll\b", r"\1 will"),
    (
        r"\b(it|that|there|here|what|where|who|how|he|she)'s\b(?=\s(?:been|got|had|become)\b)",
        r"\1 has",
    ),
    (r"\b(it|that|there|here|what|where|who|how|he|she)'s\b", r"\1 is"),
    (r"\b(I|you|he|she|we|they|it)'d\b(?=\s(?:better|been|had|already|never)\b)", r"\1 had"),
    (r"\b(I|you|he|she|we|they|it)'d\b", r"\1 would"),
)


def corrected(text: str) -> str:
    """The text with common misspellings, shorthand, capitals, doubled words and spaces mended."""
    text = tidy_spaces(text)
    text = re.sub(r"(?<![\w@./#-])[\w'’/]+(?![\w@]|[./-]\w)", _mended, text)
    text = re.sub(r"\b(?!had\b|that\b|bye\b|so\b|very\b|no\b|ha\b)([a-z]+) \1\b", r"\1", text)
    text = re.sub(r"\bi(?='(?:m|ve|ll|d)\b|\b(?!\.[a-z]|[-/']))", "I", text)
    text = re.sub(
        rf"\b(?:{'|'.join(_ALWAYS_CAPITAL)})\b", lambda match: match[0].capitalize(), text
    )
    text = re.sub(
        r"\ba(?= (?:[aeio]\w|un(?!i|a)|hour|honest|heir))(?! (?:one|once|eu))", "an", text
    )
    text = re.sub(r"\ban(?= [bcdfgjklmnpqrstvwyz]\w*[aeiouy])", "a", text)
    text = re.sub(r"([!?,;])\1+(?!\1)", lambda match: match[1], text)
    text = re.sub(
        r"\bits(?= (?:really|very|so|too|not|been|just|still|quite|a|the)\b)", "it's", text
    )
    text = sentence_case(text)
    if re.search(r"\w$", text) and len(text.split()) > 4 and "\n" not in text:
        text += "."
    return text


def written_out(text: str) -> str:
    """The text with "do not" for "don't" and the like."""
    text = text.replace("’", "'")
    for pattern, full in _CONTRACTIONS:
        text = re.sub(pattern, lambda match, full=full: _cased(match, full), text, flags=re.I)  # type: ignore[misc]
    return text


def _cased(match: re.Match[str], full: str) -> str:
    words = match.expand(full)
    return words[:1].upper() + words[1:] if match[0][0].isupper() else words


def _mended(match: re.Match[str]) -> str:
    word = match[0].replace("’", "'")
    instead = _right_words().get(word.lower())
    if instead is None or (word.isupper() and len(word) > 1 and word.lower() != "teh"):
        return match[0]
    return instead[:1].upper() + instead[1:] if word[0].isupper() else instead


@lru_cache(maxsize=1)
def _right_words() -> dict[str, str]:
    words: dict[str, str] = {}
    for name in ("misspellings.txt", "shorthand.txt"):
        for line in (LANGUAGE_FOLDER / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                wrong, right = line.split(" ", 1)
                words[wrong.lower()] = right
    return words
