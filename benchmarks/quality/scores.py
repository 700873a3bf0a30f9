"""Plain measures of what tools give: words, characters, masks, counts and noise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Errors:
    """How many of `length` reference items were wrong, missing or too many."""

    wrong: int
    length: int

    def __add__(self, other: Errors) -> Errors:
        return Errors(self.wrong + other.wrong, self.length + other.length)

    @property
    def rate(self) -> float:
        """Errors per reference item; above 1 where more was added than there is."""
        return self.wrong / self.length if self.length else float(self.wrong > 0)


@dataclass(frozen=True)
class Counts:
    """Objects found that are there, found that are not, and there but not found."""

    right: int = 0
    extra: int = 0
    missed: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.right + other.right, self.extra + other.extra, self.missed + other.missed
        )

    @property
    def precision(self) -> float:
        """The share of what was found that is there; 1 where nothing was found."""
        found = self.right + self.extra
        return self.right / found if found else 1.0

    @property
    def recall(self) -> float:
        """The share of what is there that was found; 1 where there is nothing to find."""
        there = self.right + self.missed
        return self.right / there if there else 1.0


def edits(reference: Sequence[str], found: Sequence[str]) -> int:
    """The fewest items to insert, delete or exchange that make one sequence the other."""
    row = list(range(len(found) + 1))
    for place, item in enumerate(reference, 1):
        before, row[0] = row[0], place
        for column, other in enumerate(found, 1):
            cheapest = min(row[column] + 1, row[column - 1] + 1, before + (item != other))
            before, row[column] = row[column], cheapest
    return row[-1]


def words_of(text: str) -> list[str]:
    """The words in lower case without punctuation; an apostrophe belongs to its word."""
    return re.findall(r"\w+(?:'\w+)*", text.lower().replace("’", "'"))


def word_errors(reference: str, found: str) -> Errors:
    """Words wrong by edit distance, whatever the case and the punctuation."""
    said, heard = words_of(reference), words_of(found)
    return Errors(edits(said, heard), len(said))


def character_errors(reference: str, found: str) -> Errors:
    """Characters wrong by edit distance; case counts, and any white space is one space."""
    printed, read = " ".join(reference.split()), " ".join(found.split())
    return Errors(edits(printed, read), len(printed))


def intersection_over_union(one: np.ndarray, other: np.ndarray) -> float:
    """How alike two boolean masks are: 0 where they share nothing, 1 where they are the same."""
    union = int((one | other).sum())
    return int((one & other).sum()) / union if union else 1.0


def counts_of(
    there: Mapping[str, int], found: Mapping[str, int], ignored: frozenset[str] = frozenset()
) -> Counts:
    """Judge found numbers of things against the true ones; names in `ignored` count nowhere."""
    total = Counts()
    for name in (set(there) | set(found)) - ignored:
        true, seen = there.get(name, 0), found.get(name, 0)
        total += Counts(min(true, seen), max(seen - true, 0), max(true - seen, 0))
    return total


def signal_to_noise(clean: np.ndarray, heard: np.ndarray) -> float:
    """Decibels of the clean sound over whatever else is heard; loudness alone changes nothing."""
    length = min(len(clean), len(heard))
    clean, heard = clean[:length].astype(float), heard[:length].astype(float)
    signal = clean * (clean @ heard) / max(float(clean @ clean), 1e-12)
    rest = heard - signal
    return float(10 * np.log10(max(signal @ signal, 1e-12) / max(rest @ rest, 1e-12)))


def with_noise(clean: np.ndarray, noise: np.ndarray, decibels: float) -> np.ndarray:
    """The clean sound with as much of a noise that it is so many decibels above it."""
    noise = noise[: len(clean)].astype(float)
    noise = noise - clean * (noise @ clean) / max(float(clean @ clean), 1e-12)
    wanted = np.sqrt((clean.astype(float) ** 2).mean() / 10 ** (decibels / 10))
    return (clean + noise * wanted / np.sqrt((noise**2).mean())).astype(np.float32)
