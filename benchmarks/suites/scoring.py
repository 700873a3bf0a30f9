"""Scores that benchmarks share, over plain labels and texts; all are shares, 0..1.

What counts is said by each suite: these functions know no tool and no plan.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

Labels = Iterable[Hashable]


@dataclass(frozen=True)
class Rates:
    """Precision, recall and their harmonic mean; 0 where there is nothing to divide by."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, both: int, predicted: int, wanted: int) -> Rates:
        """From how many labels are right, how many there are, and how many there should be."""
        precision = both / predicted if predicted else 0.0
        recall = both / wanted if wanted else 0.0
        return cls(precision, recall, 2 * both / (predicted + wanted) if both else 0.0)


def set_rates(samples: Iterable[tuple[Labels, Labels]]) -> Rates:
    """Rates over (wanted, predicted) label sets of all samples together: a label counts once a
    sample, however often it is there (binary F1 over set unions in both benchmarks)."""
    return bag_rates((set(wanted), set(predicted)) for wanted, predicted in samples)


def bag_rates(samples: Iterable[tuple[Labels, Labels]]) -> Rates:
    """The same over multisets: what is there twice has to be predicted twice."""
    both = had = needed = 0
    for wanted, predicted in samples:
        right, found = Counter(wanted), Counter(predicted)
        both += (right & found).total()
        had += found.total()
        needed += right.total()
    return Rates.of(both, had, needed)


def macro_f1(
    samples: Sequence[tuple[Sequence[Hashable], Sequence[Hashable]]], kinds: Iterable[Hashable]
) -> float:
    """The mean over `kinds` of each kind's F1 as a label of its own; 0 for one that is nowhere.

    Labels that are no kind count for nothing, as the benchmarks' own code has it.
    """
    found = [
        set_rates(
            ({kind} & set(wanted), {kind} & set(predicted)) for wanted, predicted in samples
        ).f1
        for kind in kinds
    ]
    return sum(found) / len(found) if found else 0.0


def common_length(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for item in one:
        before = 0
        for place, opposite in enumerate(other, 1):
            kept = row[place]
            row[place] = before + 1 if item == opposite else max(row[place], row[place - 1])
            before = kept
    return row[-1]


def edit_ratio(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """How alike two sequences are when only insertions and deletions count; 1 for two empty ones.

    This is what the usual libraries call Levenshtein ratio.
    """
    total = len(one) + len(other)
    return 2 * common_length(one, other) / total if total else 1.0


def rouge(wanted: str, found: str) -> dict[str, float]:
    """ROUGE-1, -2 and -L as F1 over words and figures in lower case, without stemming."""
    one, other = (re.findall(r"[a-z0-9]+", text.lower()) for text in (wanted, found))
    scores = {}
    for size in (1, 2):
        grams = [Counter(_grams(words, size)) for words in (one, other)]
        scores[f"rouge-{size}"] = Rates.of(
            (grams[0] & grams[1]).total(), grams[1].total(), grams[0].total()
        ).f1
    scores["rouge-l"] = Rates.of(common_length(one, other), len(other), len(one)).f1
    return scores


def bleu(
    wanted: Sequence[str],
    found: Sequence[str],
    most: int = 4,
    weight: dict[str, float] | None = None,
    smooth: bool = False,
) -> float:
    """BLEU of one sentence against one reference, over grams of up to `most` words.

    A candidate of n < `most` words is judged by its grams of up to n. Without `smooth` it is 0 as
    soon as no gram of one size is right; with it, grams of two words and more count one more right
    and one more there (Lin and Och 2004). `weight` says how much a word counts among single words,
    1 for those that it does not have.
    """
    sizes = min(most, len(found))
    if not sizes:
        return 0.0
    total = 0.0
    for size in range(1, sizes + 1):
        had, want = Counter(_grams(found, size)), Counter(_grams(wanted, size))
        right = had & want
        if size == 1 and weight is not None:
            share = _weighted(right, weight) / _weighted(had, weight)
        else:
            extra = int(smooth and size > 1)
            share = (right.total() + extra) / (had.total() + extra)
        if share == 0.0:
            return 0.0
        total += math.log(share) / sizes
    short = 1.0 if len(found) >= len(wanted) else math.exp(1 - len(wanted) / len(found))
    return short * math.exp(total)


def _weighted(grams: Counter[tuple[str, ...]], weight: dict[str, float]) -> float:
    return sum(weight.get(gram[0], 1.0) * count for gram, count in grams.items())


def _grams(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + size]) for start in range(len(words) - size + 1)]


def mean(values: Iterable[float]) -> float:
    """The mean, 0 of nothing."""
    found = list(values)
    return sum(found) / len(found) if found else 0.0
