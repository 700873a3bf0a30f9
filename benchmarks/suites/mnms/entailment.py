"""Whether a plan's arguments say what the expected ones say: m&m's accuracy "by entailment".

The authors ask a model of natural language inference. None is here, so this is a check of our own
and no such inference: words are taken to say the same where all the words of the expected text that
mean something are among them, or where the sentence encoder finds both nearly alike. What they read
of earlier nodes has to be the same. Everything but words has to be equal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.suites.answers import REFERENCE, Call, references
from benchmarks.suites.mnms.catalogue import catalogue
from benchmarks.suites.mnms.labels import in_words

#: From which cosine on two texts count as alike. It was set once by reading pairs, not tuned.
ALIKE = 0.85

_SMALL_WORDS = frozenset(
    "a an the this that these those it its of in on at to and or is are was be for with by from "
    "what which who how do does you me i my please".split()
)

#: Gives a unit vector for each text.
Encode = Callable[[Sequence[str]], Any]


def says_the_same(found: str, wanted: str, encode: Encode | None = None) -> bool:
    """Whether a text says at least what another one says; `encode` asks for likeness as well."""
    if in_words(found) == in_words(wanted):
        return True
    if Counter(references(found)) != Counter(references(wanted)):
        return False
    said, needed = _words(found), _words(wanted)
    if needed and needed <= said:
        return True
    if encode is None or not said or not needed:
        return False
    one, other = encode([REFERENCE.sub(" ", found), REFERENCE.sub(" ", wanted)])
    return float(one @ other) >= ALIKE


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", REFERENCE.sub(" ", text).lower())) - _SMALL_WORDS


def plan_is_entailed(
    found: Sequence[Call], wanted: Sequence[Call], encode: Encode | None = None
) -> bool:
    """Whether a plan has the expected tools in order, with arguments of the same names, whose words
    say what is expected and whose other values are equal."""
    if [call.tool for call in found] != [call.tool for call in wanted]:
        return False
    places = [{call.id: place for place, call in enumerate(plan)} for plan in (found, wanted)]
    for one, other in zip(found, wanted, strict=True):
        if set(one.arguments) != set(other.arguments):
            return False
        for name, expected in other.arguments.items():
            texts = [
                in_words(value, place)
                for value, place in zip((one.arguments[name], expected), places, strict=True)
            ]
            if texts[0] == texts[1]:
                continue
            tool = catalogue().get(other.tool)
            slot = tool.argument(name) if tool else None
            if slot is None or slot.kind != "text" or not says_the_same(texts[0], texts[1], encode):
                return False
    return True
