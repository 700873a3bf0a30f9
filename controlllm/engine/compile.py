"""A plan as one DAG: each action with what it waits for and, where it cannot run, why.

Nothing in a plan is trusted: a language model may have written it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from graphlib import TopologicalSorter

from controlllm.core.plans import Literal, Plan, Step, Subtask, Value, generated, values_of
from controlllm.engine.each import returned_of_each
from controlllm.resources import Resource
from controlllm.toolbox import Argument, Parameter, Tool, Toolbox


@dataclass(frozen=True)
class Output:
    """What the step of this key makes, of this type; `members` is the type of each where that is
    several files of one type."""

    key: str
    type: str
    members: str = ""


@dataclass(frozen=True)
class Nowhere:
    """The result of a subtask that has no solution; what reads it is left undone."""

    subtask: int


Source = Literal | Resource | Output | Nowhere
Bound = Source | tuple[Source, ...]


@dataclass(frozen=True)
class Node:
    """A step with its tool, where each of its inputs comes from, and its settings.

    `tool` is None where nobody knows it; `problem` says in a sentence why the step cannot run.
    `pinned` stands for its result, so that it waits for nothing and is not made again.
    """

    step: Step
    tool: Tool | None = None
    inputs: Mapping[str, Bound] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    problem: str = ""
    pinned: Resource | None = None

    @property
    def key(self) -> str:
        return self.step.key

    @property
    def name(self) -> str:
        """The tool's own name, or the one that the plan calls it by."""
        return self.tool.name if self.tool else self.step.action.tool

    def sources(self) -> Iterator[Source]:
        for bound in self.inputs.values():
            yield from bound if isinstance(bound, tuple) else (bound,)

    @cached_property
    def producers(self) -> frozenset[str]:
        """The keys of the steps whose outputs this one reads, none where its result is pinned."""
        if self.pinned is not None:
            return frozenset()
        return frozenset(source.key for source in self.sources() if isinstance(source, Output))

    @cached_property
    def is_stranded(self) -> bool:
        """Whether it reads the result of a subtask that has no solution."""
        return self.pinned is None and any(isinstance(source, Nowhere) for source in self.sources())


@dataclass(frozen=True)
class Graph:
    """The nodes of a plan's chosen solutions by their keys, in the plan's order."""

    nodes: Mapping[str, Node]

    def dependants(self, key: str) -> frozenset[str]:
        """The keys of everything that needs the output of `key`, directly or not."""
        found: set[str] = set()
        wave = {key}
        while wave:
            wave = {
                node.key
                for node in self.nodes.values()
                if node.key not in found and node.producers & wave
            }
            found |= wave
        return frozenset(found)

    def urgency(self, seconds: Callable[[str], float]) -> dict[str, float]:
        """How long the longest chain of steps is that begins with each, in seconds.

        `seconds` tells how long a tool takes, by its name. What most hangs on is to begin first.
        """
        order = TopologicalSorter(
            {key: node.producers & self.nodes.keys() for key, node in self.nodes.items()}
        ).static_order()
        found = dict.fromkeys(self.nodes, 0.0)
        for key in reversed(tuple(order)):
            node = self.nodes[key]
            found[key] += seconds(node.name)
            for producer in node.producers & self.nodes.keys():
                found[producer] = max(found[producer], found[key])
        return found

    def picture_of(self, node: Node, results: Mapping[str, Resource]) -> str:
        """The value of the picture that a step looks at, or that what it was given was found in."""
        for source in node.sources():
            resource = results.get(source.key) if isinstance(source, Output) else source
            if isinstance(resource, Resource) and resource.type == "image":
                return resource.value
        for source in node.sources():
            if isinstance(source, Output) and source.key in self.nodes:
                found = self.picture_of(self.nodes[source.key], results)
                if found:
                    return found
        return ""


class _Problem(Exception):
    """Why a step cannot run, as a sentence."""


def compile_plan(plan: Plan, toolbox: Toolbox, resources: Mapping[str, Resource]) -> Graph:
    """The DAG of a plan's chosen solutions.

    `resources` are those that the plan may refer to, by their values. Unknown tools, unknown
    resources, wrong types and cycles become the `problem` of the step where they occur. Steps that
    only steps with a pinned result read are left out.
    """
    steps = list(plan.steps())
    compiler = _Compiler(plan, toolbox, resources, steps)
    nodes = {step.key: compiler.node(step) for step in steps}
    return Graph(_without_cycles(_with_pins(nodes, resources, frozenset(plan.ends()))))


class _Compiler:
    def __init__(
        self,
        plan: Plan,
        toolbox: Toolbox,
        resources: Mapping[str, Resource],
        steps: list[Step],
    ) -> None:
        self._toolbox = toolbox
        self._resources = resources
        self._own: dict[tuple[int, str], Step] = {}
        self._twice: set[str] = set()
        for step in steps:
            name = (step.subtask, step.action.output.value)
            if name in self._own:
                self._twice.add(step.key)
            self._own.setdefault(name, step)
        #: What those steps return that are done on each of several files.
        self._for_each: dict[str, Argument] = {}
        last = {step.subtask: step for step in steps}
        self._results: dict[str, Step | Subtask] = {}
        for subtask in plan.subtasks:
            maker = last.get(subtask.id)
            self._results[generated(subtask.id)] = maker or subtask
            self._results[subtask.returns.value] = maker or subtask
            if maker is not None:
                self._results[maker.action.output.value] = maker

    def node(self, step: Step) -> Node:
        action = step.action
        if action.tool not in self._toolbox:
            return Node(step, problem=f"There is no tool called {action.tool!r} here.")
        tool = self._toolbox[action.tool]
        node = Node(step, tool)
        if step.key in self._twice:
            value = action.output.value
            return replace(node, problem=f"Two steps of one part are both to make {value!r}.")
        try:
            settings = {parameter.name: parameter for parameter in tool.parameters}
            arguments = {argument.name: argument for argument in tool.args}
            for name in action.inputs:
                if name not in settings and name not in arguments:
                    raise _Problem(f"{tool.name} has no input called {name!r}.")
            inputs = {
                name: self._bound(tool, arguments[name], given, step.subtask)
                for name, given in action.inputs.items()
                if name in arguments
            }
            for argument in tool.required:
                if not inputs.get(argument.name):
                    raise _Problem(
                        f"{tool.name} needs {_article(argument.type)} for {argument.name!r}, and "
                        "the plan has none."
                    )
            parameters = {
                parameter.name: _setting(tool, parameter, action.inputs.get(parameter.name))
                for parameter in tool.parameters
            }
        except _Problem as problem:
            return replace(node, problem=str(problem))
        if any(self._is_each(arguments[name], bound) for name, bound in inputs.items()):
            if tool.acts_outside:
                said = f"{tool.name} acts outside, and is not done on several files in one step."
                return replace(node, problem=said)
            self._for_each[step.key] = returned_of_each(tool)
        return replace(node, inputs=inputs, parameters=parameters)

    def _is_each(self, argument: Argument, bound: Bound) -> bool:
        """Whether an input of one thing is given several, on each of which the step is done."""
        return isinstance(bound, Output) and not self._fits(bound.type, argument)

    def _fits(self, type_name: str, argument: Argument) -> bool:
        return bool(type_name) and self._toolbox.lattice.is_a(type_name, argument.type)

    def _bound(
        self, tool: Tool, argument: Argument, given: Value | tuple[Value, ...], subtask: int
    ) -> Bound:
        values = values_of(given)
        sources = tuple(self._source(tool, argument, value, subtask) for value in values)
        if argument.many:
            return sources
        if len(sources) != 1:
            raise _Problem(
                f"{tool.name} takes one {argument.type} for {argument.name!r}, and the plan has "
                f"{len(sources)}."
            )
        return sources[0]

    def _source(self, tool: Tool, argument: Argument, value: Value, subtask: int) -> Source:
        if isinstance(value, Literal):
            if not self._toolbox.lattice.is_a(argument.type, "text"):
                raise _Problem(
                    f"{tool.name} needs {_article(argument.type)} for {argument.name!r}, and the "
                    "plan has words."
                )
            return value
        found = self._own.get((subtask, value.value)) or self._results.get(value.value)
        if isinstance(found, Subtask):
            return Nowhere(found.id)
        if isinstance(found, Step):
            source: Output | Resource = self._output_of(found)
        elif value.value in self._resources:
            source = self._resources[value.value]
        else:
            raise _Problem(_missing(tool, value.value))
        of_each = source.members if isinstance(source, Output) else ""
        if not self._fits(source.type, argument) and not self._fits(of_each, argument):
            raise _Problem(
                f"{tool.name} needs {_article(argument.type)} for {argument.name!r}, and the plan "
                f"has {_article(source.type)}."
            )
        return source

    def _output_of(self, step: Step) -> Output:
        action = step.action
        made = self._for_each.get(step.key)
        if made is None and action.tool in self._toolbox:
            made = self._toolbox[action.tool].returns
        members = made.members if made is not None else ""
        if action.pinned in self._resources:
            return Output(step.key, self._resources[action.pinned].type, members)
        return Output(step.key, made.type if made is not None else action.output.type, members)


def _with_pins(
    nodes: dict[str, Node], resources: Mapping[str, Resource], ends: Set[str]
) -> dict[str, Node]:
    """The nodes with the resources that stand for results, without those that nobody reads then."""
    pinned = {
        key: replace(node, pinned=resources[node.step.action.pinned], problem="")
        for key, node in nodes.items()
        if node.step.action.pinned in resources
    }
    if not pinned:
        return nodes
    readers: dict[str, set[str]] = {key: set() for key in nodes}
    for key, node in nodes.items():
        for producer in node.producers:
            readers[producer].add(key)
    idle: set[str] = set()
    while found := {
        key
        for key, known in readers.items()
        if key not in idle and key not in ends and known and known <= pinned.keys() | idle
    }:
        idle |= found
    return {key: pinned.get(key, node) for key, node in nodes.items() if key not in idle}


def _without_cycles(nodes: dict[str, Node]) -> dict[str, Node]:
    """The nodes, those that wait for themselves with a problem instead of inputs."""
    order: set[str] = set()
    left = nodes
    while ready := [key for key, node in left.items() if node.producers <= order]:
        order.update(ready)
        left = {key: node for key, node in left.items() if key not in order}
    rest = {key: nodes[key].producers - order for key in nodes.keys() - order}
    for key in rest:
        reached: set[str] = set()
        wave = set(rest[key])
        while wave:
            reached |= wave
            wave = set().union(*(rest[other] for other in wave)) - reached
        if key in reached:
            others = sorted({nodes[other].name for other in reached if other in rest})
            said = f"The plan goes in a circle: {' and '.join(others)} wait for each other."
            if len(others) == 1:
                said = f"The plan goes in a circle: {others[0]} waits for its own result."
            nodes[key] = Node(nodes[key].step, nodes[key].tool, problem=said)
    return nodes


def _setting(tool: Tool, parameter: Parameter, given: Value | tuple[Value, ...] | None) -> object:
    """The value of a parameter: its default, or what the plan says, as the default's type."""
    if given is None:
        return parameter.default
    if not isinstance(given, Literal):
        raise _Problem(f"{tool.name}: {parameter.name!r} is a setting, not a file.")
    read = parameter.read(given.text)
    if read is None:
        raise _Problem(
            f"{tool.name}: {given.text!r} is no value for {parameter.name!r}, for example "
            f"{parameter.default!r} is."
        )
    return read


def _missing(tool: Tool, value: str) -> str:
    if value.startswith("<GEN>-"):
        return f"{tool.name} needs the result {value}, and no step of the plan makes it."
    return f"{tool.name} needs {value}, which is not in this conversation. Add it and ask again."


def _article(type_name: str) -> str:
    if type_name in ("text", "audio", "tags", "html", "files"):
        return type_name
    return f"{'an' if type_name[0] in 'aeiou' else 'a'} {type_name}"
