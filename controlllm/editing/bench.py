"""One subtask's way on the bench: what its steps could read, and what may stand in their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from controlllm.core.plans import (
    Action,
    Inputs,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    Value,
    generated,
    values_of,
)
from controlllm.planning.arguments import may_say, role_of, words_for
from controlllm.resources import Resource
from controlllm.toolbox import Argument, Tool, Toolbox


@dataclass(frozen=True)
class Reading:
    """One place of an input that reads a value; `index` counts in an input that takes several."""

    position: int
    name: str
    index: int
    value: Value


@dataclass(frozen=True)
class Bench:
    """The chosen way of one subtask of a plan, with the tools and the session's resources.

    Raises KeyError where the plan has no such subtask, ValueError where it has no way to it.
    """

    plan: Plan
    subtask_id: int
    toolbox: Toolbox
    resources: Mapping[str, Resource]

    @cached_property
    def subtask(self) -> Subtask:
        for subtask in self.plan.subtasks:
            if subtask.id == self.subtask_id:
                return subtask
        raise KeyError(self.subtask_id)

    @cached_property
    def way(self) -> Solution:
        found = self.plan.solution(self.subtask.id)
        if found is None:
            raise ValueError(f"Part {self.subtask_id} has no way yet.")
        return found

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.way.actions

    @property
    def last(self) -> int:
        return len(self.actions) - 1

    def tool(self, position: int) -> Tool | None:
        """The tool of a step, None where nobody here knows it."""
        name = self.actions[position].tool
        return self.toolbox[name] if name in self.toolbox else None  # noqa: SIM401

    def made_by(self, action: Action) -> str:
        """The type of what an action makes, or of what is pinned in its place."""
        if action.pinned in self.resources:
            return self.resources[action.pinned].type
        if action.tool in self.toolbox:
            return self.toolbox[action.tool].returns.type
        return action.output.type

    @cached_property
    def own(self) -> Mapping[str, int]:
        """The positions of this way's steps by what their outputs are called."""
        return {action.output.value: place for place, action in enumerate(self.actions)}

    @cached_property
    def _results(self) -> Mapping[str, str]:
        """The types of results of the subtasks before this one, by what they are called."""
        found: dict[str, str] = {}
        for subtask in self.plan.subtasks:
            if subtask.id == self.subtask_id:
                break
            way = self.plan.solution(subtask.id)
            if way is not None:
                made = self.made_by(way.actions[-1])
                found[subtask.returns.value] = made
                found[generated(subtask.id)] = made
        return found

    def type_of(self, value: Value) -> str | None:
        """The type of a value that a step reads; None where there is nothing of that name."""
        if isinstance(value, Literal):
            return "text"
        place = self.own.get(value.value)
        if place is not None:
            return self.made_by(self.actions[place])
        if value.value in self._results:
            return self._results[value.value]
        known = self.resources.get(value.value)
        return known.type if known else None

    def references(self, position: int) -> tuple[Reference, ...]:
        """All that a step at a position could read: earlier outputs, what the subtask works on,
        results of earlier subtasks, then everything else of the conversation."""
        names = [self.actions[place].output.value for place in reversed(range(position))]
        names += [item.value for item in self.subtask.args if not item.role]
        names += [subtask.returns.value for subtask in self.plan.subtasks]
        names += list(self.resources)
        taken = {action.output.value for action in self.actions[position:]}
        known = self._results.keys() | self.resources.keys() | self.own.keys()
        return tuple(Reference(name) for name in dict.fromkeys(names) if name in known - taken)

    @cached_property
    def words(self) -> tuple[TypedValue, ...]:
        """The words of the request that are for this subtask, and all of them where none are."""
        own = [
            item
            for item in self.subtask.args
            if item.role or (item.type == "text" and self.type_of(Reference(item.value)) is None)
        ]
        return tuple(own) or (TypedValue("text", self.subtask.description),)

    def fits(self, argument: Argument, value: Value) -> bool:
        """Whether a value may stand for an argument."""
        lattice = self.toolbox.lattice
        if not isinstance(value, Literal):
            made = self.type_of(value)
            return made is not None and lattice.is_a(made, argument.type)
        if argument.type == "number":
            return _is_number(value.text)
        said = TypedValue("text", value.text, "other")
        return lattice.is_a(argument.type, "text") and may_say(argument, said)

    def readings(self) -> Iterator[Reading]:
        """Every place where a step of this way reads a value."""
        for position, action in enumerate(self.actions):
            for name, given in action.inputs.items():
                for index, value in enumerate(values_of(given)):
                    yield Reading(position, name, index, value)

    def readers(self, position: int) -> tuple[Reading, ...]:
        """Where the output of a step is read in this way."""
        output = Reference(self.actions[position].output.value)
        return tuple(item for item in self.readings() if item.value == output)

    @cached_property
    def _read_outside(self) -> tuple[Argument, ...]:
        """The arguments of steps of other subtasks that read this one's result."""
        names = {
            generated(self.subtask_id),
            self.subtask.returns.value,
            self.actions[-1].output.value,
        }
        found = []
        for step in self.plan.steps():
            known = step.subtask != self.subtask_id and step.action.tool in self.toolbox
            tool = self.toolbox[step.action.tool] if known else None
            for name, given in step.action.inputs.items() if tool else ():
                values = values_of(given)
                argument = argument_of(tool, name)
                if argument and any(Reference(value) in values for value in names):
                    found.append(argument)
        return tuple(found)

    def accepts(self, position: int, type_name: str) -> bool:
        """Whether all that reads a step's output would take this type; of the last step, also
        whether it is a kind of what the subtask is to make."""
        lattice = self.toolbox.lattice
        for reading in self.readers(position):
            argument = argument_of(self.tool(reading.position), reading.name)
            if argument is None or not lattice.is_a(type_name, argument.type):
                return False
        if position != self.last:
            return True
        wanted = self.subtask.returns.type
        if wanted and lattice.ancestors(wanted)[-1] != lattice.ancestors(type_name)[-1]:
            return False
        return all(lattice.is_a(type_name, argument.type) for argument in self._read_outside)

    def bound(
        self, tool: Tool, position: int, old: Inputs, first: Sequence[Value]
    ) -> dict[str, Value | tuple[Value, ...]] | None:
        """Inputs for a tool that stands at a position, None where something it needs is not there,
        or where it can read none of what is to be read `first`.

        What `old` gave to an input of the same name stays where it fits; then come the values of
        `first`, then words of the request, then all else.
        """
        inputs: dict[str, Value | tuple[Value, ...]] = {}
        left = list(first)

        def choose(argument: Argument) -> Value | tuple[Value, ...] | None:
            before = old.get(argument.name)
            kept = before if isinstance(before, tuple) else (before,) if before else ()
            is_enough = kept and (argument.many or len(kept) == 1)
            if is_enough and all(self.fits(argument, value) for value in kept):
                return kept if argument.many else kept[0]
            for value in (*left, *(() if argument.optional else first)):
                if self.fits(argument, value) and _is_for(argument, value, tool):
                    return (value,) if argument.many else value
            if argument.optional:
                return None
            for other in (*self._said(argument, first), *self.references(position)):
                if self.fits(argument, other):
                    return (other,) if argument.many else other
            return None

        for argument in (*tool.required, *(item for item in tool.args if item.optional)):
            value = choose(argument)
            if value is not None:
                inputs[argument.name] = value
                read = values_of(value)
                left = [item for item in left if item not in read]
            elif not argument.optional:
                return None
        if first and not self._reads_one(tool, inputs, first):
            return None
        settings = {item.name: item for item in tool.parameters}
        for name, given in old.items():
            if name in settings and isinstance(given, Literal):
                inputs[name] = given
        return inputs

    def _reads_one(
        self, tool: Tool, inputs: dict[str, Value | tuple[Value, ...]], first: Sequence[Value]
    ) -> bool:
        """Whether inputs have one of the values, or can have one, which is put in then."""
        for given in inputs.values():
            if set(first) & set(values_of(given)):
                return True
        for argument in tool.args:
            for value in first:
                if self.fits(argument, value):
                    inputs[argument.name] = (value,) if argument.many else value
                    return True
        return False

    def _said(self, argument: Argument, first: Sequence[Value]) -> Iterator[Value]:
        """Words for an argument: those of the request that are for it, else any at hand."""
        found = words_for(argument, self.words) if argument.type == "text" else None
        if found is not None and found[1] >= 0:
            yield Literal(self.words[found[1]].value)
        yield from (value for value in first if isinstance(value, Literal))
        yield from (Literal(item.value) for item in self.words)
        yield Literal(self.subtask.description)


def argument_of(tool: Tool | None, name: str) -> Argument | None:
    """The argument of a name, None where the tool has none."""
    return next((item for item in tool.args if item.name == name), None) if tool else None


def _is_for(argument: Argument, value: Value, tool: Tool) -> bool:
    """Whether words that another tool read are meant for this argument: where a tool takes several
    texts, those that say something else come later."""
    if not isinstance(value, Literal):
        return True
    texts = [item for item in tool.args if item.type == "text"]
    return len(texts) == 1 or role_of(argument) == "content"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
