"""What a person draws on a picture to say what they mean: clicks, boxes and brush strokes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from controlllm.resources.intake import BadInput
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
class Marks:
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

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return found

    @classmethod
    def from_json(cls, sent: Mapping[str, Any]) -> Marks:
        """Marks as a page sends them. Raises BadInput where they cannot be read or are too many."""
        try:
            points, boxes = _list(sent, "points"), _list(sent, "boxes")
            strokes = _list(sent, "strokes")
            if max(len(points), len(boxes), len(strokes)) > _MOST_MARKS:
                raise BadInput(f"At most {_MOST_MARKS} marks can be set on a picture.")
            if sum(len(stroke["path"]) for stroke in strokes) > _MOST_PLACES:
                raise BadInput("This is too much brushing for one thing. Clear some of it.")
            return cls(
                tuple(
                    ClickedPoint(float(it["x"]), float(it["y"]), bool(it.get("positive", True)))
                    for it in points
                ),
                tuple(
                    Box(
                        float(it["left"]), float(it["top"]), float(it["right"]), float(it["bottom"])
                    )
                    for it in boxes
                ),
                tuple(
                    Stroke(
                        tuple((float(x), float(y)) for x, y in it["path"]),
                        max(1.0, float(it["width"])),
                        bool(it.get("erases", False)),
                    )
                    for it in strokes
                    if it["path"]
                ),
            )
        except (AttributeError, KeyError, TypeError, ValueError):
            raise BadInput("These marks could not be read. Set them again.") from None


def _list(sent: Mapping[str, Any], name: str) -> Sequence[Any]:
    found = sent.get(name, [])
    if not isinstance(found, list):
        raise TypeError(name)
    return found
