"""Which parts of a picture deserve a look of their own, and the boxes of all looks made one list.

The detectors see a picture at some 450 pixels, pressed into a square. What is on a panorama is
pressed out of shape by that, and what is small on a large picture or in a crowd is a dot to them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.resources import Box

from ...shared.boxes import area, around, distance, inside, overlap

#: Left, top, right and bottom of a part in pixels.
Part = tuple[int, int, int, int]
#: A picture is looked at in so many parts at most; each takes half a second on one core.
MOST = 12
#: A picture with sides that differ so much is looked at in parts along the longer.
_NARROW = 2.0
#: Below this, parts would show nothing that the whole does not.
_SHORTEST, _LONGEST = 64, 700
#: A picture so large is looked at in parts where the whole shows nothing large for sure.
_LARGE = 1600
_SURE, _LARGE_SHARE = 0.4, 0.1
#: So many things, each less than such a share of the picture, are a crowd.
_CROWD, _SMALL_SHARE = 6, 0.04
#: The side of a part and what two parts share, in sides of a thing in a crowd.
_SIDE, _SHARED = 4.5, 1.6
#: Doubtful boxes of a part are more often wrong than those of the whole.
_LEAST = 0.3
#: What comes so near to the side of a part, in its width or height, goes on beyond it.
_NEAR = 0.015
_SAME, _PART = 0.45, 0.6


@dataclass(frozen=True)
class _Piece:
    """A box in a part of the picture, and the sides on which the part's own side cuts it."""

    box: Box
    cut: frozenset[str]


def parts(size: tuple[int, int], seen: Sequence[Box]) -> tuple[Part, ...]:
    """The parts of a picture of a size (width, height) to look at beside the whole of it.

    `seen` is what the whole showed, doubtful things included.
    """
    shorter, longer = sorted(size)
    if shorter < _SHORTEST:
        return ()
    if longer >= _NARROW * shorter:
        return _grid(size, 2.0 * shorter, 1.2 * shorter)
    if longer < _LONGEST:
        return ()
    whole = size[0] * size[1]
    large = any(box.score >= _SURE and area(box) >= _LARGE_SHARE * whole for box in seen)
    small = [box for box in seen if area(box) < _SMALL_SHARE * whole]
    # What lies about a large thing is clutter, unless it is many of a kind.
    kinds = Counter(box.label for box in small)
    if (max(kinds.values(), default=0) if large else len(small)) >= _CROWD:
        side = float(np.median([math.sqrt(area(box)) for box in small]))
        return _grid(size, max(_SIDE * side, longer / 5), _SHARED * side)
    return () if longer < _LARGE or large else _grid(size, longer / 2.2, longer / 8)


def _grid(size: tuple[int, int], side: float, shared: float) -> tuple[Part, ...]:
    """Squares of a side that share so much, larger where they would be too many."""
    while True:
        across, down = (_starts(length, side, shared) for length in size)
        if len(across) * len(down) <= MOST:
            break
        side, shared = side * 1.1, shared * 1.1
    if len(across) * len(down) == 1:
        return ()
    return tuple(
        (left, top, min(left + math.ceil(side), size[0]), min(top + math.ceil(side), size[1]))
        for top in down
        for left in across
    )


def _starts(length: int, side: float, shared: float) -> list[int]:
    """Where the parts along one side of the picture begin, evenly apart."""
    if side >= length:
        return [0]
    count = math.ceil((length - side) / (side - shared)) + 1
    return [int(start) for start in np.linspace(0, length - side, count)]


def merged(
    whole: Sequence[Box],
    looks: Sequence[tuple[Part, Sequence[Box]]],
    size: tuple[int, int],
) -> tuple[Box, ...]:
    """The boxes of the whole picture and those of its parts, each thing once, best score first.

    All are in pixels of the picture. A part knows better what is small; what is larger than a part
    is known by the whole, and what the side of a part cuts is kept where nothing shows more of it.
    """
    close = [piece for part, boxes in looks for piece in _in_part(part, boxes, size)]
    kept: list[Box] = []
    for piece in sorted(close, key=lambda piece: -piece.box.score):
        if not piece.cut and not any(_is_same(piece.box, other) for other in kept):
            kept.append(piece.box)
    loose = [piece for piece in close if piece.cut and _covered(piece.box, kept) <= _PART]
    for box in sorted(_joined(loose), key=lambda box: -area(box) * box.score):
        if _covered(box, kept) <= _PART:
            kept.append(box)
    largest = max((right - left) * (bottom - top) for (left, top, right, bottom), _ in looks)
    for box in whole:
        if area(box) > 0.5 * largest:
            kept = _with_large(box, kept)
        elif _covered(box, kept) <= _PART and all(overlap(box, one) < _SAME for one in kept):
            kept.append(box)
    return tuple(sorted(kept, key=lambda box: -box.score))


def _in_part(part: Part, boxes: Sequence[Box], size: tuple[int, int]) -> Iterator[_Piece]:
    left, top, right, bottom = part
    across, down = _NEAR * (right - left), _NEAR * (bottom - top)
    for box in boxes:
        ends = {
            "left": left > 0 and box.left < left + across,
            "top": top > 0 and box.top < top + down,
            "right": right < size[0] and box.right > right - across,
            "bottom": bottom < size[1] and box.bottom > bottom - down,
        }
        if box.score >= _LEAST:
            yield _Piece(box, frozenset(side for side, is_cut in ends.items() if is_cut))


def _is_same(box: Box, kept: Box) -> bool:
    """Whether a box shows again what a surer one shows already."""
    limit = _SAME if box.label == kept.label else 0.6
    return overlap(box, kept) >= limit


def _covered(box: Box, others: Sequence[Box]) -> float:
    """How much of a box others cover, whatever they are called: a piece has often another name."""
    return sum(inside(box, other) for other in others)


def _joined(pieces: Sequence[_Piece]) -> list[Box]:
    """Pieces of one thing that neighbouring parts saw, as one box; the others as they are."""
    left = list(pieces)
    found: list[Box] = []
    while left:
        piece = left.pop()
        other = next((other for other in left if _belong(piece, other)), None)
        if other is None:
            found.append(piece.box)
            continue
        left.remove(other)
        open_sides = (piece.cut | other.cut) - _between(piece, other)
        left.append(_Piece(_one_of(piece.box, other.box), open_sides))
    return found


def _between(one: _Piece, other: _Piece) -> frozenset[str]:
    """The two sides at which pieces face each other, cut; none where they do not."""
    for first, second in (("left", "right"), ("top", "bottom")):
        for here, there in ((one, other), (other, one)):
            if first in here.cut and second in there.cut:
                return frozenset({first, second})
    return frozenset()


def _belong(one: _Piece, other: _Piece) -> bool:
    """Whether two pieces are one thing: they face each other, touch, and are as tall (as wide)."""
    facing = _between(one, other)
    if one.box.label != other.box.label or not facing or distance(one.box, other.box) > 0:
        return False
    low, high = ("top", "bottom") if "left" in facing else ("left", "right")
    spans = [(getattr(piece.box, low), getattr(piece.box, high)) for piece in (one, other)]
    shared = min(end for _, end in spans) - max(start for start, _ in spans)
    return shared > 0.6 * max(end - start for start, end in spans)


def _one_of(box: Box, other: Box) -> Box:
    surer, doubted = (other, box) if other.score > box.score else (box, other)
    return around(surer, doubted)


def _with_large(box: Box, kept: list[Box]) -> list[Box]:
    """The boxes with one that is too large for a part, of which parts may have seen pieces."""
    pieces = [one for one in kept if one.label == box.label and inside(one, box) > 0.8]
    if not pieces:
        return [*kept, box]
    if len(pieces) == 1 and box.score >= _SURE:
        return [*(one for one in kept if one not in pieces), box]
    return kept
