"""The things that are known by sight, and the words for them; all of it stands in `things.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_THINGS: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text("utf-8")
)


def _gathered(field: str) -> dict[str, frozenset[str]]:
    """Each word that stands in a field, with the things that it stands at."""
    found: dict[str, set[str]] = {}
    for name, known in _THINGS.items():
        for word in filter(None, known.get(field, "").split(", ")):
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


_CALLED = _gathered("words")
_TRAITS = _gathered("is")
_GROUPS = _gathered("groups")
#: Words for a whole group, and the things in it.
GROUPS: Mapping[str, frozenset[str]] = _GROUPS | {
    "creature": _GROUPS["animal"],
    "electronics": _GROUPS["device"],
    "luggage": _GROUPS["bag"],
}
#: What moves by itself.
ALIVE = GROUPS["animal"] | {"person"}
#: COCO's class names, in the order of their numbers.
COCO_CLASSES = sorted(
    (name for name, known in _THINGS.items() if "coco" in known),
    key=lambda name: _THINGS[name]["coco"],
)
#: Nouns that stand for any object.
ANYTHING = frozenset(
    "object thing item one ones box region mask area instance detection everything anything all "
    "element subject part category label class result".split()
)


def that_are(trait: str) -> frozenset[str]:
    """The things of which `is` says so, such as "ridden"."""
    return _TRAITS[trait]


def is_known(noun: str) -> bool:
    """Whether a singular noun is known, so that its meaning need not be guessed."""
    return noun in _THINGS or noun in GROUPS or noun in _CALLED


def classes_of(noun: str) -> frozenset[str]:
    """The things that a singular noun may mean, itself among them."""
    return frozenset({noun}) | _CALLED.get(noun, frozenset()) | GROUPS.get(noun, frozenset())


def doing(name: str) -> str:
    """What somebody does who rides or has a thing; nothing where it tells of nothing special."""
    activity: str = _THINGS.get(name, {}).get("doing", "")
    return activity


def numbers_in(runs: str) -> tuple[int, ...]:
    """The numbers in runs such as "3 5-7", both ends of each run."""
    ends = [[*map(int, run.split("-"))] for run in runs.split()]
    return tuple(number for run in ends for number in range(run[0], run[-1] + 1))


#: Each thing that the classifier knows, with the numbers of the classes that are one.
IMAGENET: Mapping[str, tuple[int, ...]] = {
    name: numbers_in(known["imagenet"]) for name, known in _THINGS.items() if "imagenet" in known
}
