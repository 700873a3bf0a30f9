"""Pictures in another size, and cut to a shape or a part."""

from __future__ import annotations

import re
from typing import Annotated

import PIL.Image
import PIL.ImageFilter

from controlllm.resources import Image
from controlllm.toolbox import ToolError, tool
from controlllm.values import Choice, Colour, Place, Ratio, Size, ratio_of, size_in_pixels
from controlllm.values.plain import PARTS

from ..shared.moving import on_every_frame
from .embedded.fitting import ground, put, resized, with_profile
from .embedded.said_shapes import Edge, NewSize, Part

#: The most pixels of a picture that is made, and its longest side.
_MOST_PIXELS, _LONGEST = 50_000_000, 30_000
_PER_INCH = 300
#: The longer side at which a blurred ground is blurred.
_BLURRED_AT = 64
#: Where width and height are said and no way, edges are cut off as long as no more than this share
#: of the picture is lost; else all of it stays, with bars.
_MOST_LOST = 0.26
_SHARES = {part: 1 / PARTS[part] for part in ("half", "third", "quarter")}
_SHARES |= {"two_thirds": 2 / 3, "three_quarters": 3 / 4}

_How = Annotated[
    str,
    Choice(
        fill="fill filled fills filling crop_the_rest cut_off_the_rest cropped crop_to_fit "
        "crop_the_edges cut_off_what cropping_is_ok crop_if_you_must",
        pad="pad padded padding pads bars black_bars white_bars letterbox letterboxed "
        "without_cropping don't_crop do_not_crop don't_go_cropping no_cropping not_cropped "
        "nothing_cut_off without_cutting white_at_the_edges white_edges white_at_the_sides "
        "white_space transparent_edges uncropped don't_cut do_not_cut fill_up fill_it_up fill_with "
        "fill_the_rest filled_up filled_with",
        blur="blur blurred blurry blurs blurred_background blurred_edges blurred_sides "
        "blurred_copy blurred_version",
        stretch="stretch stretched stretching squash squashed squeeze squeezed distort distorted "
        "ignore_the_proportions ignoring_the_proportions don't_keep_the_proportions",
    ),
]


@tool(
    domain="image-processing",
    sets_form=("size",),
    examples=[
        "Make the photo 800 pixels wide.",
        "Shrink this to 50 %.",
        "The form only takes 400 by 400.",
        "Can you bring the longest side down to 2048 px?",
        "Twice as large, please.",
        "I need it at 1920x1080 exactly, black bars are fine.",
        "Scale the scan to A4 at 300 dpi for printing.",
        "The picture should be 20 % smaller.",
        "height 600, the width as it comes",
    ],
)
@on_every_frame
def resize_image(
    image: Image, size: NewSize = "", how: _How = "", dpi: int = 0, colour: Colour = ""
) -> Image:
    """Change the size of a picture in pixels: to a width, a height, both, a longest side, a
    percentage, twice or half as large, or a print size. Keeps its shape, or fills, pads or
    stretches where asked.

    Args:
        image: the picture whose size is to change
        size: the new size; with one side the other follows
        how: where width and height are said and the shape differs: fill cuts off what is too much,
            pad puts bars beside it, blur a blurred copy of the picture, stretch distorts it; where
            nothing is said a little is cut off rather than putting bars, and bars are put rather
            than cutting off much
        dpi: pixels an inch of a print size, 300 where nothing is said
        colour: the colour of bars; white, or clear where the picture is
    """
    if not size:
        raise ToolError(
            "Which size shall the picture have? Say one, such as 800 pixels wide, 50 % or 10x15 cm."
        )
    width, height, is_exact = _in_pixels(size, image.size, dpi if dpi > 0 else _PER_INCH)
    _expect_size(width, height)
    if not is_exact or how == "stretch":
        return resized(image, (width, height))
    across, down = width / image.width, height / image.height
    is_alike = 1 - min(across, down) / max(across, down) <= _MOST_LOST
    if how == "fill" or (is_alike and how not in ("pad", "blur")):
        return _filled(image, (width, height))
    return _padded(image, (width, height), colour, how == "blur")


@tool(
    domain="image-editing",
    examples=[
        "Crop it square for my profile.",
        "Cut the photo to 16:9 for a video thumbnail.",
        "Keep only the left half of the picture.",
        "I need a passport photo, 35 x 45 mm.",
        "Trim 40 pixels off every edge.",
        "Only the upper third of the poster, please.",
        "Make it fit my phone's lock screen, upright.",
        "crop 4:5, keep the right side",
        "The scanner left a strip along the top, take 60 px off there.",
    ],
)
@on_every_frame
def crop_to_shape(
    image: Image,
    part: Part = "",
    edge: Edge = "",
    shape: Ratio = "",
    size: Size = "",
    place: Place = "",
) -> Image:
    """Crop a picture to a shape or a size: square, 16:9, portrait for a phone, a passport photo,
    its left half or upper third, or cut pixels off its edges, without looking for an object.

    Args:
        image: the picture to crop
        part: the part that stays, such as the left half, the upper third or the top left quarter
        edge: how much is cut off its edges, in pixels or percent; off all of them where no side is
            said
        shape: the shape that it gets, width to height
        size: the size that it gets; where a place is said as well, that many pixels are cut out of
            the picture there
        place: which part of the picture stays; the middle where nothing is said
    """
    if part:
        image = _only_part(image, part)
    if edge:
        image = _trimmed(image, str(edge), place)
    if shape:
        image = _in_shape(image, shape, place)
    if size:
        image = _in_size(image, size, place, bool(shape))
    if not (part or edge or shape or size):
        raise ToolError(
            "Which part of the picture shall stay? Say a shape such as square or 16:9, a part such "
            "as the left half, or how much to cut off, such as 40 pixels off every edge."
        )
    return image


def _in_pixels(size: str, before: tuple[int, int], dpi: int = _PER_INCH) -> tuple[int, int, bool]:
    try:
        if not re.search(r"[1-9]", size):
            raise ValueError
        return size_in_pixels(size, before, dpi)
    except ValueError:
        raise ToolError(
            f"“{size}” is no size of a picture; say one such as 1200x800, 800 wide, 50 % or "
            "10x15 cm."
        ) from None


def _expect_size(width: int, height: int) -> None:
    if width * height > _MOST_PIXELS or max(width, height) > _LONGEST:
        raise ToolError(
            f"A picture of {width:,} × {height:,} pixels is too large to make here. Ask for one of "
            f"at most {_MOST_PIXELS // 1_000_000} million pixels and {_LONGEST:,} on a side."
        )


def _filled(image: PIL.Image.Image, size: tuple[int, int], place: str = "") -> PIL.Image.Image:
    """The picture in a size, what is too much for its shape cut off."""
    factor = max(size[0] / image.width, size[1] / image.height)
    wide, tall = min(size[0] / factor, image.width), min(size[1] / factor, image.height)
    across, down = _shares(place)
    left, top = (image.width - wide) * across, (image.height - tall) * down
    box = (left, top, min(left + wide, image.width), min(top + tall, image.height))
    if box == (0, 0, *image.size) and size == image.size:
        return image
    return image.resize(size, PIL.Image.Resampling.LANCZOS, box, 3.0)


def _padded(
    image: PIL.Image.Image, size: tuple[int, int], colour: str, blurred: bool = False
) -> PIL.Image.Image:
    """The whole picture in the middle of a size, on a colour or on itself, enlarged and blurred."""
    factor = min(size[0] / image.width, size[1] / image.height)
    wide = min(max(round(image.width * factor), 1), size[0])
    tall = min(max(round(image.height * factor), 1), size[1])
    mode = image.mode if image.mode != "L" or not colour else "RGB"
    result = _blurred(image, size) if blurred else ground(size, mode, colour)
    small = resized(image, (wide, tall))
    put(result, small, ((size[0] - wide) // 2, (size[1] - tall) // 2))
    return with_profile(result, image)


def _blurred(image: PIL.Image.Image, size: tuple[int, int]) -> PIL.Image.Image:
    """A picture that fills a size, out of focus and a little darker."""
    scale = _BLURRED_AT / max(size)
    small = (max(round(size[0] * scale), 2), max(round(size[1] * scale), 2))
    soft = _filled(image, small).filter(PIL.ImageFilter.GaussianBlur(2.2))
    if soft.mode != "RGBA":
        soft = soft.point(lambda value: round(0.72 * value))
    return soft.resize(size, PIL.Image.Resampling.BICUBIC)


def _shares(place: str) -> tuple[float, float]:
    """How far to the right and how far down a place lies, 0 to 1; the middle where none is said."""
    words = place.split()
    across = 0.0 if "left" in words else 1.0 if "right" in words else 0.5
    return across, 0.0 if "top" in words else 1.0 if "bottom" in words else 0.5


def _at(image: PIL.Image.Image, wide: int, tall: int, place: str) -> PIL.Image.Image:
    """So many pixels of the picture, at a place."""
    across, down = _shares(place)
    left, top = round((image.width - wide) * across), round((image.height - tall) * down)
    return image.crop((left, top, left + wide, top + tall))


def _only_part(image: PIL.Image.Image, part: str) -> PIL.Image.Image:
    side, _, share = part.partition("_")
    corner, _, rest = share.partition("_")
    if corner in ("left", "right"):
        wide, tall = (image.width + 1) // 2, (image.height + 1) // 2
        return _at(image, wide, tall, f"{side} {corner}")
    if share not in _SHARES or side not in ("left", "right", "top", "bottom", "middle"):
        raise ToolError(
            f"“{part}” is no part of a picture that is known here; say one such as the left half "
            "or the upper third."
        )
    wide, tall = image.size
    # The middle of a wide picture is what lies between left and right, of a tall one the reverse.
    if side in ("left", "right") or (side == "middle" and wide >= tall):
        # Of an odd number of pixels the one in the middle is kept.
        wide = max(1, int(wide * _SHARES[share] + 0.5))
    else:
        tall = max(1, int(tall * _SHARES[share] + 0.5))
    return _at(image, wide, tall, side)


def _trimmed(image: PIL.Image.Image, edge: str, place: str) -> PIL.Image.Image:
    off = dict.fromkeys(("left", "top", "right", "bottom"), 0)
    for said in edge.split(","):
        match = re.match(r"\s*(\d+(?:\.\d+)?)(%|px)?((?: \w+)*)", said)
        if not match:
            raise ToolError(
                f"“{edge}” does not say how much to cut off; say it such as 40 pixels or 10 %."
            )
        sides = match[3].split() or [word for word in place.split() if word in off] or list(off)
        for side in sides:
            length = image.width if side in ("left", "right") else image.height
            amount = float(match[1]) * (length / 100 if match[2] == "%" else 1)
            off[side] = round(amount)
    box = (off["left"], off["top"], image.width - off["right"], image.height - off["bottom"])
    if box[2] <= box[0] or box[3] <= box[1]:
        raise ToolError(
            f"Nothing would be left of the picture, which is {image.width} × {image.height} pixels:"
            " cut off less."
        )
    return image.crop(box)


def _in_shape(image: PIL.Image.Image, shape: str, place: str) -> PIL.Image.Image:
    try:
        wanted = ratio_of(shape)
    except ValueError:
        raise ToolError(f"“{shape}” is no shape; say one such as square or 16:9.") from None
    wide, tall = image.size
    if wide / tall > wanted:
        wide = max(1, round(tall * wanted))
    else:
        tall = max(1, round(wide / wanted))
    return _at(image, min(wide, image.width), min(tall, image.height), place)


def _in_size(image: PIL.Image.Image, size: str, place: str, is_shaped: bool) -> PIL.Image.Image:
    width, height, is_exact = _in_pixels(size, image.size)
    _expect_size(width, height)
    is_pixels = size[-1:].isdigit() and not size.startswith("a")
    if is_exact and not (place and is_pixels and not is_shaped):
        return _filled(image, (width, height), place)
    if is_shaped:
        return resized(image, (width, height))
    if not is_exact and not size.endswith("%"):
        # One side was said; the other one stays.
        number = round(float(re.sub(r"[^\d.]", "", size)))
        if size.startswith("x"):
            width, height = image.width, number
        elif size.endswith("x"):
            width, height = number, image.height
        else:
            width, height = min(number, image.width), min(number, image.height)
    if width > image.width or height > image.height:
        raise ToolError(
            f"{width} × {height} pixels cannot be cut out of this picture: it is {image.width} × "
            f"{image.height}. Ask for less, or have it enlarged first."
        )
    return _at(image, width, height, place)
