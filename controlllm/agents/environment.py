"""What agents act in: tools to call, an observation for each call, a state that can be forked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from controlllm.resources import Resource
from controlllm.toolbox import Code, Tool

#: The most characters of an observation that a model's history keeps (ToolBench).
MOST_OBSERVED = 1024
#: What ends an agent's work; a name that no tool has.
FINISH = "Finish"


@dataclass(frozen=True)
class Observation:
    """What a call brought: words for the agent, a code, and what was made, under its name.

    `text` is what the tool returned, in words, or why it failed; it may be long. `resource` is
    None where nothing was made. `times` is how often the same call has failed by now, where the
    environment itself makes calls again.
    """

    text: str
    code: Code = Code.DONE
    resource: Resource | None = None
    times: int = 1

    @property
    def is_done(self) -> bool:
        return self.code is Code.DONE


class Environment(Protocol):
    """Tools that can be called. Calls may act outside; all that they make is immutable, so that a
    fork is a copy of names."""

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that can be called, in the order in which they are offered."""

    @property
    def resources(self) -> Mapping[str, Resource]:
        """What can be referred to by name: what was handed over and what calls have made."""

    def step(self, name: str, arguments: Mapping[str, Any]) -> Observation:
        """Call a tool; never raises for what a tool or its caller does wrong.

        An argument is a text, a number, or a list of them; a text that is the name of a resource
        stands for that resource. Names of tools must match exactly; where one does not, the
        observation names those that are near.

        Raises `controlllm.toolbox.Cancelled` where the person stopped the run.
        """

    def fork(self) -> Environment:
        """An environment with the same tools and resources, whose calls do not change this one."""
