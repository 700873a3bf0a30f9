"""Fills in the arguments of a call from the words of a request and from what was found.

What an argument wants is told from its own name, type and description; nothing here knows a tool.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from controlllm.agents.embedded.facts import Fact, words_of
from controlllm.agents.embedded.phrases import phrases
from controlllm.agents.embedded.relevance import Encode, plain
from controlllm.agents.embedded.wants import (
    announced,
    is_kind,
    listed_values,
    misnamed,
    stem,
    wanted_kinds,
)
from controlllm.agents.embedded.words import (
    Choice,
    Known,
    Span,
    Words,
    away_from,
    identifier,
    reads_of,
)
from controlllm.planning.arguments import mismatch, role_of
from controlllm.planning.said_values import Mention, number_of
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Parameter, Tool

#: What a value may cost to be taken for an argument that is required, for one that is not, and for
#: a setting with a default.
_REQUIRED, _OPTIONAL, _SETTING = 1.0, 0.5, 0.35
#: What it costs to take words from another part of the request, and a fact instead of words.
_ELSEWHERE, _FOUND = 0.3, 0.2
#: What it costs to take the text that an earlier part made, where this one works on it.
_BEFORE = 0.05
#: What it costs to use words that another call has a use for, and to use them twice in one.
_TAKEN, _TWICE = 0.3, 1.5
#: How many values are tried for an argument, and how many fillings for a call.
_TRIED, _FILLINGS = 4, 12
#: What a dearest value is, where there is none.
_NONE = 9.0


@dataclass(frozen=True)
class AtHand:
    """What arguments are filled in from: the `words` of a part of a request, and what is `known`.

    `resources` are the types of the resources at hand, by name, the oldest first; `before` are
    those that answer earlier parts which this one works on ("… then write it in capitals").
    """

    words: Words
    known: Sequence[Known]
    resources: Mapping[str, str]
    lattice: TypeLattice
    encode: Encode
    before: Sequence[str] = ()


@dataclass(frozen=True)
class Filling:
    """Arguments for a call, with what each costs; `missing` are those that are required and for
    which nothing was found."""

    arguments: Mapping[str, Any]
    missing: tuple[Argument, ...]
    cost: float
    chosen: Mapping[str, Choice]

    def cost_of(self, name: str) -> float:
        """What the value of an argument costs; 0 for one that is not there."""
        return self.chosen[name].cost if name in self.chosen else 0.0

    @property
    def repeated(self) -> frozenset[str]:
        """The arguments that got the value of another one."""
        same = [item.same for item in self.chosen.values() if item.value is not None]
        return frozenset(
            name
            for name, item in self.chosen.items()
            if item.value is not None and same.count(item.same) > 1
        )

    def spans_but(self, name: str) -> tuple[Span, ...]:
        """The characters of the request that all arguments but one take."""
        others = (item for other, item in self.chosen.items() if other != name)
        return tuple(item.span for item in others if item.span[0] >= 0)

    def reads_but(self, name: str) -> tuple[Span, ...]:
        """The same, with the characters that found values were found by."""
        others = (item for other, item in self.chosen.items() if other != name)
        return tuple(span for item in others for span in (item.span, *item.reads) if span[0] >= 0)


def fillings(tool: Tool, at_hand: AtHand, taken: Sequence[Span] = ()) -> Iterator[Filling]:
    """Ways to fill in a tool's arguments, the likeliest first; `taken` are characters of the
    request that another call has a use for."""
    wanted: list[tuple[Argument, bool]] = [(item, not item.optional) for item in tool.args]
    wanted += [(_as_argument(item), False) for item in tool.parameters if _can_be_said(item)]
    settings = {item.name for item in tool.parameters}
    choices: list[list[Choice]] = []
    missing: list[Argument] = []
    for argument, required in wanted:
        most = _SETTING if argument.name in settings else _REQUIRED if required else _OPTIONAL
        found = [_dearer(item, taken) for item in _choices_for(argument, tool, at_hand)]
        found = sorted(found, key=lambda item: item.cost)
        if not required:
            # What may be left out is only taken from what the part itself says.
            found = [item for item in found if _is_said_in(item, at_hand.words)]
        found = [item for item in found if item.cost <= most][:_TRIED]
        if not found and required:
            missing.append(argument)
        if not required:
            found.append(Choice(None, most))
        choices.append(found or [Choice(None, _NONE)])
    parameters = {item.name: item.default for item in tool.parameters}
    for cost, chosen in _assignments(choices):
        arguments = {
            argument.name: [item.value] if argument.many else item.value
            for (argument, _), item in zip(wanted, chosen, strict=True)
            if item.value is not None and parameters.get(argument.name) != item.value
        }
        left = [
            a for (a, needed), i in zip(wanted, chosen, strict=True) if needed and i.value is None
        ]
        named = {a.name: item for (a, _), item in zip(wanted, chosen, strict=True)}
        yield Filling(arguments, tuple(left), cost, named)


def _is_said_in(choice: Choice, words: Words) -> bool:
    start, end = choice.span
    pointed = [(item.start, item.end) for item in words.pointed]
    return (words.begin <= start and end <= words.end) or choice.span in pointed


def _dearer(choice: Choice, taken: Sequence[Span]) -> Choice:
    """A choice with what it costs to use words that another call has a use for."""
    clashes = any(start < choice.span[1] and choice.span[0] < end for start, end in taken)
    return replace(choice, cost=choice.cost + _TAKEN * clashes)


def _assignments(choices: Sequence[Sequence[Choice]]) -> Iterator[tuple[float, tuple[Choice, ...]]]:
    """Combinations of choices in order of cost; words are not taken twice."""
    few = [list(items) for items in choices]
    while np.prod([len(items) for items in few], dtype=float) > 4096:
        longest = max(range(len(few)), key=lambda place: len(few[place]))
        few[longest].pop(-2 if few[longest][-1].value is None else -1)
    found: list[tuple[float, tuple[Choice, ...]]] = []
    for chosen in itertools.product(*few):
        spans = [item.span for item in chosen if item.span[0] >= 0]
        clashes = sum(a[0] < b[1] and b[0] < a[1] for a, b in itertools.combinations(spans, 2))
        found_again = [item.same for item in chosen if item.value is not None]
        again = len(found_again) - len(set(found_again))
        found.append((sum(item.cost for item in chosen) + _TWICE * (clashes + again), chosen))
    found.sort(key=lambda item: item[0])
    return iter(found[:_FILLINGS])


def _choices_for(argument: Argument, tool: Tool, at_hand: AtHand) -> list[Choice]:
    """The values that an argument may get, the likeliest first."""
    words, known, lattice = at_hand.words, at_hand.known, at_hand.lattice
    found: list[Choice] = []
    if not lattice.is_a(argument.type, "text"):
        # Made on the way or handed over: the newest first, and those that this part has made.
        there = at_hand.resources.items()
        fitting = [name for name, type_name in there if type_name == argument.type]
        fitting = fitting or [name for name, kind in there if lattice.is_a(kind, argument.type)]
        made = {item.resource: item for item in known}
        for place, name in enumerate(reversed(fitting)):
            away = 0.0 if name in words.part else 0.3
            if name in made:
                away = away_from(made[name], words)
            reads = reads_of(made[name], words, known) if name in made else ()
            thing = identifier(made[name].facts) if name in made else ""
            found.append(Choice(name, away + 0.05 * place, reads=reads, thing=thing))
        return sorted(found, key=lambda item: item.cost)
    wants = wanted_kinds(argument, tool)
    found += _said(argument, wants, tool, at_hand)
    found += _facts(argument, wants, at_hand)
    found += _from_choices(argument, words, at_hand.encode)
    if "quoted" in wants:
        found += phrases(argument, words)
        # What an earlier part made is a whole text; what it says of one thing is read in facts.
        found += [
            Choice(item.resource, _BEFORE, reads=reads_of(item, words, known))
            for item in known
            if item.resource in at_hand.before and item.facts and not item.facts[0].path
        ]
    unique: dict[str, Choice] = {}
    for item in sorted(found, key=lambda item: item.cost):
        unique.setdefault(plain(item.value), item)
    return list(unique.values())


def _said(
    argument: Argument, wants: Mapping[str, float], tool: Tool, at_hand: AtHand
) -> list[Choice]:
    """Values that the request says."""
    found: list[Choice] = []
    words = at_hand.words
    fitting = [item for item in words.mentions if item.kind in wants]
    if "moment" in wants:
        fitting += _moments(words.mentions)
        wants = {**wants, "moment": 0.0}
    if not fitting:
        return []
    told = " ".join([words_of(argument.name), argument.description]).strip()
    vectors = at_hand.encode([told, *(item.said or str(item.value) for item in fitting)])
    nearness = vectors[1:] @ vectors[0]
    for mention, near in zip(fitting, nearness.tolist(), strict=True):
        cost = 0.35 + wants[mention.kind] - 0.25 * near
        cost -= announced(argument, mention, words.text)
        cost -= 0.2 * _heard_as(argument, mention, words)
        cost += misnamed(argument, tool, mention)
        if not words.holds(mention) and mention not in words.around:
            away = words.begin - mention.end if mention.end <= words.begin else 400
            cost += _ELSEWHERE + min(0.3, max(away, 0) / 400)
        found.append(Choice(_as_wanted(argument, mention), cost, (mention.start, mention.end)))
    return found


def _moments(mentions: Sequence[Mention]) -> list[Mention]:
    """Dates with the times that stand beside them."""
    dates = [item for item in mentions if item.kind == "date"]
    times = [item for item in mentions if item.kind == "time"]
    found = []
    for time in times:
        if dates:
            day = min(dates, key=lambda item: abs(item.start - time.start))
            start, end = min(day.start, time.start), max(day.end, time.end)
            found.append(Mention("moment", f"{day.value}T{time.value}", start, end, time.said))
    return found


def _heard_as(argument: Argument, mention: Mention, words: Words) -> bool:
    """Whether a reader heard the words of a mention in a role that fits an argument."""
    role = role_of(argument)
    for item in words.heard:
        if item.role and mention.said and mention.said in item.value:
            return mismatch(role, item.role) < 0.2
    return False


def _as_wanted(argument: Argument, mention: Mention) -> Any:
    """A value in the form that an argument speaks of: a code where it says so, or the words."""
    about = f"{words_of(argument.name)} {argument.description}".lower()
    if mention.kind in ("country", "language"):
        wants_code = re.search(r"\bcode\b|\biso\b|\bletters?\b|e\.g\. [a-z]{2}\b", about)
        return mention.value if wants_code else mention.said
    return mention.value


def _facts(argument: Argument, wants: Mapping[str, float], at_hand: AtHand) -> list[Choice]:
    """Values that results of before say in fields that are called like the argument."""
    found: list[Choice] = []
    called = words_of(argument.name).split()
    told = " ".join([words_of(argument.name), argument.description])
    for age, item in enumerate(reversed(at_hand.known)):
        fields: dict[str, Fact] = {}
        for fact in item.facts:
            # The first of a name is of the entry that fits best.
            fields.setdefault(fact.words, fact)
        usable = {name: fact for name, fact in fields.items() if is_kind(fact, wants)}
        if not usable:
            continue
        names = list(usable)
        vectors = at_hand.encode([told, *(name or item.tool for name in names)])
        reads = reads_of(item, at_hand.words, at_hand.known)
        for name, near in zip(names, (vectors[1:] @ vectors[0]).tolist(), strict=True):
            fact = usable[name]
            away = _distance(called, name.split(), item, near)
            cost = _FOUND + away + 0.03 * min(age, 5) + away_from(item, at_hand.words)
            value = fact.value
            if argument.type == "number" and isinstance(value, str):
                value = number_of(value)
            found.append(Choice(value, cost, reads=reads))
    return found


def _distance(called: Sequence[str], field_words: Sequence[str], item: Known, near: float) -> float:
    """How far the name of a field is from that of an argument."""
    own = [stem(word) for word in field_words]
    want = [stem(word) for word in called]
    if own and (own == want or own[-len(want) :] == want):
        return 0.0
    around = {*own, *(stem(word) for word in words_of(item.tool).split())}
    if own and own[-1] == want[-1]:
        # ``id`` of a product, where a ``product id`` is wanted.
        return 0.1 if set(want) <= around else 0.45
    return max(0.35, 1.1 - near)


def _from_choices(argument: Argument, words: Words, encode: Encode) -> list[Choice]:
    listed = listed_values(argument.description)
    if len(listed) < 2:
        return []
    spoken = {stem(word) for word in words_of(words.part).split()}
    found = []
    vectors = encode([words.part, *listed])
    for value, near in zip(listed, (vectors[1:] @ vectors[0]).tolist(), strict=True):
        said = {stem(word) for word in words_of(value).split()} <= spoken
        found.append(Choice(value, 0.05 if said else 0.95 - 0.3 * near))
    return found


def _as_argument(parameter: Parameter) -> Argument:
    kind = "number" if isinstance(parameter.default, int | float) else "text"
    return Argument(parameter.name, kind, parameter.description, optional=True)


def _can_be_said(parameter: Parameter) -> bool:
    return isinstance(parameter.default, str | int | float) and not isinstance(
        parameter.default, bool
    )
