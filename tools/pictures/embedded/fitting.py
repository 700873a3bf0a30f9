"""Pictures of different sizes and sorts brought to one, so that they can stand in one picture."""

from __future__ import annotations

from collections.abc import Sequence

import PIL.Image
import PIL.ImageColor

from controlllm.toolbox import ToolError

_LANCZOS = PIL.Image.Resampling.LANCZOS
WHITE = "#ffffff"
_CLEAR = (0, 0, 0, 0)
#: A picture is cut to the shape of its place as long as no more than this share of it is lost.
_MOST_LOST = 0.34


def in_one_mode(images: Sequence[PIL.Image.Image], colour: str = "") -> str:
    """The mode of a picture that holds all of these, and a ground of a colour where one is said."""
    if any(image.mode == "RGBA" for image in images):
        return "RGBA"
    red, green, blue = ground_colour(colour or WHITE)
    is_grey = red == green == blue and all(image.mode == "L" for image in images)
    return "L" if is_grey else "RGB"


def ground_colour(colour: str) -> tuple[int, int, int]:
    """The red, green and blue of a colour. Raises ToolError where it is none."""
    try:
        return PIL.ImageColor.getrgb(colour)[:3]
    except ValueError:
        raise ToolError(
            f"“{colour}” is not a colour that is known here. Name one such as red, or a code such "
            "as #ff8800."
        ) from None


def ground(size: tuple[int, int], mode: str, colour: str = "") -> PIL.Image.Image:
    """An empty picture: of the colour, or clear where it may be and none is said, or white."""
    if mode == "RGBA" and not colour:
        return PIL.Image.new(mode, size, _CLEAR)
    red, green, blue = ground_colour(colour or WHITE)
    if mode == "L":
        return PIL.Image.new(mode, size, red)
    return PIL.Image.new(mode, size, (red, green, blue, 255)[: len(mode)])


def put(onto: PIL.Image.Image, image: PIL.Image.Image, corner: tuple[int, int]) -> None:
    """Lay a picture onto another one, seen through where it is clear."""
    if image.mode != "RGBA":
        onto.paste(image.convert(onto.mode), corner)
    elif onto.mode == "RGBA":
        onto.alpha_composite(image, corner)
    else:
        onto.paste(image.convert(onto.mode), corner, image.getchannel("A"))


def resized(image: PIL.Image.Image, size: tuple[int, int]) -> PIL.Image.Image:
    """A picture in another size, sharp both ways."""
    if image.size == size:
        return image
    # Only far smaller: halving by whole steps first is many times faster and looks the same.
    return image.resize(size, _LANCZOS, reducing_gap=3.0)


def fill_or_fit(image: PIL.Image.Image, size: tuple[int, int]) -> PIL.Image.Image:
    """A picture that fills a place of a size, its edges cut off; where too much of it would be
    lost, all of it as large as fits."""
    across, down = size[0] / image.width, size[1] / image.height
    factor = max(across, down)
    if min(across, down) / factor < 1 - _MOST_LOST:
        factor = min(across, down)
    wide, tall = max(1, round(image.width * factor)), max(1, round(image.height * factor))
    if wide <= size[0] and tall <= size[1]:
        return resized(image, (min(wide, size[0]), min(tall, size[1])))
    # What is cut off comes first, so that nothing large is ever scaled; heads are mostly above.
    kept = (min(size[0] / factor, image.width), min(size[1] / factor, image.height))
    left, top = (image.width - kept[0]) / 2, (image.height - kept[1]) * 0.25
    return image.resize(size, _LANCZOS, (left, top, left + kept[0], top + kept[1]), 3.0)


def with_profile(result: PIL.Image.Image, like: PIL.Image.Image) -> PIL.Image.Image:
    """A picture with the profile of what it was made of, where both have colours or none."""
    profile = like.info.get("icc_profile")
    if profile and (like.mode == "L") == (result.mode == "L"):
        result.info["icc_profile"] = profile
    return result
