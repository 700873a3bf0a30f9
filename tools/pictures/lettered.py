"""Words on pictures: captions, titles, meme texts and watermarks."""

from __future__ import annotations

import math
import re
from itertools import chain
from typing import Annotated

import PIL.Image

from controlllm.resources import Image, Text
from controlllm.toolbox import tool
from controlllm.values import Choice, Kind, Place

from ..shared.fonts import length
from ..shared.letter_looks import (
    LETTER_COLOUR,
    LETTER_PLACE,
    LETTERS,
    SHARES,
    Apart,
    apart,
    with_strip,
)
from ..shared.lettering import (
    DARK,
    WHITE,
    Lines,
    clean_words,
    draw_words,
    lay_out,
    words_layer,
)
from ..shared.moving import on_every_frame
from .embedded.said_values import Solidity

#: What closes each quotation mark.
_QUOTES = {
    **{'"': '"', "'": "'", "“": "”", "”": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "‚": "‘’"},
    **{"「": "」", "『": "』"},
}  # fmt: skip
_QUOTED = re.compile('["“„«]([^"”“»«]+)["”“»]')
#: How tall the letters of a meme are, of the picture's height.
_MEME = 0.13
_MEMES = {"small": 0.042, "large": 0.12, "huge": 0.2}
_MARK, _REPEATED = 0.05, 0.06
#: And those of a watermark, of the usual height.
_MARKS = {"small": 0.65, "large": 1.8, "huge": 3.0}
_STRENGTH, _REPEATED_STRENGTH = 45.0, 26.0
_SLANT = 30.0

_APART = apart(is_film=False)
_ON_IT = Choice(
    meme="meme as_a_meme meme_text meme_style",
    plate="plate box bar background strip on_a_plate with_a_box with_a_background",
)
_Style = Annotated[
    str,
    Kind(
        "meme, plate, or words on a strip that cover nothing",
        lambda words: chain(_APART.find(words), _ON_IT.find(words)),
        rf"{_APART.form}|meme|plate",
    ),
]
_Letters = Annotated[str, LETTERS]
_WatermarkStyle = Annotated[
    str,
    Choice(
        repeated="all_over all_across everywhere repeated repeatedly again_and_again tiled "
        "diagonally over_the_whole across_the_whole along_the_whole over_the_entire"
    ),
]


@tool(
    domain="image-editing",
    examples=[
        "Write “Happy birthday, Tom” on the photo.",
        "Add the caption Summer 2024 at the bottom of the picture.",
        "Put SOLD in big red letters across the middle.",
        "Make a meme of it: when the code works on the first try.",
        "Can you add a title at the top that says Our garden?",
        "I want the date 12 May 2023 in the lower right corner in yellow.",
        "Write SOLD right across the whole picture, diagonally.",
        "Caption this image with the names Anna and Paul.",
        "Add text to the picture: Closed on Mondays, on a dark plate.",
        "Put a white strip below the photo that says Lake Garda.",
    ],
)
@on_every_frame
def write_on_image(
    image: Image,
    words: Text,
    colour: Annotated[str, LETTER_COLOUR] = "",
    style: _Style = "",
    place: Annotated[str, LETTER_PLACE] = "",
    letters: _Letters = "",
) -> Image:
    """Write words on a picture: a caption, title, date, name, speech or meme text at a place, in a
    colour and size, always readable.

    Args:
        image: the picture to write on
        words: the words that are written
        colour: the colour of the letters; white or black where nothing is said
        style: meme writes tall capitals above and below, plate sets the words on a plate, strip
            on a strip that is added below the picture or above it
        place: where they stand, or diagonal; at the bottom where nothing is said
        letters: how large they are; huge ones take the whole width
    """
    if style.startswith("strip"):
        value = Apart.of(style)
        return with_strip(image, without_quotes(words), place, colour, value)
    if style == "meme":
        return _meme(image, words, place, colour, _MEMES.get(letters, _MEME))
    size = SHARES.get(letters, 0.0)
    return draw_words(image, without_quotes(words), place, colour, size, box=style == "plate")


@tool(
    domain="image-editing",
    examples=[
        "Put a watermark with my name on the photo.",
        "Mark the picture with © Studio Lind so that nobody steals it.",
        "Write DRAFT faintly all over the image.",
        "Add a discreet copyright line in the lower left corner.",
        "Protect my drawing with the words Sample copy, repeated diagonally.",
        "Can you stamp CONFIDENTIAL lightly across the scan?",
        "I'd like a see-through signature Mia Holm on my painting.",
    ],
)
@on_every_frame
def add_watermark(
    image: Image,
    words: Text,
    place: Place = "",
    style: _WatermarkStyle = "",
    strength: Solidity = 0.0,
    letters: _Letters = "",
) -> Image:
    """Put a faint watermark of words over a picture, in a corner or repeated all over.

    Args:
        image: the picture to mark
        words: the words of the watermark
        place: where it stands; at the bottom right where nothing is said
        style: repeated sets it slanting all over the picture
        strength: percent; how solid it is, faint where nothing is said
        letters: how large they are
    """
    words = without_quotes(words)
    times = _MARKS.get(letters, 1.0)
    if style == "repeated":
        layer = _all_over(image.size, words, times * _REPEATED)
    else:
        layer = words_layer(image.size, words, place or "bottom right", "", times * _MARK)
    solid = strength or (_REPEATED_STRENGTH if style == "repeated" else _STRENGTH)
    solid = min(max(solid, 1.0), 100.0) / 100
    layer.putalpha(layer.getchannel("A").point(lambda value: round(value * solid)))
    if image.mode == "RGBA":
        return PIL.Image.alpha_composite(image, layer)
    marked = image.convert("RGB")
    marked.paste(layer, (0, 0), layer)
    return marked.convert(image.mode)


def without_quotes(words: str) -> str:
    """The words without the quotation marks around all of them."""
    words = words.strip()
    while len(words) > 2 and words[-1] in _QUOTES.get(words[0], ""):
        inner = words[1:-1]
        if words[0] in inner and words[0] != "'":
            break  # two quotations, not one around it all
        words = inner.strip()
    return words


def _meme(image: Image, words: str, place: str, colour: str, size: float) -> Image:
    """Tall capitals; of several lines or quotations the first stands above, the others below."""
    quoted = _QUOTED.findall(words)
    parts = quoted if len(quoted) > 1 else re.split(r"\n|\\n| / | \| ", without_quotes(words))
    # As meme texts mostly are: one long sentence is cut in two, at a comma or in its middle.
    if len(parts) == 1 and not place and len(words.split()) >= 6:
        parts = list(_halves(without_quotes(words)))
    upper = [part.strip().upper() for part in parts if part.strip()]
    if len(upper) < 2:
        return draw_words(image, "".join(upper), place, colour or "#ffffff", size)
    above = draw_words(image, upper[0], "top", colour or "#ffffff", size)
    return draw_words(above, "\n".join(upper[1:]), "bottom", colour or "#ffffff", size)


def _halves(words: str) -> tuple[str, str]:
    middle = len(words) / 2
    breaks = [(match.end(), match[1] != "") for match in re.finditer(r"([,;:.!?…]?)\s+", words)]
    weights = {end: abs(end - middle) / middle - 0.5 * stop for end, stop in breaks}
    cut = min(weights, key=lambda end: weights[end])
    return words[:cut].strip(" ,;"), words[cut:]


def _all_over(size: tuple[int, int], words: str, tall: float) -> PIL.Image.Image:
    """Words slanting all over a layer of a size, so tall of it, each row set off from the one
    before."""
    lay_out(words, size, tall)  # says why where they cannot be written at all
    line = clean_words(words).replace("\n", " ")
    letter = max(8.0, tall * math.sqrt(size[0] * size[1]))
    letter *= min(1.0, 0.6 * math.hypot(*size) / length(line, letter))
    block = Lines((line,), letter).drawn(WHITE)
    block = block.rotate(_SLANT, PIL.Image.Resampling.BICUBIC, expand=True)
    layer = PIL.Image.new("RGBA", size, (*DARK, 0))
    wide, high = block.width + round(1.5 * letter), block.height + round(0.5 * letter)
    for row, top in enumerate(range(-high // 2, size[1], high)):
        for left in range(-wide + (row % 2) * wide // 2, size[0], wide):
            part = block.crop((max(-left, 0), max(-top, 0), wide, high))
            layer.alpha_composite(part, (max(left, 0), max(top, 0)))
    return layer
