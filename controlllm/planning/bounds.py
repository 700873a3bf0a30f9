"""What is missing of a partial solution costs at least this much."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from controlllm.planning.reach import FAR, Reach, Usage, shared
from controlllm.planning.wiring import Amounts, Numbers


class Needs(NamedTuple):
    """What open inputs and unused items need.

    `missing` are types that nothing at hand has, `deepest` is the least number of actions one after
    the other that make one of them. `given` is how roundabout it is at least to use the given
    resources that are left, `cost` what it costs at least to use them and to read, or not to read,
    the texts that are left, and `lost` what those cost that can no longer be read.
    """

    missing: frozenset[str]
    deepest: int
    given: float
    cost: float
    lost: float


class Bounds:
    """Lower bounds on what open inputs need.

    `roundabout` says how roundabout it is to use given resources, `costs` what it costs to use them
    and to read texts: see `controlllm.planning.reach.Reach.usage`.
    """

    def __init__(self, reach: Reach, roundabout: Usage, costs: Usage) -> None:
        self._reach = reach
        self._roundabout = roundabout
        self._costs = costs
        self._unread = reach.costs.unused_words
        self._given = (1 << len(reach.given)) - 1
        self._texts = [1 << len(reach.given) + place for place in range(len(reach.texts))]
        self._needs: dict[tuple[tuple[int, ...], int], Needs] = {}

    def needs(self, numbers: tuple[int, ...], left: int) -> Needs:
        """What open inputs of these kinds and the items whose bits are set in `left` need."""
        found = self._needs.get((numbers, left))
        if found is None:
            found = self._needs[numbers, left] = self._make_needs(numbers, left)
        return found

    def _make_needs(self, numbers: tuple[int, ...], left: int) -> Needs:
        reach = self._reach
        missing = {reach.wiring.kinds[number].type for number in numbers if reach.is_absent[number]}
        unused = left & self._given
        given = self._least(self._roundabout, numbers, unused)
        cost = used = given
        if self._costs is not self._roundabout:
            cost = used = self._least(self._costs, numbers, unused)
        lost = 0.0
        for text in self._texts:
            if left & text:
                together = unused | text in self._costs.inputs
                read = self._least(self._costs, numbers, unused | text if together else text)
                if read == FAR:
                    lost += self._unread
                else:
                    cost = max(cost, min(read, self._unread + (used if together else 0.0)))
        deepest = max([reach.steps[name] for name in missing], default=0)
        return Needs(frozenset(missing), deepest, given, cost, lost)

    def _least(self, usage: Usage, numbers: tuple[int, ...], mask: int) -> float:
        """What it costs at least to read items, as bits, through inputs of these kinds."""
        if not mask or mask in usage.inputs:
            return shared(numbers, mask, usage.inputs)
        return max(shared(numbers, part, usage.inputs) for part in _pairs(mask))

    def rough(self, numbers: tuple[int, ...], ranks: Numbers, left: int) -> tuple[Amounts, Amounts]:
        """How roundabout it is at least, and what it costs, to use what is left through the inputs
        of each of some tools and others of these kinds: `needs` for many tools at once, but for
        what is missing."""
        unused = left & self._given
        roundabout = self._least_by_tool(self._roundabout, numbers, ranks, unused)
        cost = used = roundabout
        if self._costs is not self._roundabout:
            cost = used = self._least_by_tool(self._costs, numbers, ranks, unused)
        for text in self._texts:
            if left & text:
                together = unused | text in self._costs.inputs
                part = unused | text if together else text
                read = self._least_by_tool(self._costs, numbers, ranks, part)
                cost = np.maximum(
                    cost, np.minimum(read, self._unread + (used if together else 0.0))
                )
        return roundabout, cost

    def _least_by_tool(
        self, usage: Usage, numbers: tuple[int, ...], ranks: Numbers, mask: int
    ) -> Amounts:
        if not mask:
            return np.zeros(len(ranks))
        # One of the parts will do where there are many: this is to be quick.
        share = mask = mask if mask in usage.inputs else next(_pairs(mask))
        if not numbers:
            return usage.tools[mask][ranks]
        best = np.full(len(ranks), shared(numbers, mask, usage.inputs))
        while share:
            others = shared(numbers, mask ^ share, usage.inputs)
            if others < FAR:
                best = np.minimum(best, others + usage.tools[share][ranks])
            share = (share - 1) & mask
        return best


def _pairs(mask: int) -> Iterator[int]:
    """All sets of two out of a set."""
    items = [1 << place for place in range(mask.bit_length()) if mask >> place & 1]
    for one, other in itertools.combinations(items, 2):
        yield one | other
