"""The environment of agents over the simulated world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.world.apis import apis, lattice
from benchmarks.world.faults import Faults, FaultyWorld
from benchmarks.world.tasks import WorldTask
from benchmarks.world.world import Effect, World
from controlllm.agents.environment import Environment, Observation
from controlllm.agents.tool_environment import Inputs, ToolEnvironment
from controlllm.resources import Resource
from controlllm.toolbox import Code, Tool


@dataclass(frozen=True)
class Called:
    """A call that an agent made: the tool, its arguments as it wrote them, and its code."""

    tool: str
    arguments: Mapping[str, Any]
    code: Code


class WorldEnvironment:
    """The tools of a task over a world of its own.

    Forks have names of their own, and the world in common: what was booked in one is booked, and
    what a server refused in one it has refused. The person has allowed what they ask for, so tools
    that act outside are called without asking again.
    """

    def __init__(
        self,
        task: WorldTask,
        faults: Faults | None = None,
        all_tools: bool = False,
        world: World | None = None,
    ) -> None:
        self._faulty = FaultyWorld((world or World()).copy(), faults or Faults(), task.id)
        self._calls: list[Called] = []
        self._inner: Environment = ToolEnvironment(
            [apis()[name].tool for name in task.offered(all_tools)],
            self._call,
            lattice=lattice(),
            permitted=lambda tool, inputs: True,
        )

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that can be called, in the order in which they are offered."""
        return self._inner.tools

    @property
    def resources(self) -> Mapping[str, Resource]:
        """What calls have made, by name; the text of each is in its ``details["text"]``."""
        return self._inner.resources

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What calls have changed in the world, in all forks."""
        return self._faulty.world.effects

    @property
    def calls(self) -> tuple[Called, ...]:
        """All calls, in all forks, in order."""
        return tuple(self._calls)

    @property
    def seconds(self) -> float:
        """The simulated time that calls have taken; nobody waits for it."""
        return self._faulty.seconds

    def step(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Call a tool; see `controlllm.agents.environment.Environment`."""
        seen = self._inner.step(name, arguments)
        given = dict(arguments) if isinstance(arguments, Mapping) else {"": arguments}
        self._calls.append(Called(name, given, seen.code))
        return seen

    def fork(self) -> WorldEnvironment:
        """An environment with the same tools, resources and world; see the class."""
        other = WorldEnvironment.__new__(WorldEnvironment)
        other.__dict__.update(self.__dict__)
        other._inner = self._inner.fork()
        return other

    def _call(self, tool: Tool, inputs: Inputs) -> str:
        return self._faulty.call(
            tool.name, {name: _written(value) for name, value in inputs.items()}
        )


def _written(value: Any) -> Any:
    return value.details["text"] if isinstance(value, Resource) else value
