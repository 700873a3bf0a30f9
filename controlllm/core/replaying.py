"""Plans that are put to other files, and one after the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    Value,
    generated,
    with_values,
)

#: What a plan calls a subtask's result, or one on the way to it.
_MADE = re.compile(r"^<GEN>-(\d+)((?:-\d+)?)$")


def substituted(plan: Plan, values: Mapping[str, Value]) -> Plan:
    """A plan in which other values stand for some references."""

    def other(value: Value) -> Value:
        return values.get(value.value, value) if isinstance(value, Reference) else value

    def changed(solution: Solution) -> Solution:
        actions = tuple(
            replace(action, inputs=with_values(action.inputs, other)) for action in solution.actions
        )
        return replace(solution, actions=actions)

    names = {
        name: value.value if isinstance(value, Reference) else value.text
        for name, value in values.items()
    }
    return Plan(
        tuple(
            replace(
                subtask,
                args=tuple(
                    replace(item, value=names.get(item.value, item.value)) for item in subtask.args
                ),
            )
            for subtask in plan.subtasks
        ),
        {key: tuple(map(changed, ways)) for key, ways in plan.solutions.items()},
        plan.chosen,
    )


def on_other_file(plan: Plan, old: str, new: str) -> Plan:
    """The chosen ways of a plan on another file, which its words call by its name too."""
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)" if old else r"(?!)", re.IGNORECASE)

    def said(text: str) -> str:
        return pattern.sub(lambda _: new, text)

    def other(value: Value) -> Value:
        return Literal(said(value.text)) if isinstance(value, Literal) else value

    def changed(action: Action) -> Action:
        return replace(action, inputs=with_values(action.inputs, other), pinned="", version=0)

    plan = substituted(_chosen(plan), {old: Reference(new)})
    return Plan(
        tuple(replace(task, description=said(task.description)) for task in plan.subtasks),
        {
            number: tuple(replace(way, actions=tuple(map(changed, way.actions))) for way in ways)
            for number, ways in plan.solutions.items()
        },
    )


def joined(first: Plan, second: Plan, made: Mapping[str, int]) -> Plan:
    """A plan that does one and then the other: what the second calls by the names in `made` are the
    results of those subtasks of the first."""
    start = 1 + max((task.id for task in first.subtasks), default=-1)
    known = {name: Reference(generated(number)) for name, number in made.items()}
    later = substituted(_renumbered(second, start), known)
    needed = {reference.value: made[name] for name, reference in known.items()}
    return Plan(
        (*first.subtasks, *(_needing(task, later, needed) for task in later.subtasks)),
        {**first.solutions, **later.solutions},
        {**first.chosen, **later.chosen},
    )


def _needing(task: Subtask, plan: Plan, needed: Mapping[str, int]) -> Subtask:
    """A subtask that waits for those whose results its ways read."""
    read = {
        value
        for way in plan.solutions.get(task.id, ())
        for action in way.actions
        for value in action.references()
    }
    return replace(
        task, deps=tuple(sorted({*task.deps, *(needed[it] for it in read if it in needed)}))
    )


def _chosen(plan: Plan) -> Plan:
    """The plan with its chosen solutions alone."""
    ways = {task.id: plan.solution(task.id) for task in plan.subtasks}
    return Plan(plan.subtasks, {number: (way,) if way else () for number, way in ways.items()})


def _renumbered(plan: Plan, start: int) -> Plan:
    """A plan whose subtasks are counted from another number on."""

    def named(value: str) -> str:
        return _MADE.sub(lambda found: generated(int(found[1]) + start) + found[2], value)

    def typed(item: TypedValue) -> TypedValue:
        return item if item.role else replace(item, value=named(item.value))

    def other(value: Value) -> Value:
        return Reference(named(value.value)) if isinstance(value, Reference) else value

    def changed(action: Action) -> Action:
        inputs = with_values(action.inputs, other)
        return replace(action, inputs=inputs, output=typed(action.output))

    return Plan(
        tuple(
            replace(
                task,
                id=task.id + start,
                args=tuple(map(typed, task.args)),
                returns=typed(task.returns),
                deps=tuple(number + start for number in task.deps),
            )
            for task in plan.subtasks
        ),
        {
            number + start: tuple(
                replace(way, actions=tuple(map(changed, way.actions))) for way in ways
            )
            for number, ways in plan.solutions.items()
        },
        {number + start: way for number, way in plan.chosen.items()},
    )
