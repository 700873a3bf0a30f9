"""The 1000 classes of ImageNet: their names, and the everyday object that each one is."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from ...shared import networks
from . import things

NAMES = networks.shipped("classes")
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: Classes that are kinds of scenery, not things with an outline.
SCENERY = frozenset(things.numbers_in(_TABLE["scenery"]))
_PROPER = frozenset(_TABLE["proper"].split())


@cache
def class_names() -> tuple[str, ...]:
    """The names of the 1000 classes, in the order of their numbers."""
    return tuple(NAMES.path().read_text().split("\n")[:1000])


@cache
def everyday_names() -> tuple[str, ...]:
    """What a person would call each class at a glance: "dog" for every breed of dog."""
    names = [name.split(" (")[0] for name in class_names()]
    for everyday, numbers in things.IMAGENET.items():
        for number in numbers:
            names[number] = everyday
    return tuple(names)


def numbers_of(noun: str) -> tuple[int, ...]:
    """The classes that a singular noun names: an everyday name, a class name or its last word."""
    noun = noun.lower()
    if noun in things.IMAGENET:
        return things.IMAGENET[noun]
    plain = [name.lower().split(" (")[0] for name in class_names()]
    exact = tuple(number for number, name in enumerate(plain) if name == noun)
    return exact or tuple(n for n, name in enumerate(plain) if name.endswith(" " + noun))


def in_sentence(name: str) -> str:
    """A class name as it stands in a sentence: "basset hound", "German shepherd"."""
    words = name.split(" (")[0].split()
    return " ".join(w if w in _PROPER or w.isupper() else w[0].lower() + w[1:] for w in words)
