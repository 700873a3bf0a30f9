"""Functions of this room that do all of a tool's work with downloaded weights."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from controlllm.toolbox import Choice, Context, ToolDefinition

from ..shared.forwarding import forwarded

#: What runs most models.
TRANSFORMERS = ("torch", "transformers")


def work_of(definition: ToolDefinition, work: str) -> Callable[..., Any]:
    """A tool's implementation by a function such as "kinds.classify", which takes the folder of the
    weights, the tool's inputs in their order and the context."""
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
