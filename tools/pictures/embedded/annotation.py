"""Drawing on pictures so that it can be read on small and large ones: frames, names on plates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFilter
import PIL.ImageFont

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
    """The picture dimmed but for what is in the boxes, each with a rounded frame and its label."""
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

    A thin corner mark shows where the box begins. Plates do not cover each other where there is
    room.
    """
    shown = image.convert("RGB")
    unit = max(min(shown.size) / 100, 0.5)
    for box in boxes:
        _corner_marks(shown, box, unit)
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
    """A smooth rounded frame with a thin dark rim, drawn larger and scaled down."""
    line = max(1.0, 0.6 * unit)
    left, top, right, bottom = _corners(box, image)
    reach = int(line) + 2
    area = (
        max(int(left) - reach, 0),
        max(int(top) - reach, 0),
        min(int(right) + reach + 1, image.width),
        min(int(bottom) + reach + 1, image.height),
    )
    inner = (
        max(left, line / 2) - area[0],
        max(top, line / 2) - area[1],
        min(right, image.width - line / 2) - area[0],
        min(bottom, image.height - line / 2) - area[1],
    )
    if inner[2] <= inner[0] or inner[3] <= inner[1]:
        return
    size = (area[2] - area[0], area[3] - area[1])
    # Very large frames are smooth enough without drawing them larger still.
    times = _SMOOTHING if max(size) < 2500 else 1
    for width, shade, opacity in (
        (line + max(1, 0.25 * unit), (0, 0, 0), 110),
        (line, colour, 255),
    ):
        layer = PIL.Image.new("L", (size[0] * times, size[1] * times), 0)
        grow = (-width / 2, -width / 2, width / 2, width / 2)
        outer = [(side + more) * times for side, more in zip(inner, grow, strict=True)]
        radius = (1.2 * unit + width / 2) * times
        PIL.ImageDraw.Draw(layer).rounded_rectangle(
            outer, radius, outline=opacity, width=max(round(width * times), 1)
        )
        layer = layer.resize(size, PIL.Image.Resampling.BOX)
        image.paste(PIL.Image.new("RGB", size, shade), area[:2], layer)


def _corner_marks(image: PIL.Image.Image, box: Box, unit: float) -> None:
    """Short angles at the four corners: a light line with a dark one around it."""
    left, top, right, bottom = _corners(box, image)
    right, bottom = right - 1, bottom - 1
    arm = 0.18 * min(right - left, bottom - top)
    if arm < 2:
        return
    pen = PIL.ImageDraw.Draw(image)
    line = max(1, round(0.55 * unit))
    for width, colour in ((line + 2 * max(1, round(0.2 * unit)), _DARK), (line, _WHITE)):
        for x, across in ((left, arm), (right, -arm)):
            for y, down in ((top, arm), (bottom, -arm)):
                angle = [(x + across, y), (x, y), (x, y + down)]
                pen.line(angle, fill=colour, width=width, joint="curve")


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
