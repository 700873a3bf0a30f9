"""Composed requests (`training.generator`) as examples beside the written ones.

Half of them are planned over our own toolbox, half over the intents themselves as if each were a
tool, so that the reader learns to tell apart all that people want.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from controlllm.planning.wishes import ROLES, RequestText, Slot
from training.examples import Example, Span, WantedWish
from training.generator import (
    WORD_ROLES,
    Generator,
    LabelledClause,
    LabelledRequest,
    read_wordings,
)
from training.intents import ServedIntent, served_intents
from training.toolboxes import OWN

#: The name of the toolbox whose tools are the intents.
INTENTS = "intents"
_OWN_SHARE = 0.6


def intent_tools() -> dict[str, str]:
    """What the reader is told of each intent as a tool; what nothing here can do is no tool."""
    return {
        name: served.told
        for name, served in served_intents().items()
        if served.is_a_wish and served.tools != ()
    }


def composed(seed: int) -> Iterator[Example]:
    """Composed requests without end; the same seed gives the same ones."""
    generator, draw = Generator(read_wordings(), seed), random.Random(seed)
    intents = served_intents()
    while True:
        request = generator.request()
        box = OWN if draw.random() < _OWN_SHARE else INTENTS
        wanted = [intents[clause.intent] for clause in request.clauses]
        if box == INTENTS or all(intent.tools is not None for intent in wanted):
            yield _example(request, wanted, box)


def _example(request: LabelledRequest, wanted: list[ServedIntent], box: str) -> Example:
    kinds = {kind for served in wanted for kind in served.intent.takes} - {"text"}
    named = [name for name in re.findall(r"\b[a-z]+\d\b", request.text) if name[:-1] in kinds]
    slots = _slots(named)
    pairs = [
        (clause, intent)
        for clause, intent in zip(request.clauses, wanted, strict=True)
        if intent.is_a_wish
    ]
    alone = len(pairs) == 1 and not named
    if not named:
        # "The picture", without a name: it came with the request.
        slots = [f"{kind}1" for kind in sorted(kinds)]
    wishes = tuple(_wish(request.text, *pair, slots, box, alone) for pair in pairs)
    shown = RequestText(request.text, tuple(map(Slot, slots)))
    return Example(shown, wishes, box, "composed")


def _slots(named: list[str]) -> list[str]:
    """The files that are spoken of, and those before them that their numbers tell of."""
    most: dict[str, int] = {}
    for name in named:
        most[name[:-1]] = max(most.get(name[:-1], 0), int(name[-1]))
    return [f"{kind}{number}" for kind, count in most.items() for number in range(1, count + 1)]


def _wish(
    text: str, clause: LabelledClause, served: ServedIntent, slots: list[str], box: str, alone: bool
) -> WantedWish:
    spoken = re.findall(r"\b[a-z]+\d\b", text[clause.start : clause.end])
    files = [slots.index(name) for name in dict.fromkeys(spoken) if name in slots]
    takes = sorted(kind for kind in served.intent.takes if kind != "text")
    known = bool(takes) and {slots[place][:-1] for place in files} == set(takes)
    if alone and takes and len(set(takes)) == len(takes):
        files, known = list(range(len(slots))), True
    words: dict[str, tuple[Span, ...] | None] = dict.fromkeys(ROLES)
    if clause.spans is not None:
        for role in WORD_ROLES:
            words[role] = tuple((s.start, s.end) for s in clause.spans if s.role == role)
    name = served.intent.name
    tools = served.tools if box == OWN else (() if served.tools == () else (name,))
    return WantedWish(
        ((clause.start, clause.end),),
        tools or (),
        tuple(files) if known else None,
        () if known else None,
        words,
    )
