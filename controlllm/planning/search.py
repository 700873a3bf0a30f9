"""Best-first Thoughts-on-Graph: the k best solutions of a subtask, as DAGs, best first.

The paper's Algorithm 1 walks tool sequences forwards. Here a partial solution grows backwards from
the wanted return: its first open input is bound to something given, to words of the request, to an
output that the solution already has, or to a new action of a tool that makes exactly that type. So
two orders of the same calls are one solution and a tool with two inputs gets two sub-solutions.

Partial solutions leave the queue in order of ``cost + bound``. The bound never overstates what is
missing: each type that nothing at hand has yet needs at least one more action that makes it, and no
action costs less than the cheapest tool of that type. Hence no solution comes out before a better
one, which is what ``tests/planning/test_search.py`` checks against brute force.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controlllm.graph import ToolGraph
from controlllm.plan import TypedValue
from controlllm.planning.arguments import words_for
from controlllm.toolbox import Tool

#: Assessments run from 1 to 5 (paper Table 7).
BEST_SCORE = 5.0

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
    support: float = 0.1
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


@dataclass(frozen=True)
class Absent:
    """An optional input that is left out."""


Binding = Given | AllGiven | Words | Made | Absent | None


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

    `complete` is False where the search stopped at its limit of visited states.
    """

    candidates: tuple[Candidate, ...]
    visited: int
    assessed: int
    complete: bool = True


def best_first(
    graph: ToolGraph,
    given: Sequence[TypedValue],
    texts: Sequence[TypedValue],
    wanted: str,
    assess: Assess,
    *,
    limit: int = 5,
    length: int = 10,
    margin: float = 1.5,
    max_visited: int = 1_500,
    costs: Costs | None = None,
) -> SearchResult:
    """The `limit` cheapest solutions that make the wanted type and use everything given.

    Parameters
    ----------
    given: resources that every solution must use (files, clicks, results of other subtasks).
    texts: words of the request with their roles; a solution that ignores them costs more.
    wanted: the type to make; only a tool that returns exactly this type ends a solution.
    assess: scores 1..5 for tools, called once with every tool that can matter.
    length: the most actions a solution may have (the paper's m).
    margin: how much worse than the best a solution may be.
    """
    costs = costs or Costs()
    useful = graph.useful([item.type for item in given], wanted)
    if not any(tool.returns.type == wanted for tool in useful):
        return SearchResult((), 0, 0)
    scores = assess(useful)
    space = _Space(graph, useful, tuple(given), tuple(texts), scores, costs)
    queue: list[tuple[float, int, tuple[object, ...], float, bool, tuple[Draft, ...]]] = []

    def push(drafts: tuple[Draft, ...], cost: float, finished: bool) -> None:
        estimate = cost if finished else cost + space.bound(drafts)
        heapq.heappush(
            queue, (round(estimate, 9), len(drafts), _signature(drafts), cost, finished, drafts)
        )

    for tool in useful:
        if tool.returns.type == wanted:
            push((Draft(tool, (None,) * len(tool.args)),), space.last_cost(tool), False)
    found: list[Candidate] = []
    seen: set[tuple[object, ...]] = set()
    visited = 0
    while queue and len(found) < limit:
        estimate, _, _, cost, finished, drafts = heapq.heappop(queue)
        if found and estimate > found[0].cost + margin:
            break
        if visited >= max_visited:
            return SearchResult(tuple(found), visited, len(useful), complete=False)
        visited += 1
        if finished:
            canonical = _canonical(drafts)
            if canonical not in seen:
                seen.add(canonical)
                found.append(Candidate(drafts, cost))
            continue
        place = _open_input(drafts)
        if place is None:
            if not space.unused(drafts):
                push(drafts, cost + space.penalty(drafts), True)
            continue
        for grown, extra in space.grow(drafts, place, length):
            if not space.dead(grown):
                push(grown, cost + extra, False)
    return SearchResult(tuple(found), visited, len(useful))


class _Space:
    """The space of partial solutions of one subtask: how they grow and what they cost."""

    def __init__(
        self,
        graph: ToolGraph,
        useful: tuple[Tool, ...],
        given: tuple[TypedValue, ...],
        texts: tuple[TypedValue, ...],
        scores: Mapping[str, float],
        costs: Costs,
    ) -> None:
        self.given = given
        self.texts = texts
        self.costs = costs
        self.lattice = graph.lattice
        self.scores = scores
        self.makers: dict[str, list[Tool]] = {}
        for tool in useful:
            self.makers.setdefault(tool.returns.type, []).append(tool)
        self.cheapest = {
            type_name: min(self.step_cost(tool) for tool in tools)
            for type_name, tools in self.makers.items()
        }
        self.fitting = {
            type_name: tuple(
                index for index, item in enumerate(given) if self.lattice.is_a(item.type, type_name)
            )
            for type_name in {argument.type for tool in useful for argument in tool.args}
        }
        self.reach = self._reach(useful)

    def last_cost(self, tool: Tool) -> float:
        return self.costs.last * (BEST_SCORE - self.scores[tool.name])

    def step_cost(self, tool: Tool) -> float:
        return self.costs.step + self.costs.support * (BEST_SCORE - self.scores[tool.name])

    def _reach(self, useful: tuple[Tool, ...]) -> dict[str, frozenset[int]]:
        """For each type, which given resources some way of making it can use."""
        reach: dict[str, frozenset[int]] = {
            type_name: frozenset(indices) for type_name, indices in self.fitting.items()
        }
        changed = True
        while changed:
            changed = False
            for tool in useful:
                own = reach.get(tool.returns.type, frozenset())
                grown = own.union(*(reach[argument.type] for argument in tool.args))
                if grown != own:
                    reach[tool.returns.type] = grown
                    changed = True
        return reach

    def unused(self, drafts: tuple[Draft, ...]) -> set[int]:
        """The indices of given resources that no input is bound to."""
        left = set(range(len(self.given)))
        for draft in drafts:
            for binding in draft.inputs:
                if isinstance(binding, Given):
                    left.discard(binding.index)
                elif isinstance(binding, AllGiven):
                    left.difference_update(binding.indices)
        return left

    def dead(self, drafts: tuple[Draft, ...]) -> bool:
        """Whether no way of closing the open inputs can use everything that is given."""
        left = self.unused(drafts)
        if not left:
            return False
        for draft in drafts:
            for argument, binding in zip(draft.tool.args, draft.inputs, strict=True):
                if binding is None:
                    left -= self.reach.get(argument.type, frozenset())
        return bool(left)

    def bound(self, drafts: tuple[Draft, ...]) -> float:
        """A lower bound on the cost of closing every open input."""
        at_hand = {draft.tool.returns.type for draft in drafts}
        missing = {
            argument.type
            for draft in drafts
            for argument, binding in zip(draft.tool.args, draft.inputs, strict=True)
            if binding is None
            and not argument.optional
            and argument.type != "text"
            and argument.type not in at_hand
            and not self.fitting.get(argument.type)
        }
        return sum(self.cheapest.get(type_name, 0.0) for type_name in missing)

    def penalty(self, drafts: tuple[Draft, ...]) -> float:
        """What a finished solution costs beside its actions: see `Costs`."""
        readings = [0] * len(self.texts)
        whole = False
        repeats = 0
        for position, draft in enumerate(drafts):
            words = [binding for binding in draft.inputs if isinstance(binding, Words)]
            for binding in words:
                if binding.index >= 0:
                    readings[binding.index] += 1
                # The request's own words hold every text that was found in it.
                whole = whole or binding.index < 0
            sources = _sources(drafts, position) - {position}
            made = {drafts[source].tool.returns.type for source in sources}
            repeats += draft.tool.returns.type in made and not words
        return (
            self.costs.unused_words * (0 if whole else readings.count(0))
            + self.costs.reread * sum(max(count - 1, 0) for count in readings)
            + self.costs.repeat * repeats
        )

    def grow(
        self, drafts: tuple[Draft, ...], place: tuple[int, int], length: int
    ) -> list[tuple[tuple[Draft, ...], float]]:
        """Every way to bind the open input at `place`, with what it adds to the cost."""
        position, number = place
        argument = drafts[position].tool.args[number]
        grown: list[tuple[tuple[Draft, ...], float]] = []

        def bind(binding: Binding, extra: float, *more: Draft) -> None:
            inputs = drafts[position].inputs
            inputs = (*inputs[:number], binding, *inputs[number + 1 :])
            changed = Draft(drafts[position].tool, inputs)
            grown.append(((*drafts[:position], changed, *drafts[position + 1 :], *more), extra))

        fitting = self.fitting[argument.type]
        taken = {item for item in drafts[position].inputs if isinstance(item, Given)}
        for index in fitting:
            if Given(index) not in taken:
                bind(Given(index), 0.0)
        if argument.many and len(fitting) > 1:
            bind(AllGiven(fitting), 0.0)
        if argument.optional:
            bind(Absent(), 0.0)
        words = words_for(argument, self.texts) if argument.type == "text" else None
        at_hand = bool(fitting) or words is not None
        if words is not None and Words(words[1]) in drafts[position].inputs:
            # A text and a question about it are never the same words.
            words = None
        if words is not None:
            bind(Words(words[1]), words[0])
        detour = self.costs.detour if at_hand else 0.0
        above = _readers(drafts, position)
        busy = {drafts[reader].tool.name for reader in above}
        for earlier, draft in enumerate(drafts):
            if (
                draft.tool.returns.type == argument.type
                and earlier not in above
                and not busy & {drafts[source].tool.name for source in _sources(drafts, earlier)}
            ):
                bind(Made(earlier), self.costs.reuse + detour)
        if len(drafts) < length:
            for tool in self.makers.get(argument.type, ()):
                if tool.name not in busy:
                    new = Draft(tool, (None,) * len(tool.args))
                    bind(Made(len(drafts)), self.step_cost(tool) + detour, new)
        return grown


def _open_input(drafts: tuple[Draft, ...]) -> tuple[int, int] | None:
    for position, draft in enumerate(drafts):
        for number, binding in enumerate(draft.inputs):
            if binding is None:
                return position, number
    return None


def _readers(drafts: tuple[Draft, ...], position: int) -> set[int]:
    """The action itself and all that read from it, directly or not."""
    found = {position}
    grew = True
    while grew:
        grew = False
        for index, draft in enumerate(drafts):
            if index not in found and any(
                isinstance(binding, Made) and binding.position in found for binding in draft.inputs
            ):
                found.add(index)
                grew = True
    return found


def _sources(drafts: tuple[Draft, ...], position: int) -> set[int]:
    """The action itself and all that it reads from, directly or not."""
    found: set[int] = set()
    waiting = [position]
    while waiting:
        index = waiting.pop()
        if index not in found:
            found.add(index)
            waiting.extend(
                binding.position for binding in drafts[index].inputs if isinstance(binding, Made)
            )
    return found


def _signature(drafts: tuple[Draft, ...]) -> tuple[object, ...]:
    """A sort key that does not depend on the order in which tools were registered."""
    return tuple((draft.tool.name, tuple(map(_sort_key, draft.inputs))) for draft in drafts)


def _sort_key(binding: Binding) -> tuple[int, ...]:
    if isinstance(binding, Made):
        return (1, binding.position)
    if isinstance(binding, Given):
        return (2, binding.index)
    if isinstance(binding, Words):
        return (3, binding.index)
    if isinstance(binding, AllGiven):
        return (4, *binding.indices)
    return (0,) if binding is None else (5,)


def _canonical(drafts: tuple[Draft, ...]) -> tuple[object, ...]:
    """The same for every order of the same calls: the tree of calls below the last action."""

    def tree(position: int) -> tuple[object, ...]:
        draft = drafts[position]
        return (
            draft.tool.name,
            *(
                tree(binding.position) if isinstance(binding, Made) else repr(binding)
                for binding in draft.inputs
            ),
        )

    return tree(0)
