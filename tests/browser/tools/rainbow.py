"""A tool whose colours have to be fetched first."""

from __future__ import annotations

import json

import PIL.Image
import PIL.ImageDraw

from controlllm.models.weights import Weights
from controlllm.resources import Image, Text
from controlllm.toolbox import Context, tool

COLOURS = Weights("painters/rainbow", "MIT", 3_000_000)


@tool(
    domain="image-generation",
    examples=[
        "Paint a rainbow.",
        "I would like to see a rainbow.",
        "Make me a rainbow for the wall.",
        "Paint the stripes of a rainbow.",
    ],
)
def paint_rainbow(prompt: Text) -> Image:
    """Paint a rainbow: stripes in its colours.

    Args:
        prompt: how the rainbow shall be
    """


@paint_rainbow.implementation("hub", weights={"colours": {"usual": COLOURS}}, memory="1 MiB")
def _fetched(prompt: str, context: Context) -> PIL.Image.Image:
    colours = json.loads((context.weights["colours"] / "config.json").read_text("utf-8"))
    picture = PIL.Image.new("RGB", (200, 20 * len(colours)))
    drawn = PIL.ImageDraw.Draw(picture)
    for row, colour in enumerate(colours):
        drawn.rectangle((0, 20 * row, 200, 20 * row + 19), fill=colour)
    return picture
