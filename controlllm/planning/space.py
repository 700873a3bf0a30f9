"""One subtask on one graph: what inputs can be bound to, and what open ones need at least."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.core.plans import TypedValue
from controlllm.planning.bounds import Bounds
from controlllm.planning.descent import Descent
from controlllm.planning.drafts import BEST_SCORE, Absent, Bill, Binding, Costs, Draft, bill_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.partial import Each
from controlllm.planning.reach import FAR, Reach
from controlllm.planning.wiring import wiring_of
from controlllm.toolbox import Tool

#: Sums of costs may differ by this where they are equal.
EQUAL = 1e-9


@dataclass(frozen=True)
class Goal:
    """What a search is to make, and of what.

    `given` are resources that every solution must use (files, clicks, results of other subtasks);
    `texts` are words of the request with their roles, and a solution that ignores them costs more;
    only a tool that returns exactly the type `wanted` ends a solution.
    """

    given: Sequence[TypedValue]
    texts: Sequence[TypedValue]
    wanted: str


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


class Space:
    """One subtask on one graph: which tools can run, and what their inputs can be bound to."""

    def __init__(self, graph: ToolGraph, goal: Goal, length: int, costs: Costs) -> None:
        self.given = tuple(goal.given)
        self.texts = tuple(goal.texts)
        self.wanted = goal.wanted
        self.length = length
        self.costs = costs
        self.lattice = graph.lattice
        self.wiring = wiring_of(graph)
        # Where there are only words and only words are wanted, a picture made on the way would
        # show nothing that the words do not say.
        only_text = not self.given and graph.lattice.is_a(self.wanted, "text")
        self.reach = Reach(self.wiring, self.given, self.texts, costs, length, only_text)
        # How roundabout things are does not depend on scores: every further action costs the same.
        self.usage = self.reach.usage(np.full(len(self.wiring.tools), costs.step), False)
        self._slots: dict[int, Slot] = {}
        self.bounds = Bounds(self.reach, self.usage, self.usage)

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

    def useful(self, roots: Sequence[int], longest: float) -> frozenset[int]:
        """The tools, by rank, that can be in a solution no more roundabout than `longest` that one
        of the roots ends."""
        possible = list(self.affordable(dict.fromkeys(roots, longest), texts=False))
        return Descent(self.reach, self.usage).within(possible, longest)

    def affordable(self, limits: Mapping[int, float], texts: bool) -> dict[int, float]:
        """Of some tools, by rank, each with what may be spent below it, those for which that may
        do: to use everything given and, with `texts`, to read the texts or not."""
        count = len(self.given) + len(self.texts) * texts
        ranks = np.array(list(limits), np.intp)
        needs = self.bounds.rough((), ranks, (1 << count) - 1)[1].tolist()
        return {
            rank: limit
            for (rank, limit), need in zip(limits.items(), needs, strict=True)
            if need <= limit + EQUAL
        }

    def scored(self, scores: Mapping[str, float], ranks: Collection[int], useful: bool) -> Bounds:
        """Bounds where some tools, by rank, have these scores; others count as perfect or, where
        only these are `useful`, are not there."""
        prices = np.full(len(self.wiring.tools), FAR if useful else self.costs.step)
        known = np.fromiter(ranks, np.intp, len(ranks))
        worth = np.array([scores[self.wiring.tools[rank].name] for rank in known.tolist()])
        prices[known] = self.costs.step + self.costs.support * (BEST_SCORE - worth)
        return Bounds(self.reach, self.usage, self.reach.usage(prices, True))

    def support_cost(self, rank: int, scores: Mapping[str, float]) -> float:
        """What it costs that a tool that does not make the return has not the best score."""
        return self.costs.support * (BEST_SCORE - scores[self.tool(rank).name])

    def alike(self, type_name: str) -> list[list[int]]:
        """The tools, by rank, that can run and make a type; in one list those that take the same,
        for they differ in nothing but their scores."""
        return [ranks for ranks in self.wiring.alike(type_name) if self.reach.runnable[ranks[0]]]

    def bill(self, drafts: Sequence[Draft], scores: Mapping[str, float]) -> Bill:
        """What a finished solution costs."""
        return bill_of(drafts, self.given, self.texts, scores, self.lattice, self.costs)
