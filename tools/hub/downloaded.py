"""Implementations of tools with downloaded weights: by functions of this room, and in two sizes."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from controlllm.toolbox import Choice, Context, ToolDefinition

from ..shared.forwarding import forwarded

#: What runs most models.
TRANSFORMERS = ("torch", "transformers")
#: What runs diffusion models.
DIFFUSION = ("torch", "diffusers", "transformers", "accelerate")

_Function = Callable[..., Any]


def work_of(definition: ToolDefinition, work: str) -> _Function:
    """A tool's implementation by a function such as "perception.classify", which takes the folder
    of the weights, the tool's inputs in their order and the context."""
    module, name = work.split(".")

    def done(inputs: Mapping[str, Any], context: Context) -> Any:
        function = getattr(importlib.import_module(f".{module}", __package__), name)
        return function(context.weights["model"], *inputs.values(), context)

    return forwarded(definition, done)


def by_model(
    definition: ToolDefinition, work: str, weights: Choice, memory: str, *packages: str
) -> None:
    """Let `work`, as of `work_of`, keep a tool's promise with a model; `packages` are what it needs
    beside those that run the model."""
    definition.implementation(
        "hub", packages=(*TRANSFORMERS, *packages), weights={"model": weights}, memory=memory
    )(work_of(definition, work))


def large_or_small(
    definition: ToolDefinition, large: Choice, memory: str, small: Choice, *packages: str
) -> Callable[[_Function], _Function]:
    """Let a function keep a tool's promise with a large model, which needs a GPU and so much
    `memory`, or where there is none with a small one; `packages` are what it needs besides."""

    def register(function: _Function) -> _Function:
        for weights, needed, needs_gpu in ((large, memory, True), (small, "6 GiB", False)):
            definition.implementation(
                "hub",
                packages=(*DIFFUSION, *packages),
                weights={"model": weights},
                memory=needed,
                needs_gpu=needs_gpu,
                deterministic=False,
            )(function)
        return function

    return register
