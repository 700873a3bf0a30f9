"""Subjects before other backgrounds: drawn, plain, or blurred as by a wide lens.

Bright points of what is blurred become discs, and nothing sharp bleeds into it.
"""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...masks.embedded import matting
from ...shared.pixels import at_most
from . import backdrops


def before(
    picture: np.ndarray, subject: np.ndarray, kind: str, shades: tuple[backdrops.Colour, ...]
) -> PIL.Image.Image:
    """The subject (bool, height x width) of a picture before a background of a kind: RGB, or RGBA
    where the background is to be transparent."""
    alpha = matting.soft_edge(picture, subject)
    if kind == backdrops.BLURRED:
        return PIL.Image.fromarray(blur_around(picture, alpha))
    if kind == backdrops.TRANSPARENT:
        return cut_out(picture, alpha)
    height, width = alpha.shape
    return on_ground(picture, alpha, backdrops.draw(kind, shades, (width, height)))


def cut_out(picture: np.ndarray, alpha: np.ndarray) -> PIL.Image.Image:
    """What `alpha` (0..1, height x width) shows of a picture, in its own colours: RGBA."""
    result = PIL.Image.fromarray(matting.own_colours(picture, alpha))
    result.putalpha(PIL.Image.fromarray((alpha * 255).round().astype(np.uint8)))
    return result


def on_ground(picture: np.ndarray, alpha: np.ndarray, ground: np.ndarray) -> PIL.Image.Image:
    """What `alpha` shows of a picture, in its own colours before a ground of the same size."""
    return PIL.Image.fromarray(matting.blended(matting.own_colours(picture, alpha), ground, alpha))


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


#: The blur is computed at no more than this size: what is blurred holds no finer detail.
_WORKING_SIDE = 1400
#: The radius of the discs as a share of the picture's longer side.
_STRENGTH = 0.025


def blur_around(picture: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """The picture with all but the subject out of focus: uint8, height x width x 3.

    `alpha` is how much of each pixel is subject, 0..1. The blurred ground is made of ground alone,
    so that the subject's colours make no halo around it.
    """
    from ...masks.embedded import matting

    ground = _blurred(picture, 1 - alpha)
    return matting.blended(matting.own_colours(picture, alpha), ground, alpha)


def _blurred(picture: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """A disc blur of the pixels that have weight, spread over those that have none: float32."""
    import cv2

    height, width = weight.shape
    small = at_most(picture, _WORKING_SIDE).astype(np.float32) / 255
    part = at_most(weight.astype(np.float32), _WORKING_SIDE)
    # A pixel at the rim is partly subject: it counts for far less than its share.
    part = np.clip((part - 0.6) / 0.4, 0, 1)
    radius = max(1.0, _STRENGTH * max(part.shape))
    # Light adds up in a lens, not its encoded value: this is what makes the bright discs.
    light = small**2.2
    bright = light.max(axis=-1)
    light = light * (1 + 3.0 * np.clip((bright - 0.6) / 0.4, 0, 1) ** 2)[..., None]
    kernel = _disc(radius)
    border = cv2.BORDER_REFLECT
    total = cv2.filter2D(part, -1, kernel, borderType=border)
    spread = cv2.filter2D(light * part[..., None], -1, kernel, borderType=border)
    spread = np.where(total[..., None] > 0.02, spread / np.maximum(total, 0.02)[..., None], 0)
    spread = _filled(spread.astype(np.float32), (total > 0.02).astype(np.float32), radius)
    spread = np.where(spread > 0.6, 0.6 + 0.4 * np.tanh((spread - 0.6) / 0.4), spread)
    shown = np.clip(spread, 0, 1) ** (1 / 2.2)
    shown = cv2.resize(
        (shown * 255).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    return np.clip(shown, 0, 255, out=shown)


def _disc(radius: float) -> np.ndarray:
    """A disc of a radius in pixels, smooth at its rim, that sums to one."""
    reach = int(np.ceil(radius))
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(down, across), 0, 1).astype(np.float32)
    return disc / disc.sum()


def _filled(colours: np.ndarray, known: np.ndarray, radius: float) -> np.ndarray:
    """Where the subject is wider than the discs, the ground's colours carried on inwards."""
    import cv2

    reach = radius
    while not known.all() and reach < 4 * max(known.shape):
        size = (2 * int(reach) + 1, 2 * int(reach) + 1)
        share = cv2.blur(known, size)
        guess = cv2.blur(colours * known[..., None], size) / np.maximum(share, 1e-6)[..., None]
        new = (known == 0) & (share > 1e-4)
        colours = np.where(new[..., None], guess, colours)
        known = np.maximum(known, new.astype(np.float32))
        reach *= 2
    return colours
