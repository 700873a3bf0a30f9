"""Proposed steps made sound: every input checked by type and presence, and mended where one way
to mend it is plain.

A tool that nobody knows is replaced by the nearest that takes the same; an input of a wrong type is
reached by a short way that the search finds, or bound to the one thing that fits; what cannot be
mended is told to whoever proposed it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from controlllm.core.plans import (
    Action,
    Inputs,
    Literal,
    Reference,
    Request,
    TypedValue,
    Value,
    generated,
    values_of,
    with_values,
)
from controlllm.core.proposals import GO_BACK, Proposal, ProposedStep
from controlllm.planning.arguments import role_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.replacing import Assess, alike_name, nearest_tool, renamed, short_way
from controlllm.resources.types import FILE_TYPES
from controlllm.toolbox import Argument, Parameter, Tool
from controlllm.values import as_said


class Unsound(Exception):
    """A step cannot be made sound. The message is for whoever proposed it."""


@dataclass(frozen=True)
class Sound:
    """Steps that can be run, by their numbers, each after those it reads from; `does` says what
    each is for. `problems` are those of steps that could not be made sound, `repairs` what was
    mended, in words; `back_to` are files and results that are to be current again."""

    actions: Mapping[int, Action]
    does: Mapping[int, str]
    problems: Mapping[int, str] = field(default_factory=dict)
    repairs: tuple[str, ...] = ()
    back_to: tuple[str, ...] = ()


def mended(proposal: Proposal, request: Request, graph: ToolGraph, assess: Assess) -> Sound:
    """The steps of a proposal made sound, as far as they can be."""
    return _Mender(proposal, request, graph, assess).sound()


@dataclass(frozen=True)
class _Call:
    """A step being made sound: the files and results there are that it was told, in any input, and
    what its inputs are so far."""

    step: ProposedStep
    files: Sequence[str]
    inputs: dict[str, Value | tuple[Value, ...]] = field(default_factory=dict)


class _Mender:
    def __init__(
        self, proposal: Proposal, request: Request, graph: ToolGraph, assess: Assess
    ) -> None:
        self._steps = {step.number: step for step in proposal.steps}
        self._graph = graph
        self._lattice = graph.lattice
        self._assess = assess
        self._attached = request.attached
        self._text = request.text
        #: What each value can be taken as: its type, and that of each where there are several.
        self._types: dict[str, tuple[str, ...]] = {
            item.value: (item.type,) for item in request.resources
        }
        self._handed = tuple(self._types)
        #: Results of steps that only went back to what was there, as what they went back to.
        self._same: dict[str, str] = {}
        self._actions: dict[int, Action] = {}
        self._problems: dict[int, str] = {}
        self._repairs: list[str] = []
        self._back: list[str] = []
        self._next = max(self._steps, default=0) + 1
        #: Short ways that were found, by the types that they begin with, with those values.
        self._ways: dict[object, tuple[list[TypedValue], tuple[Action, ...]]] = {}

    def sound(self) -> Sound:
        for number in self._ordered():
            step, before, repairs = self._steps[number], dict(self._actions), len(self._repairs)
            try:
                if step.tool == GO_BACK:
                    self._go_back(step)
                else:
                    self._add(step)
            except Unsound as error:
                # What was put in for it serves nothing.
                self._actions = before
                del self._repairs[repairs:]
                self._problems[number] = f"Step {number} ({step.tool}): {error}"
        return Sound(
            self._actions,
            {number: step.does for number, step in self._steps.items()},
            self._problems,
            tuple(dict.fromkeys(self._repairs)),
            tuple(dict.fromkeys(self._back)),
        )

    def _ordered(self) -> list[int]:
        """The steps after those whose results they read; those in a circle have a problem."""
        names = {generated(number): number for number in self._steps}
        reads = {
            number: {names[value] for value in step.references() if value in names}
            for number, step in self._steps.items()
        }
        for number, sources in reads.items():
            if self._spoken(Reference(generated(number))):
                sources.discard(number)
        if all(before < number for number, sources in reads.items() for before in sources):
            return sorted(reads)
        while True:
            try:
                return list(TopologicalSorter(reads).static_order())
            except CycleError as error:
                circle = set(error.args[1])
                for number in circle:
                    self._problems[number] = f"Step {number} waits for its own result."
                    reads.pop(number, None)
                reads = {number: before - circle for number, before in reads.items()}

    def _go_back(self, step: ProposedStep) -> None:
        targets = [value for values in step.inputs.values() for value in values]
        for target in targets:
            if not isinstance(target, Reference) or target.value not in self._handed:
                said = target.value if isinstance(target, Reference) else target.text
                raise Unsound(f"there is nothing at hand called {said!r} to go back to.")
        if not targets:
            raise Unsound("it names nothing to go back to.")
        self._back += step.references()
        self._same[generated(step.number)] = self._back[-1]

    def _add(self, step: ProposedStep) -> None:
        tool = self._tool(step)
        inputs = self._inputs(tool, step)
        # What a step reads may have been put in just now, and comes before it.
        output = TypedValue(tool.returns.type, generated(step.number))
        self._actions[step.number] = Action(tool.name, inputs, output)
        self._types[output.value] = self._made(tool, inputs)

    def _made(self, tool: Tool, inputs: Inputs) -> tuple[str, ...]:
        """What the result of a call can be taken as; done on each of several, it makes several."""
        returns = tool.returns
        several = any(
            isinstance(value, Reference) and not self._fits_whole(value.value, argument)
            for argument in tool.args
            if not argument.many
            for value in values_of(inputs.get(argument.name, ()))
        )
        if several:
            is_told = self._lattice.is_a(returns.each, "text") and returns.each not in FILE_TYPES
            return ("text",) if is_told else ("files", returns.each)
        return tuple(dict.fromkeys((returns.type, returns.each)))

    def _tool(self, step: ProposedStep) -> Tool:
        """The tool of a step, or the nearest that takes what the step is given."""
        box = self._graph.toolbox
        if step.tool in box:
            return box[step.tool]
        given = [self._same.get(value, value) for value in step.references()]
        counts = {tool.name: self._taken(tool, given) for tool in box}
        taken = {name: count for name, count in counts.items() if count or not given}
        best = nearest_tool(step.tool, step.does, taken, self._graph, self._assess)
        if best is None:
            raise Unsound("there is no such tool, and none that is near it takes what it is given.")
        self._repairs.append(f"there is no tool {step.tool}; {best.name} comes nearest")
        return best

    def _taken(self, tool: Tool, given: Sequence[str]) -> int:
        """How many of some values fit an argument of their own."""
        free, count = list(tool.args), 0
        for value in given:
            place = next((item for item in free if self._fits(value, item)), None)
            count += place is not None
            if place is not None and not place.many:
                free.remove(place)
        return count

    def _fits(self, value: str, argument: Argument) -> bool:
        found = self._types.get(value, ())
        return any(self._lattice.is_a(name, argument.type) for name in found)

    def _fits_whole(self, value: str, argument: Argument) -> bool:
        found = self._types.get(value, ("",))
        return "files" not in found or self._lattice.is_a("files", argument.type)

    def _inputs(self, tool: Tool, step: ProposedStep) -> dict[str, Value | tuple[Value, ...]]:
        told, left = self._placed(tool, step)
        every = (value for values in (*told.values(), left) for value in values)
        files = dict.fromkeys(value.value for value in every if isinstance(value, Reference))
        call = _Call(step, [item for item in files if item in self._types])
        for argument in tool.args:
            values = told.get(argument.name, ())
            if not values and argument.optional:
                continue
            if len(values) > 1 and not argument.many:
                raise Unsound(
                    f"{argument.name} takes one {argument.type}, and it was given {len(values)}; "
                    "one step for each."
                )
            bound = tuple(self._bound(value, argument, call) for value in values)
            bound = bound or (self._found(argument, left, call),)
            call.inputs[argument.name] = bound if argument.many else bound[0]
        for setting in tool.parameters:
            if values := told.get(setting.name, ()):
                call.inputs[setting.name] = self._setting(values[0], setting, step)
        return call.inputs

    def _placed(
        self, tool: Tool, step: ProposedStep
    ) -> tuple[dict[str, tuple[Value, ...]], tuple[Value, ...]]:
        """What each input of a tool was told, and what was told to inputs that it has not."""
        known = [item.name for item in tool.args] + [item.name for item in tool.parameters]
        told: dict[str, tuple[Value, ...]] = {}
        others: list[tuple[str, tuple[Value, ...]]] = []
        for name, values in step.inputs.items():
            same = [item for item in known if item.lower() == name.strip().lower()]
            kept = tuple(
                renamed(value, self._same)
                for value in values
                if isinstance(value, Reference) or value.text.strip()
            )
            if same:
                told[same[0]] = kept
            elif kept:
                others.append((name, kept))
        left: tuple[Value, ...] = ()
        for name, values in others:
            if any(isinstance(value, Reference) for value in values):
                place = self._taking(values, tool, told)
            else:
                place = alike_name(name, [item for item in known if item not in told])
            if place:
                told[place] = values
                self._repairs.append(f"{name} of {tool.name} is called {place}")
            else:
                left += values
                self._repairs.append(f"{tool.name} has no input {name}")
        return told, left

    def _taking(self, values: Sequence[Value], tool: Tool, told: Mapping[str, object]) -> str:
        """The only input left that takes some files and results; empty where none is, or more."""
        taking = [
            item.name
            for item in tool.args
            if item.name not in told
            and all(isinstance(v, Reference) and self._fits(v.value, item) for v in values)
        ]
        return taking[0] if len(taking) == 1 else ""

    def _setting(self, value: Value, parameter: Parameter, step: ProposedStep) -> Value:
        text = self._spoken(value) if isinstance(value, Reference) else value.text
        if not text and isinstance(value, Reference):
            raise Unsound(f"{parameter.name} is a setting and takes no file or result.")
        if parameter.read(text) is not None:
            return Literal(text)
        # A figure without its unit, where the step says both.
        said = parameter.read(step.does) if parameter.kind else None
        if said is not None and text.strip() in as_said(said):
            return Literal(as_said(said))
        raise Unsound(
            f"{text!r} is no value for {parameter.name} "
            f"({parameter.description or type(parameter.default).__name__}; for example "
            f"{parameter.default!r})."
        )

    def _spoken(self, value: Reference) -> str:
        """The words of the request that read like a result: "step 1", to be written on a sign."""
        if (number := self._number(value.value)) is None:
            return ""
        found = re.search(rf"\bstep\s*{number}\b", self._text, re.IGNORECASE)
        return found[0] if found else ""

    def _number(self, value: str) -> int | None:
        return next((number for number in self._steps if generated(number) == value), None)

    def _bound(self, value: Value, argument: Argument, call: _Call) -> Value:
        """A value for an argument as it was told, or what stands in place of it."""
        if isinstance(value, Literal):
            if self._is_words(argument):
                return value
            words, said, why = value.text, f"the words {value.text!r}", "no file or result at hand"
            sources = [[item] for item in call.files]
        else:
            types = self._types.get(value.value, ())
            if types and self._fits(value.value, argument):
                return value
            if self._is_words(argument) and (spoken := self._spoken(value)):
                return Literal(spoken)
            number = self._number(value.value)
            if number is not None and not types:
                raise Unsound(f"it needs the result of step {number}, which cannot be made.")
            words, said, why = "", self._said(value.value), "/".join(types) or "not at hand"
            # Of those of one type one is enough: a way is found by types.
            others = {self._types[v]: v for v in reversed(call.files) if v != value.value}
            pairs = [[value.value, item] for item in reversed(others.values())]
            sources = [[value.value], *pairs] if types else []
        if (made := self._put_in(sources, words, argument, call.step)) is not None:
            return made
        if (other := self._other(argument, call)) is None:
            raise Unsound(
                f"{argument.name} needs {argument.type}, and it was given {said}, which is {why}."
            )
        self._repairs.append(
            f"{argument.name} of {call.step.tool} is {self._said(other.value)}, not {said}"
        )
        return other

    def _found(self, argument: Argument, left: Sequence[Value], call: _Call) -> Value:
        """What a required argument that was told nothing can be bound to."""
        step = call.step
        for value in left:
            if isinstance(value, Reference) and self._fits(value.value, argument):
                return value
            if isinstance(value, Literal) and self._is_words(argument):
                return value
        if not self._is_words(argument) or role_of(argument) == "content":
            # A step that was told no file works on what came along.
            sources = [[item] for item in call.files or self._attached]
            found = self._other(argument, call) or self._put_in(sources, step.does, argument, step)
            if found is not None:
                self._repairs.append(f"{step.tool} had no {argument.name}; it was put in")
                return found
        elif step.does:
            self._repairs.append(f"{step.tool} had no {argument.name}; it is what the step does")
            return Literal(step.does)
        raise Unsound(f"{argument.name} is missing, {argument.type}: {argument.description}.")

    def _is_words(self, argument: Argument) -> bool:
        return self._lattice.is_a(argument.type, "text") and argument.type not in FILE_TYPES

    def _other(self, argument: Argument, call: _Call) -> Reference | None:
        """The one thing at hand that an argument can be bound to, the nearest first: a result that
        nothing reads yet, what came along, whatever is there."""
        bound = [value for given in call.inputs.values() for value in values_of(given)]
        taken = {value.value for value in bound if isinstance(value, Reference)}
        taken |= {item for item in call.files if self._fits(item, argument)}
        read = {value for action in self._actions.values() for value in action.references()}
        made = [action.output.value for action in self._actions.values()]
        for pool in ([v for v in made if v not in read], self._attached, self._handed):
            fitting = [v for v in pool if v not in taken and self._fits(v, argument)]
            if len(fitting) == 1:
                return Reference(fitting[0])
        return None

    def _put_in(
        self, sources: Sequence[Sequence[str]], words: str, argument: Argument, step: ProposedStep
    ) -> Reference | None:
        """The result of a short way to what an argument needs, out of all values of one of the
        sources; None where none is found. Its steps are among the actions from now on."""
        given = [[TypedValue(self._types[v][-1], v) for v in source] for source in sources]
        every = [value for values in given for value in values]
        types = tuple(tuple(value.type for value in values) for values in given)
        key = (types, words, argument.type, step.does)
        if key not in self._ways:
            # The same way does for each of many files.
            way = short_way(given, words, argument.type, step.does, self._graph, self._assess)
            self._ways[key] = every, way
        first, actions = self._ways[key]
        if not actions:
            return None
        names = ", ".join(action.tool for action in actions)
        self._repairs.append(f"{names} was put in before {step.tool}")
        same = {old.value: new.value for old, new in zip(first, every, strict=True)}
        return Reference(self._adopted(actions, same))

    def _adopted(self, actions: Sequence[Action], new: dict[str, str]) -> str:
        """Take actions up as steps with numbers of their own, with `new` names for what they read;
        the name of the last one's result."""
        for action in actions:
            output = generated(self._next)
            inputs = with_values(action.inputs, lambda value: renamed(value, new))
            new[action.output.value] = output
            self._actions[self._next] = Action(
                action.tool, inputs, TypedValue(action.output.type, output)
            )
            self._types[output] = self._made(self._graph.toolbox[action.tool], inputs)
            self._next += 1
        return new[actions[-1].output.value]

    def _said(self, value: str) -> str:
        number = self._number(value)
        return value if number is None else f"the result of step {number}"
