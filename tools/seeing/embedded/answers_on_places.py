"""Answers on where things are in a picture and how they stand to each other."""

from __future__ import annotations

import re

from controlllm.resources import Box

from ...shared.boxes import distance
from . import choosing, relations, things
from .answers_on_things import lies, place_of
from .asked import Asked, seen
from .grammar import (
    each_counted,
    listed,
    plural,
    sentence,
    with_article,
)
from .scene import Scene
from .setting import room_or_open_air

#: The relations that say more than which side a thing is on, the most telling first.
_TELLING = ("on", "under", "with", "in front of", "behind", "beside")


def where(scene: Scene, match: re.Match[str]) -> str | None:
    """Where in the picture a thing is, and where from what is near it."""
    thing = Asked(scene, match["thing"])
    if thing.is_picture or re.search(r"taken|\bwe\b", match[0]):
        setting = room_or_open_air(scene)
        known = f"It was probably taken {setting}, but " if setting else ""
        return f"{known}I cannot tell the place. {seen(scene)}"
    if not thing.boxes:
        return thing.absent()
    if len(thing.boxes) > 1:
        places = list(dict.fromkeys(scene.place(box) for box in thing.boxes[:6]))
        near = _beside_all(thing.boxes, scene)
        return sentence(f"{thing.the} are {listed(places)} of the picture{near}.")
    (box,) = thing.boxes
    return sentence(
        f"{thing.the} {thing.verb} {scene.place(box)} of the picture{_near(box, scene)}."
    )


def _near(box: Box, scene: Scene) -> str:
    """ ", on the couch and beside the dog": the relations that tell most about where a box is."""
    others = [other for other in scene.objects if other.label != box.label]
    told: dict[str, str] = {}
    for wanted in _TELLING:
        for other in others:
            if len(told) < 2 and relations.relation(box, other) == wanted:
                worn = box.label in relations.HELD | {"tie", "backpack", "handbag"}
                told.setdefault(other.label, "next to" if wanted == "with" and not worn else wanted)
    if told:
        return ", " + listed([f"{word} the {label}" for label, word in told.items()])
    close = min(others, key=lambda other: distance(other, box), default=None)
    if close is None or distance(close, box) > 0.35 * max(scene.image.size):
        return ""
    return f", {relations.relation(box, close)} the {close.label}"


def _beside_all(boxes: tuple[Box, ...], scene: Scene) -> str:
    labels = {box.label for box in boxes}
    for other in scene.objects:
        words = {relations.relation(box, other) for box in boxes}
        if other.label not in labels and len(words) == 1 and words <= {*_TELLING}:
            return f", {words.pop()} the {other.label}"
    return ""


def at_place(scene: Scene, match: re.Match[str]) -> str | None:
    """What is on the left, at the top and so on."""
    boxes = [box for box in scene.objects if lies(scene, box, match["place"])]
    place = _at(place_of(match["place"]))
    if not boxes:
        return f"I recognise nothing for sure {place}."
    return sentence(f"{place} I see {each_counted(boxes, 4)}.")


def is_at_place(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether a thing is in a part of the picture, or in which of two parts."""
    thing = Asked(scene, match["thing"])
    if not thing.boxes:
        return thing.absent()
    box = thing.boxes[0]
    asked = [place_of(word) for word in (match["one"], match["two"]) if word]
    fitting = [place for place in asked if lies(scene, box, place)]
    if len(asked) == 1:
        agreed = "Yes" if fitting else "No"
        return f"{agreed}, {thing.the} {thing.verb} {scene.place(box)} of the picture."
    place = _at(fitting[0]) if len(fitting) == 1 else scene.place(box)
    return sentence(f"{thing.the} {thing.verb} {place} of the picture{_near(box, scene)}.")


def _at(place: str) -> str:
    return {"left": "on the left", "right": "on the right", "middle": "in the middle"}.get(
        place, f"at the {place}"
    )


def is_related(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether one thing stands to another as asked: riding it, on it, left of it, wearing it."""
    who, thing = Asked(scene, match["who"]), Asked(scene, match["thing"])
    if thing.is_picture or who.is_picture:
        return None
    name = relations.meant_by(match["word"])
    ones = who.all_boxes if who.words == "person" else who.boxes
    if not ones:
        return f"{'No, ' if who.words == 'person' else ''}{who.absent()}"
    if thing.words == "each other":
        ones, others = ones[:1], ones[1:]
    else:
        others = thing.boxes or _doubted(thing)
    if not others:
        if not things.classes_of(thing.noun) & {*things.COCO_CLASSES}:
            return None
        said = thing.not_there()
        # What nobody found may still be there behind whoever sits on it.
        return thing.absent() if said.startswith("No") else said
    pairs = [(one, other) for one in ones for other in others if one is not other]
    held = next((pair for pair in pairs if relations.holds(name, *pair)), None)
    if held:
        start = "Yes" if min(box.score for box in held) >= 0.35 else "Probably yes"
        if name == "with":
            return f"{start}, I see {thing.one} with {who.the}."
        return f"{start}, {who.the} {who.verb} {match['word']} {_other(thing)}."
    if not pairs:
        return None
    now = relations.relation(*min(pairs, key=lambda pair: distance(*pair)))
    if name == "with" and now in ("in front of", "behind", "beside"):
        return None
    return f"No, {who.the} {who.verb} {now} {_other(thing)}."


def which_relation(scene: Scene, match: re.Match[str]) -> str | None:
    """Which of two relations holds: "in front of or behind the bus"."""
    who, thing = Asked(scene, match["who"]), Asked(scene, match["thing"])
    if not who.boxes or not thing.boxes:
        return (thing if who.boxes else who).absent()
    one, other = who.boxes[0], thing.boxes[0]
    for word in (match["word"], match["other"]):
        if relations.holds(relations.meant_by(word), one, other):
            word = f"{word} of" if word.endswith(("left", "right")) else word
            return sentence(f"{who.the} {who.verb} {word} {_other(thing)}.")
    return sentence(f"{who.the} {who.verb} {relations.relation(one, other)} {_other(thing)}.")


def _other(thing: Asked) -> str:
    return thing.words if thing.words == "each other" else thing.the


def _doubted(thing: Asked) -> tuple[Box, ...]:
    kinds = things.classes_of(thing.noun)
    return tuple(box for box in thing.scene.doubtful if box.label in kinds)


def beside(scene: Scene, match: re.Match[str]) -> str | None:
    """What is next to, behind, on or under a thing."""
    thing, word = Asked(scene, match["thing"]), match["word"]
    if not thing.boxes:
        return thing.absent()
    box = thing.boxes[0]
    others = [one for one in scene.objects if one not in thing.boxes and one.label != box.label]
    name = relations.meant_by(word)
    if name != "beside":
        others = [other for other in others if relations.holds(name, other, box)]
        return f"I see {each_counted(others, 4)} {word} {thing.the}." if others else None
    if not others:
        return None
    near = min(others, key=lambda other: distance(other, box))
    said = f"{with_article(near.label)}: it is {relations.relation(near, box)} {thing.the}."
    return sentence(said)


def held(scene: Scene, match: re.Match[str]) -> str | None:
    """What a person has in the hands, as far as the boxes tell."""
    thing = Asked(scene, match["thing"])
    if not thing.boxes:
        return thing.absent()
    near = [
        with_article(box.label)
        for box in scene.objects
        if box.label != "tie" and any(relations.has(one, box) for one in thing.boxes)
    ]
    return f"I see {listed(near[:3])} with {thing.the}." if near else None


def doing(scene: Scene, match: re.Match[str]) -> str | None:
    """What somebody does, told from the thing the person has or is on."""
    thing = Asked(scene, match["thing"])
    for box in thing.boxes:
        for other in scene.objects:
            words = _activity(box, other)
            if words:
                return sentence(f"{thing.the} {thing.verb} probably {words}.")
    return None


def _activity(one: Box, other: Box) -> str:
    rides, has = relations.rides(one, other), relations.has(one, other)
    if (rides or has) and things.doing(other.label):
        return things.doing(other.label)
    if rides:
        return f"riding {with_article(other.label)}"
    if has and one.label == "person" and other.label in things.GROUPS["food"]:
        return f"eating {with_article(other.label)}"
    if relations.rests_on(one, other):
        return f"{'sitting' if one.label == 'person' else 'resting'} on the {other.label}"
    return ""


def compared(scene: Scene, match: re.Match[str]) -> str | None:
    """Which of two things is larger, further left, nearer and so on, or whether the first is."""
    both = [Asked(scene, match["one"]), Asked(scene, match["two"])]
    missing = next((thing for thing in both if not thing.boxes), None)
    if missing:
        return missing.absent()
    number = choosing.most(match["word"].split()[-1], [thing.boxes[0] for thing in both])
    if number is None:
        return None
    if not re.match(r"is|are", match[0]):
        return f"In the picture, {both[number].the} is."
    agreed = "No" if number else "Yes"
    return f"{agreed}, in the picture {both[number].the} is {match['word']}."


def which_of_kind(scene: Scene, match: re.Match[str]) -> str | None:
    """Which one of several of a kind is largest, nearest and so on: where it stands."""
    boxes = Asked(scene, plural(Asked(scene, match["thing"]).bare)).all_boxes
    number = choosing.most(match["word"], boxes)
    return None if number is None or len(boxes) < 2 else f"The one {scene.place(boxes[number])}."
