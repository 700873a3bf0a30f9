"""Which calls a plan's steps make: on which implementation, with which inputs, under which key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from controlllm.core.plans import Literal, Plan
from controlllm.engine.attempt import Call
from controlllm.engine.cache import Given, content_key
from controlllm.engine.compile import Node, Output, Source, compile_plan
from controlllm.resources import Resource
from controlllm.toolbox import Implementation, Runtime, Toolbox
from controlllm.toolbox.capabilities import Capabilities

#: An implementation with its place among those of its tool.
Way = tuple[int, Implementation]


@dataclass
class Calls:
    """The calls that steps of a plan make, with these tools and for this person; the fields are
    those of `Engine.run`."""

    toolbox: Toolbox
    preference: Sequence[Runtime]
    occasion: str
    capabilities: Capabilities
    chosen: Mapping[str, Sequence[int]] | None
    _ways: dict[str, tuple[Way, ...]] = field(default_factory=dict, init=False)

    def ways(self, tool: str) -> tuple[Way, ...]:
        """The implementations of a tool that can run here, the preferred ones first."""
        if tool not in self._ways:
            found = [
                (ordinal, implementation)
                for ordinal, implementation in enumerate(self.toolbox.implementations.get(tool, ()))
                if implementation.runtime in self.preference
                and implementation.reason_unavailable(self.capabilities) is None
            ]
            found.sort(key=lambda item: self.preference.index(item[1].runtime))
            self._ways[tool] = tuple(found)
        return self._ways[tool]

    def problem(self, node: Node) -> str:
        """Why a step cannot run here, or nothing."""
        if node.pinned is not None:
            return ""
        if node.problem or self.ways(node.name):
            return node.problem
        name = node.name.replace("_", " ")
        reason = self.toolbox.reason_unavailable(node.name, self.capabilities)
        return f"{name[:1].upper()}{name[1:]} cannot run here: {reason}."

    def of(self, node: Node, way: Way, made: Mapping[str, Resource]) -> Call:
        """The call that a step makes on an implementation; `made` are results by their steps."""
        assert node.tool is not None
        ordinal, implementation = way
        given = partial(_given, made)
        inputs = {
            name: tuple(map(given, bound)) if isinstance(bound, tuple) else given(bound)
            for name, bound in node.inputs.items()
        }
        depends = not implementation.deterministic or node.tool.acts_outside
        is_kept = not depends or bool(self.occasion)
        if not depends:
            named: tuple[str, ...] = ()
        else:
            named = (self.occasion, str(node.step.subtask) if is_kept else node.key)
        # An occasion is one person's anyhow, and its calls stay the same ones whoever that is.
        told = replace(self.capabilities, whose="") if depends else self.capabilities
        key_of = partial(
            content_key, node.tool, implementation, ordinal, inputs, node.parameters,
            capabilities=told,
        )  # fmt: skip
        # What a person answered holds however often the call is made.
        base = key_of(named)
        chosen = None if self.chosen is None else tuple(self.chosen.get(base, ()))
        key = key_of((*named, *_made_anew(node)), chosen=chosen or ())
        return Call(
            node.tool, implementation, inputs, node.parameters, key, is_kept, self.capabilities,
            chosen, base,
        )  # fmt: skip

    def occasion_of(self, node: Node) -> str:
        """What a yes to a step holds for: this request, until its result is wanted anew."""
        occasion = f"{self.occasion}/{node.step.subtask}" if self.occasion else node.key
        return occasion + "".join(_made_anew(node))

    def known(
        self,
        plan: Plan,
        resources: Mapping[str, Resource],
        result_of: Callable[[Call], Resource | None],
    ) -> dict[str, Resource]:
        """The results of a plan's steps that need not be made any more, by the steps' keys;
        `result_of` gives the result of a call that was made before. Nothing is run."""
        found: dict[str, Resource] = {}
        for node in compile_plan(plan, self.toolbox, resources).nodes.values():
            if node.pinned is not None:
                found[node.key] = node.pinned
                continue
            if node.problem or node.is_stranded or not node.producers <= found.keys():
                continue
            ways = self.ways(node.name)
            result = result_of(self.of(node, ways[0], found)) if ways else None
            if result is not None:
                found[node.key] = result
        return found


def _given(made: Mapping[str, Resource], source: Source) -> Given:
    if isinstance(source, Output):
        return made[source.key]
    assert isinstance(source, Literal | Resource)  # a stranded step is not begun
    return source


def _made_anew(node: Node) -> tuple[str, ...]:
    """What tells a call that a person wants made anew from the one before."""
    version = node.step.action.version
    return (f"/anew {version}",) if version else ()
