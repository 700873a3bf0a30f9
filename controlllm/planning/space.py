"""One subtask on one graph: what inputs can be bound to, and what open ones need at least."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from controlllm.graph import ToolGraph
from controlllm.plan import TypedValue
from controlllm.planning.descent import Descent
from controlllm.planning.drafts import BEST_SCORE, Absent, Bill, Binding, Costs, Draft, bill_of
from controlllm.planning.partial import Each
from controlllm.planning.reach import FAR, Reach, shared
from controlllm.planning.wiring import Amounts, Numbers, wiring_of
from controlllm.toolbox import Tool

#: Sums of costs may differ by this where they are equal.
EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Slot:
    """What an input of one kind can be bound to in a subtask.

    `full` says that something at hand fits, `words` that words do; `direct` are the bindings to it,
    with their costs; `each` is the binding to several given resources in turn, where there are
    several; `detour` is what it costs to make such an input anew; `steps` is the least number of
    actions to make it.
    """

    type: str
    full: bool
    words: bool
    optional: bool
    many: bool
    detour: float
    direct: tuple[tuple[Binding, float], ...]
    each: Each | None
    steps: int


class Needs(NamedTuple):
    """What open inputs and unused items need.

    `missing` are types that nothing at hand has, `deepest` is the least number of actions one after
    the other that make one of them. `given` is how roundabout it is at least to use the given
    resources that are left, `words` what it costs at least to read or not to read the texts that
    are left, and `lost` what those cost that can no longer be read.
    """

    missing: frozenset[str]
    deepest: int
    given: float
    words: float
    lost: float


class Space:
    """One subtask on one graph: which tools can run, and what their inputs can be bound to."""

    def __init__(
        self,
        graph: ToolGraph,
        given: Sequence[TypedValue],
        texts: Sequence[TypedValue],
        wanted: str,
        length: int,
        costs: Costs,
    ) -> None:
        self.given = tuple(given)
        self.texts = tuple(texts)
        self.wanted = wanted
        self.length = length
        self.costs = costs
        self.lattice = graph.lattice
        self.wiring = wiring_of(graph)
        # Where there are only words and only words are wanted, a picture made on the way would
        # show nothing that the words do not say.
        only_text = not given and graph.lattice.is_a(wanted, "text")
        self.reach = Reach(self.wiring, self.given, self.texts, costs, length, only_text)
        self._usage = self.reach.usage()
        self._reading = [self.reach.reading(place) for place in range(len(self.texts))]
        self._slots: dict[int, Slot] = {}
        self._alike: dict[str, list[list[int]]] = {}
        self._needs: dict[tuple[tuple[int, ...], int], Needs] = {}

    def tool(self, rank: int) -> Tool:
        return self.wiring.tools[rank]

    def makers(self, type_name: str) -> list[int]:
        """The tools, by rank, that can run and make a type."""
        made = self.wiring.makers.get(type_name, ())
        return [rank for rank in made if self.reach.runnable[rank]]

    def roots(self) -> list[int]:
        """The tools, by rank, that can run and return what is wanted."""
        return self.makers(self.wanted)

    def last_cost(self, rank: int, scores: Mapping[str, float]) -> float:
        """What it costs that a tool that makes the return has not the best score."""
        return self.costs.last * (BEST_SCORE - scores[self.tool(rank).name])

    def slots(self, rank: int) -> list[Slot]:
        """The slots of a tool's inputs."""
        return [self.slot(number) for number in self.wiring.inputs[rank]]

    def slot(self, number: int) -> Slot:
        """The slot of a kind of input."""
        found = self._slots.get(number)
        if found is None:
            found = self._slots[number] = self._make_slot(number)
        return found

    def _make_slot(self, number: int) -> Slot:
        kind, hand = self.wiring.kinds[number], self.reach.hands[number]
        detour = self.costs.detour if hand.full else 0.0
        return Slot(
            kind.type,
            hand.full,
            hand.words is not None,
            kind.optional,
            kind.many,
            detour,
            (*hand.direct, (Absent(), 0.0)) if kind.optional else hand.direct,
            Each(hand.fitting) if len(hand.fitting) > 1 and not kind.many else None,
            self.reach.steps.get(kind.type, 0),
        )

    def needs(self, numbers: tuple[int, ...], left: int) -> Needs:
        """What open inputs of these kinds and the items whose bits are set in `left` need."""
        found = self._needs.get((numbers, left))
        if found is None:
            found = self._needs[numbers, left] = self._make_needs(numbers, left)
        return found

    def _make_needs(self, numbers: tuple[int, ...], left: int) -> Needs:
        slots = [self.slot(number) for number in numbers]
        needed = [slot for slot in slots if not slot.full and not slot.optional]
        count = len(self.given)
        unused = left & ((1 << count) - 1)
        if unused in self._usage.inputs or not unused:
            given = shared(numbers, unused, self._usage.inputs)
        else:
            items = [1 << item for item in range(count) if unused >> item & 1]
            pairs = itertools.combinations(items, 2)
            given = max(shared(numbers, one | other, self._usage.inputs) for one, other in pairs)
        unread = self.costs.unused_words
        words = lost = 0.0
        for place, reading in enumerate(self._reading):
            if left >> count + place & 1:
                nearest = min([reading[number] for number in numbers], default=FAR)
                if nearest == FAR:
                    lost += unread
                else:
                    words = max(words, min(nearest, unread))
        return Needs(
            frozenset(slot.type for slot in needed),
            max([slot.steps for slot in needed], default=0),
            given,
            words,
            lost,
        )

    def rough_needs(self, numbers: tuple[int, ...], ranks: Numbers, left: int) -> Amounts:
        """For each of some tools, how roundabout it is at least what its inputs and others of these
        kinds need, if what is left is to be used: less exact than `needs`, for all at once.
        """
        unused = left & ((1 << len(self.given)) - 1)
        known = self._usage.tools
        if unused not in known:
            # Of many resources, the first two.
            first = unused & -unused
            unused = first | (unused - first) & -(unused - first)
        best = np.full(len(ranks), 0.0 if not unused else FAR)
        share = unused
        while unused:
            others = shared(numbers, unused ^ share, self._usage.inputs)
            if others < FAR:
                best = np.minimum(best, others + known[share][ranks] if share else others)
            if not share:
                break
            share = (share - 1) & unused
        return best

    def useful(self, roots: Sequence[int], longest: float) -> frozenset[int]:
        """The tools, by rank, that can be in a solution no more roundabout than `longest` that one
        of the roots ends."""
        everything = (1 << len(self.given)) - 1
        needs = self.rough_needs((), np.array(roots, np.intp), everything).tolist()
        possible = [
            rank for rank, need in zip(roots, needs, strict=True) if need <= longest + EQUAL
        ]
        return Descent(self.reach, self._usage).within(possible, longest)

    def alike(self, type_name: str) -> list[list[int]]:
        """The tools, by rank, that can run and make a type; in one list those that take the same,
        for they differ in nothing but their scores."""
        found = self._alike.get(type_name)
        if found is None:
            groups: dict[tuple[int, ...], list[int]] = {}
            for rank in self.makers(type_name):
                groups.setdefault(self.wiring.inputs[rank], []).append(rank)
            found = self._alike[type_name] = list(groups.values())
        return found

    def bill(self, drafts: Sequence[Draft], scores: Mapping[str, float]) -> Bill:
        """What a finished solution costs."""
        return bill_of(drafts, self.given, self.texts, scores, self.lattice, self.costs)
