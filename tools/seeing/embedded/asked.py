"""The thing that a question about a picture is about: its words, and where it is seen."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from controlllm.resources import Box

from . import captions, choosing, colours, things
from .grammar import speaks_of_several, with_article
from .phrases_to_boxes import ground
from .questions import patterns
from .scene import Scene

_PICTURE = frozenset("picture image photo photograph scene shot this it that".split())
_SAID = patterns(Path(__file__).with_suffix(".toml"))


class Asked:
    """A thing that a question names.

    `words` are the question's own ("the woman's suit"), `bare` those without owner and article
    ("suit"), and `noun` is the singular noun in them.
    """

    def __init__(self, scene: Scene, words: str) -> None:
        words = _SAID["where_asked"].sub("", words.strip(" ,?"))
        self.scene = scene
        self.words = _SAID["somebody"].sub("person", _SAID["posture"].sub("", words))
        self.bare = _SAID["article"].sub("", _SAID["owner"].sub("", self.words))
        self.several = speaks_of_several(self.words) if self.words else False
        self.noun = choosing.parse(self.words).noun

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """Where it is: the likeliest box, or all of several."""
        return ground(self.scene, self.words)

    @cached_property
    def all_boxes(self) -> tuple[Box, ...]:
        """Where any of them is; what is probably another animal is left out."""
        found = ground(self.scene, f"all {self.bare}")
        return tuple(box for box in found if not self._is_another_animal(box))

    @property
    def is_picture(self) -> bool:
        """Whether it is the picture itself."""
        return self.bare in _PICTURE

    @property
    def owner(self) -> str:
        """Whom it belongs to, as words to look for: "the woman", "person"; else nothing."""
        of = re.search(r"\b(?:of|on|worn by) ((?:the|this|that|an?) .+)$", self.words)
        by = _SAID["owner"].match(self.words)
        if of or not by:
            return of[1] if of else ""
        return re.sub(r"'s?$", "", by[1]) if " " in by[1] or "'" in by[1] else "person"

    def doubt(self, box: Box) -> str:
        """What is not sure of it although its noun is seen, as the end of a sentence; else nothing.

        "Polar" says more of a bear than can be told by looking, unless the classifier knows it.
        """
        unread = set(choosing.parse(self.bare).unread) - {"baby", "young", *colours.SYNONYMS}
        if not unread - set(colours.NAMES):
            return ""
        kind = self.scene.kind(box)
        if kind is None or kind.score < 0.6:
            return f"but whether it is {self.one} I cannot tell"
        return "" if kind.name.lower() == self.bare else f"most likely {with_article(kind.name)}"

    @property
    def the(self) -> str:
        """Its words with "the" before them, unless somebody's name stands there."""
        if _SAID["definite"].match(self.words):
            return self.words
        return f"the {self.bare}"

    @property
    def one(self) -> str:
        """Its words with "a" before them, unless they speak of several."""
        return self.bare if self.several else with_article(self.bare)

    @property
    def name(self) -> str:
        """The noun as it is counted, with the colour before it: "red car"."""
        first = self.bare.split()[0]
        return f"{first} {self.noun}" if colours.is_colour(first) else self.noun

    @property
    def verb(self) -> str:
        """ "is" or "are"."""
        return "are" if self.several or len(self.boxes) > 1 else "is"

    def absent(self) -> str:
        """That it is not seen, and what is."""
        who = "nobody" if self.words == "person" else f"no {self.bare}"
        return f"I see {who} in the picture. {seen(self.scene, read_text=False)}"

    def not_there(self) -> str:
        """That it is not seen: a "no" only for what is hard to miss."""
        kinds = things.classes_of(self.noun)
        known = kinds & {*things.COCO_CLASSES, *things.IMAGENET} or self.noun in things.GROUPS
        if known and not kinds & things.that_are("small"):
            return f"No, I see no {self.bare} in the picture."
        why = "something so small is easily missed" if known else "I do not know it well by sight"
        return f"I do not see {self.one}, but I cannot be sure: {why}."

    def _is_another_animal(self, box: Box) -> bool:
        """Whether only the classifier sees this animal, in a picture of another one."""
        animals = things.GROUPS["animal"]
        others = {other.label for other in self.scene.objects} & animals
        is_detected = box.label in {other.label for other in self.scene.doubtful}
        return box.label in animals and not is_detected and bool(others)


def seen(scene: Scene, *, read_text: bool = True) -> str:
    """The caption as something said: "I see a dog in the middle"."""
    caption = captions.describe_scene(scene, read_text=read_text)
    if not scene.objects:
        return caption
    caption = re.sub(r"^A portrait of ", "", caption)
    return f"I see {caption[0].lower()}{caption[1:]}"
