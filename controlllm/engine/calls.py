"""Which calls a plan's steps make: on which implementation, with which inputs, under which key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from controlllm.core.plans import Literal, Plan
from controlllm.engine.attempt import Call
from controlllm.engine.cache import Given, content_key
from controlllm.engine.compile import Node, Output, Source, compile_plan
from controlllm.resources import Resource
from controlllm.toolbox import Implementation, Runtime, Toolbox
from controlllm.toolbox.capabilities import Capabilities


def implementations_here(
    toolbox: Toolbox, tool: str, preference: Sequence[Runtime], capabilities: Capabilities
) -> tuple[tuple[int, Implementation], ...]:
    """Those of a tool that can run here, the preferred ones first, with their places in the
    toolbox."""
    found = [
        (ordinal, implementation)
        for ordinal, implementation in enumerate(toolbox.implementations.get(tool, ()))
        if implementation.runtime in preference
        and implementation.reason_unavailable(capabilities) is None
    ]
    found.sort(key=lambda item: preference.index(item[1].runtime))
    return tuple(found)


def call_of(
    node: Node,
    ordinal: int,
    implementation: Implementation,
    given: Callable[[Source], Given],
    occasion: str,
    capabilities: Capabilities,
    answers: Mapping[str, Sequence[int]] | None,
) -> Call:
    """The call that a step makes on an implementation; `given` tells what its inputs are, `answers`
    what a person answered, see `Engine.run`."""
    assert node.tool is not None
    inputs = {
        name: tuple(map(given, bound)) if isinstance(bound, tuple) else given(bound)
        for name, bound in node.inputs.items()
    }
    depends = not implementation.deterministic or node.tool.acts_outside
    is_kept = not depends or bool(occasion)
    if not depends:
        named: tuple[str, ...] = ()
    else:
        named = (occasion, str(node.step.subtask) if is_kept else node.key)
    # An occasion is one person's anyhow, and its calls stay the same ones whoever that is.
    told = replace(capabilities, whose="") if depends else capabilities
    key_of = partial(
        content_key, node.tool, implementation, ordinal, inputs, node.parameters, capabilities=told,
    )  # fmt: skip
    # What a person answered holds however often the call is made.
    base = key_of(named)
    chosen = None if answers is None else tuple(answers.get(base, ()))
    key = key_of((*named, *made_anew(node)), chosen=chosen or ())
    return Call(
        node.tool, implementation, inputs, node.parameters, key, is_kept, capabilities, chosen, base
    )


def made_anew(node: Node) -> tuple[str, ...]:
    """What tells a call that a person wants made anew from the one before."""
    version = node.step.action.version
    return (f"/anew {version}",) if version else ()


def known_results(
    toolbox: Toolbox,
    known: Callable[[Call], Resource | None],
    plan: Plan,
    resources: Mapping[str, Resource],
    preference: Sequence[Runtime],
    occasion: str,
    capabilities: Capabilities,
    answers: Mapping[str, Sequence[int]] | None,
) -> dict[str, Resource]:
    """The results of a plan's steps that need not be made any more, by the steps' keys; `known`
    gives the result of a call that was made before. Nothing is run."""
    found: dict[str, Resource] = {}

    def given(source: Source) -> Given:
        if isinstance(source, Output):
            return found[source.key]
        assert isinstance(source, Literal | Resource)  # a stranded step is not looked at
        return source

    for node in compile_plan(plan, toolbox, resources).nodes.values():
        if node.pinned is not None:
            found[node.key] = node.pinned
            continue
        if node.problem or node.is_stranded or not node.producers <= found.keys():
            continue
        ways = implementations_here(toolbox, node.name, preference, capabilities)
        if ways:
            call = call_of(node, *ways[0], given, occasion, capabilities, answers)
            result = known(call)
            if result is not None:
                found[node.key] = result
    return found
