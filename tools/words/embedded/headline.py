"""A headline for a text: its most telling clause, cut short, or its topics."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from controlllm.models.encoder import encode

from ...shared.function_words import FUNCTION_WORDS
from ...shared.tables import patterns_beside
from .key_phrases import key_phrases
from .summary import is_greeting, scores_of, topic, without_opening
from .text_edits import title_case

_MOST_WORDS = 10
_LEAST_WORDS = 3
_PATTERNS = patterns_beside(__file__)
_BAD_END = FUNCTION_WORDS | {"said", "says", "came", "went", "took", "made", "got"}
_HEADING_WORDS = 6
_DANGLING = frozenset(["which", "who", "whose", "that", "what"])


def headline(sentences: Sequence[str], vectors: np.ndarray) -> str:
    """A title of at most ten words, in title case, "" where there are no words."""
    telling = [place for place, one in enumerate(sentences) if not is_greeting(one)]
    if telling:
        sentences, vectors = [sentences[place] for place in telling], vectors[telling]
    about = topic(sentences, vectors)
    scores = scores_of(sentences, vectors)
    candidates: dict[str, float] = {}
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place])[:6]:
        for clause in _clauses(sentences[place]):
            candidates.setdefault(clause, 0.25 * max(float(scores[place]), 0))
    # The first sentence often says it all, and a short one may be a heading already.
    for clause in _clauses(sentences[0]):
        heading = len(sentences[0].split()) <= _HEADING_WORDS
        candidates[clause] = candidates.get(clause, 0.2) + (0.35 if heading else 0.15)
    text = " ".join(sentences)
    for match in _PATTERNS["how_to"].finditer(text):
        candidates[match[0]] = 0.5
    phrases = key_phrases(text, about, 3, diversity=0.3)
    if len(phrases) > 1:
        candidates.setdefault(f"{phrases[0]} and {phrases[1]}", -0.12)
    if not candidates:
        candidates = {phrase: 0.0 for phrase in phrases}
    if not candidates:
        return title_case(" ".join(text.split()[:_MOST_WORDS]).strip(" .,;:!?"))
    names = list(candidates)
    nearness = encode(names) @ about
    values = [
        0.7 * near
        + candidates[name]
        - 0.012 * abs(len(name.split()) - 7)
        - 0.2 * bool(_PATTERNS["unclear"].match(name))
        for name, near in zip(names, nearness, strict=True)
    ]
    return title_case(names[int(np.argmax(values))])


def _clauses(sentence: str) -> list[str]:
    """Shorter and shorter forms of a sentence that still stand by themselves."""
    sentence = without_opening(sentence.strip().rstrip(".!?…\"'”’"))
    form = _PATTERNS["time_opening"].sub("", _PATTERNS["aside"].sub("", sentence))
    found: list[str] = []
    for cut in (len(form), *(match.start() for match in _PATTERNS["cuts"].finditer(form))):
        clause = form[:cut]
        ends = [cut, *(match.start() for match in _PATTERNS["later_cuts"].finditer(clause))]
        for end in sorted(ends, reverse=True):
            short = _without_articles(clause[:end])
            words = short.split()
            broken = end < len(form) and re.search(r"\s(?:and|or)(?:\s\S+){1,2}$", short)
            whole = short == sentence and len(words) > 1
            if len(words) <= _MOST_WORDS and (whole or (_is_whole(words) and not broken)):
                found.append(short)
                break
    return list(dict.fromkeys(found))


def _is_whole(words: list[str]) -> bool:
    small = [word.lower().strip(",") for word in words]
    if small[-1] in _BAD_END or set(small[1:]) & _DANGLING or ", but " in " ".join(words):
        return False
    return len(words) >= _LEAST_WORDS and sum(word not in FUNCTION_WORDS for word in small) >= 2


def _without_articles(clause: str) -> str:
    clause = re.sub(r"\([^)]*\)|[\"“”]", "", clause)
    clause = re.sub(r"^(?:the|an?)\s+", "", clause.strip(" ,;:-"), flags=re.IGNORECASE)
    clause = re.sub(r"\band (?:an?|the)\s", "and ", clause)
    return " ".join(clause.split())
