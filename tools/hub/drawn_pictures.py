"""New pictures: from words, and from another picture whose layout and look they follow."""

from __future__ import annotations

from pathlib import Path

import PIL.Image

from controlllm.toolbox import Context

from ..shared.pixels import rgb
from . import diffusion

#: How far a new picture goes from the one it follows, 0..1.
_FREEDOM = 0.65
_ALIKE = "a new picture with the same layout and the same look"


def draw(folder: Path, prompt: str, context: Context) -> PIL.Image.Image:
    """A picture of what a prompt says; raises ToolError."""
    words = diffusion.checked_words(prompt)
    painter = diffusion.painter(folder, context)
    side = painter.side
    output = diffusion.paint(painter, context, prompt=words, width=side, height=side)
    return output.images[0]


def redraw(
    folder: Path, image: PIL.Image.Image, prompt: str | None, context: Context
) -> PIL.Image.Image:
    """A new picture laid out like another one; raises ToolError."""
    words = " ".join((prompt or "").split()) or _ALIKE
    painter = diffusion.painter(folder, context)
    width, height = diffusion.fitted(image.size, painter.side)
    output = diffusion.paint(
        painter,
        context,
        pipeline=diffusion.derived(painter, "AutoPipelineForImage2Image"),
        prompt=words,
        image=diffusion.resized(rgb(image), (width, height)),
        strength=_FREEDOM,
        width=width,
        height=height,
    )
    return diffusion.reshaped(output.images[0], image.size)
