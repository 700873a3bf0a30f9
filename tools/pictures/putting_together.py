"""Several pictures in one: side by side, in a collage, or one laid over another."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, get_args

import PIL.Image

from controlllm.resources import Image
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Colour, Kind, Percent, Pixels, Place, Size, size_in_pixels
from controlllm.values.colours import find_colours
from controlllm.values.kinds import Found, found_in

from ..shared.lettering import placed
from ..shared.said_pieces import GRID
from .embedded.fitting import fill_or_fit, ground, in_one_mode, put, resized
from .embedded.said_values import Solidity

#: The most pixels of a picture that is put together, and its longest side.
_MOST_PIXELS, _LONGEST = 40_000_000, 30_000
#: A picture smaller than the largest one by more than this does not decide the common size.
_FAR_SMALLER = 3.0
#: The share of the size that a gap has where only its colour is said.
_GAP = 0.015
_COLLAGE_SIDE, _SMALLEST_CELL = 2400, 160
#: What a collage of pictures without a given number of columns comes closest to, width by height.
_COLLAGE_SHAPE = 1.33
_OVERLAY = 20.0
_OVERLAY_MARGIN = 0.03


def _in_figures(match: re.Match[str]) -> int:
    return int(match[1])


_PERCENT = get_args(Percent)[1]
#: How wide what is laid over a picture is in words, in percent: of what it is mostly, and alone.
_OF_ITS_OWN = r"(?:as (?:big|large)|(?:the|its|his|her) size)\b"
_OF_ITSELF = (
    (rf"\b(?:twice|doubled?|2 times) {_OF_ITS_OWN}", 2 * _OVERLAY),
    (rf"\bhalf {_OF_ITS_OWN}", _OVERLAY / 2),
)
_WIDTHS = (
    (r"\bnot (?:too|very|so|that|overly) (?:big|large|prominent|dominant)\b", 15.0),
    (r"\b(?:tiny|very small|really small|teeny)\b", 7.0),
    (r"\b(?<!too )(?:small(?:ish|er)?|little|discreet(?:ly)?|modest)\b", 12.0),
    (r"\b(?:huge|very (?:large|big)|giant)\b", 60.0),
    (r"\b(?<!too )(?:larger?|big(?:ger)?|prominent(?:ly)?)\b", 40.0),
)
_SCALE = Kind(
    "a share, such as 30 %, small or large",
    lambda words: chain(
        found_in(words, *_OF_ITSELF),
        _PERCENT.find(words),
        found_in(words, (r"(?<![\w.:])0\.\d+(?![\w.:%])", lambda match: 100 * float(match[0]))),
        found_in(words, *_WIDTHS),
    ),
)


_GAPS = r"(?:gaps?|spac(?:es?|ing)|margins?|borders?|lines?|strips?|apart|between|distance)"
_BETWEEN = Kind(
    "a length in pixels, such as 20 px between them",
    lambda words: found_in(
        words,
        (rf"(?<![\w.x])(\d+)[ -]?(?:px|pixels?|pix)(?: \w+)? {_GAPS}\b", _in_figures),
        (rf"\b{_GAPS}(?: of| is|:)? (\d+)(?: ?(?:px|pixels?|pix))?(?![\w%])", _in_figures),
    ),
    r"\d+",
)
#: More than anybody puts together: all of them are in one row.
_ALL = 1000
_COUNTS = (
    (r"\b(\d+) (?:columns?|in (?:a|1|each|every) row|across|(?:to a|a|per) row)\b", int),
    (r"\brows? of (\d+)\b", int),
    (r"\b(?:in|as|into) (?:a|1)(?: single| long)? (?:row|strip|line)\b", lambda _: _ALL),
    (r"\b(?:in|as|into) (?:a|1)(?: single| long)? column\b", lambda _: 1),
)


def _in_a_row(words: str) -> Iterator[Found]:
    """How many pictures words put in a row of a collage."""
    for pattern, count in _COUNTS:
        for match in re.finditer(pattern, words):
            yield Found(count((match.groups() or ("",))[0]), *match.span())
    for found in GRID.find(words):
        yield Found(int(found.value.partition("x")[2]), found.start, found.end)


_Columns = Annotated[int, Kind("how many in a row, such as 3 columns or 2x2", _in_a_row, r"\d+")]

_STACKED = Choice(
    vertical="one_above_the_other one_over_the_other one_under_the_other one_below_the_other "
    "one_above_another one_above_other on_top_of_each_other on_top_of_one_another "
    "above_each_other below_each_other under_each_other stacked underneath vertically below beneath"
)
#: What stands above or under another picture, and no words that stand there.
_ABOVE = (
    r"\b(?<!as )(?<!the )(?:above|under)\b(?! (?:\d|them|each|it\b))|\bstack (?:them|these|those)\b"
)
_BESIDE = re.compile(r"\b(?:side by side|beside|next to|left|right|in (?:a|one|1) row)\b")


def _directions(words: str) -> Iterator[Found]:
    yield from _STACKED.find(words)
    if not _BESIDE.search(words):
        yield from found_in(words, (_ABOVE, "vertical"))


_Direction = Annotated[str, Kind(_STACKED.name, _directions)]
_NAMES_GAP = re.compile(rf"\b(?:{_GAPS}|(?:back)?ground|frames?|edges?)\b")
_GAP_OF = re.compile(rf" (?:\w+ )?{_GAPS}\b")
_ON_IT = re.compile(r"\bon (?:an? )?$")


def _between(words: str) -> Iterator[Found]:
    """The colours of what lies between pictures, those that stand before it first: others only tell
    which pictures are meant."""
    names_gap = _NAMES_GAP.search(words)
    found = [it for it in find_colours(words) if names_gap or _ON_IT.search(words[: it.start])]
    yield from sorted(found, key=lambda it: not _GAP_OF.match(words, it.end))


_COLOUR = get_args(Colour)[1]
_Between = Annotated[str, Kind(_COLOUR.name, _between, _COLOUR.form)]


@tool(
    domain="image-processing",
    examples=[
        "Put these two photos next to each other.",
        "Combine the before and after pictures into one image, left and right.",
        "Can you stack the screenshots one above the other?",
        "I need both pictures in a single file, side by side.",
        "Join the three pictures in a row with a white line between them.",
        "Glue the second image underneath the first.",
        "Show the old and the new kitchen beside each other with a 20 px gap.",
        "Merge these images horizontally.",
    ],
)
def put_side_by_side(
    images: list[Image],
    direction: _Direction = "",
    gap: Pixels = 0,
    colour: _Between = "",
) -> Image:
    """Put two or more pictures side by side or one above the other in one picture.

    Args:
        images: the pictures, from left to right or from top to bottom
        direction: vertical puts them one above the other; side by side where nothing is said
        gap: pixels; how much lies between them, none where nothing is said
        colour: the colour between them; white, or clear where a picture is
    """
    _expect_several(images, "put side by side")
    is_vertical = direction == "vertical"
    # Along is where they follow each other, across is what they have in common.
    sizes = [image.size[::-1] if is_vertical else image.size for image in images]
    tallest = max(across for _, across in sizes)
    common = float(min(across for _, across in sizes if across * _FAR_SMALLER >= tallest))
    between = gap or (max(2, round(_GAP * common)) if colour else 0)
    along = sum(along * common / across for along, across in sizes)
    shrink = min(1.0, _LONGEST / along, math.sqrt(_MOST_PIXELS / (along * common)))
    common = max(1.0, common * shrink)
    side = round(common)
    parts = [max(1, round(along * common / across)) for along, across in sizes]
    length = sum(parts) + between * (len(parts) - 1)
    _expect_size((length, side))
    mode = in_one_mode(images, colour)
    result = ground((side, length) if is_vertical else (length, side), mode, colour)
    start = 0
    for image, part in zip(images, parts, strict=True):
        size = (side, part) if is_vertical else (part, side)
        put(result, resized(image, size), (0, start) if is_vertical else (start, 0))
        start += part + between
    return result


@tool(
    domain="image-processing",
    examples=[
        "Make a collage of my holiday photos.",
        "Arrange these pictures in a grid with 3 columns.",
        "Create a contact sheet of all the photos.",
        "Could you put my nine pictures on one page as a mosaic?",
        "A photo wall of these images, please, with thin black gaps.",
        "Lay out the pictures in two columns on a white background.",
        "I want all the party pictures together in one image, 2000 pixels wide.",
        "Turn these snapshots into one big tiled picture.",
    ],
)
def make_collage(
    images: list[Image],
    columns: _Columns = 0,
    gap: Annotated[int, _BETWEEN] = 0,
    size: Size = "",
    colour: Colour = "",
    context: Context | None = None,
) -> Image:
    """Arrange several pictures in one: a grid, a collage or a contact sheet.

    Args:
        images: the pictures, row by row
        columns: how many pictures are in a row; chosen where nothing is said
        gap: pixels; how much lies between them, a narrow gap where nothing is said
        size: how large the whole is; it follows the pictures where nothing is said
        colour: the colour between and behind them; white, or clear where a picture is
    """
    _expect_several(images, "arrange")
    report = (context or Context()).progress
    shape = sorted(image.width / image.height for image in images)[len(images) // 2]
    shape = min(max(shape, 0.56), 1.8)
    across = min(columns, len(images)) if columns > 0 else _columns(len(images), shape)
    down = -(-len(images) // across)
    whole, between = _collage_size(images, (across, down), shape, gap, size)
    cell = ((whole[0] - between * (across + 1)) / across, (whole[1] - between * (down + 1)) / down)
    if min(cell) < 1:
        raise ToolError(
            f"{len(images)} pictures have no room on {whole[0]}x{whole[1]} pixels with gaps of "
            f"{between}. Ask for a larger size or a narrower gap."
        )
    result = ground(whole, in_one_mode(images, colour), colour)
    for number, image in enumerate(images):
        report(number / len(images), "Arranging the pictures")
        row, column = divmod(number, across)
        in_row = min(across, len(images) - row * across)
        # A last row that is not full stands in the middle.
        shift = (across - in_row) * (cell[0] + between) / 2
        left = between + column * (cell[0] + between) + shift
        top = between + row * (cell[1] + between)
        box = (round(left), round(top), round(left + cell[0]), round(top + cell[1]))
        room = (max(1, box[2] - box[0]), max(1, box[3] - box[1]))
        small = fill_or_fit(image, room)
        corner = (box[0] + (room[0] - small.width) // 2, box[1] + (room[1] - small.height) // 2)
        put(result, small, corner)
    return result


@tool(
    domain="image-editing",
    examples=[
        "Put our logo in the corner of the photo.",
        "Place the sticker on the picture, top left.",
        "Insert the second image as a small inset at the bottom right.",
        "Stamp the company sign onto this picture, half transparent.",
        "Can you paste the little picture over the big one?",
        "Add the badge at the top right, about 15 % of the width.",
        "The logo should sit in the middle of my poster.",
    ],
)
def overlay_image(
    image: Image,
    overlay: Image,
    place: Place = "",
    strength: Solidity = 0.0,
    scale: Annotated[float, _SCALE] = 0.0,
    width: Pixels = 0,
) -> Image:
    """Lay a second picture, such as a logo, a sticker or a small inset, over a picture at a place.

    Args:
        image: the picture below
        overlay: the picture that is laid over it
        place: where it lies; at the bottom right where nothing is said
        strength: percent; how solid it is, all solid where nothing is said
        scale: percent; how wide it is, of the width of the picture below, such as 30 %, 0.3, small,
            not too big or large; 20 % where nothing is said
        width: pixels; how wide it is, in place of a scale
    """
    if overlay.mode == "RGBA" and not overlay.getchannel("A").getbbox():
        raise ToolError("The picture to lay over is all clear: nothing of it would be seen.")
    if width:
        scale = 100 * width / image.width
    elif 0 < scale < 1:
        scale *= 100
    share = min(scale or _OVERLAY, 100.0) / 100
    factor = share * image.width / overlay.width
    # One that is taller than wide stays as modest as a wide one, unless a scale was asked for.
    tallest = image.height * (1.0 if scale else max(2 * share, 0.4))
    factor = min(factor, tallest / overlay.height)
    size = (max(1, round(overlay.width * factor)), max(1, round(overlay.height * factor)))
    small = resized(overlay, size)
    if 0 < strength < 100:
        clear = small.convert("RGBA")
        clear.putalpha(clear.getchannel("A").point(lambda value: round(value * strength / 100)))
        small = clear
    margin = 0 if share > 0.9 else round(_OVERLAY_MARGIN * min(image.size))
    result = image.copy() if image.mode != "L" or overlay.mode == "L" else image.convert("RGB")
    put(result, small, placed(image.size, small.size, place or "bottom right", margin))
    return result


def _expect_several(images: Sequence[PIL.Image.Image], purpose: str) -> None:
    if len(images) < 2:
        raise ToolError(
            f"There {'is only one picture' if images else 'are no pictures'} to {purpose}. "
            "Give two or more."
        )


def _expect_size(size: tuple[int, int]) -> None:
    if size[0] * size[1] > 1.5 * _MOST_PIXELS or max(size) > 1.5 * _LONGEST:
        raise ToolError(
            f"The picture would be {size[0]}x{size[1]} pixels, which is too large. Ask for a "
            "smaller size or gap, or use fewer pictures."
        )


def _columns(count: int, shape: float) -> int:
    """How many pictures in a row give a sheet of a pleasant shape with few places left empty."""

    def off(columns: int) -> float:
        rows = -(-count // columns)
        empty = rows * columns - count
        return abs(math.log(columns * shape / rows / _COLLAGE_SHAPE)) + 1.2 * empty / columns

    return min(range(1, count + 1), key=off)


def _collage_size(
    images: Sequence[PIL.Image.Image], grid: tuple[int, int], shape: float, gap: int, size: str
) -> tuple[tuple[int, int], int]:
    """The size of the whole and of its gaps."""
    widths = sorted(min(image.width, image.height * shape) for image in images)
    most = min(_COLLAGE_SIDE / grid[0], _COLLAGE_SIDE * shape / grid[1])
    wide = min(max(widths[len(widths) // 2], _SMALLEST_CELL), most)
    between = gap or max(2, round(_GAP * grid[0] * wide / 2))
    cells = (round(wide), max(1, round(wide / shape)))
    natural = tuple(
        count * cell + (count + 1) * between for count, cell in zip(grid, cells, strict=True)
    )
    if not size:
        whole = (natural[0], natural[1])
    else:
        try:
            whole = size_in_pixels(size, (natural[0], natural[1]))[:2]
        except ValueError as error:
            raise ToolError(f"{error} Say one such as 2000x1500 pixels.") from error
        between = gap or max(1, round(between * whole[0] / natural[0]))
    _expect_size(whole)
    return whole, between
