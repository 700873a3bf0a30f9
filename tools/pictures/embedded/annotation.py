"""Drawing on pictures so that it can be read on small and on large ones."""

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
_SMOOTHING = 3


def highlight(image: PIL.Image.Image, boxes: Sequence[Box]) -> PIL.Image.Image:
    """The picture dimmed but for what is in the boxes, each with a rounded frame and its label."""
    width, height = image.size
    unit = max(min(width, height) / 100, 0.5)
    lit = _rounded([(_corners(box, image), 1.2 * unit) for box in boxes], image.size)
    lit = lit.filter(PIL.ImageFilter.GaussianBlur(0.5 * unit))
    dark = PIL.Image.blend(image, PIL.Image.new("RGB", image.size, (10, 14, 24)), 0.5)
    shown = PIL.Image.composite(image, dark, lit)
    kinds = list(dict.fromkeys(box.label for box in boxes))
    taken: list[tuple[float, float, float, float]] = []
    order = sorted(boxes, key=lambda box: -(box.right - box.left) * (box.bottom - box.top))
    for index, box in enumerate(order):
        place = kinds.index(box.label) if len(kinds) > 1 else index
        _frame(shown, box, COLOURS[place % len(COLOURS)], unit)
    for index, box in enumerate(order):
        place = kinds.index(box.label) if len(kinds) > 1 else index
        if box.label:
            _caption(shown, box, COLOURS[place % len(COLOURS)], unit, taken)
    return shown


def _corners(box: Box, image: PIL.Image.Image) -> tuple[float, float, float, float]:
    left, right = (min(max(side, 0), image.width) for side in (box.left, box.right))
    top, bottom = (min(max(side, 0), image.height) for side in (box.top, box.bottom))
    return left, top, right, bottom


def _rounded(
    shapes: Sequence[tuple[tuple[float, float, float, float], float]], size: tuple[int, int]
) -> PIL.Image.Image:
    mask = PIL.Image.new("L", size, 0)
    pen = PIL.ImageDraw.Draw(mask)
    for (left, top, right, bottom), radius in shapes:
        if right - left >= 1 and bottom - top >= 1:
            pen.rounded_rectangle((left, top, right - 1, bottom - 1), radius, fill=255)
    return mask


def _frame(image: PIL.Image.Image, box: Box, colour: tuple[int, int, int], unit: float) -> None:
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
    size = (area[2] - area[0], area[3] - area[1])
    if min(size) < 1:
        return
    # Very large frames are smooth enough without drawing them larger still.
    times = _SMOOTHING if max(size) < 2500 else 1
    for width, shade, opacity in (
        (line + max(1, 0.25 * unit), (0, 0, 0), 110),
        (line, colour, 255),
    ):
        layer = PIL.Image.new("L", (size[0] * times, size[1] * times), 0)
        edge = line / 2
        corners = [
            (side - offset) * times
            for side, offset in (
                (min(max(left, edge), image.width), area[0]),
                (min(max(top, edge), image.height), area[1]),
                (min(right, image.width - edge), area[0]),
                (min(bottom, image.height - edge), area[1]),
            )
        ]
        if corners[2] <= corners[0] or corners[3] <= corners[1]:
            return
        grow = width / 2 * times
        outer = [corners[0] - grow, corners[1] - grow, corners[2] + grow, corners[3] + grow]
        PIL.ImageDraw.Draw(layer).rounded_rectangle(
            outer, 1.2 * unit * times + grow, outline=opacity, width=max(round(width * times), 1)
        )
        layer = layer.resize(size, PIL.Image.Resampling.BOX)
        image.paste(PIL.Image.new("RGB", size, shade), area[:2], layer)


def _caption(
    image: PIL.Image.Image,
    box: Box,
    colour: tuple[int, int, int],
    unit: float,
    taken: list[tuple[float, float, float, float]],
) -> None:
    """The label on a rounded plate above the box, inside it where there is no room."""
    size = min(max(4.2 * unit, 11), 0.12 * image.height)
    text = box.label
    if size < 8:  # a caption would hide what it names
        return
    font = PIL.ImageFont.load_default(size)
    pen = PIL.ImageDraw.Draw(image)
    pad = 0.35 * size
    ink_left, _, ink_right, _ = pen.textbbox((0, 0), text, font=font)
    while ink_right - ink_left + 2 * pad > image.width and size > 6:
        size *= 0.85
        pad = 0.35 * size
        font = PIL.ImageFont.load_default(size)
        ink_left, _, ink_right, _ = pen.textbbox((0, 0), text, font=font)
    assert isinstance(font, PIL.ImageFont.FreeTypeFont)  # a size was given
    ascent, descent = font.getmetrics()
    width, height = ink_right - ink_left + 2 * pad, ascent + descent + 0.6 * pad
    if width > image.width:
        return
    left, top, _, bottom = _corners(box, image)
    left = min(max(left, 0), image.width - width)
    gap = 0.6 * unit
    choices = [top - height - gap, top + gap, bottom - height - gap, bottom + gap]
    choices = [min(max(choice, 0), image.height - height) for choice in choices]
    free = [
        choice
        for number, choice in enumerate(choices)
        if (number or top - height - gap >= 0)
        and not any(
            left < other[2]
            and other[0] < left + width
            and choice < other[3]
            and other[1] < choice + height
            for other in taken
        )
    ]
    at = free[0] if free else choices[1]
    taken.append((left, at, left + width, at + height))
    plate = _rounded(
        [((0, 0, width * 3, height * 3), 0.35 * height * 3)],
        (max(round(width * 3), 1), max(round(height * 3), 1)),
    )
    plate = plate.resize((max(round(width), 1), max(round(height), 1)), PIL.Image.Resampling.BOX)
    spot = (round(left), round(at))
    image.paste(PIL.Image.new("RGB", plate.size, colour), spot, plate)
    light = np.dot(colour, (0.299, 0.587, 0.114))
    ink = (20, 20, 20) if light > 140 else (255, 255, 255)
    pen.text((spot[0] + pad - ink_left, spot[1] + 0.3 * pad), text, font=font, fill=ink)
