"""A tool that takes its time with a picture."""

from __future__ import annotations

import time

from controlllm.resources import Image
from controlllm.toolbox import Context, tool


@tool(
    domain="image-processing",
    examples=[
        "Ripen the picture.",
        "Let this photo ripen for a while.",
        "Please ripen my picture.",
        "Leave the photograph to ripen.",
    ],
)
def ripen_picture(image: Image, context: Context) -> Image:
    """Let a picture ripen for a second; it is as it was afterwards.

    Args:
        image: the picture
    """
    for moment in range(10):
        context.progress(moment / 10)
        time.sleep(0.1)
    return image
