"""Tools whose pictures models make: downloaded ones, one on the network, and other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controlllm.toolbox import Choice, Context, ToolDefinition

from ..cloud import hosted
from ..cloud.endpoint import needs_images
from ..hub.downloaded import large_or_small
from ..shared.forwarding import forwarded

#: Does what a function of this name in `hub.pictures` and `cloud.pictures` does, with its inputs.
Paint = Callable[..., Any]


def by_painters(
    definition: ToolDefinition,
    sizes: tuple[Choice, Choice],
    memory: str = "9 GiB",
    packages: tuple[str, ...] = (),
    elsewhere: tuple[str, ...] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a function of a `Paint`, the tool's inputs and the context the tool's implementations by
    models that make pictures, and let another program do its work.

    Parameters
    ----------
    sizes: the weights where there is a GPU, which need so much `memory`, and where there is none.
    packages: what it needs beside a downloaded model; `elsewhere` beside one on the network.
    """

    def register(work: Callable[..., Any]) -> Callable[..., Any]:
        def downloaded(inputs: Mapping[str, Any], context: Context) -> Any:
            from ..hub import pictures

            model = context.weights["model"]
            paint = lambda name, *given: getattr(pictures, name)(model, *given)  # noqa: E731
            return work(paint, *inputs.values(), context)

        def on_the_network(inputs: Mapping[str, Any], context: Context) -> Any:
            from ..cloud import pictures

            paint = lambda name, *given: getattr(pictures, name)(*given)  # noqa: E731
            return work(paint, *inputs.values(), context)

        large, small = sizes
        large_or_small(definition, large, memory, small, *packages)(
            forwarded(definition, downloaded)
        )
        definition.implementation(
            "cloud", packages=("openai", *elsewhere), check=needs_images, deterministic=False
        )(forwarded(definition, on_the_network))
        hosted.offer(definition)
        return work

    return register
