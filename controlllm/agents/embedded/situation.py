"""What is known when the next call is chosen: what there is, what was found, and what failed."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from controlllm.agents.embedded.arguments import Filling
from controlllm.agents.embedded.facts import read
from controlllm.agents.embedded.relevance import Encode
from controlllm.agents.embedded.words import Known
from controlllm.agents.environment import Environment, fingerprint
from controlllm.agents.running import PASSING_KINDS
from controlllm.core.plans import Literal, Value
from controlllm.core.state import State
from controlllm.resources import TypeLattice


@dataclass
class Situation:
    """What is known when a call is chosen.

    `hidden` are tools that are not offered any more, `banned` the fingerprints of calls that must
    not be made besides those that failed.
    """

    state: State
    environment: Environment
    hidden: Set[str]
    banned: Set[str]
    encode: Encode
    lattice: TypeLattice
    #: How often the same call is made where it fails by what may pass.
    patience: int = 1
    #: The resources that answer parts, by the placeholders of the parts' results.
    answers: Mapping[str, str] = field(default_factory=dict)
    #: Fillings of this situation, by part and tool.
    filled: dict[tuple[object, ...], list[Filling]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        state = self.state
        self.tools = {
            tool.name: tool for tool in self.environment.tools if tool.name not in self.hidden
        }
        resources = self.environment.resources
        self.resources = {name: item.type for name, item in resources.items()}
        self.known = tuple(
            Known(
                read(item.finding) if not _is_media(resources, item.source) else (),
                item.tool,
                item.arguments,
                item.source if item.source in resources else "",
                item.subtask,
                item.step,
            )
            for item in state.results
        )
        # What may have happened outside, and what was asked wrongly, is not tried again.
        lasting = [
            item
            for item in state.failures
            if item.unsure or item.times >= self.patience or item.kind not in PASSING_KINDS
        ]
        self.failed = {fingerprint(item.tool, item.arguments) for item in lasting}
        self.failed |= set(self.banned)
        self.done = {
            fingerprint(item.tool, item.arguments): item for item in state.results if item.tool
        }
        self.failures: dict[str, int] = {}
        self.gone: set[str] = set()
        #: Those of them that failed in that way more than once.
        self.surely_gone: set[str] = set()
        for item in state.failures:
            self.failures[item.tool] = self.failures.get(item.tool, 0) + item.times
        for item in lasting:
            if item.kind == "unavailable" or item.unsure:
                self.gone.add(item.tool)
                self.surely_gone |= {item.tool} if item.times > 1 else set()

    def has(self, tool: str) -> bool:
        """Whether a tool is offered and did not fail in a way that leaves it of no use."""
        return tool in self.tools and tool not in self.gone

    def value(self, value: Value, outputs: Mapping[str, str]) -> str | None:
        """A value of a plan as an argument: words, or the name of a resource, with `outputs` by
        their placeholders; None where it is not there."""
        if isinstance(value, Literal):
            return value.text
        if value.value in outputs:
            return outputs[value.value]
        return value.value if value.value in self.resources else None


def _is_media(resources: Mapping[str, Any], name: str) -> bool:
    return (
        name in resources
        and "text" not in resources[name].details
        and not _is_text(resources[name].type)
    )


def _is_text(type_name: str) -> bool:
    return TypeLattice().is_a(type_name, "text")
