"""The main colours of a picture: drawn as a palette, and told with their names."""

from __future__ import annotations

from typing import Annotated

import PIL.Image
import PIL.ImageDraw

from controlllm.resources import Image, Text
from controlllm.toolbox import ToolError, tool
from controlllm.values import Kind
from controlllm.values.kinds import found_in

from ..shared.fonts import font

_COUNT, _MOST = 5, 24
_IN_ROW = 6
#: The sides of a colour's card in the palette, and what lies between two.
_WIDE, _TALL, _TEXT, _GAP = 240, 240, 96, 24
_INK, _PALE = (24, 26, 30), (110, 114, 122)
_TOLD, _LEAST = 6, 0.015
_COLOURS = Kind(
    "a number of colours, such as 5",
    lambda words: found_in(
        words,
        (
            r"\b(\d{1,2}) (?:\w+ ){0,2}?(?:colou?rs?|swatch(?:es)?|shades?|tones?|hues?|chips?)\b",
            lambda match: int(match[1]),
        ),
    ),
    r"\d+",
)


@tool(
    domain="image-processing",
    examples=[
        "Make a color palette from this photo.",
        "Show me the five main colours of the picture as swatches.",
        "I want the hex codes of this painting's colours on a card.",
        "Extract a colour scheme for my website from the image.",
        "Draw swatches of the colours in the sunset.",
        "Which paint colours would match this room? Make me a palette.",
        "Pull the palette out of the film still.",
    ],
)
def color_palette(image: Image, count: Annotated[int, _COLOURS] = 0) -> Image:
    """Draw the main colours of a picture as a palette with their codes.

    Args:
        image: the picture whose colours are drawn
        count: how many colours; five where nothing is said
    """
    from .embedded.main_shades import name_of, shades

    if count < 0 or count > _MOST:
        raise ToolError(f"A palette has 1 to {_MOST} colours, not {count}. Ask for fewer.")
    found = shades(image, count or _COUNT, finely=True)
    rows = -(-len(found) // _IN_ROW)
    across = -(-len(found) // rows)
    size = (across * (_WIDE + _GAP) + _GAP, rows * (_TALL + _TEXT + _GAP) + _GAP)
    palette = PIL.Image.new("RGB", size, "white")
    pen = PIL.ImageDraw.Draw(palette)
    for number, shade in enumerate(found):
        row, column = divmod(number, across)
        left, top = _GAP + column * (_WIDE + _GAP), _GAP + row * (_TALL + _TEXT + _GAP)
        # A light colour would not be told from the card without a thin line around it.
        pen.rounded_rectangle(
            (left, top, left + _WIDE - 1, top + _TALL - 1), 18, shade.rgb, (205, 207, 211), 2
        )
        pen.text((left + 2, top + _TALL + 14), shade.code.upper(), _INK, font(34))
        said = f"{name_of(shade.rgb)}, {_percent(shade.share)}"
        pen.text((left + 2, top + _TALL + 60), said, _PALE, font(20))
    return palette


@tool(
    domain="image-perception",
    examples=[
        "What are the main colours of this picture?",
        "Name the dominant colors in the photo.",
        "Which colours does the logo have, with their hex codes?",
        "How much of the picture is blue?",
        "Tell me the colours of this flag.",
        "What colour is this wall mostly?",
        "List the most frequent colours in percent.",
    ],
)
def main_colors(image: Image) -> Text:
    """Name the main colours of a picture with their codes and how much of it each covers.

    Args:
        image: the picture whose colours are named
    """
    from .embedded.main_shades import Shade, name_of, shades

    named: dict[str, Shade] = {}
    for shade in shades(image, 2 * _TOLD):
        name = name_of(shade.rgb)
        # Two shades of one name are told as one, with the code of what is most of it.
        first = named.get(name, Shade(shade.rgb, 0.0))
        named[name] = Shade(first.rgb, first.share + shade.share)
    told = sorted(named.items(), key=lambda item: -item[1].share)
    told = [item for place, item in enumerate(told) if item[1].share >= _LEAST or not place]
    lines = [
        f"{name.capitalize()} {shade.code}: {_percent(shade.share)}" for name, shade in told[:_TOLD]
    ]
    rest = 1 - sum(shade.share for _, shade in told[:_TOLD])
    if rest >= 0.005:
        lines.append(f"Other colours: {_percent(rest)}")
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 else "under 1 %"
