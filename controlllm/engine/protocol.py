"""What the server and a worker process tell each other: one JSON object a line.

Nothing in it can run anything: a worker that was taken over by a broken tool can send words and the
names of stored files, no objects.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from controlllm.core.plans import Literal
from controlllm.engine.attempt import Asked, Call, Failed, Made, Outcome
from controlllm.engine.cache import Given
from controlllm.observing.logs import current_run
from controlllm.resources import Box, Resource
from controlllm.toolbox import Code, Toolbox
from controlllm.toolbox.capabilities import Capabilities, CloudEndpoint, HostedTool

#: Said of a tool from elsewhere that was there when a plan began.
CHANGED_MEANWHILE = "{} was changed or taken away meanwhile. Ask again."


def way_of(call: Call, toolbox: Toolbox) -> int:
    """The place of a call's implementation among those of its tool. Tools from elsewhere, which may
    have come since the toolbox was made, have one."""
    ways = toolbox.implementations.get(call.tool.name, ())
    return next((place for place, way in enumerate(ways) if way is call.implementation), 0)


def call_line(call: Call, toolbox: Toolbox, most: int = 0, wants_note: bool = False) -> bytes:
    """A call as a worker reads it; `most` is what the worker may hold afterwards, in bytes,
    `wants_note` whether it is to tell what it loaded for the call."""
    inputs = {
        name: _given(given) if isinstance(given, Literal | Resource) else [*map(_given, given)]
        for name, given in call.inputs.items()
    }
    return line(
        {
            "call": call.tool.name,
            "way": way_of(call, toolbox),
            "version": call.implementation.version,
            "inputs": inputs,
            "parameters": dict(call.parameters),
            "capabilities": asdict(call.capabilities),
            "chosen": call.chosen,
            "run": current_run.get(),
            "most": most,
            "wants_note": wants_note,
        }
    )


def is_known(told: Mapping[str, Any], toolbox: Toolbox) -> bool:
    """Whether a toolbox has the implementation that a line calls for."""
    ways = toolbox.implementations.get(told["call"], ())
    return len(ways) > told["way"] and ways[told["way"]].version == told["version"]


def read_call(told: Mapping[str, Any], toolbox: Toolbox) -> Call:
    """The call in a line; raises KeyError or IndexError where the toolbox has no such tool."""
    tool = toolbox[told["call"]]
    inputs: dict[str, Any] = {
        name: tuple(map(_read_given, given)) if isinstance(given, list) else _read_given(given)
        for name, given in told["inputs"].items()
    }
    chosen = None if told["chosen"] is None else tuple(told["chosen"])
    return Call(
        tool,
        toolbox.implementations[tool.name][told["way"]],
        inputs,
        told["parameters"],
        key="",
        is_kept=False,
        capabilities=_read_capabilities(told["capabilities"]),
        chosen=chosen,
    )


def outcome_told(
    outcome: Outcome, warm: Sequence[str] = (), note: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What became of a call, which implementations the worker has the models of loaded, and what it
    loaded for this one."""
    match outcome:
        case Made(resource, is_sure):
            told: dict[str, Any] = {"made": resource.to_json(), "sure": is_sure}
        case Failed(message, is_final, may_pass, is_undone, code):
            told = {"failed": message, "final": is_final, "may_pass": may_pass}
            told |= {"undone": is_undone, "code": int(code), "explained": outcome.is_explained}
        case Asked(boxes, thing):
            told = {"asked": thing, "boxes": [asdict(box) for box in boxes]}
    return {**told, "warm": list(warm), "note": note}


def read_outcome(told: Mapping[str, Any]) -> Outcome | None:
    """The outcome in a line; None where it holds another thing."""
    if "made" in told:
        return Made(Resource.from_json(told["made"]), bool(told["sure"]))
    if "failed" in told:
        final, may_pass, undone = (bool(told[name]) for name in ("final", "may_pass", "undone"))
        code, is_explained = Code(told["code"]), bool(told["explained"])
        words = str(told["failed"])
        return Failed(words, final, may_pass, undone, code, is_explained=is_explained)
    if "asked" in told:
        return Asked(tuple(Box(**box) for box in told["boxes"]), str(told["asked"]))
    return None


def line(told: Mapping[str, Any]) -> bytes:
    """An object as a line of its own."""
    return json.dumps(told).encode() + b"\n"


def _given(given: Given) -> dict[str, Any]:
    if isinstance(given, Literal):
        return {"words": asdict(given)}
    return {"resource": given.to_json()}


def _read_given(told: Mapping[str, Any]) -> Given:
    if "words" in told:
        return Literal(**told["words"])
    return Resource.from_json(told["resource"])


def _read_capabilities(told: Mapping[str, Any]) -> Capabilities:
    endpoint = told["endpoint"]
    return Capabilities(
        CloudEndpoint(**endpoint) if endpoint else None,
        {name: HostedTool(**hosted) for name, hosted in told["hosted"].items()},
        told["public_services"],
        told["weights_size"],
    )
