"""Drawing on pictures: frames, names on plates that can be read on small and large ones, emoji."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import PIL.ImageFont

from controlllm.layout import ASSETS
from controlllm.resources import Box

#: Colours that are told apart with the usual kinds of colour blindness (Okabe and Ito, 2008).
COLOURS = ((255, 176, 0), (86, 180, 233), (0, 190, 140), (240, 90, 60), (204, 121, 167))
_DARK = (18, 22, 30)
_WHITE = (255, 255, 255)
_SMOOTHING = 3
_SMALLEST_TEXT = 7

Colour = tuple[int, int, int]
Area = tuple[float, float, float, float]


def highlight(image: PIL.Image.Image, boxes: Sequence[Box]) -> PIL.Image.Image:
    """The picture dimmed but for what is in the boxes, each with a frame and its label."""
    unit = max(min(image.size) / 100, 0.5)
    lit = PIL.Image.new("L", image.size, 0)
    pen = PIL.ImageDraw.Draw(lit)
    for box in boxes:
        left, top, right, bottom = _corners(box, image)
        if right - left >= 1 and bottom - top >= 1:
            pen.rounded_rectangle((left, top, right - 1, bottom - 1), 1.2 * unit, fill=255)
    lit = lit.filter(PIL.ImageFilter.GaussianBlur(0.5 * unit))
    dark = PIL.Image.blend(image, PIL.Image.new("RGB", image.size, (10, 14, 24)), 0.5)
    shown = PIL.Image.composite(image, dark, lit)
    kinds = list(dict.fromkeys(box.label for box in boxes))
    order = sorted(boxes, key=lambda box: -(box.right - box.left) * (box.bottom - box.top))
    coloured = [
        (box, COLOURS[(kinds.index(box.label) if len(kinds) > 1 else index) % len(COLOURS)])
        for index, box in enumerate(order)
    ]
    for box, colour in coloured:
        _frame(shown, box, colour, unit)
    taken: list[Area] = []
    size = min(max(4.2 * unit, 11), 0.12 * image.height)
    for box, colour in coloured:
        if box.label and size >= 8:  # a smaller caption would hide what it names
            _plate(shown, box, box.label, size, colour, taken)
    return shown


def name_tags(image: PIL.Image.Image, boxes: Sequence[Box]) -> PIL.Image.Image:
    """An RGB copy of the picture with the label of each box on a plate beside its upper edge.

    A thin frame shows where the box is. Plates do not cover each other where there is
    room.
    """
    shown = image.convert("RGB")
    unit = max(min(shown.size) / 100, 0.5)
    for box in boxes:
        _frame(shown, box, _WHITE, 0.6 * unit)
    taken: list[Area] = []
    size = min(max(4.4 * unit, 12), 0.14 * shown.height + 4)
    for box in sorted(boxes, key=lambda item: (item.right - item.left) * (item.bottom - item.top)):
        _plate(shown, box, " ".join(box.label.split()) or "object", size, _DARK, taken)
    return shown


def _corners(box: Box, image: PIL.Image.Image) -> Area:
    left, right = (min(max(side, 0), image.width) for side in (box.left, box.right))
    top, bottom = (min(max(side, 0), image.height) for side in (box.top, box.bottom))
    return left, top, right, bottom


def _frame(image: PIL.Image.Image, box: Box, colour: Colour, unit: float) -> None:
    """A frame with a thin dark rim on both sides, within the box."""
    left, top, right, bottom = _corners(box, image)
    line, rim = max(1, round(0.6 * unit)), max(1, round(0.15 * unit))
    pen = PIL.ImageDraw.Draw(image)
    for inset, width, shade in ((0, line + 2 * rim, _DARK), (rim, line, colour)):
        inner = (left + inset, top + inset, right - 1 - inset, bottom - 1 - inset)
        if inner[2] > inner[0] and inner[3] > inner[1]:
            pen.rectangle(inner, outline=shade, width=width)


def _plate(
    image: PIL.Image.Image, box: Box, text: str, size: float, colour: Colour, taken: list[Area]
) -> None:
    """Text on a rounded plate of a colour, beside a box; no plate where it has no room."""
    while True:
        font = PIL.ImageFont.load_default(size)
        left, _, right, _ = font.getbbox(text)
        wide, tall = round(right - left + 0.9 * size) + 1, round(1.55 * size) + 1
        if wide <= image.width or size <= _SMALLEST_TEXT:
            break
        size *= 0.85
    if wide > image.width or tall > image.height:
        return
    ink = _DARK if np.dot(colour, (0.299, 0.587, 0.114)) > 140 else _WHITE
    place = _place(image, box, wide, tall, taken)
    taken.append((place[0], place[1], place[0] + wide, place[1] + tall))
    layer = PIL.Image.new("RGBA", (wide * _SMOOTHING, tall * _SMOOTHING), (*colour, 0))
    PIL.ImageDraw.Draw(layer).rounded_rectangle(
        (0, 0, layer.width - 1, layer.height - 1),
        0.28 * layer.height,
        fill=(*colour, 240),
        outline=ink,
        width=max(2, round(0.06 * layer.height)),
    )
    layer = layer.resize((wide, tall), PIL.Image.Resampling.BOX)
    image.paste(layer, place, layer)
    middle = (place[0] + wide / 2, place[1] + tall / 2)
    PIL.ImageDraw.Draw(image).text(middle, text, font=font, fill=ink, anchor="mm")


def _place(
    image: PIL.Image.Image, box: Box, wide: int, tall: int, taken: Sequence[Area]
) -> tuple[int, int]:
    """Above the box, inside its top, at its bottom, or below: the first that is free."""
    room = (image.width - wide, image.height - tall)
    lefts = (box.left, (box.left + box.right - wide) / 2, box.right - wide)
    tops = (box.top - tall - 2, box.top + 2, box.bottom - tall - 2, box.bottom + 2)
    choices = [(left, top) for top in tops for left in lefts if 0 <= top <= room[1]]
    choices += [(lefts[0], box.top + step * (tall + 2)) for step in range(1, 12)]
    fitted = [
        (round(min(max(left, 0), room[0])), round(min(max(top, 0), room[1])))
        for left, top in choices
    ]
    for left, top in fitted:
        if not any(
            left < other[2] and other[0] < left + wide and top < other[3] and other[1] < top + tall
            for other in taken
        ):
            return left, top
    return fitted[0]


_PICTURES = ASSETS / "emoji"

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: The kinds with the words that ask for each.
_EMOJI: Mapping[str, str] = _TOLD["kinds"]
EMOJI = tuple(_EMOJI)
_WANTED = re.compile(
    r"\b([a-z]+)[ -]+(?:face[ -]+)?(?:emoji|emoticon|symbol|sticker)s?\b|"
    r"\b(?:emoji|emoticon|symbol|sticker)s? of (?:an? |the )?([a-z]+)|"
    r"^(?:an? |the )?([a-z]+)$"
)
_ANY = frozenset(_TOLD["any"]["words"].split())


def emoji_of(words: str) -> str | None:
    """The kind of emoji that words ask for: "smiley" where any will do, None for one unknown."""
    lowered = words.lower().strip(" .!?")
    wanted = [word for found in _WANTED.findall(lowered) for word in found if word]
    for part in [*wanted, lowered]:
        for kind, pattern in _EMOJI.items():
            if re.search(pattern, part):
                # "a smiley on the cat's face": the word beside "emoji" is what counts.
                return kind
        if part in wanted and part not in _ANY:
            return None
    return "smiley"


def emoji(kind: str, side: int) -> PIL.Image.Image:
    """An emoji of one of `EMOJI`, RGBA, side x side pixels."""
    with PIL.Image.open(_PICTURES / f"{kind.replace(' ', '-')}.webp") as picture:
        # Premultiplied scaling: what is clear must not darken the rim.
        scaled = picture.convert("RGBa").resize((side, side), PIL.Image.Resampling.LANCZOS)
    return scaled.convert("RGBA")
