"""The phrases that say what a text is about.

Stretches of up to three telling words, ranked by how near their meaning is to the whole text's
(Bennani-Smires et al. 2018, EmbedRank), how often and how early they come; each next one is chosen
to differ from those before it (Carbonell and Goldstein 1998, maximal marginal relevance).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from controlllm.models.encoder import encode

from ...shared.function_words import COMMON_WORDS, FUNCTION_WORDS, VERB_STEMS, stem
from ...shared.tables import patterns_beside

_WORD = re.compile(r"[^\W\d_][\w'’-]*\w|[^\W\d_]|\d[\d.,]*\w*")
_MOST_CANDIDATES = 160
_PATTERNS = patterns_beside(__file__)


def key_phrases(text: str, about: np.ndarray, most: int, diversity: float = 0.4) -> list[str]:
    """The best phrases of a text as it writes them, best first.

    `about` is the vector of the whole text; `diversity` from 0 to 1 says how much a phrase must
    differ from those before it.
    """
    found = _candidates(text)
    if not found:
        return []
    names = list(found)
    vectors = encode(names)
    likeness = vectors @ vectors.T
    scores = vectors @ about + [_worth(name, phrase) for name, phrase in found.items()]
    chosen: list[int] = []
    left = list(range(len(names)))
    while left and len(chosen) < most:
        alike = likeness[:, chosen].max(1) if chosen else np.zeros(len(names))
        values = (1 - diversity) * scores - diversity * alike
        best = max(left, key=lambda number: values[number])
        chosen.append(best)
        left = [number for number in left if not _same(names[number], names[best])]
    return [found[names[number]].written for number in chosen]


@dataclass
class _Candidate:
    written: str
    count: int
    place: float
    proper: bool


def _worth(name: str, phrase: _Candidate) -> float:
    """What counts beside its meaning: being said often, early, as a name, in several words."""
    often = 0.12 * math.log2(phrase.count) + 0.06 * (" " in name)
    return often + 0.08 * phrase.proper - 0.12 * phrase.place


def _candidates(text: str) -> dict[str, _Candidate]:
    tokens = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    verbs = _verbs([word.lower() for word, _, _ in tokens])
    runs: list[list[tuple[str, int]]] = [[]]
    followed_by: dict[int, str] = {}
    for number, (word, start, _) in enumerate(tokens):
        between = text[tokens[number - 1][2] : start] if number else ""
        if between.strip():
            runs.append([])
        elif number:
            followed_by[tokens[number - 1][1]] = word.lower()
        if _is_telling(word, verbs):
            runs[-1].append((word, start))
        else:
            runs.append([])
    names = _names(text, tokens)
    found: dict[str, _Candidate] = {}
    for run in runs:
        for size in (1, 2, 3):
            for first in range(len(run) - size + 1):
                part = run[first : first + size]
                after = followed_by.get(part[-1][1], "")
                if not _is_poor(part, verbs, after):
                    _count(found, part, len(text), names)
    # A word that only ever comes inside one longer phrase is not a phrase of its own.
    inner = {
        name
        for name, item in found.items()
        for other, longer in found.items()
        if longer.count >= item.count and other != name and f" {name} " in f" {other} "
    }
    ranked = sorted(found.keys() - inner, key=lambda name: (-found[name].count, found[name].place))
    return {name: found[name] for name in ranked[:_MOST_CANDIDATES]}


def _verbs(words: list[str]) -> set[str]:
    """Words that this text uses as verbs: they follow "to", "will", "she" and the like."""
    pairs = list(zip(words, words[1:], strict=False))
    found = {after for before, after in pairs if _PATTERNS["before_verbs"].fullmatch(before)}
    nouns = {after for before, after in pairs if _PATTERNS["before_nouns"].fullmatch(before)}
    return found - nouns


def _is_telling(word: str, verbs: set[str]) -> bool:
    small = word.lower().replace("’", "'")
    if small in FUNCTION_WORDS or small in COMMON_WORDS or small[0].isdigit():
        return False
    if word[0].islower() and (small.endswith("ly") and len(small) > 5 or small in verbs):
        return False
    if word.islower() and stem(word) in VERB_STEMS:
        return False
    return len(small) > 2 or word.isupper()


def _names(text: str, tokens: list[tuple[str, int, int]]) -> set[str]:
    """Words with a capital that they do not owe to the beginning of a sentence."""
    return {
        word
        for word, start, _ in tokens
        if word[0].isupper()
        and (word.isupper() or re.search(r"[\w,;)]\s+[\"'“‘(]?$", text[max(start - 4, 0) : start]))
    }


def _is_poor(part: list[tuple[str, int]], verbs: set[str], after: str) -> bool:
    words = [word for word, _ in part]
    if len(words) > 1 and words[-1][0].islower() and _PATTERNS["after_verbs"].fullmatch(after):
        return True
    past = any(re.fullmatch(r"[a-z]\S{2,}ed", word) for word in words[1:] or words)
    return past or len({word.lower() for word in words}) < len(words)


def _count(
    found: dict[str, _Candidate],
    part: list[tuple[str, int]],
    length: int,
    names: set[str],
) -> None:
    words = [re.sub(r"['’]s$", "", word) for word, _ in part]
    proper = [word in names for word, _ in part]
    # A name at the beginning of a sentence takes its capital from the name that follows.
    if any(proper[1:]) and words[0][0].isupper():
        proper[0] = True
    written = " ".join(
        word if kept else word.lower() for word, kept in zip(words, proper, strict=True)
    )
    name = " ".join(word.lower() for word in words)
    key = next((other for other in (name, _other_number(name)) if other in found), name)
    if key in found:
        found[key].count += 1
    else:
        found[key] = _Candidate(written, 1, part[0][1] / max(length, 1), any(proper))


def _other_number(name: str) -> str:
    return name[:-1] if name.endswith("s") else f"{name}s"


def _same(name: str, other: str) -> bool:
    """Whether one phrase holds the other, or they share half of their words."""
    mine = {stem(word) for word in name.split()}
    theirs = {stem(word) for word in other.split()}
    return len(mine & theirs) >= max(1, min(len(mine), len(theirs)) / 2)
