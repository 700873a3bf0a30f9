"""An implementation keeps a tool's promise on one runtime."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from controlllm.core.reasons import Reason
from controlllm.models.weights import Size, Weights, size_in_words
from controlllm.models.weights.packages import missing_packages
from controlllm.toolbox.capabilities import ALONE, Capabilities
from controlllm.toolbox.context import Context

Runtime = Literal["embedded", "hub", "cloud"]


RUNTIMES: tuple[Runtime, ...] = ("embedded", "hub", "cloud")


#: The choice of downloaded weights for one role: by size, "usual" at least.
Choice = Mapping[Size, Weights]


Check = Callable[[Capabilities], str | None]

#: PDFium loses its memory where two threads of a process are in it. Tools run in threads where
#: there are no processes for them, as on the command line.
_NOT_FOR_THREADS = frozenset({"pypdfium2"})
_ONE_AT_A_TIME = threading.RLock()


@dataclass(frozen=True)
class Implementation:
    """One way to keep a tool's promise.

    `packages` are the import names it needs; `weights` the downloaded weights by their role;
    `needs_gpu` says that without one it would take unbearably long; `check` returns None where it
    can run with given capabilities, else the reason, a `Reason` where it is to be said in the
    reader's language; `is_hosted` says that a program named in the settings does the work; `memory`
    is what it needs loaded ("200 MiB"); `version` changes when its results do, since results are
    cached by it; `deterministic` says that equal inputs give equal results.
    """

    tool: str
    runtime: Runtime
    function: Callable[..., Any]
    packages: tuple[str, ...] = ()
    check: Check | None = None
    memory: str = ""
    version: str = "1"
    deterministic: bool = True
    weights: Mapping[str, Choice] = field(default_factory=dict)
    needs_gpu: bool = False
    is_hosted: bool = False

    @property
    def name(self) -> str:
        return f"{self.tool}/{self.runtime}"

    def reason_unavailable(self, capabilities: Capabilities = ALONE) -> str | None:
        """Why this cannot run here, in words, or None where it can."""
        if not _has_gpu_for(self, capabilities):
            return Reason("needs a GPU, and none was found here", "gpu")
        missing = self.missing_weights(capabilities)
        if missing:
            size = size_in_words(sum(weights.size for weights in missing))
            said = f"needs weights, {size}: `python -m controlllm models pull {self.tool}`"
            return Reason(said, "weights", size=size)
        absent = missing_packages(self.packages)
        if absent:
            said = f"needs the Python package {absent[0]}, which is not installed here"
            return Reason(said, "package", package=absent[0])
        return self.check(capabilities) if self.check is not None else None

    def missing_weights(self, capabilities: Capabilities = ALONE) -> tuple[Weights, ...]:
        """The weights that it would use and that are not here."""
        chosen = capabilities.weights_of(self.weights).values()
        return tuple(dict.fromkeys(weights for weights in chosen if not weights.is_here))

    def identity(self, capabilities: Capabilities = ALONE) -> tuple[str, ...]:
        """What a result depends on besides its inputs: implementation, weights, cloud models."""
        found = [self.name, self.version]
        found += [
            f"{role}={weights.repository}@{weights.revision}"
            for role, weights in sorted(capabilities.weights_of(self.weights).items())
        ]
        if self.runtime == "cloud":
            endpoint, hosted = capabilities.endpoint, capabilities.hosted.get(self.tool)
            # Their printed forms hold no key.
            found += [repr(endpoint) if endpoint else "", repr(hosted) if hosted else ""]
        return tuple(found)

    @cached_property
    def _asks_for_context(self) -> bool:
        return "context" in inspect.signature(self.function).parameters

    def run(self, inputs: Mapping[str, Any], context: Context) -> Any:
        """Call the function with the inputs, and the context where it asks for one; of those whose
        packages two threads must not use at once, one after the other."""
        alone = _ONE_AT_A_TIME if _NOT_FOR_THREADS & {*self.packages} else nullcontext()
        with alone:
            return self._called(inputs, context)

    def _called(self, inputs: Mapping[str, Any], context: Context) -> Any:
        if not self._asks_for_context:
            return self.function(**inputs)
        if self.weights:
            chosen = context.capabilities.weights_of(self.weights)
            context = context.with_weights({role: item.folder for role, item in chosen.items()})
        return self.function(**inputs, context=context)


def _has_gpu_for(way: Implementation, capabilities: Capabilities) -> bool:
    return not way.needs_gpu or bool(capabilities.accelerator)
