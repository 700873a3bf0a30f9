"""Which tools may make an input that is open, and in which order they are worth looking at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from controlllm.planning.bounds import Bounds
from controlllm.planning.reach import FAR
from controlllm.planning.space import Space
from controlllm.planning.wiring import Amounts, Numbers


class Makers(NamedTuple):
    """The tools that make a type: lists of those that take the same, by rank, each with what its
    score costs, best first. `leads` are the first of each list, `offs` what their scores cost."""

    lists: list[list[tuple[float, int]]]
    leads: Numbers
    offs: Amounts


class Turns(NamedTuple):
    """In which order the lists of tools that make an open input may come: what a solution costs
    beside at least with each of them, the part of it that is roundabout, and the lists."""

    costs: list[float]
    roundabout: list[float]
    lists: list[list[tuple[float, int]]]


class Choice:
    """The tools that a search may choose from; its parameters are those of
    `controlllm.planning.growth.Growth`. What is asked a second time is remembered."""

    def __init__(
        self,
        space: Space,
        useful: frozenset[int] | None,
        scores: Mapping[str, float] | None,
        bounds: Bounds,
        haste: float,
    ) -> None:
        self._space = space
        self._useful = useful
        self._scores = scores
        self._bounds = bounds
        self._haste = haste
        self._given = (1 << len(space.given)) - 1
        self._makers: dict[str, Makers] = {}
        self._turns: dict[tuple[str, tuple[int, ...], int, int], Turns] = {}
        self._least_offs: dict[str, float] = {}
        self._offs: dict[int, float] = {}

    def turns(self, type_name: str, others: tuple[int, ...], left: int, taken: int) -> Turns:
        """The tools that make an input of a type beside other open inputs, cheapest first, with so
        many actions `taken` already."""
        key = (type_name, others, left, taken)
        found = self._turns.get(key)
        if found is None:
            makers = self.makers(type_name)
            if len(makers.lists) < 2:
                # One alone needs no order; how much it costs will be seen when it is grown.
                found = Turns(makers.offs.tolist(), [0.0] * len(makers.lists), makers.lists)
                self._turns[key] = found
                return found
            lacking = self._space.reach.lacking[makers.leads]
            lacking = np.maximum(lacking, len(self._bounds.needs(others, 0).missing)) - taken
            roundabout, cost = self._bounds.rough(others, makers.leads, left)
            roundabout = np.maximum(roundabout, self._space.costs.step * lacking)
            cost = roundabout if self._scores is None else np.maximum(roundabout, cost)
            if self._haste:
                cost = cost + self._haste * (cost + (left & self._given).bit_count())
            cost = cost + makers.offs
            order = np.argsort(cost, kind="stable")
            found = self._turns[key] = Turns(
                cost[order].tolist(),
                roundabout[order].tolist(),
                [makers.lists[place] for place in order.tolist()],
            )
        return found

    def makers(self, type_name: str) -> Makers:
        """The tools that make a type, the list with the best one first."""
        found = self._makers.get(type_name)
        if found is None:
            lists = []
            for ranks in self._space.alike(type_name):
                scored = [(self._off(rank), rank) for rank in ranks if self._is_there(rank)]
                if scored:
                    lists.append(sorted(scored))
            lists.sort()
            leads = np.array([scored[0][1] for scored in lists], np.intp)
            offs = np.array([scored[0][0] for scored in lists], np.float64)
            found = self._makers[type_name] = Makers(lists, leads, offs)
        return found

    def least_off(self, type_name: str) -> float:
        """What the score of the best tool costs that makes a type; infinite where there is none."""
        found = self._least_offs.get(type_name)
        if found is None:
            makers = self._space.makers(type_name)
            offs = [self._off(rank) for rank in makers if self._is_there(rank)]
            found = self._least_offs[type_name] = min(offs, default=FAR)
        return found

    def _is_there(self, rank: int) -> bool:
        return self._useful is None or rank in self._useful

    def _off(self, rank: int) -> float:
        """What the score of a tool costs that does not make the return."""
        if self._scores is None:
            return 0.0
        found = self._offs.get(rank)
        if found is None:
            found = self._offs[rank] = self._space.support_cost(rank, self._scores)
        return found
