"""A text cut down to its most telling sentences, each understandable where it stands.

A sentence is ranked by how central its meaning is among the others (Erkan and Radev 2004, LexRank),
where it stands and what it holds; each next one is to differ from those chosen (Carbonell and
Goldstein 1998). One that leans on the sentence before it comes with that sentence or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from ...shared.tables import patterns_beside
from .summary import (
    capital,
    leans,
    topic,
    vectors_of,
    without_opening,
)
from .written_lines import Said, said_sentences

_SHARE = 0.3
#: Minutes and lists say more in each sentence, and leave out less.
_LISTED_SHARE = 0.4
_LISTED_SECTIONS = 3
_QUARTERS = 4
#: Of a text of more words than this, less is kept of what is over.
_FULL_SHARE_WORDS = 400
_LATER_SHARE = 0.1
_OVER = 1.18
_ENOUGH = 0.93
_ALIKE = 0.35
#: What a sentence gains where nothing of its part of the text has been chosen yet.
_NEW_PART = 0.2
_LEAST_WORDS = 4
#: Of a very long text only so many sentences, the best by themselves, are chosen from.
_MOST_CANDIDATES = 500
_PATTERNS = patterns_beside(__file__)


def condensed(
    text: str, heard: Callable[[float], None] = lambda fraction: None, length: str = ""
) -> str:
    """A summary of a text in the text's own words; `heard` is told how far it is. `length` is the
    most that it may have, such as ``"3 sentences"`` or ``"100 words"``; else the text decides."""
    every = said_sentences(text)
    said = [one for one in every if not one.polite] or every
    if not said:
        return ""
    shorter = [_shortened(one.sentence) for one in said]
    lengths = np.array([len(sentence.split()) for sentence in shorter])
    vectors = vectors_of([one.sentence for one in said], heard)
    scores = _scores(said, vectors)
    room = _room(int(lengths.sum()), listed=len({one.section for one in said}) >= _LISTED_SECTIONS)
    most, _, unit = length.partition(" ")
    if most:
        room = int(most) / _OVER if unit == "words" else float("inf")
    count = int(most) if unit == "sentences" else len(said)
    chosen = _chosen(said, scores, vectors, lengths, room, count)
    return _written(said, shorter, chosen)


def _parts(said: Sequence[Said]) -> list[int]:
    """The part that each sentence is in: a list's or a message, else a quarter of the text."""
    sections = [one.section for one in said]
    if len(set(sections)) > 1:
        return sections
    return [place * _QUARTERS // len(said) for place in range(len(said))]


def _room(words: int, listed: bool) -> float:
    full = min(words, _FULL_SHARE_WORDS)
    return (_LISTED_SHARE if listed else _SHARE) * full + _LATER_SHARE * (words - full)


def _scores(said: Sequence[Said], vectors: np.ndarray) -> np.ndarray:
    sentences = [one.sentence for one in said]
    count = len(said)
    near = vectors @ topic(sentences, vectors)
    similar = np.clip(vectors @ vectors.T, 0, None)
    np.fill_diagonal(similar, 0)
    central = similar.sum(1)
    scores = 0.5 * near + 0.4 * central / max(float(central.max()), 1e-9)
    for place, one in enumerate(said):
        sentence = one.sentence
        scores[place] += 0.35 if place == 0 else 0.1 * (1 - place / count)
        scores[place] += 0.05 * one.opens
        scores[place] += min(0.05 * len(re.findall(r"\d[\d.,:]*", sentence)), 0.12)
        scores[place] += min(0.03 * len(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+", sentence)), 0.09)
        scores[place] += min(0.09 * len(_PATTERNS["weighty"].findall(sentence)), 0.18)
        scores[place] -= 0.15 * bool(_PATTERNS["light"].search(sentence))
        scores[place] -= 0.25 * sentence.endswith("?")
        scores[place] -= 0.06 * bool(_PATTERNS["pointing"].search(sentence))
    return scores


def _chosen(
    said: Sequence[Said],
    scores: np.ndarray,
    vectors: np.ndarray,
    lengths: np.ndarray,
    room: float,
    count: int,
) -> list[int]:
    parts = _parts(said)
    best_first = np.argsort(-scores, kind="stable")[:_MOST_CANDIDATES]
    places = sorted(best_first.tolist())
    groups = [_with_what_it_leans_on(said, place) for place in places]
    groups = [one for one in groups if len(one) <= count] or [{place} for place in places]
    # How like each sentence is to the nearest of those chosen.
    alike = np.zeros(len(said))
    chosen: set[int] = set()
    used = 0.0
    heard: set[int] = set()
    while len(chosen) < len(said):
        best: tuple[float, set[int]] | None = None
        for group in groups:
            more = group - chosen
            words = float(sum(lengths[place] for place in more))
            too_much = len(chosen | more) > count or (chosen and used + words > room * _OVER)
            if not more or too_much:
                continue
            value = 0.0
            for place in more:
                new = _NEW_PART * (parts[place] not in heard)
                value += float(scores[place]) - _ALIKE * float(alike[place]) + new
            value /= len(more)
            if best is None or value > best[0]:
                best = value, more
        if best is None or (chosen and used >= room * _ENOUGH):
            break
        chosen |= best[1]
        nearest = (vectors @ vectors[sorted(best[1])].T).max(axis=1)
        alike = np.maximum(alike, np.clip(nearest, 0, 1))
        used += float(sum(lengths[place] for place in best[1]))
        heard |= {parts[place] for place in best[1]}
    return sorted(chosen)


def _with_what_it_leans_on(said: Sequence[Said], place: int) -> set[int]:
    group = {place}
    while place and said[place].section == said[place - 1].section:
        if not leans(without_opening(said[place].sentence)):
            break
        place -= 1
        group.add(place)
    return group


def _shortened(sentence: str) -> str:
    short = _PATTERNS["brackets"].sub("", sentence)
    return short if len(short.split()) >= _LEAST_WORDS else sentence


def _written(said: Sequence[Said], shorter: Sequence[str], chosen: Sequence[int]) -> str:
    speakers = {one.speaker for one in said if one.speaker}
    written: list[str] = []
    before = ""
    for place in chosen:
        sentence = shorter[place]
        if place - 1 not in chosen:
            sentence = without_opening(sentence)
        sentence = _ended(capital(sentence))
        speaker = said[place].speaker
        if len(speakers) > 1 and speaker and speaker != before:
            sentence = f"{speaker}: {sentence}"
        before = speaker
        written.append(sentence)
    return " ".join(written)


def _ended(sentence: str) -> str:
    return sentence if re.search(r"[.!?…][\"'”’)\]]*$", sentence) else f"{sentence.rstrip(',;:')}."
