"""Hiding what nobody shall recognise, and what a flash has left in people's eyes."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import PIL.Image

from controlllm.resources import Image, Mask
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Percent

from ..shared import covering
from ..shared.pixels import bounds, covered

_PAINTED = Choice(
    black="black blacken blacked redact redacted black_bar black_out",
    white="white whiten white_out",
)
#: How many blocks a region is across at most, along its longer side.
_BLOCKS = 10
#: Parts of a mask smaller than this share of its largest part belong to what is beside them.
_OWN_PART = 0.05


@tool(
    domain="image-editing",
    places="inside",
    examples=[
        "Pixelate the faces.",
        "Censor the number plate with blocks.",
        "Make the child's face unrecognisable with a mosaic.",
        "Pixelate the whole picture.",
        "Can you put big pixels over the address so nobody reads it?",
        "Mosaic out the person in the background.",
        "Hide the logo behind coarse squares.",
        "The screen on the desk should be pixelated.",
        "Black out the number plate.",
        "Put a black bar over his eyes.",
    ],
    packages=("scipy",),
)
def pixelate_image(
    image: Image,
    mask: Mask | None = None,
    strength: Percent = 0.0,
    way: Annotated[str, _PAINTED] = "",
    context: Context | None = None,
) -> Image:
    """Pixelate what a mask covers, such as a face or a number plate, or all of a picture, so that
    it cannot be recognised; or paint it over in black or white.

    Args:
        image: the picture to pixelate
        mask: the part to pixelate; without it all is
        strength: percent; how coarse, 100 as usual, 200 with blocks twice as large; never finer
        way: black or white where it is painted over instead
    """
    part = np.ones((image.height, image.width), bool) if mask is None else covered(mask, image)
    picture = np.asarray(image)
    result = picture.copy()
    if way:
        colours = result if result.ndim == 2 else result[..., :3]
        colours[part] = 0 if way == "black" else 255
    for left, top, right, bottom in () if way else _regions(part):
        inside = np.s_[top:bottom, left:right]
        share = max(1.0, strength / 100) / _BLOCKS
        block = max(2, int(np.ceil(share * max(right - left, bottom - top))))
        coarse = _mosaic(picture[inside], block)
        chosen = part[inside]
        result[inside][chosen] = coarse[chosen]
    covering.remark_covered(mask or (), context)
    return PIL.Image.fromarray(result)


def _regions(part: np.ndarray) -> list[tuple[int, int, int, int]]:
    """The bounds of each connected part of a mask, so that a small face gets small blocks; crumbs
    are taken as one with all of it, for their own blocks would be too fine to hide anything."""
    from scipy import ndimage

    whole = bounds(part)
    assert whole is not None
    groups, count = ndimage.label(part)
    if count == 1:
        return [whole]
    sizes = np.bincount(groups.ravel())[1:]
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(groups)):
        if sizes[number] >= _OWN_PART * sizes.max():
            found.append((columns.start, rows.start, columns.stop, rows.stop))
    return found if len(found) == count else [whole, *sorted(found, key=_area, reverse=True)]


def _area(box: tuple[int, int, int, int]) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def _mosaic(picture: np.ndarray, block: int) -> np.ndarray:
    """A picture in square blocks of their mean colour; what is clear has no part in the mean."""
    height, width = picture.shape[:2]
    channels = picture.reshape(height, width, -1).astype(np.float32)
    rows, columns = np.arange(0, height, block), np.arange(0, width, block)

    def mean(values: np.ndarray) -> np.ndarray:
        sums = np.add.reduceat(np.add.reduceat(values, rows, axis=0), columns, axis=1)
        tall = np.diff(np.append(rows, height))[:, None, None]
        wide = np.diff(np.append(columns, width))[None, :, None]
        return sums / (tall * wide)

    if channels.shape[2] == 4:
        alpha = channels[..., 3:] / 255
        share = mean(alpha)
        colours = mean(channels[..., :3] * alpha) / np.maximum(share, 1e-6)
        small = np.concatenate([colours, share * 255], axis=2)
    else:
        small = mean(channels)
    blocks = np.clip(small.round(), 0, 255).astype(np.uint8)
    large = blocks.repeat(block, axis=0)[:height].repeat(block, axis=1)[:, :width]
    return large.reshape(picture.shape)


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Remove the red eyes from the photo.",
        "Everyone has red eyes from the flash; can you fix that?",
        "Red-eye correction for this party picture, please.",
        "Make my daughter's eyes normal again, they glow red.",
        "Get rid of the demon eyes in the snapshot.",
        "The pupils came out red in the flash picture.",
        "Fix red eye.",
    ],
    packages=("cv2", "onnxruntime", "scipy"),
    memory="100 MiB",
)
def remove_red_eyes(image: Image, context: Context | None = None) -> Image:
    """Take the red out of eyes that a flash has made red in a photo.

    Args:
        image: the photo with red eyes
    """
    from .embedded import red_eyes

    if image.mode == "L":
        raise ToolError("The picture is grey: there is no red in it, and so no red eyes.")
    (context or Context()).progress(0.1, "Looking for red eyes")
    changed = red_eyes.removed(image)
    if changed is None:
        raise ToolError(
            "No red eyes were found in this picture. If an eye is red, crop the picture so that "
            "the face is large in it, and try again."
        )
    return changed
