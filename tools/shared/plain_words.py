"""Typed words in plain form: small letters, one spelling, numbers as figures, few mistakes.

Plain words stand in one line with a space before each, so that a pattern of words is a pattern of
that line; where each was typed is kept.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate

from .amounts import SPOKEN, TIME

#: What stands for words in quotation marks.
QUOTED = '"'
_TOKEN = re.compile(
    r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|`[^`]*`|(?<!\w)'[^']*'(?!\w)"
    r"|(?:https?://|www\.)\S+|\S+\.(?:wav|mp3|flac|ogg|m4a|aac|mp4|opus|jpe?g|png|webp|mov)\b"
    r"|\d+(?:st|nd|rd|th)\b|\d+(?::\d\d)+(?:[.,]\d+)?|(?<![\w:%])[-−+](?=\d)\d+(?:[.,]\d+)*"
    r"|\d+(?:[.,]\d+)*|(?<=\d)[^\W\d_]+|[^\W\d_](?:['’]?\w)*|[^\s\w]"
)
_SAME = str.maketrans({"’": "'", "−": "-", "–": "-", "—": ","})
_Form = tuple[str, str | Callable[[re.Match[str]], str]]
#: "0:10-0:20" is "0:10 to 0:20", any other mark says nothing.
_MARKS: tuple[_Form, ...] = (
    (r"(?<=\d)(?: | [a-z]+ )-(?= \d)", lambda m: m[0].replace("-", "to")),
    (r"(?: (?:-|\(|\)|\*|#))+(?= |$)", ""),
)
#: "And" parts wishes, but neither the ends of a passage nor what makes up a length.
_LENGTHS: tuple[_Form, ...] = (
    (r"(?<= between) (\d\S*(?: [a-z]+)?) and (?=\d)", r" \1 to "),
    (rf"(?<=\d) ({TIME}) and (?=\d+ (?:s|seconds?)\b)", r" \1 "),
    (r"\bper cent\b", "%"),
)
#: Shorter words are one letter apart too often.
_TYPO_LENGTH = 5


class Token(str):
    """A word in its plain form; it was typed from `start` to `end`."""

    start: int
    end: int

    @classmethod
    def at(cls, plain: str, start: int, end: int) -> Token:
        token = cls(plain)
        token.start, token.end = start, end
        return token


def tokens(
    typed: str, spellings: Mapping[str, str], known: Callable[[str], bool] | None = None
) -> list[Token]:
    """The words of a text in plain form.

    `spellings` has other forms of words, and of several in a row. Words that neither `known` nor
    English knows, but for one slip of the fingers, become the ones that `known` knows.
    """
    found = [
        Token.at(_mended(plain, known) if known else plain, *match.span())
        for match in _TOKEN.finditer(typed)
        for plain in _plain(match[0], spellings).split()
    ]
    rows = [(rf"(?<= ){re.escape(said)}(?= |$)", form) for said, form in spellings.items()
            if not said.isalpha()]  # fmt: skip
    for pattern, form in (*_MARKS, *rows, *SPOKEN, *_LENGTHS):
        words = joined(found)
        for match in reversed(list(re.finditer(pattern, words))):
            here = covered(found, *match.span())
            new = form(match) if callable(form) else match.expand(form)
            span = found[here.start].start, found[here.stop - 1].end
            found[here] = [Token.at(word, *span) for word in new.split()]
    return found


def joined(words: Iterable[str]) -> str:
    """The words in a line, with a space before each."""
    return "".join(f" {word}" for word in words)


def covered(words: Sequence[str], start: int, end: int) -> slice:
    """Which words stand between two places of their line; spaces at the ends do not count."""
    ends = list(accumulate(1 + len(word) for word in words))
    line = joined(words)
    end -= len(line[start:end]) - len(line[start:end].rstrip())
    return slice(bisect_right(ends, start), bisect_left([0, *ends], end))


def _plain(typed: str, spellings: Mapping[str, str]) -> str:
    if typed[0] in '"“‘`' or (typed[0] == "'" and len(typed) > 1):
        return QUOTED
    if re.fullmatch(r"\S+\.[a-z]\w{2,3}", typed) or typed.startswith(("http", "www.")):
        return "it"
    word = typed.lower().translate(_SAME)
    if word[-1].isdigit() and not word[0].isalpha():
        return re.sub(r",(?=\d{3}(?!\d))", "", word).replace(",", ".")
    if word in spellings:
        return spellings[word]
    word = re.sub(r"^(colo|flavo)r", r"\1ur", re.sub(r"^x(?=\d)", "x ", word))
    return re.sub(r"(?<=[a-z]{4})iz(?=(?:e[drs]?|ing|ation)$)", "is", word)


@cache
def _common_words() -> tuple[str, ...]:
    """Some 20,000 English words in order: those that the sentence encoder has a token for."""
    from controlllm.models.encoder import TOKENIZER

    words = json.loads(TOKENIZER.path().read_text("utf-8"))["model"]["vocab"]
    return tuple(sorted(word for word in words if word.isalpha() and len(word) >= _TYPO_LENGTH))


@cache
def _meant(known: Callable[[str], bool]) -> tuple[str, ...]:
    return tuple(word for word in _common_words() if known(word))


def _mended(word: str, known: Callable[[str], bool]) -> str:
    if len(word) < _TYPO_LENGTH or not word.isalpha() or known(word):
        return word
    place = bisect_left(_common_words(), word)
    if _common_words()[place : place + 1] == (word,):
        return word
    return next((meant for meant in _meant(known) if _one_slip(word, meant)), word)


def _one_slip(typed: str, word: str) -> bool:
    """Whether a letter is missing, too much or wrong, or two have changed places."""
    if abs(len(typed) - len(word)) > 1 or typed[0] != word[0]:
        return False
    while typed and word and typed[0] == word[0]:
        typed, word = typed[1:], word[1:]
    while typed and word and typed[-1] == word[-1]:
        typed, word = typed[:-1], word[:-1]
    return max(len(typed), len(word)) < 2 or (len(typed) == 2 and typed == word[::-1])
