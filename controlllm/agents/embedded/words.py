"""The words of a part of a request, and what was found before, as what arguments are taken from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controlllm.agents.embedded.facts import Fact
from controlllm.agents.embedded.relevance import plain
from controlllm.agents.embedded.wants import IDS
from controlllm.core.plans import TypedValue
from controlllm.planning.said_values import Mention

Span = tuple[int, int]


@dataclass(frozen=True)
class Known:
    """What a result of before says: its facts, the call that it came from, the name of the resource
    that it is, if any, and the part of the request that it was found for."""

    facts: tuple[Fact, ...]
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    resource: str = ""
    purpose: str = ""
    step: int = 0


#: The kinds of values that name what a request is about.
_NAMING = ("name", "quoted", "code")
#: Words that point back, with the kinds of values that they point at.
_POINTERS = (
    (r"\bthere\b|\bthat (?:city|town|place|country)\b", ("name", "country")),
    (r"\bthat (?:day|date)\b|\bthen\b|\bsame (?:day|date)\b|\bthat evening\b", ("date",)),
)


@dataclass(frozen=True)
class Words:
    """The words of a part of a request: `part` itself, the whole `text`, the values in it by where
    they stand, and the words with their roles that a reader heard in the part. `begin` and `end`
    are where the part stands in the text."""

    part: str
    text: str
    mentions: tuple[Mention, ...]
    heard: tuple[TypedValue, ...] = ()
    begin: int = 0
    end: int = 0

    def holds(self, mention: Mention) -> bool:
        """Whether a part speaks of a value: says it, or points back at it ("there", "that day")."""
        return mention in self.pointed or (self.begin <= mention.start and mention.end <= self.end)

    @property
    def pointed(self) -> tuple[Mention, ...]:
        """The values of before that a part points at: the last of the kind that is meant."""
        found = []
        for pattern, kinds in _POINTERS:
            if not self._has_own(kinds) and re.search(pattern, self.part, re.IGNORECASE):
                before = [m for m in self.mentions if m.kind in kinds and m.end <= self.begin]
                found += before[-1:]
        return tuple(found)

    @property
    def around(self) -> tuple[Mention, ...]:
        """What a part that names nothing itself is about: all that the request names before it."""
        if self._has_own(_NAMING):
            return ()
        return tuple(m for m in self.mentions if m.kind in _NAMING and m.end <= self.begin)

    def _has_own(self, kinds: Sequence[str]) -> bool:
        return any(m.kind in kinds and self.begin <= m.start < self.end for m in self.mentions)


@dataclass(frozen=True)
class Choice:
    """A value that an argument may get, and what it costs to take it; `span` are the characters of
    the request that say it, `reads` those that it was found by; `thing` is the
    identifier of the entity that it is, if any.
    """

    value: Any
    cost: float
    span: Span = (-1, -1)
    reads: tuple[Span, ...] = ()
    thing: str = ""

    @property
    def same(self) -> str:
        """Equal for values that are the same thing."""
        return self.thing or plain(self.value)


def identifies(value: Any, facts: Sequence[Fact]) -> bool:
    """Whether a value came out of facts as an identifier."""
    return any(fact.value == value and set(fact.words.split()[-1:]) & IDS for fact in facts)


def identifier(facts: Sequence[Fact]) -> str:
    return next((str(fact.value) for fact in facts if fact.words.split()[-1:] == ["id"]), "")


def away_from(item: Known, words: Words) -> float:
    """What it costs to take something out of a result of before: nothing where it was found for
    this part of the request, next to nothing where the part names something that it speaks of."""
    if item.purpose == words.part:
        return 0.0
    part = words.part.lower()
    values = [str(value).lower() for value in item.arguments.values()]
    values += [fact.value.lower() for fact in item.facts if isinstance(fact.value, str)]
    if any(len(value) > 2 and value in part for value in values):
        return 0.05
    return 0.3


def reads_of(item: Known, words: Words, known: Sequence[Known]) -> tuple[Span, ...]:
    """The characters of a request that a result of before was found by, on the way there too."""
    said: set[str] = set()
    waiting, seen = [item], set[str]()
    while waiting:
        one = waiting.pop()
        for value in one.arguments.values():
            said.add(plain(value))
            for other in known:
                if other.resource and other.resource == value and value not in seen:
                    seen.add(value)
                    waiting.append(other)
                elif identifies(value, other.facts) and other.resource not in seen:
                    seen.add(other.resource)
                    waiting.append(other)
    return tuple(
        (mention.start, mention.end)
        for mention in words.mentions
        if plain(mention.value) in said or plain(mention.said) in said
    )
