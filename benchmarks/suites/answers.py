"""What a benchmark asks and what a planner answers: plain data, JSON in and out.

All suites share one form of a plan: calls in order, whose values name earlier results as
``<node-2>`` or, where a tool has several outputs, ``<node-2>.text``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from controlllm.core.costs import Usage
from controlllm.core.plans import Plan, Reference, Request, Value, generated

#: A value that names the result of an earlier call: its number, and the output where one is named.
REFERENCE = re.compile(r"<node-(\d+)>(?:\.(\w+))?")


@dataclass(frozen=True)
class Call:
    """One call of a tool with its arguments by name. `id` is what references call it by."""

    tool: str
    arguments: Mapping[str, Any]
    id: int = 0

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.tool, "args": dict(self.arguments)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Call:
        return cls(str(data["name"]), dict(data["args"]), int(data["id"]))


@dataclass(frozen=True)
class Task:
    """One sample of a benchmark as it reaches a planner."""

    id: str
    request: Request


@dataclass(frozen=True)
class Answer:
    """What a planner made of a task.

    `calls` are empty where there is no plan, and `failure` says in words why. `steps` are the parts
    of the request in words. `plan` is there where the planner makes such plans. `turns` and `usage`
    tell what a language model was asked, `seconds` how long all took. `details` are the planner's
    own (JSON).
    """

    id: str
    calls: tuple[Call, ...] = ()
    failure: str = ""
    steps: tuple[str, ...] = ()
    plan: Plan | None = None
    turns: int = 0
    usage: Usage = Usage()
    seconds: float = 0.0
    details: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "calls": [call.to_json() for call in self.calls],
            "failure": self.failure,
            "steps": list(self.steps),
            "plan": None if self.plan is None else self.plan.to_json(),
            "turns": self.turns,
            "usage": self.usage.to_json(),
            "seconds": round(self.seconds, 4),
            "details": dict(self.details),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Answer:
        return cls(
            str(data["id"]),
            tuple(Call.from_json(call) for call in data["calls"]),
            str(data["failure"]),
            tuple(data["steps"]),
            None if data["plan"] is None else Plan.from_json(data["plan"]),
            int(data["turns"]),
            Usage.from_json(data["usage"]),
            float(data["seconds"]),
            data["details"],
        )


def calls_of(plan: Plan) -> tuple[Call, ...]:
    """The calls of a plan's chosen solutions, in the plan's order."""
    made: dict[str, int] = {}
    calls: list[Call] = []
    for subtask in plan.subtasks:
        solution = plan.solution(subtask.id)
        if solution is None:
            continue
        for action in solution.actions:
            arguments = {name: _value_of(given, made) for name, given in action.inputs.items()}
            made[action.output.value] = len(calls)
            calls.append(Call(action.tool, arguments, len(calls)))
        made[generated(subtask.id)] = len(calls) - 1
    return tuple(calls)


def _value_of(given: Value | tuple[Value, ...], made: Mapping[str, int]) -> str | list[str]:
    if isinstance(given, tuple):
        return [_one(value, made) for value in given]
    return _one(given, made)


def _one(value: Value, made: Mapping[str, int]) -> str:
    if isinstance(value, Reference):
        return f"<node-{made[value.value]}>" if value.value in made else value.value
    return value.text


def references(value: Any) -> tuple[tuple[int, str], ...]:
    """The calls that a value names, with the output or ``""``, in the order of the text."""
    if isinstance(value, str):
        return tuple((int(found[1]), found[2] or "") for found in REFERENCE.finditer(value))
    if isinstance(value, Sequence):
        return tuple(pair for item in value for pair in references(item))
    if isinstance(value, Mapping):
        return tuple(pair for item in value.values() for pair in references(item))
    return ()
