"""Solutions as the search sees them: drafts of actions, what binds their inputs, and their cost.

Every strategy ends with these, so that solutions compare whichever way they were found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controlllm.core.plans import TypedValue
from controlllm.planning.arguments import words_for
from controlllm.resources import TypeLattice
from controlllm.toolbox import Argument, Tool

#: Assessments run from 1 to 5 (paper Table 7).
BEST_SCORE = 5.0

#: Scores 1..5 for tools by name; the answer may hold more tools than were asked about.
Assess = Callable[[Sequence[Tool]], Mapping[str, float]]


@dataclass(frozen=True)
class Costs:
    """What makes a solution worse than another.

    `last` weighs how far the tool that makes the return is from the best score; `step` is what each
    further action costs and `support` how much its own score matters; `detour` is what it costs to
    make what is at hand already, as a given resource or as words; `unused_words` is what words of
    the request cost that no action reads, `reread` what it costs to read them a second time;
    `reuse` is what reading an output a second time costs; `repeat` is what an action costs that
    makes a type it was made from, with no words to guide it: there and back again.
    """

    last: float = 1.0
    step: float = 0.15
    support: float = 0.15
    detour: float = 1.5
    unused_words: float = 2.0
    reread: float = 0.3
    reuse: float = 0.01
    repeat: float = 0.6


@dataclass(frozen=True, order=True)
class Given:
    """An input bound to the given resource of this index."""

    index: int


@dataclass(frozen=True, order=True)
class AllGiven:
    """An input that takes a list, bound to several given resources."""

    indices: tuple[int, ...]


@dataclass(frozen=True, order=True)
class Words:
    """An input bound to the text of this index, -1 for the request's own words."""

    index: int


@dataclass(frozen=True, order=True)
class Made:
    """An input bound to the output of the action at this position."""

    position: int


@dataclass(frozen=True, order=True)
class AllMade:
    """An input that takes a list, bound to the outputs of the actions at these positions: the same
    work done for each of several given resources."""

    positions: tuple[int, ...]


@dataclass(frozen=True)
class Absent:
    """An optional input that is left out."""


Binding = Given | AllGiven | Words | Made | AllMade | Absent | None


@dataclass(frozen=True)
class Draft:
    """One action of a solution under way; an input that is None is still open."""

    tool: Tool
    inputs: tuple[Binding, ...]


@dataclass(frozen=True)
class Candidate:
    """A finished solution: its drafts, the one that makes the return first, and its cost."""

    drafts: tuple[Draft, ...]
    cost: float


@dataclass(frozen=True)
class SearchResult:
    """Solutions in order of cost, with what the search did.

    `complete` is False where the search stopped at its limit of visited states, so that it may have
    missed a cheaper solution.
    """

    candidates: tuple[Candidate, ...]
    visited: int
    assessed: int
    complete: bool = True


@dataclass(frozen=True)
class Bill:
    """What a solution costs, item by item.

    `roundabout` is what it would cost if all its tools were perfect and all words read: its further
    actions, detours, repetitions and words put to another use. `scores` is how far its tools are
    from perfect; `unread` is for words of the request that no action reads.
    """

    roundabout: float
    scores: float
    unread: float

    @property
    def total(self) -> float:
        return self.roundabout + self.scores + self.unread


def bill_of(
    drafts: Sequence[Draft],
    given: Sequence[TypedValue],
    texts: Sequence[TypedValue],
    scores: Mapping[str, float],
    lattice: TypeLattice,
    costs: Costs,
) -> Bill:
    """The cost of a finished solution, whichever strategy found it."""
    roundabout = costs.step * (len(drafts) - 1)
    off = costs.last * (BEST_SCORE - scores[drafts[0].tool.name])
    readings = [0] * len(texts)
    whole = False
    references = 0
    for position, draft in enumerate(drafts):
        if position:
            off += costs.support * (BEST_SCORE - scores[draft.tool.name])
        guided = False
        for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
            if isinstance(binding, Words):
                guided = True
                # The request's own words hold every text that was found in it.
                whole = whole or binding.index < 0
                if binding.index >= 0:
                    readings[binding.index] += 1
                words = words_for(argument, texts)
                roundabout += words[0] if words else 0.0
            elif isinstance(binding, Made | AllMade):
                references += len(positions_of(binding))
                if is_at_hand(argument, given, texts, lattice):
                    roundabout += costs.detour
        if not guided:
            below = sources_of(drafts, position) - {position}
            made = {drafts[source].tool.returns.type for source in below}
            roundabout += costs.repeat * (draft.tool.returns.type in made)
    roundabout += costs.reuse * (references - (len(drafts) - 1))
    roundabout += costs.reread * sum(max(count - 1, 0) for count in readings)
    return Bill(roundabout, off, 0.0 if whole else costs.unused_words * readings.count(0))


def is_at_hand(
    argument: Argument,
    given: Sequence[TypedValue],
    texts: Sequence[TypedValue],
    lattice: TypeLattice,
) -> bool:
    """Whether an input can be had without any tool: from what is given or from words."""
    if any(lattice.is_a(item.type, argument.type) for item in given):
        return True
    return argument.type == "text" and words_for(argument, texts) is not None


def positions_of(binding: Binding) -> tuple[int, ...]:
    """The positions of the actions whose outputs a binding reads."""
    if isinstance(binding, Made):
        return (binding.position,)
    return binding.positions if isinstance(binding, AllMade) else ()


def sources_of(drafts: Sequence[Draft], position: int) -> set[int]:
    """The action itself and all that it reads from, directly or not."""
    found: set[int] = set()
    waiting = [position]
    while waiting:
        index = waiting.pop()
        if index not in found:
            found.add(index)
            for binding in drafts[index].inputs:
                waiting.extend(positions_of(binding))
    return found


def canonical(drafts: Sequence[Draft]) -> tuple[object, ...]:
    """The same for every order of the same calls: the tree of calls below the last action."""

    def read(binding: Binding) -> object:
        if isinstance(binding, AllMade):
            return ("each", *(tree(position) for position in binding.positions))
        return tree(binding.position) if isinstance(binding, Made) else repr(binding)

    def tree(position: int) -> tuple[object, ...]:
        draft = drafts[position]
        return (draft.tool.name, *map(read, draft.inputs))

    return tree(0)
