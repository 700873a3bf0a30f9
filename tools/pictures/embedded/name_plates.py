"""Names written at objects, on plates that can be read on every ground."""

from __future__ import annotations

from collections.abc import Sequence

import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from controlllm.resources import Box

_SMOOTHING = 3
_PLATE = (18, 22, 30)
_INK = (255, 255, 255)
_SMALLEST_TEXT = 7

Area = tuple[float, float, float, float]


def write(image: PIL.Image.Image, boxes: Sequence[Box]) -> PIL.Image.Image:
    """An RGB copy of the picture with the label of each box on a plate beside its upper edge.

    A thin corner mark shows where the box begins. Plates do not cover each other where there is
    room.
    """
    shown = image.convert("RGB")
    unit = max(min(shown.size) / 100, 0.5)
    size = min(max(4.4 * unit, 12), 0.14 * shown.height + 4)
    taken: list[Area] = []
    for box in boxes:
        _corners(shown, box, unit)
    for box in sorted(boxes, key=lambda item: (item.right - item.left) * (item.bottom - item.top)):
        _plate(shown, box, size, taken)
    return shown


def _corners(image: PIL.Image.Image, box: Box, unit: float) -> None:
    """Short angles at the four corners: a light line with a dark one around it."""
    left, top = max(box.left, 0), max(box.top, 0)
    right, bottom = min(box.right, image.width) - 1, min(box.bottom, image.height) - 1
    arm = 0.18 * min(right - left, bottom - top)
    if arm < 2:
        return
    pen = PIL.ImageDraw.Draw(image)
    line = max(1, round(0.55 * unit))
    for width, colour in ((line + 2 * max(1, round(0.2 * unit)), _PLATE), (line, _INK)):
        for x, y, across, down in (
            (left, top, 1, 1),
            (right, top, -1, 1),
            (left, bottom, 1, -1),
            (right, bottom, -1, -1),
        ):
            angle = [(x + across * arm, y), (x, y), (x, y + down * arm)]
            pen.line(angle, fill=colour, width=width, joint="curve")


def _plate(image: PIL.Image.Image, box: Box, size: float, taken: list[Area]) -> None:
    text = " ".join(box.label.split()) or "object"
    font, wide, tall = _fitting(text, size, image.width)
    if wide > image.width or tall > image.height:
        return
    place = _place(image, box, wide, tall, taken)
    taken.append((place[0], place[1], place[0] + wide, place[1] + tall))
    layer = PIL.Image.new("RGBA", (wide * _SMOOTHING, tall * _SMOOTHING), (*_PLATE, 0))
    pen = PIL.ImageDraw.Draw(layer)
    pen.rounded_rectangle(
        (0, 0, layer.width - 1, layer.height - 1),
        0.28 * layer.height,
        fill=(*_PLATE, 235),
        outline=(*_INK, 255),
        width=max(2, round(0.06 * layer.height)),
    )
    layer = layer.resize((wide, tall), PIL.Image.Resampling.BOX)
    image.paste(layer, place, layer)
    PIL.ImageDraw.Draw(image).text(
        (place[0] + wide / 2, place[1] + tall / 2), text, font=font, fill=_INK, anchor="mm"
    )


def _fitting(
    text: str, size: float, width: int
) -> tuple[PIL.ImageFont.FreeTypeFont | PIL.ImageFont.ImageFont, int, int]:
    """A font in which the text fits the picture's width, and the size of its plate."""
    while True:
        font = PIL.ImageFont.load_default(size)
        left, _, right, _ = font.getbbox(text)
        wide, tall = round(right - left + 0.9 * size) + 1, round(1.55 * size) + 1
        if wide <= width or size <= _SMALLEST_TEXT:
            return font, wide, tall
        size *= 0.85


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
