"""Plans that somebody else has written: read, and refused with the node's name where something is
wrong with them, before anything runs.

A node is called ``subtask.solution.position``, as in the events. Every reference goes backwards: to
a file of the conversation, to the result of an earlier subtask, or to an earlier action of the same
solution; so a plan that is accepted has no cycle.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from controlllm.core.plans import Plan, generated
from controlllm.engine.compile import compile_plan
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox

MOST_SUBTASKS = 50
MOST_SOLUTIONS = 10
MOST_ACTIONS = 50
MOST_NODES = 500
_GENERATED = re.compile(r"<GEN>-\d+(-\d+)?")

Name = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Words = Annotated[str, StringConstraints(max_length=20_000)]
_Number = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,5}$")]
Long = Annotated[str, StringConstraints(max_length=400_000)]


class BadPlan(ValueError):
    """A plan cannot be run. The message is a sentence; `node` is the place that is wrong."""

    def __init__(self, node: str, message: str) -> None:
        super().__init__(message)
        self.node = node


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)


class SentValue(_Part):
    """A type with the value, or the name of the value, of that type."""

    type: Name
    value: Long


class SentAction(_Part):
    """One call of a tool. An input is a text, a file's name or an earlier output's name, or a list
    of those."""

    tool: Name
    inputs: Annotated[
        dict[Name, Long | Annotated[list[Long], Field(max_length=100)]], Field(max_length=50)
    ]
    output: SentValue


class SentSolution(_Part):
    """One way to solve a subtask; its last action makes the result."""

    actions: Annotated[list[SentAction], Field(min_length=1, max_length=MOST_ACTIONS)]
    score: float = 5.0
    reason: Words = ""


class SentSubtask(_Part):
    """One part of a request with the ways to solve it, best first."""

    id: Annotated[int, Field(ge=0, lt=10_000)]
    description: Words = ""
    domains: Annotated[list[Name], Field(max_length=50)] = []
    deps: Annotated[list[int], Field(max_length=MOST_SUBTASKS)] = []
    args: Annotated[list[SentValue], Field(max_length=100)] = []
    returns: SentValue
    solutions: Annotated[list[SentSolution], Field(min_length=1, max_length=MOST_SOLUTIONS)]


class SentPlan(_Part):
    """A plan. `chosen` says which solution of a subtask runs, the first where it does not;
    `references` are the inputs that are names and not words, and are told by themselves where they
    are left out."""

    subtasks: Annotated[list[SentSubtask], Field(min_length=1, max_length=MOST_SUBTASKS)]
    chosen: Annotated[dict[_Number, int], Field(max_length=MOST_SUBTASKS)] = {}
    references: Annotated[list[Name], Field(max_length=5000)] | None = None


def read_plan(sent: Any, toolbox: Toolbox, resources: Mapping[str, Resource]) -> Plan:
    """A plan that can be run with these resources, which it may name by their values.

    Raises BadPlan, with the node, where it cannot.
    """
    _check_size(sent)
    try:
        read = SentPlan.model_validate(sent)
    except ValidationError as error:
        raise _misshapen(error) from None
    except RecursionError:
        raise BadPlan("", "The plan is nested too deeply.") from None
    _check_order(read, set(resources))
    data = read.model_dump()
    data["references"] = sorted(_references(read, set(resources)))
    plan = Plan.from_json(data)
    _check_chosen(plan)
    for node, problem in _problems(plan, toolbox, resources):
        raise BadPlan(node, problem)
    return plan


def _check_size(sent: Any) -> None:
    """Refuse a plan of too many nodes before anything looks at each of them."""
    subtasks = sent.get("subtasks") if isinstance(sent, Mapping) else None
    if not isinstance(subtasks, list):
        raise BadPlan("", "A plan is an object with a list of subtasks.")
    count = 0
    for subtask in subtasks:
        solutions = subtask.get("solutions") if isinstance(subtask, Mapping) else None
        for solution in solutions if isinstance(solutions, list) else ():
            actions = solution.get("actions") if isinstance(solution, Mapping) else None
            count += len(actions) if isinstance(actions, list) else 0
    if count > MOST_NODES:
        raise BadPlan("", f"The plan has {count:,} actions, and at most {MOST_NODES} are taken.")


def _misshapen(error: ValidationError) -> BadPlan:
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = [str(part) for part in found["loc"]]
    numbers = [part for part in place if part.isdigit()][:3]
    where = ".".join(part[:60] for part in place)
    return BadPlan(".".join(numbers), f"The plan is wrong at {where}: {found['msg']}.")


def _check_order(plan: SentPlan, files: Set[str]) -> None:
    """Refuse names that are used twice, and references to what is not made before."""
    before: set[str] = set()
    ids: set[int] = set()
    every = {subtask.returns.value for subtask in plan.subtasks}
    every |= {generated(subtask.id) for subtask in plan.subtasks}
    for subtask in plan.subtasks:
        name = str(subtask.id)
        if subtask.id in ids:
            raise BadPlan(name, f"Two subtasks have the number {subtask.id}.")
        ids.add(subtask.id)
        results = {subtask.returns.value, generated(subtask.id)}
        for dependency in subtask.deps:
            if dependency not in ids - {subtask.id}:
                raise BadPlan(name, f"It waits for subtask {dependency}, which is not before it.")
        if results & (before | files):
            raise BadPlan(name, f"There is something called {subtask.returns.value!r} already.")
        for number, solution in enumerate(subtask.solutions):
            made: set[str] = set()
            own = [action.output.value for action in solution.actions]
            for position, action in enumerate(solution.actions):
                node = f"{subtask.id}.{number}.{position}"
                if action.output.value in made | before | files:
                    raise BadPlan(
                        node, f"There is something called {action.output.value!r} already."
                    )
                for value in _values(action):
                    if value in made | before | files:
                        continue
                    if value == action.output.value or value in results:
                        raise BadPlan(node, f"It waits for its own result, {value!r}.")
                    if value in own[position:] or value in every:
                        raise BadPlan(node, f"It reads {value!r}, which is made only after it.")
                    if _GENERATED.fullmatch(value):
                        raise BadPlan(node, f"It reads {value!r}, which nothing makes.")
                    if plan.references is not None and value in plan.references:
                        raise BadPlan(
                            node, f"It reads {value[:200]!r}, which is not in this conversation."
                        )
                made.add(action.output.value)
        before |= results | {solution.actions[-1].output.value for solution in subtask.solutions}


def _values(action: SentAction) -> Iterator[str]:
    for given in action.inputs.values():
        yield from given if isinstance(given, list) else (given,)


def _references(plan: SentPlan, files: Set[str]) -> set[str]:
    """The names that inputs may refer to: those that were said, else all that there are."""
    made = {subtask.returns.value for subtask in plan.subtasks}
    made |= {generated(subtask.id) for subtask in plan.subtasks}
    for subtask in plan.subtasks:
        for solution in subtask.solutions:
            made |= {action.output.value for action in solution.actions}
    return made | (files if plan.references is None else files & set(plan.references))


def _check_chosen(plan: Plan) -> None:
    for subtask, choice in plan.chosen.items():
        if not 0 <= choice < len(plan.solutions.get(subtask, ())):
            raise BadPlan(str(subtask), f"Subtask {subtask} has no solution {choice}.")
    for subtask, solutions in plan.solutions.items():
        for number, solution in enumerate(solutions):
            if not math.isfinite(solution.score):
                raise BadPlan(f"{subtask}.{number}", "Its score is no number.")


def _problems(
    plan: Plan, toolbox: Toolbox, resources: Mapping[str, Resource]
) -> Iterator[tuple[str, str]]:
    """What keeps an action from being run, in every solution, by its node."""
    for way in range(max(map(len, plan.solutions.values()))):
        chosen = {key: min(way, len(ways) - 1) for key, ways in plan.solutions.items()}
        graph = compile_plan(replace(plan, chosen=chosen), toolbox, resources)
        for key, found in graph.nodes.items():
            if found.problem:
                yield key, found.problem
    for subtask in plan.subtasks:
        for number, solution in enumerate(plan.solutions[subtask.id]):
            last = solution.actions[-1]
            made = toolbox[last.tool].returns.type
            if not toolbox.lattice.is_a(made, subtask.returns.type):
                node = f"{subtask.id}.{number}.{len(solution.actions) - 1}"
                yield node, f"It makes {made}, and the subtask is to make {subtask.returns.type}."
