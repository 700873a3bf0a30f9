"""Borders around pictures, and corners that are rounded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, get_args

import numpy as np
import PIL.Image

from controlllm.resources import Image
from controlllm.toolbox import ToolError, tool
from controlllm.values import Choice, Kind
from controlllm.values.kinds import Found, found_in

from ..shared.moving import on_every_frame
from .embedded import photo_adjustments
from .embedded.fitting import ground, ground_colour, with_profile
from .embedded.said_values import Shade

_MOST_PIXELS = 60_000_000
#: How wide a border is, of the mean of the picture's sides, and the margins of an instant photo:
#: beside, above and below.
_WIDTHS = {"thin": 0.012, "": 0.035, "thick": 0.09}
_INSTANT = (0.06, 0.07, 0.26)
#: The white of an instant photo, a little warm, and of any other border.
_WHITE, _PAPER = "#ffffff", "#fbfaf6"
#: How far corners are rounded, of the shorter side: as usual, and as on an app's icon.
_ROUND, _APP = 0.1, 0.225
_INCH = 300
_LENGTHS = {"px": 1.0, "mm": _INCH / 25.4, "cm": _INCH / 2.54, "in": float(_INCH)}


def _lengths(words: str) -> Iterator[Found]:
    for match in re.finditer(
        r"(?<![\w.x])(\d+(?:\.\d+)?)[ -]?(px|pixels?|pix|mm|cm|inch(?:es)?)\b",
        words,
    ):
        unit = match[2] if match[2] in ("mm", "cm") else "in" if match[2][:2] == "in" else "px"
        yield Found(max(1, round(float(match[1]) * _LENGTHS[unit])), *match.span())


_BORDER = r"(?:borders?|frames?|margins?|edges?|rims?|mats?|lines?)\b"


def _colours(words: str) -> Iterator[Found]:
    """Codes first, then the colours that stand beside what they are for: "the brown one, with a
    wide white margin"."""

    def is_meant(found: Found) -> bool:
        before, behind = words[: found.start], words[found.end :]
        is_beside = re.match(rf" (?:\w+ )?{_BORDER}", behind) or re.search(
            rf"{_BORDER} (?:in|of) (?:an? )?$", before
        )
        return words[found.start] == "#" or bool(is_beside)

    found = list(_SHADE.find(words))
    names = [each for each in found if words[each.start : each.end] != "dark"]
    yield from sorted(names or found, key=lambda each: not is_meant(each))


_SHADE = get_args(Shade)[1]
_Colour = Annotated[str, Kind(_SHADE.name, _colours, _SHADE.form)]
_Length = Annotated[int, Kind("a length, such as 20 px or 1 cm", _lengths)]
_Thickness = Annotated[
    str,
    Choice(
        thin="narrow fine slim hairline thin_line not_too_thick not_to_thick not_thick "
        "not_a_thick not_that_thick not_too_wide small",
        thick="wide fat broad heavy chunky big bold generous",
    ),
]
_Instant = Annotated[
    str,
    Choice(
        polaroid="polaroids polaroid_look instant_photo instant_photos instant_camera "
        "instant_picture instant_film instax"
    ),
]
_SHAPES = Choice(
    circle="circular circles disc disk circle_shaped round_thing round_avatar round_picture "
    "round_photo round_image round_shape round_profile_picture",
    oval="ellipse elliptical",
    app="app_icon like_an_app icon squircle",
)
#: "Round" is a circle where nothing is said of corners.
_ROUND_WHOLE = re.compile(r"\bround\b(?! (?:(?:it|them|that) )?off\b)")
_CORNER = re.compile(r"\b(?:corner|edge|angle)")


def _shapes(words: str) -> Iterator[Found]:
    yield from _SHAPES.find(words)
    if not _CORNER.search(words):
        yield from found_in(words, (_ROUND_WHOLE, "circle"))


_Corners = Annotated[str, Kind(_SHAPES.name, _shapes)]


@tool(
    domain="image-editing",
    examples=[
        "Put a white border around the photo.",
        "Give it a thin black frame.",
        "20 px gold edge",
        "Make it look like a Polaroid, with the fat white strip below.",
        "The framer wants 2 cm of white all round.",
        "A thick dark green border around our club photo, please.",
        "Add some margin to the drawing.",
        "Frame the print in red.",
    ],
)
@on_every_frame
def add_border(
    image: Image,
    width: _Length = 0,
    colour: _Colour = "",
    style: _Instant = "",
    thickness: _Thickness = "",
) -> Image:
    """Put a border, a frame or a margin of a colour and width around a picture, or a white one as
    of an instant photo.

    Args:
        image: the picture to put a border around
        width: pixels; how wide it is, as fits the picture where nothing is said
        colour: the colour of the border; white where nothing is said, black around a picture that
            is white at its edge
        style: polaroid makes it the frame of an instant photo, wide below
        thickness: where no width is said
    """
    mean = (image.width + image.height) / 2
    side = width if width > 0 else max(1, round(mean * _WIDTHS.get(thickness, _WIDTHS[""])))
    margins = (side, side, side)
    if style == "polaroid":
        unit = width / _INSTANT[0] if width > 0 else min(mean, 1.5 * min(image.size))
        margins = tuple(max(1, round(unit * share)) for share in _INSTANT)  # type: ignore[assignment]
        colour = colour or _PAPER
    red, green, blue = ground_colour(colour or _plain_colour(image))
    beside, above, below = margins
    size = (image.width + 2 * beside, image.height + above + below)
    if size[0] * size[1] > _MOST_PIXELS:
        raise ToolError(
            f"With a border of {beside:,} pixels the picture would be {size[0]:,} × {size[1]:,}, "
            "which is too large. Ask for a narrower one."
        )
    mode = "RGB" if image.mode == "L" and not red == green == blue else image.mode
    result = ground(size, mode, f"#{red:02x}{green:02x}{blue:02x}")
    result.paste(image.convert(mode), (beside, above))
    return with_profile(result, image)


@tool(
    domain="image-editing",
    examples=[
        "Round the corners of the screenshot.",
        "Cut the logo to a circle with nothing behind it.",
        "Soft corners like an app icon, please.",
        "I need my profile picture as a circle.",
        "Give the photo rounded corners of 40 px.",
        "Those sharp edges look dated, round them off a little.",
        "Make a round avatar out of this.",
    ],
)
@on_every_frame
def round_corners(image: Image, radius: _Length = 0, shape: _Corners = "") -> Image:
    """Round the corners of a picture or cut it to a circle, with nothing behind them.

    Args:
        image: the picture whose corners are rounded
        radius: pixels; how far they are rounded, a tenth of the shorter side where nothing is
            said
        shape: circle cuts the middle of the picture to a circle, oval all of it to an oval, app
            rounds its corners as much as those of an app's icon
    """
    if shape == "circle":
        image = photo_adjustments.squared(image)
    half = (image.width / 2, image.height / 2)
    if shape in ("circle", "oval"):
        return _rounded(image, half)
    share = _APP if shape == "app" else _ROUND
    length = min(float(radius) if radius > 0 else share * min(image.size), *half)
    return _rounded(image, (length, length))


def _rounded(image: PIL.Image.Image, reach: tuple[float, float]) -> PIL.Image.Image:
    """With corners that are clear outside of an ellipse of such half axes, and smooth edges."""
    wide, tall = (max(1, int(np.ceil(length))) for length in reach)
    x = (reach[0] - np.arange(wide, dtype=np.float32) - 0.5) / reach[0]
    y = (reach[1] - np.arange(tall, dtype=np.float32) - 0.5) / reach[1]
    # About how far a pixel lies inside of the curve: by its value and how steeply that grows.
    value = x[None, :] ** 2 + y[:, None] ** 2 - 1
    slope = 2 * np.hypot(x[None, :] / reach[0], y[:, None] / reach[1])
    inside = np.clip(0.5 - value / np.maximum(slope, 1e-6), 0, 1)
    # What lies behind the middle belongs to the other corner.
    inside[:, x < 0], inside[y < 0] = 1, 1
    corner = (inside * 255).round().astype(np.uint8)
    alpha = np.full((image.height, image.width), 255, np.uint8)
    for vertical in (1, -1):
        for sideways in (1, -1):
            part = alpha[::vertical, ::sideways][:tall, :wide]
            np.minimum(part, corner, out=part)
    if image.mode == "RGBA":
        own = np.asarray(image.getchannel("A"), np.uint16)
        alpha = ((own * alpha + 127) // 255).astype(np.uint8)
    result = image.convert("RGBA")
    result.putalpha(PIL.Image.fromarray(alpha))
    return result


def _plain_colour(image: PIL.Image.Image) -> str:
    """White, or black where white would not be seen beside the picture."""
    if image.mode == "RGBA" and np.asarray(image.getchannel("A")).min() < 255:
        return _WHITE
    grey = np.asarray(image.convert("L"))
    edge = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
    return "#000000" if (edge >= 244).mean() > 0.6 else _WHITE
