"""New pictures from words along a map of what goes where: one family of tools, told as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import PIL.Image

from controlllm.toolbox import Argument, Context, Tool, ToolDefinition

from ..cloud.endpoint import needs_images
from ..hub.catalogue_images import (
    EVERY_MAP,
    MAPS,
    STABLE_DIFFUSION,
    STABLE_DIFFUSION_XL,
)
from ..hub.downloaded import DIFFUSION

_KINDS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


def _along(kind: str) -> ToolDefinition:
    """The tool that draws along one kind of map, with all its implementations."""
    told = _KINDS[kind]
    definition = ToolDefinition(
        Tool(
            f"{kind}_text_to_image",
            told["description"],
            "image-generation",
            (
                Argument("guide", kind, told["note"]),
                Argument("prompt", "text", "what the picture shall show"),
            ),
            Argument("result", "image", "the new picture"),
            tuple(told["examples"]),
        )
    )

    @definition.implementation(
        "hub",
        packages=DIFFUSION,
        weights={"model": {"usual": STABLE_DIFFUSION_XL}, "map": EVERY_MAP},
        memory="12 GiB",
        needs_gpu=True,
        deterministic=False,
    )
    def _by_one_for_every_map(guide: PIL.Image.Image, prompt: str, context: Context) -> Any:
        from ..hub import pictures

        return pictures.draw_along_any(kind, guide, prompt, context)

    @definition.implementation(
        "hub",
        packages=DIFFUSION,
        weights={"model": {"usual": STABLE_DIFFUSION}, "map": {"usual": MAPS[kind]}},
        memory="8 GiB",
        deterministic=False,
    )
    def _by_one_for_this_map(guide: PIL.Image.Image, prompt: str, context: Context) -> Any:
        from ..hub import pictures

        return pictures.draw_along(kind, guide, prompt, context)

    @definition.implementation(
        "cloud", packages=("openai",), check=needs_images, deterministic=False
    )
    def _by_an_endpoint(guide: PIL.Image.Image, prompt: str, context: Context) -> Any:
        from ..cloud import pictures

        wish = f"This is {told['said']}. Draw a finished picture that follows it exactly: {prompt}"
        return pictures.change(guide, wish, context)

    return definition


#: The family, by the kind of map.
ALONG_MAPS: Mapping[str, ToolDefinition] = {kind: _along(kind) for kind in _KINDS}
