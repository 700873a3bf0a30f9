"""Which calls a plan's steps make: on which implementation, with which inputs, under which key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from controlllm.core.plans import Literal, Plan
from controlllm.engine.attempt import Call
from controlllm.engine.cache import Content, Given
from controlllm.engine.compile import Node, Output, Source, compile_plan
from controlllm.resources import Resource
from controlllm.toolbox import RUNTIMES, Implementation, Runtime, Toolbox
from controlllm.toolbox.capabilities import ALONE, Capabilities

#: An implementation with its place among those of its tool.
Way = tuple[int, Implementation]


@dataclass(frozen=True)
class Terms:
    """For whom a plan is run, and what it may do.

    Parameters
    ----------
    preference: the order of the runtimes to try; one that is left out is not used.
    occasion: a request. Results of tools that draw by chance are kept only for one: then running
        its plan again with another solution leaves them as they are.
    capabilities: what the tools may use.
    chosen: what a person answered, by the call that asked which of several things is meant: a call
        without its answer comes as `Doubt`, and what depends on it is left undone. Where it is None
        nobody is asked, and tools guess. A tool that acts outside is called after a yes among what
        was chosen, and otherwise asked about in the same way.
    may_act: where nobody is asked, whether tools may act outside.
    one_try: no implementation is tried again, and none after one that took too long.
    owner: between owners, such as sessions, workers take turns.
    """

    preference: Sequence[Runtime] = RUNTIMES
    occasion: str = ""
    capabilities: Capabilities = ALONE
    chosen: Mapping[str, Sequence[int]] | None = None
    may_act: bool = False
    one_try: bool = False
    owner: str = ""


@dataclass
class Calls:
    """The calls that steps of a plan make, with these tools and on these terms."""

    toolbox: Toolbox
    terms: Terms
    _ways: dict[str, tuple[Way, ...]] = field(default_factory=dict, init=False)

    def ways(self, tool: str) -> tuple[Way, ...]:
        """The implementations of a tool that can run here, the preferred ones first."""
        if tool not in self._ways:
            found = [
                (ordinal, implementation)
                for ordinal, implementation in enumerate(self.toolbox.implementations.get(tool, ()))
                if implementation.runtime in self.terms.preference
                and implementation.reason_unavailable(self.terms.capabilities) is None
            ]
            found.sort(key=lambda item: self.terms.preference.index(item[1].runtime))
            self._ways[tool] = tuple(found)
        return self._ways[tool]

    def problem(self, node: Node) -> str:
        """Why a step cannot run here, or nothing."""
        if node.pinned is not None:
            return ""
        if node.problem or self.ways(node.name):
            return node.problem
        name = node.name.replace("_", " ")
        reason = self.toolbox.reason_unavailable(node.name, self.terms.capabilities)
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
        is_kept = not depends or bool(self.terms.occasion)
        if not depends:
            named: tuple[str, ...] = ()
        else:
            named = (self.terms.occasion, str(node.step.subtask) if is_kept else node.key)
        # An occasion is one person's anyhow, and its calls stay the same ones whoever that is.
        told = replace(self.terms.capabilities, whose="") if depends else self.terms.capabilities
        content = Content(node.tool, implementation, ordinal, inputs, node.parameters, named, told)
        # What a person answered holds however often the call is made.
        base = content.key
        chosen = None if self.terms.chosen is None else tuple(self.terms.chosen.get(base, ()))
        occasion = (*named, *_made_anew(node))
        key = replace(content, occasion=occasion, chosen=chosen or ()).key
        return Call(
            node.tool, implementation, inputs, node.parameters, key, is_kept,
            self.terms.capabilities, chosen, base,
        )  # fmt: skip

    def occasion_of(self, node: Node) -> str:
        """What a yes to a step holds for: this request, until its result is wanted anew."""
        occasion = f"{self.terms.occasion}/{node.step.subtask}" if self.terms.occasion else node.key
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
