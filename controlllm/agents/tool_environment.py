"""An environment over any tools and any way to call them.

What is asked for is checked before a tool sees it, what comes back is named, and what goes wrong is
an observation with a code.

The same for tools that run in the engine and for a simulated world; ToolBench's contract, but for
names, which must match exactly.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from controlllm.agents.arguments import Given, Inputs, Misfit, fitting, near_names, quoted
from controlllm.agents.environment import Observation, fingerprint
from controlllm.core.plans import told_values
from controlllm.resources import Resource, TypeLattice
from controlllm.toolbox import Cancelled, Code, Tool, ToolError

__all__ = ["Call", "Given", "Inputs", "Made", "Permitted", "ToolEnvironment"]

_log = logging.getLogger(__name__)


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

#: Codes that are no tool's to give for a failure.
_NO_FAILURES = frozenset({Code.DONE, Code.ANSWERED, Code.GAVE_UP})


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
            inputs = fitting(tool, arguments, self._resources, self._lattice)
        except Misfit as wrong:
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
            # Such a cause says that nobody knows, whatever kind of failure it was.
            is_unknown = isinstance(error.__cause__, ConnectionError | TimeoutError)
            if error.code.did_nothing and not is_unknown:
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
        # The same thing made again keeps the name that it has.
        if not resource.value or self._resources.get(resource.value, resource) != resource:
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
        near = near_names(name, self._tools)
        meant = f" Near to it: {', '.join(near)}." if near else ""
        return f"There is no tool called {quoted(name)}.{meant} Names must match exactly."


def _same(tool: Tool, inputs: Inputs) -> str:
    """A call as a text that is the same for the same call."""

    def plain(value: Any) -> Any:
        return value.value if isinstance(value, Resource) else value

    return fingerprint(tool.name, told_values(inputs, plain))
