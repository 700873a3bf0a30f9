"""One look at a picture with every model that can see: objects, faces, text, kinds, setting."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import PIL.Image

from controlllm.resources import Box, Label
from tools.seeing.embedded import (
    class_regions,
    detection,
    efficientnet,
    faces,
    imagenet,
    text_reader,
)
from tools.seeing.embedded.class_regions import ClassMap
from tools.shared.boxes import area, centre, inside

_OUTDOORS = frozenset(
    "bus,truck,traffic light,stop sign,fire hydrant,parking meter,train,airplane,boat,horse,sheep,"
    "cow,elephant,bear,zebra,giraffe,surfboard,skis,snowboard,kite,car,motorcycle".split(",")
)
_INDOORS = frozenset(
    "couch,bed,tv,oven,microwave,refrigerator,sink,toilet,dining table,laptop,keyboard,mouse,"
    "toaster,hair drier".split(",")
)
#: One of these alone is sign enough: they are never seen in a room.
_SURELY_OUTDOORS = frozenset(
    "bus,train,traffic light,stop sign,fire hydrant,parking meter,elephant,zebra,giraffe,surfboard,"
    "skis,snowboard".split(",")
)
_NO_FACES = imagenet.ANIMALS | {"car", "bus", "truck", "motorcycle", "clock", "cup", "bowl"}
#: Classes that are a part of a thing and no kind of it.
_PARTS = frozenset({908})
_LANDSCAPES = range(970, 981)
_LARGEST = 1600


@dataclass
class Scene:
    """What the models see in `image`; each model runs when its part is first asked for."""

    image: PIL.Image.Image
    _examined: tuple[tuple[Box, ...], ClassMap | None] | None = field(default=None, repr=False)

    def _examine(self) -> tuple[tuple[Box, ...], ClassMap | None]:
        if self._examined is None:
            self._examined = detection.examine(self.image)
        return self._examined

    @property
    def doubtful(self) -> tuple[Box, ...]:
        """Every object with a score of 0.2 and more."""
        return tuple(box for box in self._examine()[0] if box.score >= 0.2)

    @cached_property
    def objects(self) -> tuple[Box, ...]:
        """The objects that are surely there, largest first."""
        share = 0.002 * self.image.width * self.image.height
        sure = [box for box in self.doubtful if box.score >= 0.4 and area(box) >= share]
        return tuple(sorted(sure, key=lambda box: -area(box) * box.score))

    @property
    def class_map(self) -> ClassMap | None:
        return self._examine()[1]

    @cached_property
    def faces(self) -> tuple[Box, ...]:
        """Faces that are surely there; an animal's is none, nor is one of a pair of wheels."""
        found = faces.find(self.image, 0.7) if min(self.image.size) >= 16 else ()
        people = [box for box in self.objects if box.label == "person"]
        others = [box for box in self.objects if box.label in _NO_FACES]
        return tuple(
            face
            for face in found
            if all(inside(face, box) < 0.8 for box in others)
            or any(inside(face, box) > 0.8 for box in people)
        )

    @cached_property
    def lines(self) -> tuple[text_reader.Line, ...]:
        """The lines of text, in reading order."""
        return tuple(line for line in text_reader.read(self.image, 0.75) if _is_reading(line))

    @cached_property
    def legible(self) -> tuple[text_reader.Line, ...]:
        """The lines of text that are read so surely that they may be told without being asked."""
        return tuple(line for line in self.lines if _is_sure_reading(line))

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
    def whole(self) -> tuple[Label, ...]:
        """The classifier's five best names for the picture as a whole."""
        return best_classes(self.image)

    def kind(self, box: Box) -> Label | None:
        """What kind of its class an object is (a breed of dog), where the classifier is sure."""
        numbers = imagenet.members().get(box.label)
        if not numbers or len(numbers) < 2:
            return None
        likely = efficientnet.probabilities(class_regions.crop(self.image, box))
        group = likely[list(numbers)]
        if group.sum() < 0.4:
            return None
        best = int(group.argmax())
        if numbers[best] in _PARTS:
            return None
        share = float(group[best] / group.sum())
        return Label(in_sentence(imagenet.class_names()[numbers[best]]), share)

    def place(self, box: Box) -> str:
        """Where in the picture a box lies, in words: "on the left", "in the middle"."""
        x, y = centre(box)
        across, down = x / self.image.width, y / self.image.height
        side = "left" if across < 0.36 else "right" if across > 0.64 else ""
        height = "top" if down < 0.3 else "bottom" if down > 0.72 else ""
        if side and height:
            return f"at the {height} {side}"
        if side:
            return f"on the {side}"
        if height:
            return f"at the {height}"
        return "in the middle"

    @cached_property
    def setting(self) -> str:
        """ "outdoors" or "indoors" where several signs agree, else nothing."""
        labels = {box.label for box in self.objects}
        outside = len(labels & _OUTDOORS) - len(labels & _INDOORS)
        outside += bool(labels & _SURELY_OUTDOORS) + self._sky() + self._greenery()
        likely = efficientnet.probabilities(self.image)
        outside += 2 * (float(likely[list(_LANDSCAPES)].sum()) > 0.5)
        inside_classes = imagenet.SCENERY & {424, 498, 582, 624, 762, 788}
        outside -= float(likely[list(inside_classes)].sum()) > 0.25
        return "outdoors" if outside >= 2 else "indoors" if outside <= -2 else ""

    def _sky(self) -> bool:
        """Whether a smooth, bright, bluish area fills much of the top of the picture."""
        pixels = np.asarray(self.image.convert("RGB").resize((64, 64)), np.float32)[:20]
        blue = (pixels[..., 2] >= pixels[..., 0] + 8) & (pixels[..., 2] > 120)
        rough = np.abs(np.diff(pixels.mean(axis=-1), axis=1)).mean()
        return bool(blue.mean() > 0.5 and rough < 12)

    def _greenery(self) -> bool:
        from tools.seeing.embedded import colours

        return colours.shares(self.image).get("green", 0.0) > 0.3

    @cached_property
    def brightness(self) -> float:
        """The mean brightness, 0..1."""
        return float(np.asarray(self.image.convert("L").resize((64, 64))).mean() / 255)


def _is_reading(line: text_reader.Line) -> bool:
    """Whether a line may be text at all: gravel is read as "0000", a fence as "IIII"."""
    signs = [sign for sign in line.text.lower() if sign.isalnum()]
    if len(signs) < 2 or (len(set(signs)) == 1 and len(signs) > 2):
        return False
    return len(signs) > 3 or line.box.score >= 0.8


def _is_sure_reading(line: text_reader.Line) -> bool:
    words = re.findall(r"[^\W_]+", line.text)
    letters = sum(map(len, words))
    # Capitals within a word, and digits among letters, are how a wrong reading looks.
    odd = [w for w in words if re.search(r"[^\W\d_]\d+[^\W\d_]|[a-zà-ÿ]{2,}[A-Z]{2,}", w)]
    odd += re.findall(r"[a-zà-ÿ][^\w\s'’.,:;/@_-][A-Z]", line.text)
    if odd or letters < 0.6 * len(line.text.replace(" ", "")):
        return False
    least = 0.96 if letters < 4 else 0.9
    return line.box.score >= least


def best_classes(image: PIL.Image.Image, count: int = 5) -> tuple[Label, ...]:
    """The most likely ImageNet classes of a whole picture with their probabilities."""
    likely = efficientnet.probabilities(image)
    order = np.argsort(-likely)[:count]
    return tuple(Label(imagenet.class_names()[int(n)], float(likely[n])) for n in order)


#: Words of class names that keep their capital letter in a sentence.
_PROPER = frozenset(
    "Afghan African Airedale Alaskan American Appenzeller Arctic Asian Australian Basenji "
    "Bedlington Bernese Boston Brittany Cairn Cardigan Chesapeake Clumber Dandie Dinmont "
    "Dalmatian Dobermann Egyptian English Entlebucher European French Geoffroy's German Gila "
    "Gordon Great Greater Groenendael Ibizan Indian Irish Italian Japanese Kerry Komodo "
    "Labrador Lakeland Leonberger Malinois Maltese Mexican Newfoundland Nile Norfolk Norwegian "
    "Norwich Pembroke Persian Pomeranian Pyrenees Rhodesian Rottweiler Saharan Scottish "
    "Shetland Siamese Siberian Staffordshire Sussex Swiss Tibetan Weimaraner Welsh Windsor "
    "Yorkshire Chihuahua Samoyed Saluki St. Bernard".split()
)


def in_sentence(name: str) -> str:
    """A class name as it stands in a sentence: "basset hound", "German shepherd"."""
    words = name.split(" (")[0].split()
    return " ".join(w if w in _PROPER or w.isupper() else w[0].lower() + w[1:] for w in words)
