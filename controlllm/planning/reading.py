"""Readings of requests by the trained reader: where clauses are, what they want, which words count.

The reader (``training/``) is an encoder that scores every token of a request three ways: whether a
clause begins there, which role its word plays, and what is wanted around it (paper Sec. 7 trains a
language model for the same purpose). Here those scores become clauses. Files stand in the text that
it reads by kind and number (``image1``), so that no file name is ever taken for a wish.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.planning.wishes import kind_of_name
from controlllm.resources import Resource, TypeLattice

#: What words of a request can be to a tool.
ROLES = ("object", "prompt", "question", "content", "language")
#: The labels of a token: outside every clause, the first of a clause, inside one.
OUTSIDE, BEGIN, INSIDE = range(3)
#: A clause begins where that is more likely than this; less will do where grammar says so too.
_BEGINS, _BEGINS_BY_GRAMMAR = 0.5, 0.15


@dataclass(frozen=True)
class TokenScores:
    """What the reader says of each token of a text.

    `offsets` are the characters of each token, shape (n, 2); `boundary` are probabilities of the
    labels OUTSIDE, BEGIN, INSIDE, shape (n, 3); `roles` are probabilities of no role and then of
    the first and the further words of each of ROLES, shape (n, 1 + 2 * len(ROLES)); `intents` are
    logits, shape (n, number of intents), whose mean over a clause scores the clause.
    """

    offsets: np.ndarray
    boundary: np.ndarray
    roles: np.ndarray
    intents: np.ndarray


Read = Callable[[str], TokenScores]


@dataclass(frozen=True)
class RoleSpan:
    """Characters `start` to `end` of the text play this role, with this probability."""

    start: int
    end: int
    role: str
    certainty: float


@dataclass(frozen=True)
class ReadClause:
    """Characters `start` to `end` of the text ask for one thing.

    `intents` are the probabilities of each intent, shape (number of intents,); `certainty` is how
    sure it is that the clause begins and ends there.
    """

    start: int
    end: int
    intents: np.ndarray
    spans: tuple[RoleSpan, ...]
    certainty: float


@dataclass(frozen=True)
class MaskedText:
    """A text whose file names are replaced, and for each of its characters the place in the
    original; `places` has one entry more than the text, for its end."""

    text: str
    places: tuple[int, ...]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the original that these characters of the text stand for."""
        return self.places[start], self.places[end]


def masked(text: str, resources: Sequence[Resource], lattice: TypeLattice) -> MaskedText:
    """A request as the reader was trained on it: ``image1`` for the first picture's name."""
    kinds = {resource.value.lower(): resource.type for resource in resources}
    names = sorted(kinds, key=len, reverse=True)
    pattern = "|".join([*map(re.escape, names), r"[\w\-]+\.[A-Za-z][A-Za-z0-9]{1,4}\b"])
    numbers: dict[str, str] = {}
    counts: dict[str, int] = {}
    letters: list[str] = []
    places: list[int] = []
    position = 0
    for found in re.finditer(rf"(?<![\w.])(?:{pattern})", text, re.IGNORECASE):
        name = found.group().lower()
        kind = kinds.get(name) or kind_of_name(name)
        if not kind:
            continue
        if name not in numbers:
            kind = _spoken_kind(kind, lattice)
            counts[kind] = counts.get(kind, 0) + 1
            numbers[name] = f"{kind}{counts[kind]}"
        letters.extend(text[position : found.start()])
        places.extend(range(position, found.start()))
        letters.extend(numbers[name])
        places.extend([found.start()] * len(numbers[name]))
        position = found.end()
    letters.extend(text[position:])
    places.extend(range(position, len(text) + 1))
    return MaskedText("".join(letters), tuple(places))


def _spoken_kind(type_name: str, lattice: TypeLattice) -> str:
    """The word for a type; kinds of text and unusual types are all the same to the reader."""
    if type_name in lattice and lattice.is_a(type_name, "text"):
        return "text"
    return type_name


def clauses_of(
    scores: TokenScores, text: str, likely: frozenset[int] = frozenset()
) -> tuple[ReadClause, ...]:
    """The clauses of a text from its token scores, in order; none where nothing is asked.

    `likely` are the characters where grammar lets a clause begin. Clauses, and the words that count
    in them, never cut a word, which may be several tokens.
    """
    begins = [
        place
        for place, (start, _) in enumerate(scores.offsets)
        if scores.boundary[place, BEGIN] > (_BEGINS_BY_GRAMMAR if int(start) in likely else _BEGINS)
        and not (start and text[start - 1].isalnum())
    ]
    if not begins and len(scores.offsets):
        asked = np.flatnonzero(scores.boundary[:, OUTSIDE] < 0.5)
        begins = [int(asked[0])] if len(asked) else []
    found = []
    for number, begin in enumerate(begins):
        limit = begins[number + 1] if number + 1 < len(begins) else len(scores.offsets)
        inside = [
            place
            for place in range(begin, limit)
            if place == begin or scores.boundary[place, OUTSIDE] < 0.5
        ]
        end = inside[-1] + 1
        logits = scores.intents[inside].mean(0)
        weights = np.exp(logits - logits.max())
        found.append(
            ReadClause(
                int(scores.offsets[begin, 0]),
                word_end(text, int(scores.offsets[end - 1, 1])),
                weights / weights.sum(),
                _spans(scores, begin, end, text),
                max(float(scores.boundary[begin, BEGIN]), _BEGINS),
            )
        )
    return tuple(found)


def word_start(text: str, place: int) -> int:
    """Where the word begins that goes on at a place."""
    while place and text[place].isalnum() and text[place - 1].isalnum():
        place -= 1
    return place


def word_end(text: str, place: int) -> int:
    """Where the word ends that goes on at a place."""
    while 0 < place < len(text) and text[place].isalnum() and text[place - 1].isalnum():
        place += 1
    return place


def _spans(scores: TokenScores, begin: int, end: int, text: str) -> tuple[RoleSpan, ...]:
    """Runs of tokens with the same role."""
    best = scores.roles[begin:end].argmax(1)
    found: list[RoleSpan] = []
    start = role = 0
    for place in range(begin, end + 1):
        label = int(best[place - begin]) if place < end else 0
        now, first = (label + 1) // 2, label % 2 == 1
        if place < end and first and text[: scores.offsets[place, 0]][-1:].isalnum():
            first = False  # a word goes on
        if role and (now != role or first):
            certainty = scores.roles[start:place, [2 * role - 1, 2 * role]].sum(1).mean()
            found.append(
                RoleSpan(
                    word_start(text, int(scores.offsets[start, 0])),
                    word_end(text, int(scores.offsets[place - 1, 1])),
                    ROLES[role - 1],
                    float(certainty),
                )
            )
            role = 0
        if now and not role:
            start, role = place, now
    return tuple(found)
