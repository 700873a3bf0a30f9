"""A plan as somebody proposes it: steps in order, which of them were asked for, and what not.

Whoever proposes need know nothing of subtasks, types or the graph; what is proposed is never
trusted, but made sound by `controlllm.planning.proposed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from controlllm.core.plans import Reference, Value

#: What the step is called that makes nothing: a file or an earlier result is current again.
GO_BACK = "go_back"


@dataclass(frozen=True)
class ProposedStep:
    """One call of a tool. `inputs` are words, or references to files and results of the
    conversation by their names and to the result of step N as `generated(N)`; `does` says in words
    what it does for the person."""

    number: int
    tool: str
    inputs: Mapping[str, tuple[Value, ...]]
    does: str = ""

    def references(self) -> tuple[str, ...]:
        """The files and results that its inputs name, in their order."""
        every = (value for values in self.inputs.values() for value in values)
        return tuple(value.value for value in every if isinstance(value, Reference))


@dataclass(frozen=True)
class Refused:
    """A part of a request that nothing here can do, and why, in words for the person."""

    what: str
    why: str


@dataclass(frozen=True)
class Proposal:
    """A whole plan. `wanted` are the numbers of the steps whose results were asked for; `question`
    is what has to be asked first, empty where all is clear."""

    steps: tuple[ProposedStep, ...] = ()
    wanted: tuple[int, ...] = ()
    refused: tuple[Refused, ...] = ()
    question: str = ""
