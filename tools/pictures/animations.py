"""Several pictures as one that moves."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, cast

import numpy as np
import PIL.Image

from controlllm.resources import Filed, Image
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Seconds

from .embedded.fitting import fill_or_fit, ground, in_one_mode, put

_EACH = 0.5
#: Below this, programs that show a GIF take their own time instead.
_SHORTEST, _LONGEST = 0.02, 600.0
_LONGEST_SIDE = {"gif": 800, "webp": 1280}
_MOST_FRAMES = 300
_CLEAR = 255

_Format = Annotated[str, Choice(webp="webp", gif="gif animated_gif")]


@tool(
    domain="image-processing",
    examples=[
        "Make a GIF of these pictures.",
        "Turn my drawings into an animation, each for 0.2 seconds.",
        "I want an animated GIF from the five photos.",
        "Create a looping WebP of the screenshots.",
        "Can you make the pictures move like a flip book?",
        "Stop motion from these images, 3 seconds each.",
        "Show the photos one after the other in an endless gif.",
    ],
)
def animate_images(
    images: list[Image],
    seconds: Seconds = 0.0,
    format: _Format = "",
    context: Context | None = None,
) -> Image:
    """Make an animated GIF or WebP from several pictures, each shown for a time.

    Args:
        images: the pictures, in the order in which they are shown
        seconds: how long each is shown; half a second where nothing is said
        format: gif, or webp, which is smaller and has more colours; a GIF where nothing is said
    """
    if len(images) < 2:
        raise ToolError(
            f"There {'is only one picture' if images else 'are no pictures'} to animate. Give two "
            "or more."
        )
    if len(images) > _MOST_FRAMES:
        raise ToolError(
            f"{len(images)} pictures are too many for one animation; give at most {_MOST_FRAMES}, "
            "or make a slideshow video of them."
        )
    kind = format or "gif"
    duration = round(1000 * min(max(seconds or _EACH, _SHORTEST), _LONGEST))
    frames = list(_frames(images, _LONGEST_SIDE[kind], context or Context()))
    file = io.BytesIO()
    saving: dict[str, Any] = {"save_all": True, "duration": duration, "loop": 0}
    if kind == "webp":
        saving |= {"quality": 82, "method": 4, "minimize_size": False}
        # Of frames that only tell what changed, some come out solid where they should be clear.
        if frames[0].mode == "RGBA":
            saving |= {"kmin": 1, "kmax": 1}
    else:
        frames = [_few_colours(frame) for frame in frames]
        # Only what is clear needs the frame before to be wiped away.
        if images_are_clear := any("transparency" in frame.info for frame in frames):
            saving |= {"transparency": _CLEAR, "disposal": 2}
        saving |= {"optimize": not images_are_clear}
    frames[0].save(file, kind.upper(), append_images=frames[1:], **saving)
    return cast("PIL.Image.Image", Filed(file.getvalue(), f"image/{kind}"))


def _frames(
    images: Sequence[PIL.Image.Image], longest: int, context: Context
) -> Iterator[PIL.Image.Image]:
    """The pictures in one size and mode, that of the first or smaller."""
    first = images[0]
    scale = min(1.0, longest / max(first.size))
    size = (max(1, round(first.width * scale)), max(1, round(first.height * scale)))
    mode = "RGBA" if in_one_mode(images) == "RGBA" else "RGB"
    for number, image in enumerate(images):
        context.progress(number / len(images), "Making the animation")
        frame = ground(size, mode)
        small = fill_or_fit(image, size)
        put(frame, small, ((size[0] - small.width) // 2, (size[1] - small.height) // 2))
        yield frame


def _few_colours(frame: PIL.Image.Image) -> PIL.Image.Image:
    """A frame in the 255 colours that suit it, and one for what is clear."""
    colours = frame.convert("RGB")
    table = colours.quantize(_CLEAR, PIL.Image.Quantize.MEDIANCUT)
    few = colours.quantize(palette=table, dither=PIL.Image.Dither.FLOYDSTEINBERG)
    if frame.mode == "RGBA":
        alpha = frame.getchannel("A")
        if np.asarray(alpha).min() < 128:
            few.paste(_CLEAR, (0, 0), alpha.point(lambda value: 255 if value < 128 else 0))
            few.info["transparency"] = _CLEAR
    return few
