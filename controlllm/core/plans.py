"""Subtasks, actions, solutions and plans: plain data, JSON in and out (paper Table 5, Sec. 3.3).

In a plan every input is either a literal text or a reference to a resource by its value: a file of
the session (``"photo.jpg"``), the result of subtask K (``"<GEN>-K"``) or the output of an earlier
action of the same solution (``"<GEN>-K-1"``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from controlllm.core.reasons import reason_beside, reason_from_json
from controlllm.resources import Resource

if TYPE_CHECKING:
    from controlllm.core.session import Turn


class NotThere(IndexError):
    """A number counts nothing of a plan or a conversation. The message is a sentence about it."""


@dataclass(frozen=True)
class Literal:
    """A text that is an input itself."""

    text: str


@dataclass(frozen=True)
class Reference:
    """The value of a resource or of an earlier output."""

    value: str


Value = Literal | Reference
Inputs = Mapping[str, Value | tuple[Value, ...]]


def values_of(given: Value | tuple[Value, ...]) -> tuple[Value, ...]:
    """What an input was given: one value, or all of an input that takes several."""
    return given if isinstance(given, tuple) else (given,)


def with_values(
    inputs: Inputs, change: Callable[[Value], Value]
) -> dict[str, Value | tuple[Value, ...]]:
    """Inputs with each value changed; those that take several still do."""
    return {
        name: tuple(map(change, given)) if isinstance(given, tuple) else change(given)
        for name, given in inputs.items()
    }


def told(value: Value) -> str:
    """A value in words: a text itself, or the name of a resource."""
    return value.text if isinstance(value, Literal) else value.value


def told_values(inputs: Mapping[str, Any], tell: Callable[[Any], Any]) -> dict[str, Any]:
    """Inputs as plain data: each value as it is told, in a list where an input takes several."""
    return {
        name: [*map(tell, given)] if isinstance(given, tuple) else tell(given)
        for name, given in inputs.items()
    }


def generated(subtask: int, step: int | None = None) -> str:
    """The placeholder of a subtask's result, or of one of the outputs on the way to it."""
    return f"<GEN>-{subtask}" if step is None else f"<GEN>-{subtask}-{step}"


def is_generated(value: str) -> bool:
    """Whether a value is the placeholder of a result."""
    return value.startswith("<GEN>-")


@dataclass(frozen=True)
class TypedValue:
    """A type with a value. `role` says what words of the request are for: ``object``,
    ``question``, ``prompt``, ``content``; it is empty for files."""

    type: str
    value: str
    role: str = ""

    @classmethod
    def of(cls, resource: Resource) -> TypedValue:
        return cls(resource.type, resource.value)

    def to_json(self) -> dict[str, str]:
        return {"type": self.type, "value": self.value}


def deps_of(args: Iterable[TypedValue]) -> tuple[int, ...]:
    """The subtasks whose results are among arguments; words that only look like one are none."""
    made = (item.value for item in args if not item.role and is_generated(item.value))
    return tuple(sorted({int(value.split("-")[1]) for value in made}))


@dataclass(frozen=True)
class Scope:
    """Where in a picture or a recording a subtask is meant, and how, see
    `controlllm.planning.pointed`.

    `how` is ``mask`` (tools take the region), ``inside`` or ``around`` (what is changed there is
    put back into the picture), ``cut`` (what lies there is cut out first) or ``move`` (something is
    put there). Of a recording (`controlllm.planning.recorded`), whose `region` is the part that was
    cut out, it is ``part`` (the changed part is put back) or ``without`` (it is left out); `times`
    are its start and end in seconds, as tools that put parts back take them. `source` is what was
    pointed at, `picture` what it has become by now, `region` the mask. `thing`, with its own region
    where it has one, is what is moved; `manners` say how: ``swaps``, ``copies``, ``over``.
    """

    how: str
    source: str
    picture: TypedValue
    region: TypedValue
    thing: TypedValue | None = None
    thing_region: TypedValue | None = None
    manners: tuple[str, ...] = ()
    times: tuple[float, float] = (0.0, 0.0)


#: The type of a result that no tool can ever make: something to be done outside of the program.
OUTSIDE = "outside"


@dataclass(frozen=True)
class Subtask:
    """One part of the request, by the protocol of paper Table 5.

    `description` is what the person asked for, in their words; `guidance` adds the prior knowledge
    about what usually solves it (paper Table 4, "w/ PK"); `confidence` is how sure the decomposer
    is, 0..1; `other_returns` are other types that could have been meant, most likely first; `lacks`
    are types of files that it works on and that were not handed over; `between` are two types of
    result that are about equally likely to be meant, the likelier first. `ends` and `helps` are
    scores 1..5 of the tools, by name, that can make the result and that help on the way, where the
    decomposer knows them. `scope` says of which part of a picture or a recording it is meant. `way`
    are the actions that whoever divided the request proposes for it, checked already; `cannot` is
    why they say that nothing here can do it. `is_wanted` says that its result was asked for by
    itself, also where something else goes on from it.
    """

    id: int
    description: str
    domains: tuple[str, ...]
    args: tuple[TypedValue, ...]
    returns: TypedValue
    deps: tuple[int, ...] = ()
    guidance: str = ""
    confidence: float = 1.0
    other_returns: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    between: tuple[str, ...] = ()
    ends: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)
    helps: Mapping[str, float] = field(default_factory=dict, compare=False, repr=False)
    scope: Scope | None = field(default=None, compare=False, repr=False)
    way: tuple[Action, ...] = field(default=(), compare=False, repr=False)
    cannot: str = ""
    is_wanted: bool = field(default=False, compare=False)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "description": self.description,
            "domains": list(self.domains),
            "deps": list(self.deps),
            "args": [argument.to_json() for argument in self.args],
            "returns": self.returns.to_json(),
            **({"is_wanted": True} if self.is_wanted else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], roles: Sequence[str] = ()) -> Subtask:
        """A subtask from its JSON; `roles` are those of its arguments, where they are known."""
        roles = roles if len(roles) == len(data["args"]) else [""] * len(data["args"])
        return cls(
            int(data["id"]),
            str(data["description"]),
            tuple(data["domains"]),
            tuple(
                TypedValue(item["type"], item["value"], str(role))
                for item, role in zip(data["args"], roles, strict=True)
            ),
            TypedValue(data["returns"]["type"], data["returns"]["value"]),
            tuple(int(dependency) for dependency in data.get("deps", ())),
            is_wanted=bool(data.get("is_wanted", False)),
        )


@dataclass(frozen=True)
class Action:
    """One tool call: inputs are literals or references, one named output.

    `pinned` is the value of a resource that stands for its result, so that it is not made again;
    `version` counts how often a person has had it made anew.
    """

    tool: str
    inputs: Inputs
    output: TypedValue
    pinned: str = ""
    version: int = 0

    def references(self) -> Iterator[str]:
        """The values of all resources and outputs that this action reads."""
        every = (value for given in self.inputs.values() for value in values_of(given))
        return (value.value for value in every if isinstance(value, Reference))

    def to_json(self) -> dict[str, Any]:
        return {
            "tool": self.tool,
            "inputs": told_values(self.inputs, told),
            "output": self.output.to_json(),
            **({"pinned": self.pinned} if self.pinned else {}),
            **({"version": self.version} if self.version else {}),
        }


@dataclass(frozen=True)
class Solution:
    """A small DAG of actions, each after those it reads from; the last makes the subtask's return.

    `score` is on the paper's scale 1..5 (Table 8), `reason` says why in words. `missing` says, in
    words, what keeps it from running here; empty where it can run. Either may be a `Reason`, which
    a page says in another language. `is_own` says that a person made it of another one.
    """

    actions: tuple[Action, ...]
    score: float
    reason: str = ""
    missing: str = ""
    is_own: bool = False

    @property
    def tools(self) -> tuple[str, ...]:
        return tuple(action.tool for action in self.actions)

    @property
    def ends(self) -> tuple[int, ...]:
        """The places of actions that no other one reads from; the last is always among them."""
        read = {value for action in self.actions for value in action.references()}
        return tuple(
            place
            for place, action in enumerate(self.actions)
            if action.output.value not in read or place == len(self.actions) - 1
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "score": round(self.score, 3),
            **reason_beside("reason", self.reason),
            **(reason_beside("missing", self.missing) if self.missing else {}),
            **({"is_own": True} if self.is_own else {}),
            "actions": [action.to_json() for action in self.actions],
        }


@dataclass(frozen=True)
class Plan:
    """Every subtask with its solutions, best first, and which one of each is chosen."""

    subtasks: tuple[Subtask, ...]
    solutions: Mapping[int, tuple[Solution, ...]]
    chosen: Mapping[int, int] = field(default_factory=dict)

    def solution(self, subtask: int) -> Solution | None:
        """The chosen solution of a subtask, or None where none was found."""
        found = self.solutions.get(subtask, ())
        return found[self.chosen.get(subtask, 0)] if found else None

    def switched(self, subtask: int, index: int) -> Plan:
        """The same plan with another solution of one subtask chosen.

        Raises NotThere where the subtask has no solution of that number.
        """
        if not 0 <= index < len(self.solutions.get(subtask, ())):
            raise NotThere(f"Part {subtask} of this request has no way {index}.")
        return replace(self, chosen={**self.chosen, subtask: index})

    def action(self, key: str) -> Action:
        """The action of this key (``subtask.solution.position``), of a chosen solution or not."""
        subtask, solution, position = map(int, key.split("."))
        return self.solutions[subtask][solution].actions[position]

    def last_keys(self) -> dict[int, str]:
        """The key of the last step of each subtask that has a solution, which makes its result."""
        return {step.subtask: step.key for step in self.steps()}

    def ends(self) -> Iterator[str]:
        """The keys of the steps that end the chosen solutions, in order."""
        for subtask in self.subtasks:
            solution = self.solution(subtask.id)
            for place in solution.ends if solution is not None else ():
                yield f"{subtask.id}.{self.chosen.get(subtask.id, 0)}.{place}"

    def with_further(self, subtask: int, ways: Sequence[Solution]) -> Plan:
        """The same plan with more solutions of a subtask after those that it has."""
        found = (*self.solutions.get(subtask, ()), *ways)
        return replace(self, solutions={**self.solutions, subtask: found})

    def with_way(self, subtask: int, way: Solution) -> Plan:
        """The same plan with one more solution of a subtask, chosen."""
        place = len(self.solutions.get(subtask, ()))
        return self.with_further(subtask, [way]).switched(subtask, place)

    def steps(self) -> Iterator[Step]:
        """Every action of the chosen solutions, with its place in the plan."""
        for subtask in self.subtasks:
            solution, index = self.solution(subtask.id), self.chosen.get(subtask.id, 0)
            for position, action in enumerate(solution.actions if solution else ()):
                yield Step(f"{subtask.id}.{index}.{position}", subtask.id, action)

    def to_json(self) -> dict[str, Any]:
        ways = {item.id: self.solutions.get(item.id, ()) for item in self.subtasks}
        read = (
            action for found in self.solutions.values() for way in found for action in way.actions
        )
        return {
            "subtasks": [
                {**item.to_json(), "solutions": [way.to_json() for way in ways[item.id]]}
                for item in self.subtasks
            ],
            "chosen": {str(key): value for key, value in self.chosen.items()},
            "references": sorted({value for action in read for value in action.references()}),
            "roles": {str(item.id): [given.role for given in item.args] for item in self.subtasks},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Plan:
        """A plan from its JSON.

        Where it does not list its ``references``, they are told from words by the values that
        exist: the subtasks' results and those of their arguments that are no text.
        """
        roles = data.get("roles", {})
        subtasks = tuple(
            Subtask.from_json(item, roles.get(str(item["id"]), ())) for item in data["subtasks"]
        )
        results = {subtask.returns.value for subtask in subtasks}
        solutions = {}
        for subtask, item in zip(subtasks, data["subtasks"], strict=True):
            known = results | {given.value for given in subtask.args if given.type != "text"}
            known = data.get("references", known)
            ways = (_read_solution(entry, set(known)) for entry in item.get("solutions", ()))
            solutions[subtask.id] = tuple(ways)
        chosen = {int(key): int(value) for key, value in data.get("chosen", {}).items()}
        return cls(subtasks, solutions, chosen)


@dataclass(frozen=True)
class Step:
    """An action at its place in a plan. `key` is ``subtask.solution.position``."""

    key: str
    subtask: int
    action: Action


@dataclass(frozen=True)
class Request:
    """What a person asks: words, the resources they may mean, and what was said before.

    `resources` are all of the session, oldest first; `attached` are the values of those handed over
    with these words; `earlier` are the subtasks of the request before, for "it" and "again".
    `as_said` is the same request before anything was read into it: what "it" is, what is not meant;
    `turns` is the conversation up to this request, which is the last of them. `there` are all
    resources that a reader is shown, oldest first, where those that are not meant are shown too.
    """

    text: str
    resources: tuple[Resource, ...] = ()
    attached: tuple[str, ...] = ()
    earlier: tuple[Subtask, ...] = ()
    as_said: Request | None = field(default=None, compare=False, repr=False)
    turns: tuple[Turn, ...] = field(default=(), compare=False, repr=False)
    there: tuple[Resource, ...] = field(default=(), compare=False, repr=False)


def _read_solution(entry: Mapping[str, Any], values: set[str]) -> Solution:
    def read(value: Any) -> Value:
        return Reference(value) if value in values else Literal(value)

    actions = []
    for item in entry["actions"]:
        given = item["inputs"].items()
        inputs = with_values({k: tuple(v) if isinstance(v, list) else v for k, v in given}, read)
        output = TypedValue(item["output"]["type"], item["output"]["value"])
        values.add(output.value)
        pinned, version = str(item.get("pinned", "")), int(item.get("version", 0))
        actions.append(Action(item["tool"], inputs, output, pinned, version))
    return Solution(
        tuple(actions),
        float(entry["score"]),
        reason_from_json(entry.get("reason_as", entry.get("reason"))),
        reason_from_json(entry.get("missing_as", entry.get("missing"))),
        bool(entry.get("is_own", False)),
    )
