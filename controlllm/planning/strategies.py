"""The search strategies by name: the paper's four and best-first (paper Sec. 3.2.2).

The paper's Algorithm 1 walks the tool graph depth-first. It starts from a subtask's resources, puts
one tool after the other at the end of a sequence, up to m = 10, and keeps track of what has been
made so far; a way ends where it reaches the wanted type. A function F says which of the tools that
could come next are tried: the best (greedy), the k best (beam), those above a threshold (adaptive)
or all (exhaustive). They are the baselines of `controlllm.planning.search.best_first`.

A sequence does not say what each input is bound to. `controlllm.planning.growth` finds the cheapest
way to bind them, each tool reading from what comes before it, so that all strategies give the same
kind of solutions with comparable costs: DAGs, without actions that nothing reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from controlllm.planning.allowed import Ranks
from controlllm.planning.drafts import Assess, Candidate, Costs, SearchResult, canonical
from controlllm.planning.graph import ToolGraph
from controlllm.planning.growth import Growth, Solution
from controlllm.planning.search import USUAL, Extent, best_first
from controlllm.planning.space import Goal, Space

#: The beam of paper Table 3.
BEAM = 3
#: The paper names no threshold for the adaptive strategy. On the scale of its Table 7 a tool is of
#: some help on the way from 3 on.
THRESHOLD = 3.0
#: How many tools are put at the end of a sequence before the walk gives up.
_MAX_VISITED = 2_000

#: The tools to try next, by name, out of those that could come next, with their scores, best first.
Selection = Callable[[Sequence[tuple[str, float]]], Sequence[tuple[str, float]]]


class Strategy(Protocol):
    """Finds the best solutions of a subtask; see `controlllm.planning.search.best_first`."""

    def __call__(
        self,
        graph: ToolGraph,
        goal: Goal,
        assess: Assess,
        extent: Extent = USUAL,
        costs: Costs | None = None,
    ) -> SearchResult: ...


#: The strategies' names, the default first.
STRATEGIES = ("best-first", "greedy", "beam", "adaptive", "exhaustive")
DEFAULT_STRATEGY = STRATEGIES[0]


def strategy_of(name: str, *, beam: int = BEAM, threshold: float = THRESHOLD) -> Strategy:
    """The strategy of a name; `beam` is the k of ``beam``, `threshold` the score, 1..5, that
    ``adaptive`` asks for.

    Raises ValueError where there is no such strategy, or with a beam or threshold out of range.
    """
    if beam < 1:
        raise ValueError(f"A beam of {beam} would hold no tool; it must be at least 1.")
    if not 1.0 <= threshold <= 5.0:
        raise ValueError(f"A threshold of {threshold:g} is not on the scale of scores, 1 to 5.")
    if name == DEFAULT_STRATEGY:
        return best_first
    selections: Mapping[str, Selection] = {
        "greedy": lambda scored: scored[:1],
        "beam": lambda scored: scored[:beam],
        "adaptive": lambda scored: [item for item in scored if item[1] >= threshold],
        "exhaustive": lambda scored: scored,
    }
    if name not in selections:
        raise ValueError(
            f"There is no search strategy called {name!r}; choose one of {', '.join(STRATEGIES)}."
        )

    return DepthFirst(selections[name])


@dataclass(frozen=True)
class DepthFirst:
    """The paper's Algorithm 1 with `select` as its F: the cheapest of the solutions that the walk
    meets, however roundabout they are, and however many states it visits up to a bound
    of its own; see `controlllm.planning.search.best_first`."""

    select: Selection

    def __call__(
        self,
        graph: ToolGraph,
        goal: Goal,
        assess: Assess,
        extent: Extent = USUAL,
        costs: Costs | None = None,
    ) -> SearchResult:
        space = Space(graph, goal, extent.length, costs or Costs())
        walk = _Walk(space, assess, self.select, extent.limit, _MAX_VISITED)
        if space.roots():
            walk.start()
        found = [
            Candidate(solution.drafts, solution.bill.total)
            for solution in walk.best
            if solution.bill.total <= walk.best[0].bill.total + extent.margin
        ]
        return SearchResult(tuple(found), walk.visited, len(walk.scores), walk.complete)


class _Walk:
    """Algorithm 1 under way."""

    #: The most states of binding the inputs of one sequence.
    _MAX_BOUND = 60

    def __init__(
        self, space: Space, assess: Assess, select: Selection, limit: int, max_visited: int
    ) -> None:
        self.scores: dict[str, float] = {}
        self.visited = 0
        self.complete = True
        self.best: list[Solution] = []
        self._space = space
        self._assess = assess
        self._select = select
        self._limit = limit
        self._max_visited = max_visited
        self._ranks = {space.tool(rank).name: rank for rank in self._leading()}
        self._known: set[tuple[object, ...]] = set()
        self._solved: dict[tuple[int, ...], bool] = {}

    def _leading(self) -> list[int]:
        """The tools, by rank, that can run and lie on a way to the wanted type."""
        wiring, runnable = self._space.wiring, self._space.reach.runnable
        found: set[int] = set()
        types, waiting = {self._space.wanted}, [self._space.wanted]
        while waiting:
            for rank in wiring.makers.get(waiting.pop(), ()):
                if runnable[rank] and rank not in found:
                    found.add(rank)
                    for number in wiring.inputs[rank]:
                        name = wiring.kinds[number].type
                        if name not in types:
                            types.add(name)
                            waiting.append(name)
        return sorted(found)

    def start(self) -> None:
        """Walk from what is at hand."""
        names = [name for name, rank in self._ranks.items() if self._has_inputs(rank, frozenset())]
        self._extend((), frozenset(), self._with([], names))

    def _extend(
        self, sequence: tuple[int, ...], made: frozenset[str], scored: list[tuple[str, float]]
    ) -> None:
        """Put each selected one of the tools that could come next at the end of a sequence that has
        made these types."""
        wiring = self._space.wiring
        for item in self._select(scored):
            if self.visited >= self._max_visited:
                self.complete = False
                return
            self.visited += 1
            rank = self._ranks[item[0]]
            longer = (*sequence, rank)
            returned = wiring.returns[rank]
            if returned == self._space.wanted and self._solves(longer):
                continue
            if len(longer) == self._space.length:
                continue
            left = scored.copy()
            left.remove(item)
            if returned not in made:
                left = self._with(left, self._enabled(returned, made))
            self._extend(longer, made | {returned}, left)

    def _enabled(self, made_now: str, made: frozenset[str]) -> list[str]:
        """The tools that could not come next before a type was made, and now can."""
        space = self._space
        names = []
        for number in space.wiring.kinds_of.get(made_now, ()):
            if not space.slot(number).full:
                for rank in space.wiring.takers[number]:
                    name = space.tool(rank).name
                    if (
                        number in space.wiring.required[rank]
                        and name in self._ranks
                        and self._has_inputs(rank, made | {made_now})
                    ):
                        names.append(name)
        return list(dict.fromkeys(names))

    def _with(
        self, scored: list[tuple[str, float]], names: Sequence[str]
    ) -> list[tuple[str, float]]:
        """The tools that could come next, with others, best first."""
        new = [self._space.tool(self._ranks[name]) for name in names if name not in self.scores]
        if new:
            answer = self._assess(new)
            self.scores.update({tool.name: answer[tool.name] for tool in new})
        joined = scored + [(name, self.scores[name]) for name in names]
        return sorted(joined, key=lambda item: (-item[1], item[0]))

    def _has_inputs(self, rank: int, made: frozenset[str]) -> bool:
        space = self._space
        return all(
            slot.full or slot.type in made for slot in map(space.slot, space.wiring.required[rank])
        )

    def _solves(self, sequence: tuple[int, ...]) -> bool:
        """Whether the last tool of a sequence ends a solution; keeps the best of those it ends."""
        read = self._read_by_last(sequence)
        if read not in self._solved:
            order = {rank: place for place, rank in enumerate(read)}
            growth = Growth(self._space, Ranks([read[-1]], frozenset(read), order), self.scores)
            found = False
            for place, solution in enumerate(growth.solutions(self._MAX_BOUND), 1):
                found = True
                self._keep(solution)
                if place == self._limit:
                    break
            self._solved[read] = found
        return self._solved[read]

    def _read_by_last(self, sequence: tuple[int, ...]) -> tuple[int, ...]:
        """The sequence without the tools whose outputs cannot lead to the last one."""
        wiring = self._space.wiring
        kept: list[int] = []
        needed: set[str] = set()
        for rank in reversed(sequence):
            if not kept or wiring.returns[rank] in needed:
                kept.append(rank)
                needed.update(wiring.kinds[number].type for number in wiring.inputs[rank])
        return tuple(reversed(kept))

    def _keep(self, solution: Solution) -> None:
        key = canonical(solution.drafts)
        if key not in self._known:
            self._known.add(key)
            self.best.append(solution)
            self.best.sort(key=_rank_of)
            del self.best[self._limit :]


def _rank_of(solution: Solution) -> tuple[float, int, str]:
    return round(solution.bill.total, 9), len(solution.drafts), repr(canonical(solution.drafts))
