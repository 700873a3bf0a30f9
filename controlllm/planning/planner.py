"""The planner: decompose, search, rank and fill in (paper Sec. 3.1, 3.2)."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from controlllm.core.costs import SearchCost
from controlllm.core.plans import Action, Plan, Request, Solution, Subtask, TypedValue
from controlllm.core.reasons import Reason
from controlllm.planning.assessment import aim_and_steps
from controlllm.planning.clauses import bare
from controlllm.planning.graph import ToolGraph
from controlllm.planning.judged import judged_candidates
from controlllm.planning.missing import what_is_missing
from controlllm.planning.phrasebook import OUTSIDE
from controlllm.planning.proposed import with_proposed
from controlllm.planning.repeating import with_settings_as_before
from controlllm.planning.resource_expert import EmbeddedResourceExpert
from controlllm.planning.roles import (
    Assessor,
    Decomposer,
    JudgesEnds,
    KnowsSteps,
    ResourceExpert,
    SolutionExpert,
)
from controlllm.planning.said_form import LONGEST_AROUND, in_said_form, with_passages
from controlllm.planning.scoped import (
    bare_subtask,
    moving_solution,
    scoped_solutions,
    without_part,
)
from controlllm.planning.search import (
    ROUNDABOUT,
    Candidate,
    Costs,
    SearchResult,
    worth_assessing,
)
from controlllm.planning.sense import sensible, without_misused
from controlllm.planning.settings import unused_values, with_values
from controlllm.planning.solution_expert import EmbeddedSolutionExpert, reason_of, score_of
from controlllm.planning.strategies import BEAM, DEFAULT_STRATEGY, THRESHOLD, strategy_of
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

#: What it costs a solution to leave out a step that guidance names and that another one does.
_STEP_LEFT_OUT = 0.3

#: What is wanted where a wish is put to whoever answers questions.
_ANY_QUESTION = (
    "Answer a general question or fulfil a request for knowledge, advice, explanation or writing "
    "(question answering, chat)."
)


@dataclass(frozen=True)
class Solved:
    """A subtask with its solutions, best first; `message` says what is missing where none is, and
    `trace` what the search knew."""

    subtask: Subtask
    solutions: tuple[Solution, ...]
    search: SearchCost
    message: str = ""
    trace: Trace | None = None


class Planner:
    """Plans over one toolbox. Its parts are exchangeable; it keeps nothing between requests.

    `strategy` names how it searches, with a `beam` and a `threshold` for the strategies that have
    one: see `controlllm.planning.strategies`, which raises ValueError where there is none of that
    name. `llm_calls` says how many calls to a language model its parts have made so far.
    """

    def __init__(
        self,
        graph: ToolGraph,
        decomposer: Decomposer,
        assessor: Assessor,
        limit: int = 5,
        *,
        resource_expert: ResourceExpert | None = None,
        solution_expert: SolutionExpert | None = None,
        llm_calls: Callable[[], int] = lambda: 0,
        strategy: str = DEFAULT_STRATEGY,
        beam: int = BEAM,
        threshold: float = THRESHOLD,
    ) -> None:
        self.strategy = strategy
        self._search = strategy_of(strategy, beam=beam, threshold=threshold)
        self.graph = graph
        self.decomposer = decomposer
        self.assessor = assessor
        self.resource_expert = resource_expert or EmbeddedResourceExpert()
        self.solution_expert = solution_expert or EmbeddedSolutionExpert()
        self.limit = limit
        self._llm_calls = llm_calls
        self._unavailable: Mapping[str, str] = {}

    def with_parts(
        self,
        *,
        decomposer: Decomposer | None = None,
        assessor: Assessor | None = None,
        resource_expert: ResourceExpert | None = None,
        solution_expert: SolutionExpert | None = None,
        llm_calls: Callable[[], int] | None = None,
        unavailable: Mapping[str, str] | None = None,
    ) -> Planner:
        """The same planner with other parts; those that are None stay as they are.

        `unavailable` says, by the names of tools that cannot run here, why they cannot: solutions
        without them are preferred, and the others say it.
        """
        other = copy.copy(self)
        other.decomposer = decomposer or self.decomposer
        other.assessor = assessor or self.assessor
        other.resource_expert = resource_expert or self.resource_expert
        other.solution_expert = solution_expert or self.solution_expert
        other._llm_calls = llm_calls or self._llm_calls
        other._unavailable = self._unavailable if unavailable is None else unavailable
        return other

    def tools_here(self) -> tuple[Tool, ...]:
        """The tools of the graph that can run here."""
        return tuple(tool for tool in self.graph.toolbox if tool.name not in self._unavailable)

    @property
    def unavailable(self) -> Mapping[str, str]:
        """Why tools cannot run here, by their names."""
        return self._unavailable

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The request's subtasks, each after those it depends on."""
        return self.decomposer.decompose(request)

    def solve(self, subtasks: Sequence[Subtask], request: Request) -> Iterator[Solved]:
        """The solutions of each subtask in turn.

        The type of a subtask may change to another likely one where that has the better solution
        and no later subtask counts on it.
        """
        returned: dict[str, str] = {}
        calls = self._llm_calls()
        if isinstance(self.assessor, JudgesEnds):
            self.assessor.prepare(subtasks, request)
        before = self._llm_calls() - calls
        for subtask in subtasks:
            args = tuple(
                replace(argument, type=returned.get(argument.value, argument.type))
                for argument in subtask.args
            )
            needed = any(
                subtask.id in later.deps and later.returns.type != OUTSIDE for later in subtasks
            )
            if subtask.scope is not None:
                yield self._scoped(replace(subtask, args=args), request, needed)
                continue
            if subtask.way:
                solved = self._solve(subtask, request, fixed=True)
                missing = self._missing(subtask.way)
                ways = with_proposed(subtask, missing, solved.solutions)[: self.limit]
                yield replace(solved, subtask=subtask, solutions=ways, message="")
                continue
            solved = self._solve(replace(subtask, args=args), request, fixed=needed)
            if not solved.solutions and len(subtasks) == 1:
                solved = self._with_attached(solved, request)
            if solved.solutions:
                used = without_misused(solved.subtask, solved.solutions[0], self.graph.toolbox)
                if used.args != solved.subtask.args:
                    other = self._solve(used, request, fixed=needed)
                    solved = other if other.solutions else solved
            if not solved.solutions and not needed:
                solved = self._as_question(solved, request)
            if len(subtasks) == 1:
                solved = self._with_values_around(solved, request)
            box = self.graph.toolbox
            ways = with_passages(solved.solutions, solved.subtask, subtasks, box)
            if not needed:
                ways = in_said_form(ways, solved.subtask, subtasks, request, box)
            solved = replace(solved, solutions=ways)
            returned[solved.subtask.returns.value] = self._type_read(solved)
            if before:
                # Told once, with the first subtask.
                cost = replace(solved.search, llm_calls=solved.search.llm_calls + before)
                solved, before = replace(solved, search=cost), 0
            yield solved

    def _type_read(self, solved: Solved) -> str:
        """The type that the result of a subtask has for those after it."""
        last = solved.solutions[0].tools[-1] if solved.solutions else ""
        if last in self.graph.toolbox and self.graph.toolbox[last].returns.members:
            return self.graph.toolbox[last].returns.each
        return solved.subtask.returns.type

    def _with_values_around(self, solved: Solved, request: Request) -> Solved:
        """The only wish of a request with the values that stand beside the words that ask for it,
        as in "The limit of the form is 500 kB. Can you make this smaller?"."""
        if len(request.text) > LONGEST_AROUND:
            return solved
        box = self.graph.toolbox
        ways = tuple(
            replace(way, actions=with_values(way.actions, request.text, box))
            for way in solved.solutions
        )
        # What is left unused here was weighed already where it stands in the wish's own words.
        within = solved.subtask.description
        left = [
            len(set(unused_values(way.actions, request.text)))
            - len(set(unused_values(way.actions, within)))
            for way in ways
        ]
        order = sorted(range(len(ways)), key=lambda place: (left[place], place))
        return replace(solved, solutions=tuple(ways[place] for place in order))

    def _scoped(self, subtask: Subtask, request: Request, needed: bool) -> Solved:
        """The ways to do what is asked of a part of a picture."""
        box = self.graph.toolbox
        moving = moving_solution(subtask, box) or without_part(subtask, box)
        if moving is not None:
            return Solved(subtask, (moving,), SearchCost(self.strategy))
        solved = self._solve(bare_subtask(subtask), request, fixed=needed)
        made = replace(solved.subtask, args=subtask.args)
        ways = scoped_solutions(solved.solutions, made, box)
        return replace(solved, subtask=made, solutions=ways)

    def _with_attached(self, solved: Solved, request: Request) -> Solved:
        """Another try for a wish that was read as one without files, though files came with it."""
        attached = tuple(
            TypedValue(item.type, item.value)
            for item in request.resources
            if item.value in request.attached
        )
        if not attached or any(not argument.role for argument in solved.subtask.args):
            return solved
        words = tuple(argument for argument in solved.subtask.args if argument.role)
        again = replace(
            solved.subtask, args=(*attached, *words), lacks=(), guidance="", ends={}, helps={}
        )
        other = self._solve(again, request, fixed=True)
        return other if other.solutions else solved

    def _as_question(self, solved: Solved, request: Request) -> Solved:
        """Another try for a wish without files for which there is no tool: whoever answers
        questions of all kinds may know."""
        subtask = solved.subtask
        without_files = all(argument.role for argument in subtask.args)
        if not without_files or subtask.lacks or subtask.returns.type == OUTSIDE:
            return solved
        if request.attached or any(argument.role == "question" for argument in subtask.args):
            return solved
        again = replace(
            subtask,
            args=(TypedValue("text", bare(subtask.description), "question"),),
            returns=replace(subtask.returns, type="text"),
            guidance=_ANY_QUESTION,
            ends={},
            helps={},
        )
        other = self._solve(again, request, fixed=True)
        return other if other.solutions else solved

    def plan(self, request: Request) -> tuple[Plan, SearchCost]:
        """The whole plan of a request at once."""
        started = time.perf_counter()
        calls = self._llm_calls()
        solved = list(self.solve(self.decompose(request), request))
        total = SearchCost(self.strategy)
        for item in solved:
            total = total + item.search
        plan = Plan(
            tuple(item.subtask for item in solved),
            {item.subtask.id: item.solutions for item in solved},
        )
        calls, seconds = self._llm_calls() - calls, time.perf_counter() - started
        return plan, replace(total, llm_calls=calls, seconds=seconds)

    def _solve(self, subtask: Subtask, request: Request, fixed: bool) -> Solved:
        started = time.perf_counter()
        calls = self._llm_calls()
        given, texts = self._inputs(subtask, request)
        scores: dict[str, float] = {}
        preferred: dict[str, float] = {}

        def assess(tools: Sequence[Tool]) -> dict[str, float]:
            new = [tool for tool in tools if tool.name not in scores]
            found = self.assessor.assess(subtask, new)
            scores.update(found)
            for name, score in found.items():
                preferred[name] = score - _CANNOT_RUN * (name in self._unavailable)
            return preferred

        fitting: list[tuple[float, Candidate]] = []
        visited = assessed = 0
        at_hand = {item.type for item in given}
        others = [] if fixed else [name for name in subtask.other_returns if name not in at_hand]
        steps = len(aim_and_steps(subtask.guidance)) - 1
        hopeless = bool(subtask.lacks) or subtask.returns.type == OUTSIDE
        types = () if hopeless else (subtask.returns.type, *others)
        searched, complete = types, True
        judgement = None
        if isinstance(self.assessor, JudgesEnds):
            judgement = self.assessor.judgement(subtask)
        if judgement is not None and types:
            cannot_run = dict.fromkeys(self._unavailable, _CANNOT_RUN)
            for handed in self._divisions(given, texts):
                judged = judged_candidates(
                    self._search, self.graph, *handed, subtask, judgement, cannot_run, fixed
                )
                found_here, complete, searched = judged.ways, judged.complete, judged.types
                visited += judged.visited
                if found_here:
                    given, texts = list(handed[0]), list(handed[1])
                    break
            box = self.graph.toolbox
            assess([box[name] for name in {**judgement.ends, **judgement.helps} if name in box])
            assess([draft.tool for _, item in found_here for draft in item.drafts])
            scores.update(judgement.ends)
            fitting = [(cost - self._unavailable_cost(item), item) for cost, item in found_here]
            types = ()
        if len(types) > 1 and self.strategy == DEFAULT_STRATEGY:
            # Every tool that can matter at once: an assessor may be slow to ask.
            at_once = [worth_assessing(self.graph, given, texts, name) for name in types]
            assess(tuple({tool.name: tool for tools in at_once for tool in tools}.values()))
        for wanted in types:
            result = self._search(self.graph, given, texts, wanted, assess, limit=self.limit)
            visited += result.visited
            if steps and self._goes_past_steps(result, subtask):
                # Solutions that take the steps which guidance names are no detours.
                result = self._search(
                    self.graph,
                    given,
                    texts,
                    wanted,
                    assess,
                    limit=self.limit,
                    roundabout=ROUNDABOUT + steps * Costs().step,
                )
                visited += result.visited
            complete = complete and result.complete
            extra = 0.0 if wanted == subtask.returns.type else _OTHER_TYPE
            for candidate in result.candidates:
                last = candidate.drafts[0].tool
                cost = candidate.cost + extra - self._unavailable_cost(candidate)
                fit = scores[last.name]
                needed = _FIT_NEEDED if last.examples else _FIT_NEEDED_UNTAUGHT
                if fit < needed + (_OTHER_FIT if extra else 0.0):
                    continue
                if last.examples and score_of(cost) < _SCORE_NEEDED and fit < _FIT_ENOUGH:
                    continue
                fitting.append((cost, candidate))
        fitting = self._without_missing_steps(fitting, subtask)
        completed = self.resource_expert.complete(
            [candidate for _, candidate in fitting], subtask, given, texts
        )
        found: list[tuple[float, Solution]] = []
        for (cost, candidate), actions in zip(fitting, completed, strict=True):
            if not actions:
                continue
            turns = (request.as_said or request).turns[:-1]
            actions = with_settings_as_before(actions, subtask, turns, self.graph.toolbox)
            reason = reason_of(actions, scores[candidate.drafts[0].tool.name])
            missing = self._missing(actions)
            solution = Solution(actions, score_of(cost), reason, missing)
            unused = _NOT_USED * len(unused_values(actions, subtask.description))
            found.append((cost + _CANNOT_RUN * bool(missing) + unused, solution))
        found = sensible(found, subtask, self.graph.toolbox)
        assessed = len(scores)
        found.sort(key=lambda item: (round(item[0], 9), len(item[1].actions), item[1].tools))
        trace = Trace(
            self.strategy,
            given,
            texts,
            searched,
            scores if judgement is None else {**subtask.ends, **judgement.ends},
            scores if judgement is None else {**subtask.helps, **judgement.helps},
            tuple(Found(cost, solution.tools, solution) for cost, solution in found),
            self.limit,
            None if judgement is None else frozenset({*judgement.ends, *judgement.helps}),
            complete,
        )
        kept: tuple[Solution, ...] = ()
        if found:
            best = [solution for _, solution in found[: self.limit]]
            kept = self.solution_expert.rank(subtask, best)
        if kept:
            made = kept[0].actions[-1].output.type
            subtask = replace(subtask, returns=replace(subtask.returns, type=made))
        message = (
            ""
            if kept
            else what_is_missing(subtask, given, request, self.graph, assess, _FIT_NEEDED)
        )
        calls, seconds = self._llm_calls() - calls, time.perf_counter() - started
        search = SearchCost(self.strategy, visited, assessed, calls, seconds)
        return Solved(subtask, kept, search, message, trace)

    def _without_missing_steps(
        self, fitting: list[tuple[float, Candidate]], subtask: Subtask
    ) -> list[tuple[float, Candidate]]:
        """Candidates with what it costs them to leave out steps that guidance says are needed."""
        taken = self._steps_taken([candidate for _, candidate in fitting], subtask)
        steps = frozenset[int]().union(*taken)
        return [
            (cost + _STEP_LEFT_OUT * len(steps - own), candidate)
            for (cost, candidate), own in zip(fitting, taken, strict=True)
        ]

    def _goes_past_steps(self, result: SearchResult, subtask: Subtask) -> bool:
        """Whether a search found nothing that takes any of the steps which guidance names, though
        there may be something."""
        if all(len(candidate.drafts) == 1 for candidate in result.candidates):
            return True
        return not result.complete and not any(self._steps_taken(result.candidates, subtask))

    def _steps_taken(
        self, candidates: Sequence[Candidate], subtask: Subtask
    ) -> list[frozenset[int]]:
        """Which of the steps that guidance names each of the candidates takes."""
        done: Mapping[str, frozenset[int]] = {}
        if isinstance(self.assessor, KnowsSteps):
            tools = {
                draft.tool.name: draft.tool for item in candidates for draft in item.drafts[1:]
            }
            done = self.assessor.steps_done(subtask, list(tools.values()))
        return [
            frozenset[int]().union(*(done.get(draft.tool.name, ()) for draft in item.drafts[1:]))
            for item in candidates
        ]

    def _unavailable_cost(self, candidate: Candidate) -> float:
        """What the search added to a candidate's cost for its tools that cannot run here."""
        costs = Costs()
        names = [draft.tool.name for draft in candidate.drafts]
        weights = [costs.last, *[costs.support] * (len(names) - 1)]
        return _CANNOT_RUN * sum(
            weight for name, weight in zip(names, weights, strict=True) if name in self._unavailable
        )

    def _missing(self, actions: Sequence[Action]) -> str:
        """What keeps actions from running here, in words; empty where they can run."""
        names = dict.fromkeys(action.tool for action in actions)
        return Reason.of_tools(names, self._unavailable)

    def _inputs(
        self, subtask: Subtask, request: Request
    ) -> tuple[list[TypedValue], list[TypedValue]]:
        """A subtask's arguments as resources to use and as words of the request."""
        every = (*request.resources, *(request.as_said.resources if request.as_said else ()))
        known = {resource.value for resource in every}
        given: list[TypedValue] = []
        texts: list[TypedValue] = []
        for argument in subtask.args:
            is_resource = argument.value in known or argument.value.startswith("<GEN>-")
            literal = argument.role or (argument.type == "text" and not is_resource)
            (texts if literal else given).append(argument)
        if not given and not texts:
            # Nothing but the request itself: its words are all that a tool can work on.
            texts.append(TypedValue("text", bare(subtask.description), "question"))
        return given, texts

    def _divisions(
        self, given: Sequence[TypedValue], texts: Sequence[TypedValue]
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
