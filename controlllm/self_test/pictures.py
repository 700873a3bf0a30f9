"""A small picture of what a tool made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from controlllm.resources import Clip, Sound, as_image

if TYPE_CHECKING:
    import PIL.Image

SIZE = (192, 144)
#: Readable on light and on dark.
_INK = (15, 118, 110)


def picture_of(
    type_name: str, media_type: str, value: Any, inputs: Mapping[str, Any]
) -> PIL.Image.Image | None:
    """What was made as a picture of at most `SIZE`: pictures as they are, a video's first frame, a
    sound's wave, boxes on the picture that was given. None where it is none to look at."""
    import PIL.Image

    picture: PIL.Image.Image | None = None
    if isinstance(value, Clip):
        picture = _first_frame(value)
    elif isinstance(value, Sound):
        picture = _wave(value)
    elif type_name == "bbox":
        given = [item for item in inputs.values() if isinstance(item, PIL.Image.Image)]
        picture = _boxed(given[0], value) if given else None
    elif media_type.startswith("image/"):
        picture = as_image(type_name, value)
    if picture is not None:
        picture = picture.convert("RGBA" if "A" in picture.getbands() else "RGB")
        picture.thumbnail(SIZE)
    return picture


def _first_frame(clip: Clip) -> PIL.Image.Image | None:
    import av

    with av.open(str(clip.path), options={"protocol_whitelist": "file"}) as video:
        return next((frame.to_image() for frame in video.decode(video=0)), None)


def _wave(sound: Sound) -> PIL.Image.Image:
    """How loud a sound is from beginning to end, both ways from the middle."""
    import PIL.Image
    import PIL.ImageDraw

    width, height = SIZE
    parts = np.array_split(np.abs(sound.mono()), width)
    loud = np.array([part.max() if part.size else 0.0 for part in parts])
    heights = (loud / max(float(loud.max()), 1e-6) * (height // 2 - 6)).astype(int)
    picture = PIL.Image.new("RGBA", SIZE, (0, 0, 0, 0))
    draw = PIL.ImageDraw.Draw(picture)
    for place, tall in enumerate(heights):
        draw.line((place, height // 2 - tall, place, height // 2 + tall), fill=_INK)
    return picture


def _boxed(picture: PIL.Image.Image, boxes: Any) -> PIL.Image.Image:
    import PIL.ImageDraw

    drawn = picture.convert("RGB")
    draw = PIL.ImageDraw.Draw(drawn)
    thick = max(2, drawn.width // 120)
    for box in boxes:
        corners = (box.left, box.top, box.right, box.bottom)
        draw.rectangle(corners, outline=_INK, width=thick)
    return drawn
