"""The thing that clicks, brush strokes, a rough mask or a hand-drawn box mean.

For clicks and strokes a detected object is looked for first, then what stands out in cut-outs of
the picture around the marks, from all of it down to a quarter, and where nothing does the area of
one colour. A rough mask is right in its heart and wrong along its rim, so the heart is taken for
certain, and in a band along the rim the outline of what its box holds decides, or colours where
they tell something else altogether. Brush strokes are thin: they lie on the object, which reaches
further in all directions. A mask that fills a rectangle is a box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from controlllm.resources import Box, ClickedPoint

from ...seeing.embedded import salience
from ...shared import boxes
from ...shared.pixels import bounds
from . import colour_areas, outlines

#: Marks mean a thing that covers this much of them; its box holds about all of them.
_COVERED, _HELD, _MOST_TRIED = 0.8, 0.95, 3
#: Sides of the cut-outs, in parts of the picture's longer side, and how much of them a thing takes.
_SIDES, _MOST_FILLED, _LEAST_FILLED = (0.28, 0.4, 0.55, 0.75, 1.0, 2.0), 0.7, 0.02
#: A thing that runs over the rim of a cut-out, by this share of it, is only a part of one.
_MOST_CUT = 0.03
_STANDS_OUT = 0.4
#: What stays of a mark that nothing was found for, in parts of the picture's longer side.
_REACH = 0.06
#: Colours that leave less of a thing cannot tell it from what is around.
_LEAST_LEFT = 0.3

#: The pixels of a detected object.
Outline = Callable[[Box], np.ndarray]


def under_clicks(
    picture: np.ndarray,
    points: Sequence[ClickedPoint],
    seen: Sequence[Box],
    progress: Callable[[float, str], None] = lambda fraction, words: None,
    outline: Outline | None = None,
) -> tuple[np.ndarray, str]:
    """The things that were clicked on, without what was clicked away: pixels as of `under`, a name.

    At least one click is positive, and all lie in the picture.
    """
    on, off = (
        [around(point, picture) for point in points if point.positive is positive]
        for positive in (True, False)
    )
    front, back = (np.any([*clicks, np.zeros_like(on[0])], axis=0) for clicks in (on, off))
    front, back = front & ~back, back & ~front
    pixels = np.zeros_like(front)
    names = set()
    for index, click in enumerate(on):
        if (pixels & click).any():
            continue
        progress(0.2 + 0.5 * index / len(on), "Following the object's outline")
        found, name = under(picture, click, back, seen, outline)
        if not (pixels & found).any():
            pixels |= found
            names.add(name)
    if (back & pixels).any() or (front & ~pixels).any():
        progress(0.85, "Mending what was marked")
        pixels = mended(picture, pixels, front, back)
    return pixels, names.pop() if len(names) == 1 else ""


def around(point: ClickedPoint, picture: np.ndarray) -> np.ndarray:
    """A few pixels around a click."""
    rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
    reach = max(1.5, 0.006 * max(picture.shape))
    return (rows - point.y) ** 2 + (columns - point.x) ** 2 <= reach**2


def under(
    picture: np.ndarray,
    front: np.ndarray,
    back: np.ndarray,
    seen: Sequence[Box],
    outline: Outline | None = None,
) -> tuple[np.ndarray, str]:
    """The thing under marks: its pixels (bool, height x width) and, where it is known, its name.

    `picture` is uint8, height x width x 3, RGB; `front` has the pixels that are marked, at least
    one, `back` those of marks on what does not belong to it; `seen` are detected objects, `outline`
    gives their pixels where they are remembered.
    """
    known = outline or (lambda box: outlines.in_box(picture, box, crowded=None))
    for pixels, name in _known(known, front, seen):
        if pixels[front].mean() > _COVERED:
            return pixels, name
    whole = [pixels for pixels in _standing_out(picture, front) if not (pixels & back).any()]
    if whole:
        return max(whole, key=lambda one: sum(alike(one, other) for other in whole)), ""
    regions = colour_areas.divided(picture)
    coloured = _touching(np.isin(regions, np.unique(regions[front])), front)
    if not (coloured & back).any():
        return coloured, ""
    return _around(front, back), ""


def mended(
    picture: np.ndarray, pixels: np.ndarray, front: np.ndarray, back: np.ndarray
) -> np.ndarray:
    """A mask put right by marks that it does not follow: like colours change sides with them.

    All are bool, height x width; `front` belongs to the thing, `back` does not.
    """
    near = _around(front, back), _around(back, front)
    start = (pixels | near[0]) & ~near[1]
    area = bounds(start)
    assert area is not None
    found = outlines.cut_marked(picture, Box(*area), start, front, back)
    return found if found.sum() > _LEAST_LEFT * start.sum() else start


def _known(
    outline: Outline, front: np.ndarray, seen: Sequence[Box]
) -> Iterator[tuple[np.ndarray, str]]:
    """The smallest detected objects whose boxes hold the marks."""
    held = [
        box for box in seen if front[boxes.pixels_in(box, front.shape)].sum() > _HELD * front.sum()
    ]
    for box in sorted(held, key=boxes.area)[:_MOST_TRIED]:
        yield outline(box), box.label


def _standing_out(picture: np.ndarray, front: np.ndarray) -> Iterator[np.ndarray]:
    """What stands out under the marks in ever larger cut-outs, where it is there as a whole."""
    height, width = front.shape
    corners = bounds(front)
    assert corners is not None
    left, top, right, bottom = corners
    middle = ((left + right) / 2, (top + bottom) / 2)
    for side in _SIDES:
        half = side * max(height, width) / 2
        if half < max(right - left, bottom - top):
            continue
        box = Box(middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
        part = boxes.pixels_in(box, front.shape)
        pixels = _touching(salience.in_box(picture, box) > _STANDS_OUT, front)
        filled = float(pixels[part].mean())
        if (
            pixels[front].mean() > _COVERED
            and _LEAST_FILLED < filled < _MOST_FILLED
            and _cut(pixels, part) < _MOST_CUT
        ):
            yield pixels


def _cut(pixels: np.ndarray, part: tuple[slice, slice]) -> float:
    """How much of the rim of a cut-out, where it lies within the picture, is covered."""
    rows, columns = part
    height, width = pixels.shape
    rims = [
        (rows.start > 0, pixels[rows.start, columns]),
        (rows.stop < height, pixels[rows.stop - 1, columns]),
        (columns.start > 0, pixels[rows, columns.start]),
        (columns.stop < width, pixels[rows, columns.stop - 1]),
    ]
    inner = [rim.mean() for within, rim in rims if within]
    return float(np.mean(inner)) if inner else 0.0


def _touching(pixels: np.ndarray, front: np.ndarray) -> np.ndarray:
    """The connected pieces that lie under marks."""
    import cv2

    _, pieces = cv2.connectedComponents(pixels.astype(np.uint8))
    return pixels & np.isin(pieces, np.unique(pieces[front & pixels]))


def alike(one: np.ndarray, other: np.ndarray) -> float:
    """How much of two masks is in both, 0..1."""
    return float((one & other).sum() / max((one | other).sum(), 1))


def _around(front: np.ndarray, back: np.ndarray) -> np.ndarray:
    """What lies at the marks, and nearer to them than to those of what does not belong to it."""
    import cv2

    def away(marks: np.ndarray) -> np.ndarray:
        return cv2.distanceTransform((~marks).astype(np.uint8), cv2.DIST_L2, 3)

    return (away(front) < _REACH * max(front.shape)) & (away(front) < away(back))


#: A hand-drawn box means a detected object where they agree this much.
_SAME_OBJECT, _MOSTLY_INSIDE = 0.55, 0.8
_RECTANGLE = 0.97
#: Area over squared half thickness: about 3 for a disc, 12 for a standing person.
_STROKE = 22.0
_HEART, _BAND = 0.5, 0.5  # in parts of the mask's half thickness
#: What a network sees is believed where it is as much like what was marked, and like what colours
#: make of it.
_MEANT, _BELIEVED = 0.5, 0.75
_SMALLEST = 4  # pixels


def meant(box: Box, seen: Sequence[Box]) -> Box:
    """The detected object that a hand-drawn box is around, else the box itself."""
    fitting = [
        other
        for other in seen
        if boxes.overlap(box, other) > _SAME_OBJECT and boxes.inside(other, box) > _MOSTLY_INSIDE
    ]
    best = max(fitting, key=lambda other: boxes.overlap(box, other), default=None)
    return box if best is None else replace(best, label=box.label or best.label)


def under_mask(
    picture: np.ndarray,
    rough: np.ndarray,
    seen: Sequence[Box],
    outline: Outline | None = None,
) -> np.ndarray:
    """The object that a rough mask or brush strokes mean: bool, height x width of the picture.

    `picture` is uint8, height x width x 3, RGB; `rough` is bool and has pixels that are set;
    `seen` are the objects that were detected, `outline` as of `under`.
    """
    import cv2

    corners = bounds(rough)
    assert corners is not None
    left, top, right, bottom = corners
    if min(right - left, bottom - top) < _SMALLEST:
        return rough
    area = int(rough.sum())
    if area > _RECTANGLE * (right - left) * (bottom - top):
        framed = outlines.in_box(picture, meant(Box(left, top, right, bottom), seen))
        return framed if framed.any() else rough
    # A border of zeros: what reaches the picture's edge is not endlessly thick.
    padded = np.pad(rough.astype(np.uint8), 1)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    thickness = float(depth.max())
    if area > _STROKE * thickness**2:
        nothing = np.zeros_like(rough)
        return under(picture, rough, nothing, seen, outline)[0] | rough
    apart = cv2.distanceTransform(1 - rough.astype(np.uint8), cv2.DIST_L2, 5)
    away = apart > max(_BAND * thickness, _SMALLEST)
    heart = depth > _HEART * thickness
    boxed = outlines.in_box(picture, Box(*corners))
    found = boxed & ~away | heart
    wide = bounds(~away)
    assert wide is not None
    by_colours = outlines.cut_marked(picture, Box(*wide), found, heart, away)
    believed = alike(boxed, rough) > _MEANT and alike(found, by_colours) > _BELIEVED
    return found if believed else by_colours
