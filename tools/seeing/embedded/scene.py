"""One look at a picture with every model that can see: objects, faces, text, kinds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import PIL.Image

from controlllm.resources import Box, Label
from controlllm.toolbox import Context

from ...shared import covering
from ...shared.boxes import area, centre, inside
from . import (
    class_regions,
    detection,
    faces,
    imagenet,
    plates,
    text_looks,
    text_reader,
    things,
)
from .class_regions import ClassMap

#: Where a face would be an animal's, or one of a pair of wheels.
_NO_FACES = things.GROUPS["animal"] | {"car", "bus", "truck", "motorcycle", "clock", "cup", "bowl"}
#: Classes that are a part of a thing and no kind of it.
_PARTS = frozenset({908})
_LEAST_SIDE = 16
#: The score from which something that looks like a face surely is one, what it must have to be that
#: of somebody who is seen, and to be that of somebody in a car and no wheel.
SURE_FACE, _FACE_OF_SOMEBODY, _BEHIND_GLASS = 0.74, 0.5, 0.78


@dataclass
class Scene:
    """What the models see in `image`; each model runs when its part is first asked for."""

    image: PIL.Image.Image
    context: Context = field(default_factory=Context, repr=False)
    _examined: tuple[tuple[Box, ...], ClassMap | None] | None = field(default=None, repr=False)

    def _examine(self) -> tuple[tuple[Box, ...], ClassMap | None]:
        if self._examined is None:
            self._examined = detection.examine(self.image, self.context)
        return self._examined

    @property
    def doubtful(self) -> tuple[Box, ...]:
        """Every object with a score of 0.2 and more."""
        return tuple(box for box in self._examine()[0] if box.score >= 0.2)

    @cached_property
    def objects(self) -> tuple[Box, ...]:
        """The objects that are surely there, largest first."""
        sure = [box for box in self.doubtful if box.score >= 0.4 and self.share(box) >= 0.002]
        return tuple(sorted(sure, key=lambda box: -area(box) * box.score))

    @property
    def class_map(self) -> ClassMap | None:
        """Where the classifier sees what; None for a picture too small to look at."""
        return self._examine()[1]

    @cached_property
    def faces(self) -> tuple[Box, ...]:
        """Faces that are surely there; an animal's is none, nor is one of a pair of wheels."""
        found = faces.find(self.image, 0.7) if min(self.image.size) >= _LEAST_SIDE else ()
        return self._of_people(found)

    @cached_property
    def every_face(self) -> tuple[Box, ...]:
        """All faces, near and far, upright and turned: what must not be missed is looked for for
        seconds. Those with a score below `SURE_FACE` may be none."""
        if min(self.image.size) < _LEAST_SIDE:
            return ()
        found = list(self._of_people(faces.find_all(self.image)))
        for person in self._people_without(found):
            found += faces.within(self.image, _head_of(person), _FACE_OF_SOMEBODY)[:1]
        return faces.merged(found)

    @property
    def people_without_face(self) -> tuple[Box, ...]:
        """The people in whom no face was found: turned away, or missed."""
        return tuple(self._people_without(self.every_face))

    def _people_without(self, found: Sequence[Box]) -> list[Box]:
        people = [box for box in self.doubtful if box.label == "person" and box.score >= 0.4]
        return [box for box in people if all(inside(face, box) < 0.5 for face in found)]

    @cached_property
    def plates(self) -> tuple[Box, ...]:
        """The number plates of the vehicles."""
        return plates.find(self.image, self.vehicles)

    @property
    def vehicles(self) -> tuple[Box, ...]:
        """What may carry a number plate."""
        return tuple(box for box in self.doubtful if box.label in plates.VEHICLES)

    def _of_people(self, found: Sequence[Box]) -> tuple[Box, ...]:
        people = [box for box in self.objects if box.label == "person"]
        others = [box for box in self.objects if box.label in _NO_FACES]
        return tuple(
            face
            for face in found
            if all(inside(face, box) < 0.8 or _is_behind_glass(face, box) for box in others)
            or any(inside(face, box) > 0.8 for box in people)
        )

    @cached_property
    def reading(self) -> text_reader.Reading:
        """The text, in its rows; small writing on a large picture is looked for briefly."""
        pixels = text_looks.BRIEFLY
        return text_reader.read(self.image, 0.75, pixels, self.context).those(_is_reading)

    @property
    def lines(self) -> tuple[Box, ...]:
        """The lines of text, in reading order."""
        return self.reading.lines

    @cached_property
    def legible(self) -> tuple[Box, ...]:
        """The lines of text that are read so surely that they may be told without being asked."""
        return tuple(line for line in self.lines if _is_sure_reading(line))

    @property
    def words(self) -> str:
        """The text, a row of the picture to a line: what is legible, else all that was read."""
        return (self.reading.those(_is_sure_reading) if self.legible else self.reading).text

    @cached_property
    def people(self) -> int:
        """How many people there are at least: bodies or faces, whichever are more."""
        return max(sum(box.label == "person" for box in self.objects), len(self.faces))

    @cached_property
    def is_grey(self) -> bool:
        """Whether it is a black-and-white picture."""
        pixels = np.asarray(self.image.convert("RGB").resize((64, 64)), np.int16)
        return bool((pixels.max(axis=-1) - pixels.min(axis=-1)).max() <= 12)

    @cached_property
    def brightness(self) -> float:
        """The mean brightness, 0..1."""
        return float(np.asarray(self.image.convert("L").resize((64, 64))).mean() / 255)

    @cached_property
    def likely(self) -> np.ndarray:
        """How likely each of the classifier's classes is for the whole picture, shape (1000,)."""
        return class_regions.probabilities(self.image)

    @cached_property
    def whole(self) -> Label:
        """The classifier's best name for the picture as a whole."""
        return best_classes(self.likely, 1)[0]

    def kind(self, box: Box) -> Label | None:
        """What kind of its class an object is (a breed of dog), where the classifier is sure."""
        numbers = things.IMAGENET.get(box.label, ())
        if len(numbers) < 2:
            return None
        likely = class_regions.probabilities(class_regions.crop(self.image, box))
        group = likely[list(numbers)]
        best = int(group.argmax())
        if group.sum() < 0.4 or numbers[best] in _PARTS:
            return None
        share = float(group[best] / group.sum())
        return Label(imagenet.in_sentence(imagenet.class_names()[numbers[best]]), share)

    def share(self, box: Box) -> float:
        """How much of the picture a box covers, 0..1."""
        return area(box) / (self.image.width * self.image.height)

    def place(self, box: Box) -> str:
        """Where in the picture a box lies, in words: "on the left", "in the middle"."""
        x, y = centre(box)
        across, down = x / self.image.width, y / self.image.height
        side = "left" if across < 0.36 else "right" if across > 0.64 else ""
        height = "top" if down < 0.3 else "bottom" if down > 0.72 else ""
        if height:
            return f"at the {height} {side}".strip()
        return f"on the {side}" if side else "in the middle"


def _is_behind_glass(face: Box, around: Box) -> bool:
    """Whether what looks much like a face within something is that of somebody who sits in it."""
    return around.label in ("car", "bus", "truck") and face.score >= _BEHIND_GLASS


def _head_of(person: Box) -> Box:
    """Where the head of somebody is who stands or sits."""
    tall = max(0.35 * (person.bottom - person.top), 0.6 * (person.right - person.left))
    return replace(person, bottom=min(person.bottom, person.top + tall))


def _is_reading(line: Box) -> bool:
    """Whether a line may be text at all: gravel is read as "0000", a fence as "IIII"."""
    signs = [sign for sign in line.label.lower() if sign.isalnum()]
    if len(signs) < 2 or (len(set(signs)) == 1 and len(signs) > 2):
        return False
    return len(signs) > 3 or line.score >= 0.8


def _is_sure_reading(line: Box) -> bool:
    words = re.findall(r"[^\W_]+", line.label)
    letters = sum(map(len, words))
    # Capitals within a word, and digits among letters, are how a wrong reading looks.
    odd = [w for w in words if re.search(r"[^\W\d_]\d+[^\W\d_]|[a-zà-ÿ]{2,}[A-Z]{2,}", w)]
    odd += re.findall(r"[a-zà-ÿ][^\w\s'’.,:;/@_-][A-Z]", line.label)
    if odd or letters < 0.6 * len(line.label.replace(" ", "")):
        return False
    return line.score >= (0.96 if letters < 4 else 0.9)


def best_classes(likely: np.ndarray, count: int = 5) -> tuple[Label, ...]:
    """The names of the likeliest of the classifier's 1000 classes with their probabilities."""
    order = np.argsort(-likely)[:count]
    return tuple(Label(imagenet.class_names()[int(n)], float(likely[n])) for n in order)


#: Vehicles of which less is seen, of the picture, are too far off for anybody to read a plate.
_NEAR = 0.01


def remark_missed(scene: Scene, found: Sequence[Box], context: Context) -> None:
    """Say in how many people no face was found where all faces were looked for, and in how many
    vehicles no plate; nothing where only some of those found were meant."""
    labels = {box.label for box in found}
    if labels == {"face"} and len(found) == len(scene.every_face):
        covering.remark_missing(len(scene.people_without_face), "person", "face", context)
    if labels == {plates.LABEL} and len(found) == len(scene.plates):
        near = [vehicle for vehicle in scene.vehicles if scene.share(vehicle) >= _NEAR]
        without = [one for one in near if all(inside(plate, one) < 0.5 for plate in found)]
        covering.remark_missing(len(without), "vehicle", plates.LABEL, context)
