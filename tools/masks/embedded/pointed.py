"""What a person points at in a picture that was looked at once: clicks, boxes, strokes to pixels.

The look takes about a second and is kept: the objects seen and, where there is time, their
outlines. Then a mark on one of them means its outline at once; elsewhere a first guess comes from
what stands out and from even colours, before what is meant is looked for around the mark. Decided
is in a copy of moderate size, in which each pixel is one that a person can still see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import PIL.Image

from controlllm.resources import Box, ClickedPoint
from controlllm.resources.marks import Marks, Stroke

from ...seeing.embedded import detection, salience
from ...shared import boxes
from ...shared.pixels import at_most, bounds, rgb
from . import clicked, colour_areas, outlines

#: The longer side of the copy that is looked at, in pixels.
SIDE = 1024
#: Objects less sure than this are not pointed at as such.
_SEEN = 0.3
#: What stands out so much, in a first guess.
_STANDS_OUT = 0.5

Progress = Callable[[float, str], None]


class Looked:
    """A picture that was looked at; its marks, boxes and pixels are in its own size."""

    def __init__(self, image: PIL.Image.Image) -> None:
        self.size = image.size
        self.picture = at_most(rgb(image), SIDE)
        self.scale = self.picture.shape[1] / image.width
        small = PIL.Image.fromarray(self.picture)
        self.seen: tuple[Box, ...] = detection.detect(small, threshold=_SEEN)
        self._outlines: dict[Box, np.ndarray] = {}

    def outline(self, box: Box) -> np.ndarray:
        """The pixels of the object in a box that was seen, in the small copy; remembered."""
        if box not in self._outlines:
            self._outlines[box] = outlines.in_box(self.picture, box, crowded=None)
        return self._outlines[box]

    def left_to_outline(self) -> list[Box]:
        """The objects seen whose outlines are not known yet, the surest first."""
        return [box for box in self.seen if box not in self._outlines]

    @cached_property
    def standing_out(self) -> np.ndarray:
        """How much each pixel of the small copy stands out, 0..1."""
        return salience.salience(self.picture)

    @cached_property
    def areas(self) -> np.ndarray:
        """The area of even colour that each pixel of the small copy lies in."""
        return colour_areas.divided(self.picture)

    def full(self, pixels: np.ndarray) -> np.ndarray:
        """Pixels of the small copy at the size of the picture, bool."""
        if pixels.shape[::-1] == self.size:
            return pixels
        import cv2

        soft = cv2.resize(pixels.astype(np.float32), self.size, interpolation=cv2.INTER_LINEAR)
        return soft > 0.5

    def first_guess(self, marks: Marks) -> np.ndarray | None:
        """What marks seem to mean, of what is known already: bool, in the small copy. None where
        the whole answer takes no longer."""
        marks = marks.scaled(self.scale)
        rough, erased = _painted(marks.strokes, self.picture.shape)
        places = [point for point in marks.points if point.positive]
        if all(self._is_known(point) for point in places) and not (rough.any() or marks.boxes):
            return None
        found = rough
        for point in places:
            found = found | self._guessed(point)
        for box in marks.boxes:
            found = found | self._guessed_in(box)
        return found & ~erased

    def pointed(
        self, marks: Marks, progress: Progress = lambda share, words: None
    ) -> tuple[np.ndarray, str]:
        """The thing that marks mean: bool, in the small copy, and its name where it is known.

        Something says what is meant, and all marks lie in the picture.
        """
        marks = marks.scaled(self.scale)
        rough, erased = _painted(marks.strokes, self.picture.shape)
        found = np.zeros(self.picture.shape[:2], bool)
        names: set[str] = set()
        for box in marks.boxes:
            pixels, name = self._framed(box)
            found |= pixels
            names.add(name)
        if rough.any():
            found |= clicked.under_mask(self.picture, rough, self.seen, self.outline)
            corners = bounds(found)
            assert corners is not None  # what was brushed over always belongs to it
            names.add(clicked.meant(Box(*corners), self.seen).label)
        positive = [point for point in marks.points if point.positive]
        if positive:
            pixels, name = clicked.under_clicks(
                self.picture, marks.points, self.seen, progress, self.outline
            )
            found |= pixels
            names.add(name)
        else:
            found = self._without(found, rough, marks.points)
        return found & ~erased, names.pop() if len(names) == 1 else ""

    def _framed(self, drawn: Box) -> tuple[np.ndarray, str]:
        meant = clicked.meant(drawn, self.seen)
        pixels = outlines.in_box(self.picture, meant)
        if not pixels.any():
            pixels[boxes.pixels_in(drawn, pixels.shape)] = True
        return pixels, meant.label

    def _without(
        self, found: np.ndarray, sure: np.ndarray, points: Sequence[ClickedPoint]
    ) -> np.ndarray:
        """What was framed or brushed over without what was clicked away."""
        if not points or not found.any():
            return found
        back = np.any([clicked.around(point, self.picture) for point in points], axis=0)
        front = sure & ~back
        return clicked.mended(self.picture, found, front, back) if (back & found).any() else found

    def _is_known(self, point: ClickedPoint) -> bool:
        """Whether a click lies on an object whose outline is known."""
        return any(
            pixels[_at(point, pixels)] and _holds(box, point)
            for box, pixels in self._outlines.items()
        )

    def _guessed(self, point: ClickedPoint) -> np.ndarray:
        import cv2

        place = _at(point, self.picture)
        held = [pixels for pixels in self._outlines.values() if pixels[place]]
        if held:
            return min(held, key=lambda pixels: int(pixels.sum()))
        likely = self.standing_out > _STANDS_OUT
        if likely[place]:
            _, pieces = cv2.connectedComponents(likely.astype(np.uint8))
            return np.asarray(pieces == pieces[place])
        return np.asarray(self.areas == self.areas[place])

    def _guessed_in(self, box: Box) -> np.ndarray:
        meant = clicked.meant(box, self.seen)
        if meant in self._outlines:
            return self._outlines[meant]
        inside = np.zeros(self.picture.shape[:2], bool)
        inside[boxes.pixels_in(box, inside.shape)] = True
        likely = inside & (self.standing_out > _STANDS_OUT)
        return likely if likely.sum() > 0.15 * inside.sum() else inside


def _at(point: ClickedPoint, like: np.ndarray) -> tuple[int, int]:
    height, width = like.shape[:2]
    return min(max(int(point.y), 0), height - 1), min(max(int(point.x), 0), width - 1)


def _holds(box: Box, point: ClickedPoint) -> bool:
    return box.left <= point.x < box.right and box.top <= point.y < box.bottom


def _painted(strokes: Sequence[Stroke], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """What was brushed over in the end, and what was erased in the end: bool, height x width."""
    import cv2

    rough, erased = np.zeros(shape[:2], np.uint8), np.zeros(shape[:2], np.uint8)
    for stroke in strokes:
        drawn = np.zeros(shape[:2], np.uint8)
        path = np.round(np.array(stroke.path, np.float64)).astype(np.int32).reshape(-1, 1, 2)
        width = max(1, round(stroke.width))
        cv2.polylines(drawn, [path], False, 1, width, cv2.LINE_8)
        for x, y in (path[0, 0], path[-1, 0]):
            cv2.circle(drawn, (int(x), int(y)), width // 2, 1, -1)
        rough[drawn > 0] = not stroke.erases
        erased[drawn > 0] = stroke.erases
    return rough > 0, erased > 0
