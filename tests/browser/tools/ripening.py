"""A tool that takes its time with a picture."""

from __future__ import annotations

import os
import time
from pathlib import Path

from controlllm.resources import Image
from controlllm.toolbox import Context, tool

#: A file that holds all pictures but one as long as it is there.
HELD = os.environ.get("UNRIPE", "")


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
    while _is_held():
        context.progress(0.9, "unripe")
        time.sleep(0.1)
    return image


def _is_held() -> bool:
    """Whether a test holds pictures, and another than this was the one that it lets ripen."""
    if not (HELD and Path(HELD).exists()):
        return False
    try:
        Path(f"{HELD}, one").touch(exist_ok=False)
    except FileExistsError:
        return True
    return False
