"""What a person draws on a picture to say what they mean: clicks, boxes and brush strokes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from controlllm.resources.intake import BadInput
from controlllm.resources.json_data import JsonData
from controlllm.resources.values import Box, ClickedPoint

_MOST_MARKS, _MOST_PLACES = 1000, 40_000


@dataclass(frozen=True)
class Stroke:
    """A stroke of a brush of this width through these places, in pixels of the picture; with
    `erases` it says what does not belong to the thing."""

    path: tuple[tuple[float, float], ...]
    width: float
    erases: bool = False


@dataclass(frozen=True)
class Marks(JsonData):
    """All that was drawn on one picture for one thing; strokes in the order they were drawn."""

    points: tuple[ClickedPoint, ...] = ()
    boxes: tuple[Box, ...] = ()
    strokes: tuple[Stroke, ...] = ()

    @property
    def says_something(self) -> bool:
        """Whether anything says what is meant, and not only what is not."""
        return bool(
            self.boxes
            or any(point.positive for point in self.points)
            or any(not stroke.erases for stroke in self.strokes)
        )

    def scaled(self, by: float) -> Marks:
        """The same marks on the picture made larger by a factor."""
        return Marks(
            tuple(ClickedPoint(it.x * by, it.y * by, it.positive) for it in self.points),
            tuple(
                Box(it.left * by, it.top * by, it.right * by, it.bottom * by, it.label, it.score)
                for it in self.boxes
            ),
            tuple(
                Stroke(tuple((x * by, y * by) for x, y in it.path), it.width * by, it.erases)
                for it in self.strokes
            ),
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Marks as a page sends them. Raises BadInput where they cannot be read or are too many."""
        try:
            sent = [data.get(name, []) for name in ("points", "boxes", "strokes")]
            if not all(isinstance(items, list) for items in sent):
                raise TypeError
            if max(map(len, sent)) > _MOST_MARKS:
                raise BadInput(f"At most {_MOST_MARKS} marks can be set on a picture.")
            if sum(len(stroke["path"]) for stroke in sent[2]) > _MOST_PLACES:
                raise BadInput("This is too much brushing for one thing. Clear some of it.")
            read = super().from_json(data)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise BadInput("These marks could not be read. Set them again.") from None
        drawn = (replace(it, width=max(1.0, it.width)) for it in read.strokes if it.path)
        return replace(read, strokes=tuple(drawn))
