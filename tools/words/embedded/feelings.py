"""The feeling of a text: its clauses judged apart, then weighed against each other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...shared.tables import patterns_beside
from .feeling_model import clause_feelings
from .feeling_phrases import (
    says_indifferent,
    says_mixed,
    turn_of_phrase,
)
from .feeling_words import word_feelings

_PATTERNS = patterns_beside(__file__)
#: From here on a clause is felt to lean to one side.
_FELT = 0.25
_CLEAR = 0.4


@dataclass(frozen=True)
class SentenceFeeling:
    """How good and how bad a sentence is, each from 0 to 1, and the two weighed, -1 to 1."""

    score: float
    good: float
    bad: float


def sentence_feelings(sentences: Sequence[str]) -> list[SentenceFeeling]:
    """The feeling of each sentence."""
    return [_of_sentence(sentence) for sentence in sentences]


def text_feeling(each: Sequence[SentenceFeeling]) -> tuple[float, bool]:
    """The feeling of a whole text, from -1 to 1, and whether it has two sides."""
    felt = [one for one in each if one.good or one.bad]
    if not felt:
        return 0.0, False
    good, bad = sum(one.good for one in felt), sum(one.bad for one in felt)
    score = sum(one.score for one in felt) / len(felt)
    least = min(good, bad)
    sides = max(one.good for one in felt) >= _CLEAR and max(one.bad for one in felt) >= _CLEAR
    return score, sides and least / (good + bad) >= 0.28


def _of_sentence(sentence: str) -> SentenceFeeling:
    if says_mixed(sentence):
        return SentenceFeeling(0.0, 0.5, 0.5)
    if says_indifferent(sentence):
        return SentenceFeeling(0.0, 0.0, 0.0)
    if _is_ironic(sentence):
        return SentenceFeeling(-0.6, 0.0, 0.6)
    clauses = _PATTERNS["contrast"].split(sentence)
    parts = [part for part in clauses if re.search(r"\w", part)] or [sentence]
    scores = [_of_clause(part) for part in parts]
    if len(parts) == 1:
        return _beside(sentence, scores[0])
    for place, part in enumerate(parts[:-1]):
        if _PATTERNS["only_expected"].search(part) and abs(scores[place + 1]) >= _FELT:
            scores[place] = scores[place + 1] / 2
    good, bad = max(0.0, *scores), -min(0.0, *scores)
    if good >= _FELT and bad >= _FELT:
        # What follows a "but" counts more than what it takes back.
        weights = [*[0.7] * (len(scores) - 1), 1.0]
        total = float(np.average(scores, weights=weights))
        return SentenceFeeling(total, max(good, _CLEAR), max(bad, _CLEAR))
    return _one_sided(max(scores, key=abs))


def _beside(sentence: str, whole: float) -> SentenceFeeling:
    """A sentence without a "but" has two sides only where its clauses are clear by themselves."""
    clauses = [part for part in _PATTERNS["beside"].split(sentence) if re.search(r"\w\W+\w", part)]
    if len(clauses) < 2 or turn_of_phrase(sentence) is not None:
        return _one_sided(whole)
    clear = [_of_clause(one) if word_feelings(one).balance else 0.0 for one in clauses]
    good, bad = max(0.0, *clear), -min(0.0, *clear)
    if good >= _CLEAR and bad >= _CLEAR:
        return SentenceFeeling(sum(clear) / len(clear), good, bad)
    strongest = max(clear, key=abs)
    # A list of praise is praise, whatever the whole of it looks like.
    if min(good, bad) < _FELT and abs(strongest) >= _CLEAR and strongest * whole <= 0:
        return _one_sided(strongest)
    return _one_sided(whole)


def _one_sided(score: float) -> SentenceFeeling:
    if abs(score) < _FELT:
        return SentenceFeeling(0.0, 0.0, 0.0)
    return SentenceFeeling(score, max(score, 0.0), max(-score, 0.0))


def _is_ironic(sentence: str) -> bool:
    """Whether a cheer meets trouble: "Oh great, another delay."."""
    cheer = _PATTERNS["cheering"].match(sentence)
    return cheer is not None and _of_clause(sentence[cheer.end() :]) <= -_FELT


def _of_clause(clause: str) -> float:
    """From -1 to 1, 0 where a clause states or asks something without a feeling."""
    turn = turn_of_phrase(clause)
    if turn is not None:
        return turn
    said = word_feelings(clause)
    judged = clause_feelings([clause])[0].score
    if not said.good and not said.bad:
        # Without a word of feeling the network must be sure.
        return judged if abs(judged) >= _CLEAR else 0.0
    # Under a "not" the network often follows the word; the count of words does not.
    trust = 0.45 if said.turned else 0.65
    score = trust * judged + (1 - trust) * said.balance * 1.3
    if said.good and said.bad:
        score = 0.8 * judged + 0.2 * said.balance
    return max(min(score, 1.0), -1.0)
