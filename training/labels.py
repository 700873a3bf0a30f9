"""What training wants a reader to say of each token of a composed request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import tokenizers

from controlllm.planning.reading import BEGIN, INSIDE, OUTSIDE, ROLES
from training.generator import LabelledRequest

#: A label that no loss is counted for.
UNKNOWN = -100


@dataclass(frozen=True)
class LabelledTokens:
    """A request as token ids with a label for each token; `clause` is the clause's place or -1."""

    ids: list[int]
    boundary: list[int]
    roles: list[int]
    clause: list[int]
    intents: list[int]


def label(
    request: LabelledRequest, tokenizer: tokenizers.Tokenizer, intents: Sequence[str]
) -> LabelledTokens:
    """The labels of a request's tokens, the two special ones at its ends left out of every loss."""
    encoding = tokenizer.encode(request.text)
    boundary, roles, clause = [], [], []
    for start, end in encoding.offsets:
        if start == end:
            boundary.append(UNKNOWN)
            roles.append(UNKNOWN)
            clause.append(-1)
            continue
        place = next(
            (
                index
                for index, item in enumerate(request.clauses)
                if start < item.end and end > item.start
            ),
            -1,
        )
        begun = place in clause
        clause.append(place)
        boundary.append(OUTSIDE if place < 0 else INSIDE if begun else BEGIN)
        roles.append(_role(request, place, start, end))
    return LabelledTokens(
        encoding.ids, boundary, roles, clause, [intents.index(c.intent) for c in request.clauses]
    )


def _role(request: LabelledRequest, place: int, start: int, end: int) -> int:
    if place < 0:
        return 0
    spans = request.clauses[place].spans
    if spans is None:
        return UNKNOWN
    for span in spans:
        if start < span.end and end > span.start:
            return 1 + 2 * ROLES.index(span.role) + (0 if start <= span.start else 1)
    return 0
