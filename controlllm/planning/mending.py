"""Proposed steps made sound: every input checked by type and presence, and mended where one way
to mend it is plain.

A tool that nobody knows is replaced by the nearest that takes the same; an input of a wrong type is
reached by a short way that the search finds, or bound to the one thing that fits; what cannot be
mended is told to whoever proposed it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from controlllm.core.plans import (
    Action,
    Literal,
    Reference,
    Request,
    TypedValue,
    Value,
    generated,
    values_of,
)
from controlllm.core.proposals import GO_BACK, Proposal, ProposedStep
from controlllm.planning.arguments import role_of
from controlllm.planning.graph import ToolGraph
from controlllm.planning.replacing import Assess, alike_name, nearest_tool, short_way
from controlllm.planning.settings import as_said
from controlllm.resources.types import FILE_TYPES
from controlllm.toolbox import Argument, Parameter, Tool


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


class _Mender:
    def __init__(
        self, proposal: Proposal, request: Request, graph: ToolGraph, assess: Assess
    ) -> None:
        self._steps = {step.number: step for step in proposal.steps}
        self._graph = graph
        self._lattice = graph.lattice
        self._assess = assess
        self._attached = request.attached
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

    def sound(self) -> Sound:
        for number in self._ordered():
            step = self._steps[number]
            try:
                if step.tool == GO_BACK:
                    self._go_back(step)
                else:
                    self._add(step)
            except Unsound as error:
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
            number: {
                names[value.value]
                for values in step.inputs.values()
                for value in values
                if isinstance(value, Reference) and value.value in names
            }
            for number, step in self._steps.items()
        }
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
            self._back.append(target.value)
        if not targets:
            raise Unsound("it names nothing to go back to.")
        self._same[generated(step.number)] = self._back[-1]

    def _add(self, step: ProposedStep) -> None:
        tool = self._tool(step)
        inputs = self._inputs(tool, step)
        # What a step reads may have been put in just now, and comes before it.
        output = TypedValue(tool.returns.type, generated(step.number))
        self._actions[step.number] = Action(tool.name, inputs, output)
        self._types[output.value] = self._made(tool, inputs)

    def _made(self, tool: Tool, inputs: Mapping[str, Value | tuple[Value, ...]]) -> tuple[str, ...]:
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
        given = [
            self._same.get(value.value, value.value)
            for values in step.inputs.values()
            for value in values
            if isinstance(value, Reference)
        ]
        counts = {tool.name: self._taken(tool, given) for tool in box}
        taken = {name: count for name, count in counts.items() if count or not given}
        best = nearest_tool(step.tool, step.does, taken, self._graph, self._assess)
        if best is None:
            raise Unsound("there is no such tool, and none that is near it takes what it is given.")
        self._repairs.append(f"there is no tool {step.tool}; {best.name} comes nearest")
        return best

    def _taken(self, tool: Tool, given: Sequence[str]) -> int:
        """How many of some values fit an argument of their own."""
        free = list(tool.args)
        count = 0
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
        files = [
            value.value
            for values in (*told.values(), left)
            for value in values
            if isinstance(value, Reference)
        ]
        inputs: dict[str, Value | tuple[Value, ...]] = {}
        for argument in tool.args:
            values = told.get(argument.name, ())
            if not values and argument.optional:
                continue
            if not values:
                bound = [self._found(argument, left, files, step, inputs)]
            else:
                bound = [self._bound(value, argument, files, step, inputs) for value in values]
            if len(bound) > 1 and not argument.many:
                raise Unsound(
                    f"{argument.name} takes one {argument.type}, and it was given {len(bound)}; "
                    "one step for each."
                )
            inputs[argument.name] = tuple(bound) if argument.many else bound[0]
        for parameter in tool.parameters:
            for value in told.get(parameter.name, ())[:1]:
                inputs[parameter.name] = self._setting(value, parameter, step)
        return inputs

    def _placed(
        self, tool: Tool, step: ProposedStep
    ) -> tuple[dict[str, tuple[Value, ...]], tuple[Value, ...]]:
        """What each input of a tool was told, and what was told to inputs that it has not."""
        known = _names(tool)
        told: dict[str, tuple[Value, ...]] = {}
        others: list[tuple[str, tuple[Value, ...]]] = []
        for name, values in step.inputs.items():
            same = [item for item in known if item.lower() == name.strip().lower()]
            kept = tuple(
                Reference(self._same.get(value.value, value.value))
                if isinstance(value, Reference)
                else value
                for value in values
                if not (isinstance(value, Literal) and not value.text.strip())
            )
            if same:
                told[same[0]] = kept
            elif kept:
                others.append((name, kept))
        left: tuple[Value, ...] = ()
        for name, values in others:
            place = self._place(name, values, tool, told)
            if place:
                told[place] = values
                self._repairs.append(f"{name} of {tool.name} is called {place}")
            else:
                left += values
                self._repairs.append(f"{tool.name} has no input {name}")
        return told, left

    def _place(
        self,
        name: str,
        values: Sequence[Value],
        tool: Tool,
        told: Mapping[str, tuple[Value, ...]],
    ) -> str:
        """The input that another name may mean: the only one left that takes the same files, or
        one that is called alike; empty where none is."""
        is_file = any(isinstance(value, Reference) for value in values)
        if is_file:
            taking = [
                item
                for item in tool.args
                if item.name not in told
                and all(isinstance(v, Reference) and self._fits(v.value, item) for v in values)
            ]
            return taking[0].name if len(taking) == 1 else ""
        free = [item for item in _names(tool) if item not in told]
        return alike_name(name, free)

    def _setting(self, value: Value, parameter: Parameter, step: ProposedStep) -> Value:
        if not isinstance(value, Literal):
            raise Unsound(f"{parameter.name} is a setting and takes no file or result.")
        if parameter.read(value.text) is None:
            # A figure without its unit, where the step says both.
            said = parameter.read(step.does) if parameter.kind else None
            if said is not None and value.text.strip() in as_said(said):
                return Literal(as_said(said))
            raise Unsound(
                f"{value.text!r} is no value for {parameter.name} "
                f"({parameter.description or type(parameter.default).__name__}; for example "
                f"{parameter.default!r})."
            )
        return value

    def _bound(
        self,
        value: Value,
        argument: Argument,
        files: Sequence[str],
        step: ProposedStep,
        inputs: Mapping[str, Value | tuple[Value, ...]],
    ) -> Value:
        """A value for an argument as it was told, or what stands in place of it."""
        if isinstance(value, Literal):
            if self._is_words(argument):
                return value
            words, said = value.text, f"the words {value.text!r}"
            sources = [[item] for item in files if item in self._types]
        else:
            if value.value in self._types and self._fits(value.value, argument):
                return value
            words = ""
            said = self._said(value.value)
            others = [item for item in files if item in self._types and item != value.value]
            sources = [[value.value], *([value.value, item] for item in others)]
            sources = sources if value.value in self._types else []
            number = next((n for n in self._steps if generated(n) == value.value), None)
            if number is not None and value.value not in self._types:
                raise Unsound(f"it needs the result of step {number}, which cannot be made.")
        made = self._put_in(sources, words, argument, step)
        if made is not None:
            return made
        other = self._other(argument, files, inputs)
        if other is not None:
            self._repairs.append(
                f"{argument.name} of {step.tool} is {self._said(other.value)}, not {said}"
            )
            return other
        kinds = "/".join(self._types.get(value.value, ())) if isinstance(value, Reference) else ""
        why = f"which is {kinds}" if kinds else "and there is nothing at hand called so"
        if isinstance(value, Literal):
            why = "which is no file or result at hand"
        raise Unsound(f"{argument.name} needs {argument.type}, and it was given {said}, {why}.")

    def _found(
        self,
        argument: Argument,
        left: Sequence[Value],
        files: Sequence[str],
        step: ProposedStep,
        inputs: Mapping[str, Value | tuple[Value, ...]],
    ) -> Value:
        """What a required argument that was told nothing can be bound to."""
        for value in left:
            if isinstance(value, Reference) and self._fits(value.value, argument):
                return value
            if isinstance(value, Literal) and self._is_words(argument):
                return value
        is_told = self._is_words(argument) and role_of(argument) != "content"
        if not is_told:
            other = self._other(argument, files, inputs)
            at_hand = [item for item in files if item in self._types]
            # A step that was told no file works on what came along.
            sources = [[item] for item in at_hand or self._attached]
            found = other or self._put_in(sources, step.does, argument, step)
            if found is not None:
                self._repairs.append(f"{step.tool} had no {argument.name}; it was put in")
                return found
        elif step.does:
            self._repairs.append(f"{step.tool} had no {argument.name}; it is what the step does")
            return Literal(step.does)
        raise Unsound(f"{argument.name} is missing, {argument.type}: {argument.description}.")

    def _is_words(self, argument: Argument) -> bool:
        return self._lattice.is_a(argument.type, "text") and argument.type not in FILE_TYPES

    def _other(
        self,
        argument: Argument,
        files: Sequence[str],
        inputs: Mapping[str, Value | tuple[Value, ...]],
    ) -> Reference | None:
        """The one thing at hand that an argument can be bound to, the nearest first: a result that
        nothing reads yet, what came along, whatever is there."""
        taken = {
            value.value
            for given in inputs.values()
            for value in values_of(given)
            if isinstance(value, Reference)
        } | {item for item in files if self._fits(item, argument)}
        read = {value for action in self._actions.values() for value in action.references()}
        made = [action.output.value for action in self._actions.values()]
        for pool in ([v for v in made if v not in read], self._attached, self._handed):
            fitting = [v for v in pool if v not in taken and self._fits(v, argument)]
            if len(fitting) == 1:
                return Reference(fitting[0])
        return None

    def _put_in(
        self,
        sources: Sequence[Sequence[str]],
        words: str,
        argument: Argument,
        step: ProposedStep,
    ) -> Reference | None:
        """The result of a short way to what an argument needs, out of all values of one of the
        sources; None where none is found. Its steps are among the actions from now on."""
        given = [[TypedValue(self._types[v][-1], v) for v in source] for source in sources]
        actions = short_way(given, words, argument.type, step.does, self._graph, self._assess)
        if not actions:
            return None
        names = ", ".join(action.tool for action in actions)
        self._repairs.append(f"{names} was put in before {step.tool}")
        return Reference(self._adopted(actions))

    def _adopted(self, actions: Sequence[Action]) -> str:
        """Take actions up as steps with numbers of their own; the name of the last one's result."""
        new: dict[str, str] = {}

        def renamed(value: Value) -> Value:
            if isinstance(value, Reference):
                return Reference(new.get(value.value, value.value))
            return value

        for action in actions:
            output = generated(self._next)
            inputs = {
                name: tuple(map(renamed, given)) if isinstance(given, tuple) else renamed(given)
                for name, given in action.inputs.items()
            }
            new[action.output.value] = output
            self._actions[self._next] = Action(
                action.tool, inputs, TypedValue(action.output.type, output)
            )
            self._types[output] = self._made(self._graph.toolbox[action.tool], inputs)
            self._next += 1
        return new[actions[-1].output.value]

    def _said(self, value: str) -> str:
        number = next((n for n in self._steps if generated(n) == value), None)
        return value if number is None else f"the result of step {number}"


def _names(tool: Tool) -> list[str]:
    """What the inputs of a tool are called, settings last."""
    return [*(item.name for item in tool.args), *(item.name for item in tool.parameters)]
