"""Tools that a large diffusion model serves where there is a GPU, else a small one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.toolbox import Choice, ToolDefinition

#: What runs diffusion models.
DIFFUSION = ("torch", "diffusers", "transformers", "accelerate")

_Function = Callable[..., Any]


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
