"""What a text is about, and how well each of its sentences stands for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from controlllm.models.encoder import encode

from ...shared.function_words import FUNCTION_WORDS
from ...shared.tables import patterns_beside

_PATTERNS = patterns_beside(__file__)


def vectors_of(
    sentences: Sequence[str], said: Callable[[float], None] = lambda fraction: None
) -> np.ndarray:
    """The sentences' vectors, shape (n, 384); `said` hears how far it is."""
    step = 16
    parts = []
    for start in range(0, len(sentences), step):
        said(start / len(sentences))
        parts.append(encode(sentences[start : start + step]))
    return np.concatenate(parts) if parts else encode([])


def topic(sentences: Sequence[str], vectors: np.ndarray) -> np.ndarray:
    """The vector of what a text is about: its telling sentences' mean, of length 1."""
    weights = np.array([min(_telling_words(sentence), 12) + 0.1 for sentence in sentences])
    mean = weights @ vectors
    return mean / max(float(np.linalg.norm(mean)), 1e-9)


def scores_of(sentences: Sequence[str], vectors: np.ndarray) -> np.ndarray:
    """How well each sentence stands for the text: near its topic, and early."""
    count = len(sentences)
    about = topic(sentences, vectors)
    scores = vectors @ about
    if count > 3:
        similar = np.clip(vectors @ vectors.T, 0, None)
        np.fill_diagonal(similar, 0)
        scores = 0.6 * scores + 0.4 * similar.sum(1) / max(float(similar.sum(1).max()), 1e-9)
    return scores + [0.2, *(0.05 * (1 - place / count) for place in range(1, count))]


def leans(sentence: str) -> bool:
    """Whether a sentence begins with what points to the one before it: "They", "As a result"."""
    stands_alone = _PATTERNS["not_leaning"].match(sentence)
    return not stands_alone and bool(_PATTERNS["leaning"].match(sentence))


def is_greeting(sentence: str) -> bool:
    """Whether a sentence greets, thanks or takes leave, as in a letter."""
    return bool(_PATTERNS["greeting"].match(sentence))


def without_opening(sentence: str) -> str:
    """The sentence without a first word that leans on the one before it, with a capital."""
    return capital(_PATTERNS["opening"].sub("", sentence) or sentence)


def capital(sentence: str) -> str:
    """The sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def _telling_words(sentence: str) -> int:
    return sum(word not in FUNCTION_WORDS for word in re.findall(r"[\w']+", sentence.lower()))
