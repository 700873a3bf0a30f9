"""Answers on what there is in a picture: how many, whether at all, and of which kind."""

from __future__ import annotations

import re

from controlllm.resources import Box

from ...shared.boxes import centre
from . import choosing, imagenet, phrases_to_boxes, setting, things
from .asked import Asked, seen
from .grammar import (
    counted,
    each_counted,
    grouped,
    listed,
    plural,
    singular,
    with_article,
)
from .phrases_to_boxes import SURE
from .scene import Scene

_MEN_AND_WOMEN = frozenset("man woman boy girl lady guy gentleman".split())
_EVERYBODY = frozenset("person people men women persons humans anyone".split())
_NO_DOUBT = 0.4
#: The parts of a picture, by where the middle of a box lies (width and height are 1).
PLACES = {
    "left": lambda x, y: x < 0.45,
    "right": lambda x, y: x > 0.55,
    "top": lambda x, y: y < 0.45,
    "bottom": lambda x, y: y > 0.55,
    "middle": lambda x, y: 0.3 < x < 0.7,
}
_SAME_PLACE = {"center": "middle", "centre": "middle", "upper": "top", "lower": "bottom"}


def place_of(word: str) -> str:
    """The part of a picture that a word names, one of `PLACES`."""
    return _SAME_PLACE.get(word, word)


def lies(scene: Scene, box: Box, word: str) -> bool:
    """Whether a box lies in the part of the picture that a word names."""
    x, y = centre(box)
    return PLACES[place_of(word)](x / scene.image.width, y / scene.image.height)


def how_many(scene: Scene, match: re.Match[str]) -> str | None:
    """How many of a thing there are, at least."""
    thing = Asked(scene, re.sub(r"^(people|men|women|persons) \w+ing$", r"\1", match["thing"]))
    if thing.noun in choosing.ANYTHING:
        if not scene.objects:
            return "I recognise no object for sure."
        number = counted(len(scene.objects), "object")
        return f"I can make out {number}: {each_counted(scene.objects)}."
    if re.search(r"\b(?:do|does|did|has|have|can)\b", thing.words):
        return None
    alike = phrases_to_boxes.alike(scene, thing.words)
    if alike:
        return f"There are about {counted(len(alike), thing.name)}, told from the plain ground."
    boxes = everything_meant(thing)
    if not boxes and not phrases_to_boxes.is_known(thing.bare):
        return f"I do not know {thing.bare} by sight, so I cannot tell how many there are."
    if not boxes:
        return f"None: I see no {thing.bare} in the picture."
    if max(box.score for box in boxes) < SURE:
        return f"I see no {thing.bare} for sure."
    if thing.noun in _MEN_AND_WOMEN:
        return f"I see {counted(len(boxes), 'person')}; I cannot tell women from men."
    detail = f": {each_counted(boxes)}" if thing.noun in things.GROUPS else ""
    verb = "is" if len(boxes) == 1 else "are"
    # In a crowd some are hidden behind others, and pieces of one may count as two.
    hedge = "" if len(boxes) <= 6 else " at least" if len(boxes) <= 20 else " about"
    return f"There {verb}{hedge} {counted(len(boxes), thing.name)}{detail}."


def is_there(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether a thing is there, or which of two."""
    thing = Asked(scene, match["thing"])
    if re.fullmatch(r"text|writing|words|letters", thing.bare):
        return f"{'Yes' if scene.lines else 'No'}, {said_in(scene)}"
    either = _one_of_two(scene, thing.bare)
    if either is not None:
        there, other = either
        return f"I see {there.one}, and no {other.bare}."
    is_part = setting.PARTS.get(thing.bare)
    if is_part is not None:
        seen_so = is_part(scene)
        return f"Yes, I see {thing.bare}." if seen_so else f"I see no {thing.bare} for sure."
    boxes = everything_meant(thing)
    if not boxes:
        return thing.not_there()
    is_sure = max(box.score for box in boxes) >= (_NO_DOUBT if len(boxes) == 1 else SURE)
    unsure = "" if is_sure else " (but I am not sure)"
    if thing.noun in things.GROUPS:
        return f"Yes, {each_counted(boxes)}{unsure}."
    doubt = thing.doubt(boxes[0])
    if doubt:
        return f"I see {with_article(thing.noun)}, {doubt}."
    if len(boxes) > 1:
        return f"Yes, there are {counted(len(boxes), thing.noun)}{unsure}."
    name = with_article(thing.noun) if thing.several else thing.one
    return f"Yes, there is {name} {scene.place(boxes[0])}{unsure}."


def is_this(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether the picture is of a thing, or of which of two."""
    thing = Asked(scene, match["thing"])
    if " or " in thing.bare:
        either = _one_of_two(scene, thing.bare)
        return either and f"I see {either[0].one}."
    if not thing.all_boxes:
        return f"No, I see no {thing.bare}. {seen(scene, read_text=False)}"
    doubt = thing.doubt(thing.all_boxes[0])
    if doubt:
        return f"I see {with_article(thing.noun)}, {doubt}."
    return f"Yes, I see {thing.one}."


def kind(scene: Scene, match: re.Match[str]) -> str | None:
    """Which kind of a thing is there: a breed, a model, or the members of a group."""
    thing = Asked(scene, singular((match["thing"] or "this").split()[-1]))
    if thing.noun in things.GROUPS:
        return _members(scene, thing.noun, match.groupdict().get("place"))
    if not thing.is_picture and not thing.boxes and thing.noun in things.IMAGENET:
        return thing.absent()
    for box in scene.objects[:1] if thing.is_picture else thing.boxes[:1]:
        kind = scene.kind(box)
        if kind is not None and kind.score >= 0.3:
            sure = "It is most likely" if kind.score >= 0.6 else "It may be"
            return f"{sure} {with_article(kind.name)} ({kind.score:.0%} sure)."
        return f"It is {with_article(box.label)}; I cannot tell more."
    if scene.whole.score < 0.3:
        return None
    name = with_article(imagenet.in_sentence(scene.whole.name))
    return f"It is most likely {name} ({scene.whole.score:.0%} sure)."


def _members(scene: Scene, group: str, place: str | None) -> str:
    boxes = Asked(scene, plural(group)).all_boxes
    if place:
        boxes = tuple(box for box in boxes if lies(scene, box, place))
    if not boxes:
        if scene.whole.score > 0.5 and not place:
            return f"It may be {with_article(imagenet.in_sentence(scene.whole.name))}."
        return f"I see no {group} {'there' if place else 'in the picture'}."
    parts = []
    for found in grouped(boxes):
        kind = scene.kind(found[0])
        if len(found) == 1 and kind is not None and kind.score >= 0.6:
            parts.append(f"{with_article(found[0].label)} (most likely {with_article(kind.name)})")
        else:
            parts.append(counted(len(found), found[0].label))
    return f"I see {listed(parts)}."


def said_in(scene: Scene) -> str:
    """What the text in the picture says, as the end of a sentence."""
    if not scene.lines:
        return "I can find no readable text in the picture."
    words = scene.words.replace("\n", " / ")
    if not scene.legible:
        return f"it may say “{words}”, but I cannot read it well."
    return f"it says “{words}”."


def everything_meant(thing: Asked) -> tuple[Box, ...]:
    """All that a question for a number means; where people are meant, faces count as well."""
    everybody = thing.bare in _EVERYBODY and len(thing.scene.faces) > len(thing.all_boxes)
    return thing.scene.faces if everybody else thing.all_boxes


def _one_of_two(scene: Scene, words: str) -> tuple[Asked, Asked] | None:
    """Of "a dog or a cat" the one that is there and the one that is not."""
    one, *others = (Asked(scene, option) for option in re.split(r"\s+or\s+", words))
    if len(others) != 1 or bool(one.boxes) == bool(others[0].boxes):
        return None
    return (one, others[0]) if one.boxes else (others[0], one)
