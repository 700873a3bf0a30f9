"""An environment over any tools and any way to call them.

What is asked for is checked before a tool sees it, what comes back is named, and what goes wrong is
an observation with a code.

The same for tools that run in the engine and for a simulated world; ToolBench's contract, but for
names, which must match exactly.
"""

from __future__ import annotations

import difflib
import json
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from controlllm.agents.environment import Observation
from controlllm.agents.fingerprints import fingerprint
from controlllm.resources import Resource, TypeLattice
from controlllm.toolbox import Argument, Cancelled, Code, Parameter, Tool, ToolError

_log = logging.getLogger(__name__)

#: What a tool gets for an argument: a resource, or what was written.
Given = Resource | str | int | float
Inputs = Mapping[str, Given | tuple[Given, ...] | bool]


@dataclass(frozen=True)
class Made:
    """What a call made: the resource, and what it is in words, for the agent.

    A resource without a name gets one; so does one whose name is another's already.
    """

    resource: Resource
    text: str


#: Calls a tool with inputs that fit it. What it returns in words alone becomes a resource of the
#: tool's return type with the words in its ``details["text"]``. Raises ToolError with a code, and
#: Cancelled where the person stopped the run.
Call = Callable[[Tool, Inputs], Made | str]
#: Whether a tool that acts outside may be called with these inputs, now.
Permitted = Callable[[Tool, Inputs], bool]

#: Kinds of failure after which it is certain that a tool has done nothing outside.
_NOTHING_DONE = frozenset(
    {
        *(Code.UNKNOWN_TOOL, Code.BAD_INPUT, Code.NOT_FOUND, Code.UNAUTHORISED),
        *(Code.NOT_SUBSCRIBED, Code.TOO_MANY, Code.RATE_LIMITED, Code.NOT_SENT),
    }
)
#: Codes that are no tool's to give for a failure.
_NO_FAILURES = frozenset({Code.DONE, Code.ANSWERED, Code.GAVE_UP})
#: How much of a wrong name or value is said again, in characters, and how many names are listed.
_SAID_AGAIN, _MOST_NAMED = 80, 12


class _Wrong(Exception):
    """Arguments do not fit a tool. The message says which, and what would."""


class ToolEnvironment:
    """Tools, a way to call them, and the resources that can be referred to.

    Parameters
    ----------
    tools: a toolbox, or some tools, in the order in which they are offered.
    call: calls one of them; it gets resources for names of resources.
    resources: what was handed over.
    lattice: which resource type is a kind of which; the toolbox's own where types are added.
    permitted: asked before each call of a tool that acts outside; where it says no, and where
        there is nobody to ask, such a tool is not called.
    """

    def __init__(
        self,
        tools: Iterable[Tool],
        call: Call,
        resources: Iterable[Resource] = (),
        lattice: TypeLattice | None = None,
        permitted: Permitted = lambda tool, inputs: False,
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._call = call
        self._resources = {item.value: item for item in resources}
        self._lattice = lattice or TypeLattice()
        self._permitted = permitted
        # Shared by forks: what was made is named apart from what was made in any of them, and what
        # was done outside stays done.
        self._numbers: dict[str, int] = {}
        self._done_outside: set[str] = set()

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that can be called, in the order in which they are offered."""
        return tuple(self._tools.values())

    @property
    def resources(self) -> Mapping[str, Resource]:
        """What can be referred to by name: what was handed over and what calls have made."""
        return MappingProxyType(self._resources)

    def fork(self) -> ToolEnvironment:
        """An environment with the same tools and resources, whose calls do not change this one."""
        copy = object.__new__(ToolEnvironment)
        copy.__dict__.update(self.__dict__)
        copy._resources = dict(self._resources)
        return copy

    def step(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Call a tool; see `controlllm.agents.environment.Environment`.

        A tool that acts outside is called at most once with the same inputs, in all forks
        together, unless it is certain that it has done nothing. Raises Cancelled where the person
        stopped the run.
        """
        tool = self._tools.get(name)
        if tool is None:
            return Observation(self._unknown(name), Code.UNKNOWN_TOOL)
        try:
            inputs = self._inputs(tool, arguments)
        except _Wrong as wrong:
            return Observation(str(wrong), Code.BAD_INPUT)
        outside = _same(tool, inputs) if tool.acts_outside else ""
        if outside in self._done_outside:
            return Observation(
                f"{name} has been called with this already. It acts outside, so it is not called "
                "again.",
                Code.BAD_INPUT,
            )
        if outside and not self._permitted(tool, inputs):
            return Observation(
                f"{name} needs permission: it does something that cannot be taken back, and the "
                "person has not allowed it. It was not called.",
                Code.UNAUTHORISED,
            )
        if outside:
            self._done_outside.add(outside)
        try:
            made = self._call(tool, inputs)
        except Cancelled:
            raise
        except ToolError as error:
            if error.code in _NOTHING_DONE:
                self._done_outside.discard(outside)
            said = str(error) or f"{name} failed and did not say why."
            return Observation(said, Code.ERROR if error.code in _NO_FAILURES else error.code)
        except Exception as error:
            _log.error("A tool failed unexpectedly", extra={"tool": name}, exc_info=error)
            return Observation(f"{name} failed unexpectedly.", Code.ERROR)
        return self._kept(tool, made)

    def _kept(self, tool: Tool, made: Made | str) -> Observation:
        if isinstance(made, str):
            text = made
            resource = Resource(
                tool.returns.type, "", origin=f"made by {tool.name}", details={"text": made}
            )
        else:
            text, resource = made.text, made.resource
        if not resource.value or resource.value in self._resources:
            resource = replace(resource, value=self._new_name(resource.type))
        self._resources[resource.value] = resource
        return Observation(text, Code.DONE, resource)

    def _new_name(self, type_name: str) -> str:
        while True:
            number = self._numbers[type_name] = self._numbers.get(type_name, 0) + 1
            name = f"{type_name}-{number}"
            if name not in self._resources:
                return name

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(str(name)[:_SAID_AGAIN], self._tools, n=5, cutoff=0.5)
        meant = f" Near to it: {', '.join(near)}." if near else ""
        return f"There is no tool called {_quoted(name)}.{meant} Names must match exactly."

    def _inputs(self, tool: Tool, arguments: Mapping[str, Any]) -> Inputs:
        """What a tool gets for arguments, by its own types; raises _Wrong."""
        if not isinstance(arguments, Mapping):
            raise _Wrong(f"The arguments of {tool.name} have to be an object with their names.")
        parameters = {item.name: item for item in tool.parameters}
        known = {**{item.name: item for item in tool.args}, **parameters}
        for name in arguments:
            if name not in known:
                near = difflib.get_close_matches(str(name)[:_SAID_AGAIN], known, n=1)
                meant = f" Did you mean {near[0]!r}?" if near else ""
                raise _Wrong(
                    f"{tool.name} takes no argument {_quoted(name)}.{meant} It takes: "
                    f"{', '.join(known) or 'none'}."
                )
        inputs: dict[str, Given | tuple[Given, ...] | bool] = {}
        for argument in tool.args:
            given = arguments.get(argument.name)
            if given is None or given == "" or given == []:
                if not argument.optional:
                    raise _Wrong(
                        f"{tool.name} needs {argument.name!r}{_meaning(argument)}, of type "
                        f"{argument.type}, and got none."
                    )
                continue
            items = list(given) if isinstance(given, list | tuple) else [given]
            if len(items) > 1 and not argument.many:
                raise _Wrong(f"{tool.name} takes one value for {argument.name!r}, not several.")
            values = tuple(self._value(tool, argument, item) for item in items)
            inputs[argument.name] = values if argument.many else values[0]
        for name, parameter in parameters.items():
            if arguments.get(name) not in (None, ""):
                inputs[name] = _setting(tool, parameter, arguments[name])
        return inputs

    def _value(self, tool: Tool, argument: Argument, given: Any) -> Given:
        """One value of an argument: the resource of that name, or what was written."""
        place = f"{argument.name!r} of {tool.name}"
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise _Wrong(f"{place} has to be a text, a number or the name of a resource.")
        if isinstance(given, float) and not math.isfinite(given):
            raise _Wrong(f"{place} has to be a finite number.")
        resource = self._resources.get(given) if isinstance(given, str) else None
        if resource is not None:
            if not self._lattice.is_a(resource.type, argument.type):
                raise _Wrong(
                    f"{place} has to be of type {argument.type}, and {_quoted(given)} is of type "
                    f"{resource.type}. {self._fitting(argument)}"
                )
            return resource
        if not self._lattice.is_a(argument.type, "text"):
            raise _Wrong(
                f"{place} has to be the name of a resource of type {argument.type}, and "
                f"{_quoted(given)} is none. {self._fitting(argument)}"
            )
        if argument.type == "number":
            return _number(place, given)
        return given if isinstance(given, str) else str(given)

    def _fitting(self, argument: Argument) -> str:
        found = [
            name
            for name, item in self._resources.items()
            if self._lattice.is_a(item.type, argument.type)
        ]
        if not found:
            return "There is no such resource yet; another tool may make one."
        return f"At hand: {', '.join(map(_quoted, found[-_MOST_NAMED:]))}."


def _setting(tool: Tool, parameter: Parameter, given: Any) -> Any:
    """The value of a parameter, of its default's type; raises _Wrong."""
    place, default = f"{parameter.name!r} of {tool.name}", parameter.default
    if isinstance(default, bool):
        said = (
            given
            if isinstance(given, bool)
            else {"true": True, "false": False}.get(str(given).lower())
        )
        if said is None:
            raise _Wrong(f"{place} has to be true or false.")
        return said
    if isinstance(default, int | float):
        number = _number(place, given)
        if isinstance(default, int) and number != int(number):
            raise _Wrong(f"{place} has to be a whole number.")
        return number if isinstance(default, int) else float(number)
    if isinstance(default, str):
        if not isinstance(given, str):
            raise _Wrong(f"{place} has to be a text.")
        return given
    return given


def _number(place: str, given: Any) -> int | float:
    try:
        number = math.nan if isinstance(given, bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise _Wrong(f"{place} has to be a number, and {_quoted(given)} is none.")
    return int(number) if number.is_integer() else number


def _same(tool: Tool, inputs: Inputs) -> str:
    """A call as a text that is the same for the same call."""

    def plain(value: Any) -> Any:
        return value.value if isinstance(value, Resource) else value

    return fingerprint(
        tool.name,
        {
            name: [*map(plain, given)] if isinstance(given, tuple) else plain(given)
            for name, given in inputs.items()
        },
    )


def _meaning(argument: Argument) -> str:
    return f" ({argument.description.rstrip('.')})" if argument.description else ""


def _quoted(given: Any) -> str:
    text = str(given)
    cut = text if len(text) <= _SAID_AGAIN else f"{text[:_SAID_AGAIN]}…"
    return json.dumps(cut, ensure_ascii=False)
