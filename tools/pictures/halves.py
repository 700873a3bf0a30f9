"""Halves of a picture: one family of tools, told as data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import PIL.Image

from controlllm.toolbox import Argument, Tool, ToolDefinition, ToolError

_EXAMPLES: Mapping[str, list[str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


def _crop(side: str) -> ToolDefinition:
    """The tool that keeps one half of a picture."""
    definition = ToolDefinition(
        Tool(
            f"image_crop_{side}",
            f"Crop a picture to its {side} half.",
            "image-editing",
            (Argument("image", "image", "the picture to crop"),),
            Argument("result", "image"),
            tuple(_EXAMPLES[side]),
        )
    )

    @definition.implementation("embedded")
    def _half(image: PIL.Image.Image) -> PIL.Image.Image:
        from .embedded import photo_adjustments

        if min(image.size) < 2:
            raise ToolError(
                f"The picture is {image.width}x{image.height} pixels: too small to be halved. Use "
                "a larger one."
            )
        return photo_adjustments.half(image, side)

    return definition


#: The family, by the side that stays.
HALVES: Mapping[str, ToolDefinition] = {side: _crop(side) for side in _EXAMPLES}
