"""Plan first, act where the plan does not hold: ours, beside the paper's agents.

The actions of a plan are the first decisions; each is looked at like any other step. From the first
that fails or brings something else than what was needed, its other ways are tried, and then the
router decides from the state, which holds what was found and what failed.

A failure is evidence, not proof: one may pass, the same one again hardly does. So a call that
failed by what may pass is weighed once more against all others, and only what failed twice is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from controlllm.agents.environment import Environment, Observation, fingerprint
from controlllm.agents.roles import Decision, Outcome, Router, StateKeeper, Task
from controlllm.agents.running import Oversight
from controlllm.agents.sum2act import sum2act
from controlllm.core.plans import Action, Literal, Plan, Solution, Value, told_values, values_of
from controlllm.core.state import State
from controlllm.resources import Resource
from controlllm.toolbox import Tool

#: How often the same call is made while it fails by what may pass.
PATIENCE = 2
#: How clearly a part has to be read, 0..1, and how well its tools have to fit, 1..5, for its plan
#: to be followed before anything else.
_SURE_READING, _SURE_SCORE = 0.8, 4.0


def hybrid(
    task: Task,
    environment: Environment,
    first: Router,
    router: Router,
    keeper: StateKeeper,
    oversight: Oversight,
) -> Outcome:
    """Work on a task as `first` decides, such as by a plan where it holds, as `sum2act` does.

    A call that failed by what may pass is made once more. Where nothing is left to try, tools that
    were only unavailable are tried once again, with what is left of the budget, which holds for
    both together, as what is told and the outcome count both; never what may have happened outside
    all the same.
    Raises `controlllm.toolbox.Cancelled` where the person stopped the run.
    """
    patient = PatientEnvironment(environment)
    begun = sum2act(task, patient, first, keeper, oversight, PATIENCE)
    state = begun.view.state
    lasting = tuple(item for item in state.failures if item.kind != "unavailable" or item.unsure)
    spent = begun.view.spent
    is_left = oversight.budget.is_left(spent)
    if not begun.reason or len(lasting) == len(state.failures) or not is_left:
        return begun
    again = replace(task, state=replace(state, failures=lasting))
    left = replace(oversight, before=spent)
    second = sum2act(again, patient, router, keeper, left, PATIENCE)
    sources = {item.source for item in state.results}
    before = tuple(
        taken
        for taken in begun.steps
        if taken.observation.resource is not None and taken.observation.resource.value in sources
    )
    return replace(
        second,
        steps=(*begun.steps, *second.steps),
        path=(*before, *second.path) if second.path else (),
    )


class PlannedRouter:
    """A router for one task whose first decisions are the actions of a plan.

    Parameters
    ----------
    plan: made over the tools of the task's environment.
    reader: the embedded router. An action of the plan is decided on where the search from the
        present state comes to the same tool; its arguments are filled in from all that is known.
    router: decides where the plan has nothing more to say.
    """

    def __init__(self, plan: Plan, reader: Router, router: Router) -> None:
        self._plan = plan
        self._reader = reader
        self._router = router
        #: What actions made, by what the plan calls it.
        self._made: dict[str, str] = {}
        #: The action that was decided on last, and the resources that there were before it.
        self._last: Action | None = None
        self._before: frozenset[str] = frozenset()
        self._given_up: set[tuple[int, int]] = set()
        self._place: tuple[int, int] | None = None

    def decide(
        self, task: Task, state: State, environment: Environment, hidden: Set[str]
    ) -> Decision:
        """The next action of the plan, or what the router decides; see
        `controlllm.agents.roles.Router`."""
        self._note(state, environment)
        failed = {fingerprint(item.tool, item.arguments) for item in state.failures}
        tools = {tool.name: tool for tool in environment.tools if tool.name not in hidden}
        for place, action in self._open():
            arguments = told_values(action.inputs, self._value)
            if action.tool not in tools or fingerprint(action.tool, arguments) in failed:
                self._given_up.add(place)
                continue
            agreed = self._reader.decide(task, state, environment, hidden)
            if agreed.tool != action.tool:
                self._given_up.add(place)
                continue
            self._last, self._place = action, place
            self._before = frozenset(environment.resources)
            return agreed
        return self._router.decide(task, state, environment, hidden)

    def _note(self, state: State, environment: Environment) -> None:
        """Take in what the last action brought."""
        if self._last is None or self._place is None:
            return
        new = [name for name in environment.resources if name not in self._before]
        steps = [item.step for item in state.results] + [item.step for item in state.failures]
        last = max(steps, default=0)
        has_failed = any(
            item.step == last and item.tool == self._last.tool for item in state.failures
        )
        if new and not has_failed:
            self._made[self._last.output.value] = new[-1]
            subtask = self._place[0]
            solution = self._plan.solutions[subtask][self._place[1]]
            if self._last is solution.actions[-1]:
                returned = next(item for item in self._plan.subtasks if item.id == subtask)
                self._made[returned.returns.value] = new[-1]
        else:
            self._given_up.add(self._place)
        self._last = self._place = None

    def _open(self) -> Iterator[tuple[tuple[int, int], Action]]:
        """The next action of each subtask that is not done, by its best way that is left."""
        for subtask in self._plan.subtasks:
            if subtask.returns.value in self._made:
                continue
            for index, solution in enumerate(self._plan.solutions.get(subtask.id, ())):
                if (subtask.id, index) in self._given_up or solution.missing:
                    continue
                action = self._next(solution)
                if action is not None:
                    yield (subtask.id, index), action

    def _next(self, solution: Solution) -> Action | None:
        for action in solution.actions:
            if action.output.value not in self._made or action is solution.actions[-1]:
                needs = [value for value in action.references() if value.startswith("<")]
                return action if all(value in self._made for value in needs) else None
        return None

    def _value(self, value: Value) -> str:
        return (
            value.text if isinstance(value, Literal) else self._made.get(value.value, value.value)
        )


def sure_parts(plan: Plan) -> Plan:
    """A plan with those ways only that nothing has to be guessed for: the part was clearly read,
    its tools fit, and all words that they are given were named in it for what they are."""
    solutions = {}
    for subtask in plan.subtasks:
        named = {item.value for item in subtask.args if item.role} - {subtask.description}
        solutions[subtask.id] = tuple(
            way
            for way in plan.solutions.get(subtask.id, ())
            if subtask.confidence >= _SURE_READING
            and way.score >= _SURE_SCORE
            and _literals(way) <= named
        )
    return replace(plan, solutions=solutions)


def _literals(way: Solution) -> set[str]:
    return {
        value.text
        for action in way.actions
        for given in action.inputs.values()
        for value in values_of(given)
        if isinstance(value, Literal)
    }


class PatientEnvironment:
    """An environment in which a call that failed by what may pass is made once more, as the engine
    does; not one that acts outside, which may have done so.

    It counts how often each call has failed, in its forks too: what was made once more already is
    not made twice when it is decided on again.
    """

    def __init__(self, environment: Environment, failed: Counter[str] | None = None) -> None:
        self._environment = environment
        self._failed: Counter[str] = Counter() if failed is None else failed

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that can be called."""
        return self._environment.tools

    @property
    def resources(self) -> Mapping[str, Resource]:
        """What can be referred to by name."""
        return self._environment.resources

    def step(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Call a tool; see `controlllm.agents.environment.Environment`."""
        seen = self._made(name, arguments)
        acts = any(tool.name == name and tool.acts_outside for tool in self.tools)
        if seen.code.may_pass and not acts and seen.times < PATIENCE:
            return self._made(name, arguments)
        return seen

    def fork(self) -> PatientEnvironment:
        """One with the same tools and resources, whose calls do not change this one."""
        return PatientEnvironment(self._environment.fork(), self._failed)

    def _made(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        seen = self._environment.step(name, arguments)
        if seen.is_done:
            return seen
        mark = fingerprint(name, arguments)
        self._failed[mark] += 1
        return replace(seen, times=self._failed[mark])
