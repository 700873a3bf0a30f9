"""Pictures turned, mirrored and straightened."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
import PIL.Image

from controlllm.resources import Image
from controlllm.resources.picture_modes import was_turned_upright
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

from ..shared.moving import on_every_frame
from .embedded.fitting import with_profile
from .embedded.said_shapes import Leaning, Turn

_QUARTERS = {
    90: PIL.Image.Transpose.ROTATE_270,
    180: PIL.Image.Transpose.ROTATE_180,
    270: PIL.Image.Transpose.ROTATE_90,
}
_BICUBIC = PIL.Image.Resampling.BICUBIC
_TURNED_ALREADY = (
    "The camera noted how it was held, and the picture was turned upright by that; it is saved so, "
    "without the note. To turn it further, say how far, such as a quarter to the left."
)
#: A picture that is off by less is level.
_LEVEL = 0.1
_MOST_TILT = 20.0
#: A picture whose edge is of one colour, but for this share of it and so many levels, is a page.
_PAGE, _ALIKE = 0.9, 14

_Way = Annotated[
    str,
    Choice(
        horizontal="horizontally left_to_right left_and_right sideways mirror mirrored "
        "mirror_image right_to_left left_with_right",
        vertical="vertically upside_down top_to_bottom top_and_bottom top_with_bottom "
        "bottom_to_top head_to_toe head_over_heels like_a_reflection as_a_reflection "
        "reflection_in_a_lake reflection_in_the_water on_its_head up_and_down",
        both="both_ways in_both_directions both_directions",
    ),
]


@tool(
    domain="image-editing",
    examples=[
        "Turn the photo by 90 degrees to the right.",
        "The scan is upside down, put it on its feet.",
        "A quarter turn to the left, please.",
        "Rotate this 12 degrees clockwise.",
        "My picture lies on its side.",
        "Turn it the right way up.",
        "Make the arrow point down instead of right.",
        "tilt it a few degrees to the left",
    ],
)
@on_every_frame
def rotate_image(image: Image, angle: Turn = 0.0, context: Context | None = None) -> Image:
    """Turn a picture by a quarter or half turn or by any angle, to the left or to the right.

    Args:
        image: the picture to turn
        angle: degrees; how far to turn it clockwise, a quarter where nothing is said
    """
    if not angle and was_turned_upright(image):
        # It lies on its side only where a program does not heed what the camera noted.
        (context or Context()).remark(_TURNED_ALREADY)
        return image.copy()
    turn = (angle or 90.0) % 360
    quarter = round(turn)
    if abs(turn - quarter) < 1e-6 and quarter % 90 == 0:
        way = _QUARTERS.get(quarter % 360)
        return image.copy() if way is None else image.transpose(way)
    return _slanted(image, turn)


@tool(
    domain="image-editing",
    examples=[
        "Mirror the photo.",
        "Swap left and right in this picture.",
        "My selfie is the wrong way round, the writing reads backwards.",
        "Flip it top to bottom, like a reflection in a lake.",
        "She should look to the other side of the page.",
        "Flip the image horizontally.",
        "mirror image pls",
    ],
)
@on_every_frame
def flip_image(image: Image, way: _Way = "") -> Image:
    """Mirror a picture, left and right or top and bottom.

    Args:
        image: the picture to mirror
        way: horizontal swaps left and right, as where nothing is said; vertical swaps top and
            bottom, both does both
    """
    if way == "both":
        return image.transpose(PIL.Image.Transpose.ROTATE_180)
    if way == "vertical":
        return image.transpose(PIL.Image.Transpose.FLIP_TOP_BOTTOM)
    return image.transpose(PIL.Image.Transpose.FLIP_LEFT_RIGHT)


@tool(
    domain="image-editing",
    examples=[
        "Straighten the photo.",
        "The horizon is crooked, make it level.",
        "My scan went in at an angle, fix that.",
        "Level the picture of the bridge.",
        "The sea is running downhill here.",
        "The church tower leans to the left, set it upright.",
        "Make the lines of text on this page horizontal.",
        "it leans 2 degrees to the right, correct it",
    ],
    packages=("cv2",),
)
def straighten_image(image: Image, angle: Leaning = 0.0, context: Context | None = None) -> Image:
    """Straighten a tilted photo or scan so that its horizon, walls or lines of text are level.

    Args:
        image: the tilted picture
        angle: degrees; how far to turn it clockwise, at most 20, found by itself where nothing is
            said
    """
    if abs(angle) > _MOST_TILT:
        raise ToolError(
            f"A picture is straightened by at most {_MOST_TILT:.0f} degrees, not by {angle:g}. To "
            "turn it further, ask to rotate it."
        )
    turn = float(angle)
    if not turn:
        from .embedded import level

        (context or Context()).progress(0.1, "Looking for what is level")
        found = level.tilt(image)
        if found is None:
            raise ToolError(
                "Nothing in this picture tells what is level: no horizon, walls or lines of text "
                "were found. Say by how many degrees to turn it, such as 3 degrees to the right."
            )
        turn = found
    if abs(turn) < _LEVEL:
        return image.copy()
    page = _page_colour(image)
    if page is not None:
        return _slanted(image, turn, page)
    return _without_corners(image, turn)


def _slanted(
    image: PIL.Image.Image, turn: float, ground: tuple[int, ...] | None = None
) -> PIL.Image.Image:
    """The whole picture turned clockwise; its corners are clear, or of a colour."""
    shown = image.convert("RGBA") if ground is None else image
    # A pixel around it lets its edges be smooth.
    edged = PIL.Image.new(shown.mode, (shown.width + 4, shown.height + 4), ground or 0)
    edged.paste(shown, (2, 2))
    turned = edged.rotate(-turn, _BICUBIC, expand=True, fillcolor=ground)
    radians = math.radians(turn)
    cosine, sine = abs(math.cos(radians)), abs(math.sin(radians))
    wide = min(math.ceil(image.width * cosine + image.height * sine - 1e-6), turned.width)
    tall = min(math.ceil(image.width * sine + image.height * cosine - 1e-6), turned.height)
    left, top = (turned.width - wide) // 2, (turned.height - tall) // 2
    result = turned.crop((left, top, left + wide, top + tall))
    return with_profile(result, image)


def _without_corners(image: PIL.Image.Image, turn: float) -> PIL.Image.Image:
    """The largest picture of the same shape that has no empty corner after a turn."""
    radians = math.radians(turn)
    cosine, sine = abs(math.cos(radians)), abs(math.sin(radians))
    width, height = image.size
    share = min(width / (width * cosine + height * sine), height / (width * sine + height * cosine))
    # Bicubic sampling looks two pixels around.
    wide, tall = int(width * share) - 2, int(height * share) - 2
    if wide < 1 or tall < 1:
        raise ToolError(
            f"The picture is only {width} × {height} pixels: nothing would be left of it once its "
            "corners are cut off. Use a larger picture."
        )
    cosine, sine = math.cos(radians), math.sin(radians)
    # Where each point of the result is taken from: turned back about the middle.
    x = width / 2 - cosine * wide / 2 - sine * tall / 2
    y = height / 2 + sine * wide / 2 - cosine * tall / 2
    result = image.transform(
        (wide, tall), PIL.Image.Transform.AFFINE, (cosine, sine, x, -sine, cosine, y), _BICUBIC
    )
    return with_profile(result, image)


def _page_colour(image: PIL.Image.Image) -> tuple[int, ...] | None:
    """The colour of a page's edge, or None where the edge of a picture is not of one colour."""
    pixels = np.asarray(image).reshape(image.height, image.width, -1)
    deep = max(1, min(image.size) // 100)
    strips = (pixels[:deep], pixels[-deep:], pixels[:, :deep], pixels[:, -deep:])
    edge = np.concatenate([strip.reshape(-1, pixels.shape[2]) for strip in strips])
    if image.mode == "RGBA" and np.median(edge[:, 3]) == 0:
        colour = np.zeros(4)
        alike = edge[:, 3] <= _ALIKE
    else:
        colour = np.median(edge, axis=0)
        alike = (np.abs(edge - colour) <= _ALIKE).all(axis=1)
    if alike.mean() < _PAGE or max(image.size) < 3:
        return None
    return tuple(int(value) for value in colour)
