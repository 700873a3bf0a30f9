"""Best-first Thoughts-on-Graph: the k best solutions of a subtask, as DAGs, best first.

The paper's Algorithm 1 walks tool sequences forwards (`controlllm.planning.strategies`). Here a
partial solution grows backwards from the wanted return: its first open input is bound to something
given, to words of the request, to an output that the solution already has, or to a new action of a
tool that makes exactly that type. So two orders of the same calls are one solution and a tool with
two inputs gets two sub-solutions.

Only the last of these passes knows scores:

1. What can be made of what, and in how many steps (`controlllm.planning.reach`).
2. The least roundabout solution, as if every tool were perfect. It decides how roundabout others
   may be, and so which tools can be in any of them: those are assessed, in one batch.
3. The cheapest of these solutions, in order (`controlllm.planning.growth`).

Every tool that can make the return is assessed, and a solution costs at least what its last tool
costs and what it is roundabout. So it is known then whether a more roundabout solution could be
cheaper than the best found; only where it could, those are searched too. The first solution is the
cheapest of all, the others are the cheapest of those that are not too roundabout.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controlllm.planning.allowed import Limits, Ranks
from controlllm.planning.bounds import Bounds
from controlllm.planning.drafts import (
    BEST_SCORE,
    Absent,
    AllGiven,
    AllMade,
    Assess,
    Candidate,
    Costs,
    Draft,
    Given,
    Made,
    SearchResult,
    Words,
    canonical,
)
from controlllm.planning.graph import ToolGraph
from controlllm.planning.growth import Growth, Solution
from controlllm.planning.reach import FAR
from controlllm.planning.space import EQUAL, Goal, Space
from controlllm.toolbox import Tool

__all__ = [
    "BEST_SCORE",
    "Absent",
    "AllGiven",
    "AllMade",
    "Assess",
    "Candidate",
    "Costs",
    "Draft",
    "Given",
    "Made",
    "SearchResult",
    "Words",
    "best_first",
    "worth_assessing",
]

#: The paper's m (Sec. 3.2.2).
_LENGTH = 10
ROUNDABOUT = 0.2
_MAX_VISITED = 260
#: The part of the partial solutions that may be visited for the least roundabout one.
_MEASURED = 0.3
#: How many partial solutions are made at most for each that may be visited.
_MADE = 4
#: Where any solution will do: how much the bound counts (see `controlllm.planning.growth.Growth`),
#: and how many partial solutions are made for each that may be visited.
_HASTE, _HASTY_MADE = 3.0, 40


@dataclass(frozen=True)
class Extent:
    """How far a search goes.

    Parameters
    ----------
    limit: how many solutions it is to find.
    roundabout: how much more roundabout (see `controlllm.planning.drafts.Bill`) than need be a
        solution may be, unless it is cheaper than all that are less so; by default one action.
    length: the most actions a solution may have (the paper's m).
    margin: how much worse than the best a solution may be.
    max_visited: how many partial solutions are looked at before the search gives up.
    """

    limit: int = 5
    roundabout: float = ROUNDABOUT
    length: int = _LENGTH
    margin: float = 1.5
    max_visited: int = _MAX_VISITED


USUAL = Extent()


def best_first(
    graph: ToolGraph, goal: Goal, assess: Assess, extent: Extent = USUAL, costs: Costs | None = None
) -> SearchResult:
    """The cheapest solutions that make the wanted type and use everything given.

    `assess` scores tools 1..5; it is called with every tool that can matter, in one batch, see
    `worth_assessing`; in further ones where the best solution may be more roundabout than that.
    """
    space, max_visited = Space(graph, goal, extent.length, costs or Costs()), extent.max_visited
    scope = _scope(space, extent.roundabout, max_visited)
    visited, complete, longest = scope.visited, scope.complete, scope.longest
    if scope.direct is None:
        return SearchResult((), visited, 0, complete)
    roots = space.roots()
    scores = _Scores(assess)
    scores.add(map(space.tool, scope.useful))
    useful = frozenset(scope.useful)
    # Where only last tools are useful, there is hardly anything below them to tell the cost of.
    bounds = space.scored(scores, useful, True) if len(useful) > len(roots) else space.bounds
    limits = Limits(longest, extent.margin)
    growth = Growth(space, Ranks(roots, useful), scores, limits, bounds=bounds)
    budget = max(max_visited - scope.visited, max_visited // 2)
    solutions = growth.solutions(budget, _MADE * budget)
    found = list(itertools.islice(solutions, extent.limit))
    visited, complete = visited + growth.visited, growth.complete
    if not found:
        scores.add(draft.tool for draft in scope.direct.drafts)
        found = [Solution(scope.direct.drafts, space.bill(scope.direct.drafts, scores))]
    perfect: Bounds | None = None
    while complete:
        best = found[0].bill.total
        left = {rank: best - space.last_cost(rank, scores) for rank in roots}
        left = {rank: cost for rank, cost in left.items() if cost > longest + EQUAL}
        left = space.affordable(left, texts=True)
        if not left:
            break
        # Tools that are not assessed yet count as perfect here.
        perfect = perfect or space.scored(scores, useful, False)
        limits = Limits(best=best - 2 * EQUAL)
        wider = Growth(space, Ranks(left), scores, limits, bounds=perfect)
        solutions = wider.solutions(max_visited + scope.visited - visited, _MADE * max_visited)
        cheaper = list(itertools.islice(solutions, extent.limit))
        visited, complete = visited + wider.visited, wider.complete
        if not scores.add(draft.tool for solution in cheaper for draft in solution.drafts):
            found = _joined(cheaper, found)
            break
    kept = [
        Candidate(solution.drafts, solution.bill.total)
        for solution in found[: extent.limit]
        if solution.bill.total <= found[0].bill.total + extent.margin + EQUAL
    ]
    return SearchResult(tuple(kept), visited, len(scores), complete)


def worth_assessing(
    graph: ToolGraph, goal: Goal, roundabout: float = ROUNDABOUT
) -> tuple[Tool, ...]:
    """The tools that `best_first` has assessed first, by name."""
    space = Space(graph, goal, _LENGTH, Costs())
    return tuple(map(space.tool, _scope(space, roundabout, _MAX_VISITED).useful))


@dataclass(frozen=True)
class _Scope:
    """How roundabout solutions may be, and which tools, by rank, can then be in any.

    `direct` is the least roundabout solution, or a solution where that was not found in time; None
    where none was.
    """

    direct: Solution | None
    longest: float
    useful: tuple[int, ...]
    visited: int
    complete: bool


def _scope(space: Space, roundabout: float, max_visited: int) -> _Scope:
    roots = space.roots()
    measure = Growth(space, Ranks(roots), limits=Limits(margin=0.0))
    direct = next(measure.solutions(int(_MEASURED * max_visited), _MADE * max_visited), None)
    visited, complete = measure.visited, measure.complete
    if direct is None and not complete:
        # Any solution is a limit, though a wider one.
        hasty = Growth(space, Ranks(roots), limits=Limits(margin=0.0), haste=_HASTE)
        direct = next(hasty.solutions(max_visited, _HASTY_MADE * max_visited), None)
        visited += hasty.visited
    if direct is None:
        return _Scope(None, FAR, (), visited, complete)
    longest = direct.bill.roundabout + roundabout
    useful = tuple(sorted(space.useful(roots, longest).union(roots)))
    return _Scope(direct, longest, useful, visited, complete)


class _Scores(dict[str, float]):
    """The scores of tools by name; those that are not assessed yet have the best there is."""

    def __init__(self, assess: Assess) -> None:
        super().__init__()
        self._assess = assess

    def add(self, tools: Iterable[Tool]) -> bool:
        """Assess those of the tools that are new, in one batch; whether there were any."""
        new = {tool.name: tool for tool in tools if tool.name not in self}
        if new:
            answer = self._assess(list(new.values()))
            self.update(zip(new, map(answer.__getitem__, new), strict=True))
        return bool(new)

    def __missing__(self, name: str) -> float:
        return BEST_SCORE


def _joined(cheaper: Sequence[Solution], found: Sequence[Solution]) -> list[Solution]:
    """Cheaper solutions and those found before, each once."""
    known = {canonical(solution.drafts) for solution in cheaper}
    return [*cheaper, *(item for item in found if canonical(item.drafts) not in known)]
