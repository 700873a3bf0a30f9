"""An index of words: which texts have those that few have (BM25); texts come and go one by one."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

#: How soon one word more counts no more, and how much the length of a text counts.
_SOON, _LENGTH = 1.2, 0.4
_STOP = frozenset(
    (
        "a an the of to in on for and or is are it i my me we our you your this that with from at "
        "by be do does what which how who can could would please get want need have has was were "
        "will as so if not no up out just one some any there here now then when where them they he "
        "she his her its"
    ).split()
)
_ENDINGS = (
    ("ings", ""),
    ("ing", ""),
    ("ies", "y"),
    ("ed", ""),
    ("xes", "x"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("s", ""),
)
_LEAST_LETTERS = 3


def words_of(text: str, is_whole: bool = False) -> list[str]:
    """The words of a text in lower case, names in camel case taken apart; without those that say
    little and without endings, unless `is_whole`."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text)
    words = re.findall(r"[^\W_]+", apart.lower())
    return words if is_whole else [_stem(word) for word in words if word not in _STOP]


def _stem(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_LETTERS:
            return word[: -len(ending)] + instead
    return word


class WordIndex:
    """Which rows have a word, and how often."""

    def __init__(self) -> None:
        self._rows: dict[str, array[int]] = {}
        self._counts: dict[str, array[int]] = {}
        self._lengths = np.zeros(0, np.float32)
        self._whole = 0.0
        self._number = 0

    def add(self, row: int, words: Sequence[str]) -> None:
        """Put the words of a text in, under a row that is free."""
        if row >= len(self._lengths):
            self._lengths = np.pad(self._lengths, (0, max(64, row)))
        self._lengths[row] = len(words)
        self._whole += len(words)
        self._number += 1
        for word, count in Counter(words).items():
            self._rows.setdefault(word, array("l")).append(row)
            self._counts.setdefault(word, array("l")).append(count)

    def remove(self, row: int, words: Iterable[str]) -> None:
        """Take the words of a text out again."""
        self._number -= 1
        self._whole -= float(self._lengths[row])
        for word in set(words):
            place = self._rows[word].index(row)
            for kept in (self._rows[word], self._counts[word]):
                kept[place] = kept[-1]
                kept.pop()

    def scores(self, words: Iterable[str], count: int) -> np.ndarray:
        """BM25 of the first `count` rows for these words, float32, shape (count,)."""
        found = np.zeros(count, np.float32)
        usual = self._whole / max(self._number, 1) or 1.0
        for word in dict.fromkeys(words):
            if not self._rows.get(word):
                continue
            # Copies: an array whose memory is lent could not grow.
            rows = np.array(self._rows[word], np.int64)
            often = np.array(self._counts[word], np.float32)
            rare = math.log(1 + (self._number - len(rows) + 0.5) / (len(rows) + 0.5))
            longer = 1 - _LENGTH + _LENGTH * self._lengths[rows] / usual
            found[rows] += rare * often * (_SOON + 1) / (often + _SOON * longer)
        return found
