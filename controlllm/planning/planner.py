"""The planner: decompose, search, rank and fill in (paper Sec. 3.1, 3.2)."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from controlllm.core.costs import SearchCost
from controlllm.core.plans import OUTSIDE, Plan, Request, Subtask, TypedValue
from controlllm.planning.clauses import bare
from controlllm.planning.graph import ToolGraph
from controlllm.planning.proposed import with_proposed
from controlllm.planning.roles import Assessor, Decomposer, JudgesEnds
from controlllm.planning.said_form import LONGEST_AROUND, in_said_form, with_passages
from controlllm.planning.scoped import bare_subtask, moving_solution, scoped_solutions, without_part
from controlllm.planning.sense import without_misused
from controlllm.planning.settings import unused_values, with_values
from controlllm.planning.solver import Solved, Solver
from controlllm.planning.strategies import BEAM, DEFAULT_STRATEGY, THRESHOLD, strategy_of
from controlllm.toolbox import Tool

#: What is wanted where a wish is put to whoever answers questions.
_ANY_QUESTION = (
    "Answer a general question or fulfil a request for knowledge, advice, explanation or writing "
    "(question answering, chat)."
)


class Planner:
    """Plans over one toolbox. Its parts are exchangeable; it keeps nothing between requests.

    `strategy` names how it searches, with a `beam` and a `threshold` for the strategies that have
    one: see `controlllm.planning.strategies`, which raises ValueError where there is none of that
    name.
    """

    def __init__(
        self,
        graph: ToolGraph,
        decomposer: Decomposer,
        assessor: Assessor,
        *,
        strategy: str = DEFAULT_STRATEGY,
        beam: int = BEAM,
        threshold: float = THRESHOLD,
    ) -> None:
        search = strategy_of(strategy, beam=beam, threshold=threshold)
        self.graph = graph
        self.decomposer = decomposer
        self.solver = Solver(graph, assessor, strategy, search)

    def with_parts(self, *, decomposer: Decomposer | None = None, **parts: Any) -> Planner:
        """The same planner with other parts, those of its solver by their names; what is None stays
        as it is."""
        other = copy.copy(self)
        other.decomposer = decomposer or self.decomposer
        given = {name: part for name, part in parts.items() if part is not None}
        other.solver = replace(self.solver, **given)
        return other

    def tools_here(self) -> tuple[Tool, ...]:
        """The tools of the graph that can run here."""
        unavailable = self.solver.unavailable
        return tuple(tool for tool in self.graph.toolbox if tool.name not in unavailable)

    def decompose(self, request: Request) -> tuple[Subtask, ...]:
        """The request's subtasks, each after those it depends on."""
        return self.decomposer.decompose(request)

    def solve(self, subtasks: Sequence[Subtask], request: Request) -> Iterator[Solved]:
        """The solutions of each subtask in turn.

        The type of a subtask may change to another likely one where that has the better solution
        and no later subtask counts on it.
        """
        returned: dict[str, str] = {}
        calls = self.solver.llm_calls()
        if isinstance(self.solver.assessor, JudgesEnds):
            self.solver.assessor.prepare(subtasks, request)
        before = self.solver.llm_calls() - calls
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
                solved = self.solver.solve(subtask, request, fixed=True)
                missing = self.solver.missing(subtask.way)
                ways = with_proposed(subtask, missing, solved.solutions)[: self.solver.limit]
                yield replace(solved, subtask=subtask, solutions=ways, message="")
                continue
            solved = self.solver.solve(replace(subtask, args=args), request, fixed=needed)
            if not solved.solutions and len(subtasks) == 1:
                solved = self._with_attached(solved, request)
            if solved.solutions:
                used = without_misused(solved.subtask, solved.solutions[0], self.graph.toolbox)
                if used.args != solved.subtask.args:
                    other = self.solver.solve(used, request, fixed=needed)
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
            return Solved(subtask, (moving,), SearchCost(self.solver.strategy))
        solved = self.solver.solve(bare_subtask(subtask), request, fixed=needed)
        made = replace(solved.subtask, args=subtask.args)
        ways = scoped_solutions(solved.solutions, made, box)
        return replace(solved, subtask=made, solutions=ways)

    def _with_attached(self, solved: Solved, request: Request) -> Solved:
        """Another try for a wish that was read as one without files, though files came with it."""
        attached = tuple(
            TypedValue.of(item) for item in request.resources if item.value in request.attached
        )
        if not attached or any(not argument.role for argument in solved.subtask.args):
            return solved
        words = tuple(argument for argument in solved.subtask.args if argument.role)
        again = replace(
            solved.subtask, args=(*attached, *words), lacks=(), guidance="", ends={}, helps={}
        )
        other = self.solver.solve(again, request, fixed=True)
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
        other = self.solver.solve(again, request, fixed=True)
        return other if other.solutions else solved

    def plan(self, request: Request) -> tuple[Plan, SearchCost]:
        """The whole plan of a request at once."""
        started = time.perf_counter()
        calls = self.solver.llm_calls()
        solved = list(self.solve(self.decompose(request), request))
        total = SearchCost(self.solver.strategy)
        for item in solved:
            total = total + item.search
        plan = Plan(
            tuple(item.subtask for item in solved),
            {item.subtask.id: item.solutions for item in solved},
        )
        calls, seconds = self.solver.llm_calls() - calls, time.perf_counter() - started
        return plan, replace(total, llm_calls=calls, seconds=seconds)
