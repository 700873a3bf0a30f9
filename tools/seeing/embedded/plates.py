"""Number plates: writing of the right shape in the right place of a vehicle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import PIL.Image

from controlllm.resources import Box

from ...shared.boxes import inside, moved, overlap
from . import text_reader

VEHICLES = frozenset({"car", "truck", "bus", "motorcycle"})
LABEL = "number plate"
#: From this score a box may be a vehicle: one too many costs a look.
_MAY_BE = 0.3
#: A vehicle smaller than this has no plate that anybody could read, in pixels.
_LEAST_SIDE = 48
#: How wide a plate is for its height, and how much of its vehicle it takes at most.
_WIDE, _OF_VEHICLE = (1.2, 8.0), (0.6, 0.3)
#: Above this share of a vehicle's height there are no plates, but roofs and signs.
_ABOVE = 0.25
#: Words without a digit are a maker's name or a slogan where they are read so surely.
_READ_SURELY = 0.85
_MOST_SIGNS = 10


def find(image: PIL.Image.Image, objects: Sequence[Box]) -> tuple[Box, ...]:
    """The plates of the vehicles among `objects`, in pixels of `image`; the score is how surely
    the plate was read, which says how surely it is one."""
    found: list[Box] = []
    for vehicle in objects:
        if vehicle.label in VEHICLES and vehicle.score >= _MAY_BE:
            found += [
                plate
                for plate in _of(image, vehicle)
                if all(overlap(plate, other) < 0.3 for other in found)
            ]
    return tuple(found)


def _of(image: PIL.Image.Image, vehicle: Box) -> Iterator[Box]:
    wide, tall = vehicle.right - vehicle.left, vehicle.bottom - vehicle.top
    if min(wide, tall) < _LEAST_SIDE:
        return
    left, top = max(0, int(vehicle.left - 0.05 * wide)), max(0, int(vehicle.top))
    right = min(image.width, round(vehicle.right + 0.05 * wide))
    bottom = min(image.height, round(vehicle.bottom + 0.08 * tall))
    for line in text_reader.read(image.crop((left, top, right, bottom)), 0.3).lines:
        box = moved(line, left, top)
        if _is_plate(box, vehicle):
            yield _with_frame(replace(box, label=LABEL))


def _is_plate(line: Box, vehicle: Box) -> bool:
    wide, tall = line.right - line.left, line.bottom - line.top
    if not _WIDE[0] <= wide / max(tall, 1.0) <= _WIDE[1] or inside(line, vehicle) < 0.5:
        return False
    whole_wide, whole_tall = vehicle.right - vehicle.left, vehicle.bottom - vehicle.top
    if wide > _OF_VEHICLE[0] * whole_wide or tall > _OF_VEHICLE[1] * whole_tall:
        return False
    if (line.top + line.bottom) / 2 < vehicle.top + _ABOVE * whole_tall:
        return False
    signs = re.sub(r"[\W_]", "", line.label)
    has_digit = any(sign.isdigit() for sign in signs)
    return 2 <= len(signs) <= _MOST_SIGNS and (has_digit or line.score < _READ_SURELY)


def _with_frame(line: Box) -> Box:
    """The writing with the rim of its plate, so that no end of a letter is left."""
    rim = 0.25 * (line.bottom - line.top)
    return replace(
        line,
        left=line.left - rim,
        top=line.top - rim,
        right=line.right + rim,
        bottom=line.bottom + rim,
    )
