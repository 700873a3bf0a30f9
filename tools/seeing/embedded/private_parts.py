"""What is said where faces or number plates may have been missed."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.resources import Box
from controlllm.toolbox import Context

from ...shared import covering
from ...shared.boxes import inside
from . import plates
from .scene import Scene

#: Vehicles of which less is seen, of the picture, are too far off for anybody to read a plate.
_NEAR = 0.01


def remark_missed(scene: Scene, found: Sequence[Box], context: Context) -> None:
    """Say in how many people no face was found where all faces were looked for, and in how many
    vehicles no plate; nothing where only some of those found were meant."""
    labels = {box.label for box in found}
    if labels == {"face"} and len(found) == len(scene.every_face):
        covering.remark_missing(len(scene.people_without_face), "person", "face", context)
    if labels == {plates.LABEL} and len(found) == len(scene.plates):
        without = [
            vehicle
            for vehicle in scene.vehicles
            if scene.share(vehicle) >= _NEAR
            and all(inside(plate, vehicle) < 0.5 for plate in found)
        ]
        covering.remark_missing(len(without), "vehicle", plates.LABEL, context)
