"""Content keys: two runs of equal content have one key, and so one result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controlllm.core.plans import Literal
from controlllm.resources import Resource
from controlllm.toolbox import Implementation, Tool
from controlllm.toolbox.capabilities import ALONE, Capabilities

#: Changes when values are stored in another way, so that no old result is read as a new one.
FORMAT = 2

Given = Literal | Resource
GivenInputs = Mapping[str, Given | Sequence[Given]]


@dataclass(frozen=True)
class Content:
    """All that a result depends on.

    `ordinal` is the implementation's place among those of its tool, since several may share a
    runtime. `occasion` names the request and its part where the implementation draws by chance:
    then equal calls on other occasions have other results. `chosen` is what a person answered where
    the tool asked which of several things is meant.
    """

    tool: Tool
    implementation: Implementation
    ordinal: int
    inputs: GivenInputs
    parameters: Mapping[str, object]
    occasion: Sequence[str] = ()
    capabilities: Capabilities = ALONE
    chosen: Sequence[int] = ()

    @property
    def key(self) -> str:
        """The SHA-256 of it, in hexadecimal."""
        content = [
            FORMAT,
            self.tool.name,
            self.implementation.identity(self.capabilities),
            self.ordinal,
            sorted((name, content_of(given)) for name, given in self.inputs.items()),
            sorted((name, repr(value)) for name, value in self.parameters.items()),
            list(self.occasion),
            *([list(self.chosen)] if self.chosen else []),
            *([f"of {self.capabilities.whose}"] if self.capabilities.whose else []),
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def content_of(given: Given | Sequence[Given]) -> list[object]:
    """What stands for an input in a key: its content, not its name."""
    if isinstance(given, Literal):
        return ["text", hashlib.sha256(given.text.encode("utf-8", "surrogatepass")).hexdigest()]
    if isinstance(given, Resource):
        return [given.type, given.digest]
    return [content_of(item) for item in given]
