"""Small helpers between PIL pictures, arrays, masks and boxes."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Box, Region
from controlllm.toolbox import Code, ToolError
from controlllm.values import size_in_pixels

#: The most pixels of a picture that is made larger.
MOST_ENLARGED = 16_000_000


def rgb(image: PIL.Image.Image) -> np.ndarray:
    """The picture as uint8, height x width x 3; what is transparent lies on white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        ground = PIL.Image.new("RGBA", image.size, "white")
        image = PIL.Image.alpha_composite(ground, image)
    return np.array(image.convert("RGB"))


def at_most(picture: np.ndarray, side: int) -> np.ndarray:
    """A picture or a map of one, height x width at first, its longer side no more than `side`."""
    import cv2

    height, width = picture.shape[:2]
    scale = side / max(height, width)
    if scale >= 1:
        return picture
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA)


def covered(mask: tuple[Region, ...], image: PIL.Image.Image) -> np.ndarray:
    """All pixels of a mask, bool, at the size of the picture.

    A mask made for another size of the same picture is stretched. Raises ToolError where the mask
    has no pixels or its proportions are those of another picture.
    """
    union = np.zeros((image.height, image.width), bool)
    for region in mask:
        pixels = region.pixels
        if pixels.shape != union.shape:
            height, width = pixels.shape
            if abs(width * image.height - height * image.width) > 0.03 * width * image.height + (
                2 * max(image.size)
            ):
                raise ToolError(
                    f"The mask is {width}x{height} pixels and the picture {image.width}x"
                    f"{image.height}; use a mask that was made from this picture."
                )
            shown = PIL.Image.fromarray(pixels.astype(np.uint8) * 255)
            pixels = np.asarray(shown.resize(image.size, PIL.Image.Resampling.BILINEAR)) > 127
        union |= pixels
    if not union.any():
        said = "The mask is empty: no object was found to work on. Name another object."
        raise ToolError(said, Code.NOTHING_MARKED)
    return union


def bounds(pixels: np.ndarray) -> tuple[int, int, int, int] | None:
    """Left, top, right, bottom (the last two exclusive) of what is set, None where nothing is."""
    rows, columns = np.flatnonzero(pixels.any(axis=1)), np.flatnonzero(pixels.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def within(box: Box, image: PIL.Image.Image) -> tuple[int, int, int, int] | None:
    """The box in whole pixels inside the picture, None where it lies outside."""
    left, top = max(int(box.left), 0), max(int(box.top), 0)
    right = min(int(np.ceil(box.right)), image.width)
    bottom = min(int(np.ceil(box.bottom)), image.height)
    return (left, top, right, bottom) if right > left and bottom > top else None


def boxes_inside(boxes: tuple[Box, ...], image: PIL.Image.Image, purpose: str) -> list[Box]:
    """The boxes that lie in the picture, to do something with ("crop to", "tag").

    Raises ToolError where there is none.
    """
    found = [box for box in boxes if within(box, image) is not None]
    if not found:
        raise ToolError(
            f"There is no box inside the picture to {purpose}: the object was not found. Name "
            "another object."
        )
    return found


def with_alpha_of(picture: PIL.Image.Image, like: PIL.Image.Image) -> PIL.Image.Image:
    """The picture with the transparency of another one of the same size, where that has any."""
    if like.mode == "RGBA":
        picture.putalpha(like.getchannel("A"))
    return picture


def check_enlarging(size: tuple[int, int]) -> None:
    """Raise ToolError where a picture of a size is too large to be made larger."""
    if size[0] * size[1] * 4 > MOST_ENLARGED:
        raise ToolError(
            f"The picture is large already ({size[0]}x{size[1]} pixels): enlarged twice it would "
            f"have more than {MOST_ENLARGED // 1_000_000} million pixels. Crop it first, or use a "
            "smaller one."
        )


def in_size(enlarged: PIL.Image.Image, size: str, before: tuple[int, int]) -> PIL.Image.Image:
    """An enlarged picture brought to the size that was said for the one `before`; as it is where
    none was said. Its shape stays: of two sides the one that asks for less counts."""
    if not size:
        return enlarged
    width, height, _ = size_in_pixels(size, before)
    share = min(width / before[0], height / before[1])
    wanted = max(round(before[0] * share), 1), max(round(before[1] * share), 1)
    if wanted == enlarged.size:
        return enlarged
    return enlarged.resize(wanted, PIL.Image.Resampling.LANCZOS, reducing_gap=3.0)
