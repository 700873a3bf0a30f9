"""Geometry of boxes: areas, overlaps, repeats, and several looks at one picture made into one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from controlllm.resources import Box

_SIDES = ("left", "top", "right", "bottom")


def labelled(corners: Iterable[float], label: str, score: float) -> Box:
    """A box from left, top, right and bottom, which may be numpy numbers."""
    left, top, right, bottom = (float(side) for side in corners)
    return Box(left, top, right, bottom, label, float(score))


def clipped(box: Box, size: tuple[int, int]) -> Box:
    """What of a box lies in a picture of `size` (width, height)."""
    width, height = size
    return replace(
        box,
        left=min(max(box.left, 0.0), width),
        top=min(max(box.top, 0.0), height),
        right=min(max(box.right, 0.0), width),
        bottom=min(max(box.bottom, 0.0), height),
    )


def found_by(
    corners: np.ndarray, labels: Iterable[str], scores: np.ndarray, size: tuple[int, int]
) -> list[Box]:
    """The boxes of a detector in a picture of `size`, without what is less than a pixel wide.

    `corners` holds a row of left, top, right and bottom in pixels for each box.
    """
    boxes = [
        clipped(labelled(corner, label, score), size)
        for corner, label, score in zip(corners, labels, scores, strict=True)
    ]
    return [box for box in boxes if min(box.right - box.left, box.bottom - box.top) >= 1]


def scaled(box: Box, across: float, down: float | None = None) -> Box:
    """The box in the picture made larger by a factor, or by one across and another down."""
    factors = (across, across if down is None else down) * 2
    sides = {side: getattr(box, side) * by for side, by in zip(_SIDES, factors, strict=True)}
    return replace(box, **sides)


def moved(box: Box, across: float, down: float) -> Box:
    """The box so many pixels further right and further down."""
    return replace(
        box,
        left=box.left + across,
        top=box.top + down,
        right=box.right + across,
        bottom=box.bottom + down,
    )


def around(box: Box, other: Box) -> Box:
    """A box with so much more of the picture that it holds another one as well."""
    return replace(
        box,
        left=min(box.left, other.left),
        top=min(box.top, other.top),
        right=max(box.right, other.right),
        bottom=max(box.bottom, other.bottom),
    )


def area(box: Box) -> float:
    """The area of a box in square pixels."""
    return max(box.right - box.left, 0.0) * max(box.bottom - box.top, 0.0)


def shared_area(one: Box, other: Box) -> float:
    """The area that two boxes have in common, in square pixels."""
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(width, 0.0) * max(height, 0.0)


def overlap(one: Box, other: Box) -> float:
    """Intersection over union of two boxes, 0..1."""
    shared = shared_area(one, other)
    return shared / (area(one) + area(other) - shared) if shared else 0.0


def inside(one: Box, other: Box) -> float:
    """How much of `one` lies in `other`, 0..1."""
    return shared_area(one, other) / area(one) if area(one) else 0.0


def centre(box: Box) -> tuple[float, float]:
    """The middle of a box, x and y in pixels."""
    return (box.left + box.right) / 2, (box.top + box.bottom) / 2


def distance(one: Box, other: Box) -> float:
    """The gap between two boxes in pixels, across and down; 0 where they touch or overlap."""
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    return max(across, 0.0) + max(down, 0.0)


def widened(box: Box, share: float) -> Box:
    """The box with so much more on each side, as a share of its width and height."""
    wide, high = share * (box.right - box.left), share * (box.bottom - box.top)
    return replace(
        box,
        left=box.left - wide,
        top=box.top - high,
        right=box.right + wide,
        bottom=box.bottom + high,
    )


def pixels_in(box: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Rows and columns of a box in a picture of a shape (height, width): at least one of each."""
    spans = []
    for low, high, size in ((box.top, box.bottom, shape[0]), (box.left, box.right, shape[1])):
        start = min(max(int(low), 0), size - 1)
        spans.append(slice(start, max(min(math.ceil(high), size), start + 1)))
    return spans[0], spans[1]


def mirrored(box: Box, width: float) -> Box:
    """The box in the picture turned left to right."""
    return replace(box, left=width - box.right, right=width - box.left)


def without_repeats(boxes: Iterable[Box], limit: float = 0.5) -> tuple[Box, ...]:
    """Non-maximum suppression within each class, best score first."""
    kept: list[Box] = []
    for box in sorted(boxes, key=lambda item: -item.score):
        if all(other.label != box.label or overlap(box, other) < limit for other in kept):
            kept.append(box)
    return tuple(kept)


def without_parts(boxes: Iterable[Box], most: float = 0.8) -> tuple[Box, ...]:
    """Keep either an object or its parts: of a dog and half of it the dog, of a heap its pieces.

    A box that lies in a larger one of its class which is about as sure is a part of it; a box
    with three parts or more is a heap. People stand before each other so often that only a box of
    nearly the same size counts as a part.
    """
    kept = list(boxes)
    for outer in sorted(kept, key=area, reverse=True):
        least = (0.5 if outer.label == "person" else 0.0) * area(outer)
        parts = [
            box
            for box in kept
            if box.label == outer.label
            and least < area(box) < area(outer)
            and inside(box, outer) > most
            and outer.score > 0.7 * box.score
        ]
        pieces = [box for box in parts if box.score > 0.6 * outer.score]
        if len(pieces) >= 3 and outer in kept:
            kept.remove(outer)
        elif outer in kept:
            kept = [box for box in kept if box not in parts]
    return tuple(kept)


def fuse(looks: Sequence[tuple[Sequence[Box], float]], limit: float = 0.55) -> tuple[Box, ...]:
    """Make one list of the boxes that several detectors found in the same picture.

    `looks` holds each detector's boxes (repeats removed) and how far to trust it, weights that
    add up to 1. Boxes of one class that overlap by `limit` or more are averaged, weighted by
    score; a box that not every look has is worth less, as in weighted boxes fusion
    (Solovyev et al., 2021), but never less than two thirds of the best look's score.
    """
    groups: list[list[tuple[Box, float]]] = []
    for boxes, weight in looks:
        for box in sorted(boxes, key=lambda item: -item.score):
            fitting = [
                (overlap(box, group[0][0]), group)
                for group in groups
                if group[0][0].label == box.label
            ]
            best = max(fitting, key=lambda item: item[0], default=(0.0, None))
            if best[1] is not None and best[0] >= limit:
                best[1].append((box, weight))
            else:
                groups.append([(box, weight)])
    fused = []
    for group in groups:
        total = sum(box.score * weight for box, weight in group)
        top = max(box.score for box, _ in group)
        sides = {
            side: sum(getattr(box, side) * box.score * weight for box, weight in group) / total
            for side in _SIDES
        }
        fused.append(Box(**sides, label=group[0][0].label, score=max(total, top * 2 / 3)))
    return without_repeats(fused, limit)
