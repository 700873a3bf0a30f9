"""The solutions of one subtask: searched, completed, scored and ranked (paper Sec. 3.2)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from controlllm.core.costs import SearchCost
from controlllm.core.plans import (
    OUTSIDE,
    Action,
    Request,
    Solution,
    Subtask,
    TypedValue,
    is_generated,
)
from controlllm.core.reasons import Reason
from controlllm.planning.clauses import bare
from controlllm.planning.graph import ToolGraph
from controlllm.planning.judged import JudgedSearch
from controlllm.planning.missing import what_is_missing
from controlllm.planning.repeating import with_settings_as_before
from controlllm.planning.resource_expert import EmbeddedResourceExpert
from controlllm.planning.roles import (
    Assessor,
    Judgement,
    JudgesEnds,
    ResourceExpert,
    SolutionExpert,
)
from controlllm.planning.search import (
    ROUNDABOUT,
    Candidate,
    Costs,
    Extent,
    SearchResult,
    worth_assessing,
)
from controlllm.planning.sense import sensible
from controlllm.planning.settings import unused_values
from controlllm.planning.solution_expert import EmbeddedSolutionExpert, reason_of, score_of
from controlllm.planning.space import Goal
from controlllm.planning.strategies import DEFAULT_STRATEGY, Strategy
from controlllm.planning.tracing import Found, Trace
from controlllm.toolbox import Tool

#: A tool that fits the subtask worse than this, on the scale 1..5, does not solve it; what it makes
#: is only of the right type. Tools without examples are known less well.
_FIT_NEEDED, _FIT_NEEDED_UNTAUGHT = 3.0, 1.6
#: Nor does a solution of such tools with a lower score than this, unless the tool that makes the
#: return fits so well that only what it leaves unread speaks against it.
_SCORE_NEEDED, _FIT_ENOUGH = 2.6, 4.0
#: What it must fit better where it makes another type than the one most likely meant.
_OTHER_FIT = 0.5
#: What it costs a solution that it makes another type than the one most likely meant.
_OTHER_TYPE = 0.5
#: What it costs a solution that it cannot run here. Of two that do nearly the same, the one that
#: can comes first, but not one that misses what was asked.
_CANNOT_RUN = 0.5
#: What it costs a solution to leave a measure unused that was said, such as a file's size.
_NOT_USED = 1.5

_Ways = list[tuple[float, Candidate]]


@dataclass(frozen=True)
class Solved:
    """A subtask with its solutions, best first; `message` says what is missing where none is, and
    `trace` what the search knew."""

    subtask: Subtask
    solutions: tuple[Solution, ...]
    search: SearchCost
    message: str = ""
    trace: Trace | None = None


@dataclass(frozen=True)
class Solver:
    """Solves subtasks one at a time, at most `limit` solutions each, and keeps nothing of them.

    `strategy` is the name of how it `search`es. `llm_calls` says how many calls to a language model
    its parts have made so far; `unavailable`, by the names of tools that cannot run here, why they
    cannot: solutions without them are preferred, and the others say it.
    """

    graph: ToolGraph
    assessor: Assessor
    strategy: str
    search: Strategy
    limit: int = 5
    resource_expert: ResourceExpert = EmbeddedResourceExpert()
    solution_expert: SolutionExpert = EmbeddedSolutionExpert()
    llm_calls: Callable[[], int] = lambda: 0
    unavailable: Mapping[str, str] = field(default_factory=dict)

    def solve(self, subtask: Subtask, request: Request, fixed: bool) -> Solved:
        """The solutions of a subtask; `fixed` says that its type may not change."""
        started, calls = time.perf_counter(), self.llm_calls()
        at_work = _Search(self, subtask, request, fixed)
        found = self._completed(at_work.candidates(), at_work)
        assessed = len(at_work.scores)
        judgement = at_work.judgement
        trace = Trace(
            self.strategy,
            at_work.given,
            at_work.texts,
            at_work.types,
            at_work.scores if judgement is None else {**subtask.ends, **judgement.ends},
            at_work.scores if judgement is None else {**subtask.helps, **judgement.helps},
            tuple(Found(cost, solution.tools, solution) for cost, solution in found),
            self.limit,
            None if judgement is None else frozenset({*judgement.ends, *judgement.helps}),
            at_work.complete,
        )
        best = [solution for _, solution in found[: self.limit]]
        kept = self.solution_expert.rank(subtask, best) if best else ()
        message = ""
        if kept:
            made = kept[0].actions[-1].output.type
            subtask = replace(subtask, returns=replace(subtask.returns, type=made))
        else:
            message = what_is_missing(
                subtask, at_work.given, request, self.graph, at_work.assess, _FIT_NEEDED
            )
        calls, seconds = self.llm_calls() - calls, time.perf_counter() - started
        cost = SearchCost(self.strategy, at_work.visited, assessed, calls, seconds)
        return Solved(subtask, kept, cost, message, trace)

    def _completed(self, ways: _Ways, at_work: _Search) -> list[tuple[float, Solution]]:
        """Candidates as solutions with what they cost, the best first."""
        subtask, toolbox = at_work.subtask, self.graph.toolbox
        candidates = [candidate for _, candidate in ways]
        completed = self.resource_expert.complete(candidates, subtask, at_work.given, at_work.texts)
        found: list[tuple[float, Solution]] = []
        for (cost, candidate), actions in zip(ways, completed, strict=True):
            if not actions:
                continue
            actions = with_settings_as_before(actions, subtask, at_work.turns, toolbox)
            reason = reason_of(actions, at_work.scores[candidate.drafts[0].tool.name])
            missing = self.missing(actions)
            unused = _NOT_USED * len(unused_values(actions, subtask.description))
            solution = Solution(actions, score_of(cost), reason, missing)
            found.append((cost + _CANNOT_RUN * bool(missing) + unused, solution))
        found = sensible(found, subtask, toolbox)
        return sorted(found, key=lambda it: (round(it[0], 9), len(it[1].actions), it[1].tools))

    def missing(self, actions: Sequence[Action]) -> str:
        """What keeps actions from running here, in words; empty where they can run."""
        return Reason.of_tools(dict.fromkeys(action.tool for action in actions), self.unavailable)


class _Search:
    """The search for the candidates of one subtask, with what it comes to know: `scores` of tools,
    the `types` of result that were searched for, how many states were `visited`, and whether it was
    `complete`."""

    def __init__(self, solver: Solver, subtask: Subtask, request: Request, fixed: bool) -> None:
        self.subtask = subtask
        self.given, self.texts = _inputs(subtask, request)
        self.turns = (request.as_said or request).turns[:-1]
        self.scores: dict[str, float] = {}
        self.visited = 0
        self.complete = True
        at_hand = {item.type for item in self.given}
        others = [] if fixed else [name for name in subtask.other_returns if name not in at_hand]
        hopeless = bool(subtask.lacks) or subtask.returns.type == OUTSIDE
        self.types = () if hopeless else (subtask.returns.type, *others)
        judge = solver.assessor if isinstance(solver.assessor, JudgesEnds) else None
        self.judgement = judge.judgement(subtask) if judge is not None else None
        self._solver = solver
        self._fixed = fixed
        self._preferred: dict[str, float] = {}

    def assess(self, tools: Sequence[Tool]) -> dict[str, float]:
        """The scores of tools, those that cannot run here a little lower."""
        new = [tool for tool in tools if tool.name not in self.scores]
        found = self._solver.assessor.assess(self.subtask, new)
        self.scores.update(found)
        for name, score in found.items():
            self._preferred[name] = score - _CANNOT_RUN * (name in self._solver.unavailable)
        return self._preferred

    def candidates(self) -> _Ways:
        """What solves the subtask, each with its cost."""
        judgement = self.judgement if self.types else None
        return self._searched() if judgement is None else self._judged(judgement)

    def _judged(self, judgement: Judgement) -> _Ways:
        solver, box = self._solver, self._solver.graph.toolbox
        cannot_run = dict.fromkeys(solver.unavailable, _CANNOT_RUN)
        search = JudgedSearch(
            solver.search, solver.graph, self.subtask, judgement, cannot_run, self._fixed
        )
        for handed in _divisions(self.given, self.texts):
            judged = search.candidates(*handed)
            self.complete, self.types = judged.complete, judged.types
            self.visited += judged.visited
            if judged.ways:
                self.given, self.texts = handed
                break
        self.assess([box[name] for name in {**judgement.ends, **judgement.helps} if name in box])
        self.assess([draft.tool for _, item in judged.ways for draft in item.drafts])
        self.scores.update(judgement.ends)
        return [(cost - self._unavailable_cost(item), item) for cost, item in judged.ways]

    def _searched(self) -> _Ways:
        graph = self._solver.graph
        if len(self.types) > 1 and self._solver.strategy == DEFAULT_STRATEGY:
            # Every tool that can matter at once: an assessor may be slow to ask.
            goals = [Goal(self.given, self.texts, name) for name in self.types]
            each = [worth_assessing(graph, goal) for goal in goals]
            self.assess(tuple({tool.name: tool for tools in each for tool in tools}.values()))
        found: _Ways = []
        for wanted in self.types:
            result = self._search(wanted)
            self.complete = self.complete and result.complete
            extra = 0.0 if wanted == self.subtask.returns.type else _OTHER_TYPE
            for candidate in result.candidates:
                last = candidate.drafts[0].tool
                cost = candidate.cost + extra - self._unavailable_cost(candidate)
                fit = self.scores[last.name]
                needed = _FIT_NEEDED if last.examples else _FIT_NEEDED_UNTAUGHT
                if fit < needed + (_OTHER_FIT if extra else 0.0):
                    continue
                if last.examples and score_of(cost) < _SCORE_NEEDED and fit < _FIT_ENOUGH:
                    continue
                found.append((cost, candidate))
        return found

    def _search(self, wanted: str) -> SearchResult:
        solver = self._solver
        goal, extent = Goal(self.given, self.texts, wanted), Extent(solver.limit, ROUNDABOUT)
        result = solver.search(solver.graph, goal, self.assess, extent)
        self.visited += result.visited
        return result

    def _unavailable_cost(self, candidate: Candidate) -> float:
        """What the search added to a candidate's cost for its tools that cannot run here."""
        costs = Costs()
        last, *others = (draft.tool.name in self._solver.unavailable for draft in candidate.drafts)
        return _CANNOT_RUN * (costs.last * last + costs.support * sum(others))


def _inputs(
    subtask: Subtask, request: Request
) -> tuple[Sequence[TypedValue], Sequence[TypedValue]]:
    """A subtask's arguments as resources to use and as words of the request."""
    every = (*request.resources, *(request.as_said.resources if request.as_said else ()))
    known = {resource.value for resource in every}
    given: list[TypedValue] = []
    texts: list[TypedValue] = []
    for argument in subtask.args:
        is_resource = argument.value in known or is_generated(argument.value)
        literal = argument.role or (argument.type == "text" and not is_resource)
        (texts if literal else given).append(argument)
    if not given and not texts:
        # Nothing but the request itself: its words are all that a tool can work on.
        texts.append(TypedValue("text", bare(subtask.description), "question"))
    return given, texts


def _divisions(
    given: Sequence[TypedValue], texts: Sequence[TypedValue]
) -> Iterator[tuple[Sequence[TypedValue], Sequence[TypedValue]]]:
    """What solutions must work on and what words they may read, the likeliest way first.

    Beside other words, a text to work on is worked on like a file, unless it is only a part of
    words that were heard as a fact: "harbour" of "the water of the harbour".
    """
    facts = [item.value for item in texts if item.role in ("name", "query", "place", "time")]
    content = [
        item
        for item in texts
        if item.role == "content"
        and not any(item.value in fact and item.value != fact for fact in facts)
    ]
    if content and len(texts) > 1:
        yield [*given, *content], [item for item in texts if item not in content]
    yield given, texts
