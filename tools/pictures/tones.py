"""Pictures in grey, in the opposite colours, and in the tone of one colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated

import PIL.Image
import PIL.ImageChops
import PIL.ImageColor

from controlllm.resources import Image
from controlllm.toolbox import ToolError, tool
from controlllm.values import Choice, Kind
from controlllm.values.kinds import Found

from ..shared.moving import on_every_frame
from .embedded.fitting import ground_colour, with_profile
from .embedded.said_values import Shade

#: How much of a tint there is where nothing is said.
_TINT, _FAINT, _STRONG = 50.0, 25.0, 85.0
_SEPIA = "#a67c48"


def _strengths(words: str) -> Iterator[Found]:
    for match in re.finditer(r"(?<![\w.:])(\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)", words):
        yield Found(float(match[1]), *match.span())
    for pattern, strength in (
        (
            r"\b(?:slight\w*|subtl\w+|faint\w*|gentl[ey]|softly|lightly|discreet\w*|"
            r"a (?:touch|hint|little|bit))\b",
            _FAINT,
        ),
        (r"\b(?:strong\w*|heav\w+|deepl?y?|intense\w*|bold\w*|very|wash\w*)\b", _STRONG),
    ):
        for match in re.finditer(pattern, words):
            yield Found(strength, *match.span())


_Strength = Annotated[float, Kind("how strong it is, such as 50 %", _strengths)]
_Style = Annotated[
    str,
    Choice(
        sepia="brown_tone old_brown brown_old old_timey old_time light_brown_tone warm_brown "
        "old_photo old_photograph old_postcard old_fashioned old_picture great_grandma vintage "
        "antique brownish yellowed"
    ),
]


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Make it black and white.",
        "Take all the colour out of the photo.",
        "Plain grey, nothing fancy.",
        "Desaturate the picture fully.",
        "My printer has no colour left, give me greys.",
        "b/w please",
        "Turn them all grey.",
    ],
)
@on_every_frame
def grayscale_image(image: Image) -> Image:
    """Turn a picture black and white, in plain grey: take all colour out and keep how light
    everything is.

    Args:
        image: the picture whose colour is taken out
    """
    if image.mode == "RGBA":
        grey = image.convert("RGB").convert("L")
        return PIL.Image.merge("RGBA", (grey, grey, grey, image.getchannel("A")))
    result = image.convert("L") if image.mode != "L" else image.copy()
    # A profile for colours says nothing of a grey picture.
    result.info.pop("icc_profile", None)
    return result


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Make a negative of the picture.",
        "Invert the X-ray.",
        "I'd like white writing on black instead of black on white.",
        "Turn this photographed negative into a proper picture.",
        "Every colour swapped for its opposite.",
        "A dark mode version of the diagram, please.",
        "Swap light and dark.",
    ],
)
@on_every_frame
def invert_colors(image: Image) -> Image:
    """Invert the colours of a picture, as a negative: light becomes dark and each colour its
    opposite.

    Args:
        image: the picture to invert
    """
    if image.mode == "RGBA":
        result = PIL.ImageChops.invert(image.convert("RGB"))
        result.putalpha(image.getchannel("A"))
    else:
        result = PIL.ImageChops.invert(image)
    return with_profile(result, image)


@tool(
    domain="image-editing",
    places="everywhere",
    examples=[
        "Give the photo an old brown tone.",
        "Tint it blue.",
        "Sepia, like in grandma's album.",
        "Put a faint red veil over the picture.",
        "Wash the whole thing in our colour, #1B4F8A.",
        "Slightly pinkish all over, please.",
        "A cool bluish cast, 30 %.",
        "The portraits should all have the same purple tone.",
    ],
)
@on_every_frame
def tint_image(
    image: Image, style: _Style = "", colour: Shade = "", strength: _Strength = 0.0
) -> Image:
    """Tint a picture with one colour or give it an old brown sepia tone.

    Args:
        image: the picture to tint
        style: sepia makes it brown as an old photograph
        colour: the colour that it is tinted with
        strength: percent; how much of it there is; 100 leaves no other colour, half where
            nothing is said
    """
    if style == "sepia":
        shade, usual = _SEPIA, 100.0
    elif colour:
        shade, usual = colour, _TINT
    else:
        raise ToolError("Which colour shall the picture be tinted with? Name one, or say sepia.")
    share = min(max(strength or usual, 0.0), 100.0) / 100
    plain = image.convert("RGB")
    toned = _toned(plain.convert("L"), ground_colour(shade))
    result = PIL.Image.blend(plain, toned, share) if share < 1 else toned
    if image.mode == "RGBA":
        result.putalpha(image.getchannel("A"))
    return with_profile(result, image)


def _toned(grey: PIL.Image.Image, shade: tuple[int, int, int]) -> PIL.Image.Image:
    """Grey in the tones of a colour, which has its own place between black and white."""
    own = min(max((299 * shade[0] + 587 * shade[1] + 114 * shade[2]) / 1000, 48.0), 207.0)

    def tone(level: int, value: int) -> int:
        if value <= own:
            return round(level * value / own)
        return round(255 - (255 - level) * (255 - value) / (255 - own))

    return PIL.Image.merge(
        "RGB", [grey.point([tone(level, value) for value in range(256)]) for level in shade]
    )
