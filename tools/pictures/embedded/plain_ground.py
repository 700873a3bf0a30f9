"""A picture with a see-through ground laid on a plain one, also on a larger canvas at a place."""

from __future__ import annotations

import numpy as np
import PIL.Image

#: So much of the canvas is left free around, and so much of its width what stands at a side takes.
_FREE, _AT_SIDE = 0.05, 0.5
#: Whatever shows more than this of every pixel in an edge's row ends there.
_SHOWN = 40


def own_alpha(image: PIL.Image.Image) -> np.ndarray | None:
    """How much of each pixel a picture shows, 0..1; None where it shows all."""
    if image.mode not in ("RGBA", "LA", "PA") and "transparency" not in image.info:
        return None
    alpha = np.asarray(image.convert("RGBA").getchannel("A"), np.float32) / 255
    return alpha if alpha.min() < 1 else None


def laid(image: PIL.Image.Image, colour: str) -> PIL.Image.Image:
    """A picture on a plain ground of its own size."""
    ground = PIL.Image.new("RGBA", image.size, colour)
    return PIL.Image.alpha_composite(ground, image.convert("RGBA")).convert("RGB")


def on_canvas(
    image: PIL.Image.Image, colour: str, size: tuple[int, int], place: str
) -> PIL.Image.Image:
    """What a picture shows, undistorted, on a plain canvas of a size at a place.

    What was cut off at the foot of the picture, such as a person's body, stands on the lower edge.
    """
    picture = image.convert("RGBA")
    alpha = np.asarray(picture.getchannel("A"))
    box = PIL.Image.fromarray((alpha > _SHOWN).astype(np.uint8)).getbbox() or (0, 0, *picture.size)
    is_cut = own_alpha(image) is not None and box[3] == picture.height
    picture = picture.crop(box)
    width, height = size
    at_side = any(side in place for side in ("left", "right"))
    free = round(_FREE * min(size))
    room = (
        (_AT_SIDE if at_side else 1.0) * width - 2 * free,
        height - (free if is_cut and "top" not in place else 2 * free),
    )
    scale = max(min(room[0] / picture.width, room[1] / picture.height), 1 / min(picture.size))
    put = picture.resize([max(round(side * scale), 1) for side in picture.size],
                         PIL.Image.Resampling.LANCZOS)  # fmt: skip
    middle = (0.25 if "left" in place else 0.75 if "right" in place else 0.5) * width
    top = (height - put.height) // 2
    if "top" in place:
        top = free
    elif is_cut:
        top = height - put.height
    elif "bottom" in place:
        top = height - put.height - free
    canvas = PIL.Image.new("RGBA", size, colour)
    canvas.alpha_composite(put, (max(round(middle - put.width / 2), 0), max(top, 0)))
    return canvas.convert("RGB")
