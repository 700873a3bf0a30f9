"""Faces with BlazeFace, on the CPU: in one look, or every face by many looks of it.

BlazeFace sees a picture at 256 pixels, which is enough for a portrait and not for a group. So it
looks at the picture whole, at overlapping tiles of it that get smaller and smaller, at a copy with
a wide rim for a face that fills it, and at turned copies for somebody who lies down. So many looks
also see faces in knots of wood and the eyes of butterflies; what is one is seen again, and as
surely, nearer and farther and mirrored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import PIL.Image
from PIL import ImageOps

from controlllm.resources import Box

from ...shared import networks
from ...shared.boxes import (
    area,
    centre,
    clipped,
    found_by,
    inside,
    moved,
    overlap,
    scaled,
    without_repeats,
)

SIDE = 256
NETWORK = networks.shipped("faces")


def _anchors() -> np.ndarray:
    """Where each of the 896 rows looks, x and y in pixels: two a cell of 16, six a cell of 32."""
    grids = []
    for cells, each in ((16, 2), (8, 6)):
        middles = (np.arange(cells) + 0.5) * SIDE / cells
        x, y = np.meshgrid(middles, middles)
        grids.append(np.repeat(np.stack([x.ravel(), y.ravel()], axis=1), each, axis=0))
    return np.concatenate(grids)


def find(image: PIL.Image.Image, threshold: float = 0.5) -> tuple[Box, ...]:
    """The faces in a picture, best score first, in pixels of `image`."""
    picture = image.convert("RGB")
    side = max(picture.size)
    square = PIL.Image.new("RGB", (side, side))
    square.paste(picture)
    frame = square.resize((SIDE, SIDE), PIL.Image.Resampling.BILINEAR)
    pixels = np.asarray(frame, np.float32)[None] / 127.5 - 1
    names = [f"Identity{suffix}:0" for suffix in ("", "_1", "_2", "_3")]
    near, far, near_places, far_places = networks.session(NETWORK).run(names, {"input:0": pixels})
    logits = np.concatenate([near[0], far[0]])[:, 0]
    places = np.concatenate([near_places[0], far_places[0]])[:, :4]
    scores = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    chosen = scores >= threshold
    middles = places[chosen, :2] + _anchors()[chosen]
    halves = places[chosen, 2:] / 2
    corners = np.concatenate([middles - halves, middles + halves], axis=1) * side / SIDE
    names = ["face"] * len(corners)
    return without_repeats(found_by(corners, names, scores[chosen], picture.size), 0.3)


#: What one look must be sure of, and what further looks at the place must be on the whole.
_LEAST, _LEAST_TURNED, _CONFIRMED = 0.6, 0.75, 0.7
#: How many times the face's side the further looks take in, and what they take as the same face.
_AROUND, _THE_SAME = (2.2, 3.4), 0.3
#: How much smaller the tiles of one size are than those of the size before, and how much of a tile
#: its neighbour shows too: a face smaller than that is whole in one of them.
_SMALLER, _SHARED = 1.6, 0.34
#: A tile has at least so many pixels a side: a face that is too small in it is nobody's any more.
_LEAST_TILE = 110
#: So many tiles are looked at in all, so that a very large picture takes seconds and no minutes.
_MOST_TILES = 260
_TURNS, _TURNED_TILES = (90, 180, 270, 35, -35), 14
#: The rim around the picture for a face that is larger than it, of its longer side.
_RIM = 0.35
#: How much two boxes have in common that are one face.
_SAME, _WITHIN = 0.25, 0.6


def find_all(image: PIL.Image.Image) -> tuple[Box, ...]:
    """All faces in a picture, surest first, in pixels of `image`; the score is the mean of several
    looks at each."""
    picture = image.convert("RGB")
    small, scale = _manageable(picture)
    seen = [
        *_with_rim(small),
        *(box for part in tiles(small.size) for box in _in_part(small, part)),
    ]
    found = _confirmed(small, seen, 0)
    for degrees in _TURNS:
        found += _confirmed(small, list(_turned(small, degrees)), degrees)
    return tuple(clipped(scaled(box, scale), picture.size) for box in merged(found))


def within(image: PIL.Image.Image, part: Box, least: float) -> tuple[Box, ...]:
    """The faces in a part of a picture that a nearer look is sure of to at least `least`."""
    picture = image.convert("RGB")
    corners = (int(part.left), int(part.top), int(part.right), int(part.bottom))
    found = _in_part(picture, corners, 0.6 * least)
    seen = [box for box in found if inside(box, part) > _WITHIN]
    sure = [replace(box, score=_looked_again(picture, box, 0)) for box in merged(seen)]
    return tuple(clipped(box, picture.size) for box in sure if box.score >= least)


def _confirmed(picture: PIL.Image.Image, boxes: Sequence[Box], degrees: float) -> list[Box]:
    """Those boxes, each once, that further looks are sure of too, with the mean as score."""
    looked = [replace(box, score=_looked_again(picture, box, degrees)) for box in merged(boxes)]
    return [box for box in looked if box.score >= _CONFIRMED]


def _looked_again(picture: PIL.Image.Image, box: Box, degrees: float) -> float:
    """How sure looks are of a face from nearer and farther, plain and mirrored, on the whole."""
    x, y = centre(box)
    side = max(box.right - box.left, box.bottom - box.top)
    scores = []
    for times in _AROUND:
        half = times * side / 2
        part = picture.crop((round(x - half), round(y - half), round(x + half), round(y + half)))
        if degrees:
            part = part.rotate(degrees, PIL.Image.Resampling.BILINEAR)
        low, high = half - side / 2, half + side / 2
        here = Box(low, low, high, high)
        for copy in (part, ImageOps.mirror(part)):
            seen = [face.score for face in find(copy, 0.1) if overlap(face, here) > _THE_SAME]
            scores.append(max(seen, default=0.0))
    return sum(scores) / len(scores)


def tiles(size: tuple[int, int]) -> Iterator[tuple[int, int, int, int]]:
    """Overlapping squares that cover a picture of `size`, the whole of it first, then smaller and
    smaller ones: left, top, right and bottom of each."""
    side, count = float(max(size)), 0
    while True:
        tile = min(round(side), max(size))
        places = [_starts(length, tile) for length in size]
        count += len(places[0]) * len(places[1])
        if count > _MOST_TILES:
            return
        for top in places[1]:
            for left in places[0]:
                yield left, top, left + tile, top + tile
        side /= _SMALLER
        if side < _LEAST_TILE:
            return


def merged(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """One box for each face out of those of all looks, best score first."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda item: -item.score):
        if not _is_among(box, kept):
            kept.append(box)
    return tuple(kept)


def _is_among(box: Box, others: Sequence[Box]) -> bool:
    return any(_same(box, other) for other in others)


def _same(one: Box, other: Box) -> bool:
    return overlap(one, other) > _SAME or max(inside(one, other), inside(other, one)) > _WITHIN


def _starts(length: int, tile: int) -> list[int]:
    """Where tiles begin along one side of a picture."""
    if tile >= length:
        return [0]
    count = int(np.ceil((length - tile) / (tile * (1 - _SHARED)))) + 1
    return [round(place) for place in np.linspace(0, length - tile, count)]


def _manageable(picture: PIL.Image.Image) -> tuple[PIL.Image.Image, float]:
    """The picture, or a copy in which the smallest tile is as small as the most tiles allow, and
    the factor that takes its pixels back."""
    smallest = min(right - left for left, _, right, _ in tiles(picture.size))
    scale = max(1.0, smallest / SIDE)
    if scale == 1.0:
        return picture, scale
    size = (round(picture.width / scale), round(picture.height / scale))
    return picture.resize(size, PIL.Image.Resampling.BOX), picture.width / size[0]


def _looked_at(picture: PIL.Image.Image, part: tuple[int, int, int, int]) -> PIL.Image.Image:
    """A part of a picture, no larger than the network sees it."""
    left, top, right, bottom = part
    scale = min(1.0, SIDE / max(right - left, bottom - top))
    size = (max(1, round(scale * (right - left))), max(1, round(scale * (bottom - top))))
    return picture.resize(size, PIL.Image.Resampling.BILINEAR, part, reducing_gap=2.0)


def _inside(part: tuple[int, int, int, int], size: tuple[int, int]) -> tuple[int, int, int, int]:
    left, top, right, bottom = part
    return left, top, min(right, size[0]), min(bottom, size[1])


def _in_part(
    picture: PIL.Image.Image, part: tuple[int, int, int, int], least: float = _LEAST
) -> Iterator[Box]:
    """The faces in a part of a picture."""
    part = _inside(part, picture.size)
    look = _looked_at(picture, part)
    for box in find(look, least):
        yield moved(scaled(box, (part[2] - part[0]) / look.width), *part[:2])


def _with_rim(picture: PIL.Image.Image) -> Iterator[Box]:
    """The faces in a copy with a rim, for one that is as large as the picture."""
    look = _looked_at(picture, (0, 0, *picture.size))
    rim = round(_RIM * max(look.size))
    wide = PIL.Image.new("RGB", (look.width + 2 * rim, look.height + 2 * rim), (127,) * 3)
    wide.paste(look, (rim, rim))
    for box in find(wide, _LEAST):
        yield scaled(moved(box, -rim, -rim), picture.width / look.width)


def _turned(picture: PIL.Image.Image, degrees: float) -> Iterator[Box]:
    """The faces in turned copies of a picture and of the largest tiles of it."""
    for part in islice(tiles(picture.size), _TURNED_TILES):
        part = _inside(part, picture.size)
        look = _looked_at(picture, part)
        turned = look.rotate(degrees, PIL.Image.Resampling.BILINEAR, expand=True)
        for box in find(turned, _LEAST_TURNED):
            upright = _turned_back(box, look.size, degrees)
            yield moved(scaled(upright, (part[2] - part[0]) / look.width), *part[:2])


def _turned_back(box: Box, size: tuple[int, int], degrees: float) -> Box:
    """A box of a copy that was turned by so many degrees, as one of the same size in what it was a
    copy of."""
    angle = np.radians(degrees)
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    width, height = size
    turned = (abs(width * cos) + abs(height * sin), abs(width * sin) + abs(height * cos))
    x, y = (place - whole / 2 for place, whole in zip(centre(box), turned, strict=True))
    middle = (cos * x - sin * y + width / 2, sin * x + cos * y + height / 2)
    half = float(np.sqrt(area(box))) / 2
    sides = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    return Box(*sides, box.label, box.score)
