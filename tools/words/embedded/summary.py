"""What a text is about, and how well each of its sentences stands for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from controlllm.models.encoder import encode
from tools.shared.function_words import FUNCTION_WORDS

_LEANING = re.compile(
    r"[\"“']?(?:he|she|it|they|him|them|his|her|its|their|this|that|these|those|such|both|"
    r"neither|"
    r"either|the (?:latter|former|other|others|same|second|third|alternative|rest|two)|another|"
    r"others|some of (?:them|these|those)|one of (?:them|these|those)|most of (?:them|these|those)|"
    r"then|there(?! (?:is|are|was|were|will)\b)|otherwise|instead|so|but|and|or|yet|however|"
    r"therefore|thus|hence|as a result|for this reason|on the other hand|do the same|in contrast|"
    r"meanwhile|afterwards|later|also|too|still|again|nevertheless|because of (?:this|that)|"
    r"after (?:this|that)|at the same time|similarly|likewise|for example|for instance|"
    r"in addition)\b",
    re.IGNORECASE,
)
#: "It is said that ..." and "this week" point to nothing before them.
_NOT_LEANING = re.compile(
    r"(?:it (?:is|was|will be|turned out|seems|takes|took) (?:\w+ ){0,3}?(?:that|to|later)\b|"
    r"(?:this|that) (?:week|month|year|morning|afternoon|evening|spring|summer|autumn|winter|time|"
    r"guide|article|report|study|book|paper|text)\b)",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"(?:hi|hello|hey|dear|thanks|thank you|welcome|best|kind|regards|sincerely|cheers|"
    r"alright|all right|okay|good (?:morning|afternoon|evening)|let's (?:get|start|begin))\b"
    r"(?! (?:known|of all))",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:however|therefore|thus|moreover|furthermore|additionally|meanwhile|in addition|indeed|"
    r"for (?:example|instance)|as a result|in fact|of course|overall|in short|to sum up|actually|"
    r"(?:first|second|third|last)(?:ly|,)(?: of all)?|finally|next|now|and|but|so|also|then|"
    r"because|well|um|uh|okay|ok|you know|i mean|by the way|as mentioned(?: above)?),?\s+(?=\w)",
    re.IGNORECASE,
)


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
    return bool(_LEANING.match(sentence)) and not _NOT_LEANING.match(sentence)


def is_greeting(sentence: str) -> bool:
    """Whether a sentence greets, thanks or takes leave, as in a letter."""
    return bool(_GREETING.match(sentence))


def without_opening(sentence: str) -> str:
    """The sentence without a first word that leans on the one before it, with a capital."""
    return capital(_OPENING.sub("", sentence) or sentence)


def capital(sentence: str) -> str:
    """The sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def _telling_words(sentence: str) -> int:
    return sum(word not in FUNCTION_WORDS for word in re.findall(r"[\w']+", sentence.lower()))
