"""What agents act in: tools to call, an observation for each call, a state that can be forked; and
when two calls are the same."""

from __future__ import annotations

import json
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


def fingerprint(tool: str, arguments: Mapping[str, Any]) -> str:
    """The same for calls of one tool with the same arguments, whatever the order in which they are
    named, the white space in them, whether a number is written as a text, a single value as a list,
    and whether what is left out is named."""
    given = {
        name: value for name, value in _plain(arguments).items() if value not in ("", None, [])
    }
    return json.dumps([tool, given], sort_keys=True, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {" ".join(str(name).split()): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        items = [_plain(item) for item in value]
        return items[0] if len(items) == 1 else items
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if value is None else str(value)
