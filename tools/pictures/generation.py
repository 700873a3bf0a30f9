"""New pictures: from words, and from another picture."""

from __future__ import annotations

import PIL.Image

from controlllm.resources import Image, Text
from controlllm.toolbox import Context, tool

from ..hub.catalogue_images import PICTURES, PICTURES_WITHOUT_GPU
from .painters import Paint, by_painters


@tool(
    domain="image-generation",
    aliases=("image_generation",),
    examples=[
        "Generate an image of a lighthouse in a storm.",
        "Draw me a fox reading a newspaper.",
        "Paint a market square in the rain, in watercolour.",
        "I'd like a picture of two robots dancing in a ballroom.",
        "Make an illustration for my story about a shy dragon.",
        "Show me what a city under the sea could look like.",
        "A photo of a wooden cabin in the snow, please.",
        "Could you design a poster with a hot air balloon on it?",
        "Invent a portrait of an old clockmaker.",
    ],
)
def text_to_image(prompt: Text) -> Image:
    """Generate a new picture from words alone: a photo, painting, drawing or illustration of what
    they describe.

    Args:
        prompt: what the picture shall show, and in which manner
        returns: the new picture
    """


@by_painters(text_to_image, (PICTURES, PICTURES_WITHOUT_GPU))
def _drawn(paint: Paint, prompt: str, context: Context) -> PIL.Image.Image:
    return paint("draw", prompt, context)


@tool(
    domain="image-generation",
    examples=[
        "Give me another version of this picture.",
        "Make a variation of the photo.",
        "I want a new image that is laid out like this one.",
        "Create something in the same vein as my painting.",
        "Produce a picture that resembles the poster.",
        "Use the photo as a model for a new one, but in winter.",
        "Could I see a different take on this scene?",
        "Redo the picture with the same composition.",
    ],
)
def image_to_image(image: Image, prompt: Text | None = None) -> Image:
    """Generate a new picture that resembles another one: a variation with a similar layout and
    look, all of it drawn anew.

    Args:
        image: the picture that the new one shall resemble
        prompt: what the new picture shall show; like the first where nothing is said
        returns: the new picture
    """


@by_painters(image_to_image, (PICTURES, PICTURES_WITHOUT_GPU))
def _varied(
    paint: Paint, image: PIL.Image.Image, prompt: str | None, context: Context
) -> PIL.Image.Image:
    return paint("redraw", image, prompt, context)
