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

from controlllm.core.plans import TypedValue
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
from controlllm.planning.space import EQUAL, Space
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


def best_first(
    graph: ToolGraph,
    given: Sequence[TypedValue],
    texts: Sequence[TypedValue],
    wanted: str,
    assess: Assess,
    *,
    limit: int = 5,
    length: int = _LENGTH,
    margin: float = 1.5,
    roundabout: float = ROUNDABOUT,
    max_visited: int = _MAX_VISITED,
    costs: Costs | None = None,
) -> SearchResult:
    """The `limit` cheapest solutions that make the wanted type and use everything given.

    Parameters
    ----------
    given: resources that every solution must use (files, clicks, results of other subtasks).
    texts: words of the request with their roles; a solution that ignores them costs more.
    wanted: the type to make; only a tool that returns exactly this type ends a solution.
    assess: scores 1..5 for tools, called with every tool that can matter, in one batch, see
        `worth_assessing`; in further ones where the best solution may be more roundabout than that.
    length: the most actions a solution may have (the paper's m).
    margin: how much worse than the best a solution may be.
    roundabout: how much more roundabout (see `controlllm.planning.drafts.Bill`) than need be a
        solution may be, unless it is cheaper than all that are less so; by default one action.
    max_visited: how many partial solutions are looked at before the search gives up.
    """
    space = Space(graph, given, texts, wanted, length, costs or Costs())
    scope = _scope(space, roundabout, max_visited)
    visited, complete, longest = scope.visited, scope.complete, scope.longest
    if scope.direct is None:
        return SearchResult((), visited, 0, complete)
    roots = space.roots()
    scores = _Scores(assess)
    scores.add(map(space.tool, scope.useful))
    useful = frozenset(scope.useful)
    # Where only last tools are useful, there is hardly anything below them to tell the cost of.
    bounds = space.scored(scores, useful, True) if len(useful) > len(roots) else space.bounds
    growth = Growth(space, roots, useful, scores, longest, margin, bounds=bounds)
    budget = max(max_visited - scope.visited, max_visited // 2)
    solutions = growth.solutions(budget, _MADE * budget)
    found = list(itertools.islice(solutions, limit))
    visited, complete = visited + growth.visited, growth.complete
    if not found:
        scores.add(draft.tool for draft in scope.direct.drafts)
        found = [Solution(scope.direct.drafts, space.bill(scope.direct.drafts, scores))]
    perfect: Bounds | None = None
    while complete:
        best = found[0].bill.total
        limits = {rank: best - space.last_cost(rank, scores) for rank in roots}
        limits = {rank: left for rank, left in limits.items() if left > longest + EQUAL}
        limits = space.affordable(limits, texts=True)
        if not limits:
            break
        # Tools that are not assessed yet count as perfect here.
        perfect = perfect or space.scored(scores, useful, False)
        wider = Growth(space, limits, None, scores, best=best - 2 * EQUAL, bounds=perfect)
        solutions = wider.solutions(max_visited + scope.visited - visited, _MADE * max_visited)
        cheaper = list(itertools.islice(solutions, limit))
        visited, complete = visited + wider.visited, wider.complete
        if not scores.add(draft.tool for solution in cheaper for draft in solution.drafts):
            found = _joined(cheaper, found)
            break
    kept = [
        Candidate(solution.drafts, solution.bill.total)
        for solution in found[:limit]
        if solution.bill.total <= found[0].bill.total + margin + EQUAL
    ]
    return SearchResult(tuple(kept), visited, len(scores), complete)


def worth_assessing(
    graph: ToolGraph,
    given: Sequence[TypedValue],
    texts: Sequence[TypedValue],
    wanted: str,
    roundabout: float = ROUNDABOUT,
) -> tuple[Tool, ...]:
    """The tools that `best_first` has assessed first, by name."""
    space = Space(graph, given, texts, wanted, _LENGTH, Costs())
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
    measure = Growth(space, roots, margin=0.0)
    direct = next(measure.solutions(int(_MEASURED * max_visited), _MADE * max_visited), None)
    visited, complete = measure.visited, measure.complete
    if direct is None and not complete:
        # Any solution is a limit, though a wider one.
        hasty = Growth(space, roots, margin=0.0, haste=_HASTE)
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
