"""What a tool does with a language model, said once for a downloaded one and one on the network."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from controlllm.toolbox import Context, Runtime, ToolDefinition

from ..cloud.endpoint import needs_chat
from ..hub.catalogue_language_and_sound import WRITERS


def by_language_model(
    tool: ToolDefinition, *, freely: bool = False, runtimes: Sequence[Runtime] = ("hub", "cloud")
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function of the tool's inputs, a `model` and a `context` the tool's implementations by
    language models.

    Parameters
    ----------
    freely: a downloaded model draws words by chance, so that it never says the same again.
    runtimes: the runtimes that it is for.
    """

    def register(work: Callable[..., Any]) -> Callable[..., Any]:
        def downloaded(context: Context, **inputs: Any) -> Any:
            from ..hub import writing_models

            model = writing_models.language_model(context.weights["model"], freely)
            return work(**inputs, model=model, context=context)

        def endpoint(context: Context, **inputs: Any) -> Any:
            from ..cloud import language

            return work(**inputs, model=language.MODEL, context=context)

        if "hub" in runtimes:
            tool.implementation(
                "hub",
                packages=("torch", "transformers"),
                weights={"model": WRITERS},
                memory="8 GiB",
                deterministic=not freely,
            )(_with_signature(downloaded, work))
        if "cloud" in runtimes:
            tool.implementation(
                "cloud", packages=("openai",), check=needs_chat, deterministic=False
            )(_with_signature(endpoint, work))
        return work

    return register


def _with_signature(function: Callable[..., Any], work: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the inputs of the work, which the toolbox compares with the tool's."""
    signature = inspect.signature(work)
    inputs = [one for one in signature.parameters.values() if one.name != "model"]
    function.__signature__ = signature.replace(parameters=inputs)  # type: ignore[attr-defined]
    return function
