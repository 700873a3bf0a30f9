"""Answers on what there is in a picture: how many, whether at all, of which kind and colour."""

from __future__ import annotations

import re

from controlllm.resources import Box

from ...shared.boxes import area, centre
from ...shared.sentences import listed
from . import choosing, clothing, colours, imagenet, phrases_to_boxes, relations, setting, things
from .asked import Asked, seen
from .grammar import (
    counted,
    each_counted,
    grouped,
    plural,
    sentence,
    singular,
    speaks_of_several,
    with_article,
)
from .phrases_to_boxes import SURE, ground
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


#: From where to where, of the picture's height, what is behind things is looked for.
_BACKDROPS = {"sky": (0.0, 0.25), "background": (0.0, 0.2), "floor": (0.85, 1.0),
              "ground": (0.85, 1.0), "grass": (0.8, 1.0)}  # fmt: skip
_LEGS = re.compile(r"\b(?:pants|trousers|jeans|shorts|skirt|shoes?|boots?)$")
_OF_A_BODY = re.compile(r"\b(?:eyes?|hair|nose|ears?|face|skin|fur|tail|teeth)$")
#: What hair is called, by the colour it has in a picture.
_HAIR = {"yellow": "blond", "beige": "blond", "orange": "blond or ginger"}


def colour(scene: Scene, match: re.Match[str]) -> str | None:
    """What colour a thing, a backdrop, a piece of clothing or the whole picture has."""
    thing = Asked(scene, re.sub(r"\s+(?:wearing|painted|coloured|colored)$", "", match["thing"]))
    name = thing.bare
    if scene.is_grey:
        return "It is a black-and-white picture, so I cannot tell colours."
    if thing.is_picture:
        return f"The picture is mostly {listed(colours.main_colours(scene.image))}."
    if name in _BACKDROPS:
        top, bottom = (int(share * scene.image.height) for share in _BACKDROPS[name])
        strip = scene.image.crop((0, top, scene.image.width, max(bottom, top + 1)))
        part = "bottom" if top else "top"
        names = listed(colours.main_colours(strip))
        return f"The {part} of the picture, where the {name} would be, is mostly {names}."
    worn = _worn(thing)
    if worn:
        return _told(clothing.piece_in(name), worn, scene)
    if _OF_A_BODY.search(name):
        return None
    boxes = ground(scene, name) if thing.owner else thing.boxes
    if not boxes:
        return thing.absent()
    words = [listed(colours.named(scene.image, box)) for box in boxes[:4]]
    if len(set(words)) == 1:
        return f"The {name} {'are' if speaks_of_several(name) else 'is'} {words[0]}."
    places = [
        f"the one {scene.place(box)} is {word}" for box, word in zip(boxes, words, strict=False)
    ]
    return sentence(f"{listed(places)}.")


def is_colour(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether a thing has a colour, or which of two it has."""
    asked = [word for word in (match["colour"], match.groupdict().get("other")) if word]
    if not all(map(colours.is_colour, asked)):
        return None
    thing = Asked(scene, match["thing"])
    worn = _worn(thing)
    if worn:
        wanted = {colours.SYNONYMS.get(word, word) for word in asked}
        said = _told(clothing.piece_in(thing.bare), worn, scene)
        if len(asked) > 1:
            return said
        agreed = "Yes" if any(wanted & set(names) for _, names in worn) else "No"
        return f"{agreed}, {said[0].lower()}{said[1:]}"
    boxes = ground(scene, thing.bare) if thing.owner else thing.boxes
    if not boxes:
        return thing.absent()
    fits = {word: max(_fit(scene, box, word) for box in boxes) for word in asked}
    best = max(asked, key=lambda word: fits[word])
    if fits[best] >= 0.3:
        return f"{'Yes, the' if len(asked) == 1 else 'The'} {thing.bare} {thing.verb} {best}."
    if len(asked) > 1:
        return None
    names = listed(colours.named(scene.image, boxes[0]))
    return f"No, the {thing.bare} {thing.verb} rather {names}."


def _fit(scene: Scene, box: Box, word: str) -> float:
    named = colours.SYNONYMS.get(word, word) in colours.named(scene.image, box)
    return colours.likeness(scene.image, box, word) + 0.3 * named


def _worn(thing: Asked) -> list[tuple[Box, tuple[str, ...]]]:
    """The people who are meant, each with the colours of the clothing (or hair) that is named."""
    piece = clothing.piece_in(thing.bare)
    # Of trousers and shoes that are found as things more is known than by the person.
    if not piece or (_LEGS.search(thing.bare) and ground(thing.scene, thing.bare)):
        return []
    people = Asked(thing.scene, thing.owner or "people")
    who = people.boxes
    if people.bare in ("people", people.noun) and people.all_boxes:
        # Which of several is the woman cannot be told, only who stands far behind the others.
        largest = max(map(area, people.all_boxes))
        who = tuple(box for box in people.all_boxes if area(box) >= 0.4 * largest)
    found = [(box, clothing.colours_of(thing.scene, box, piece)) for box in who[:4]]
    return [(box, names) for box, names in found if names and box.label == "person"]


def _told(piece: str, worn: list[tuple[Box, tuple[str, ...]]], scene: Scene) -> str:
    if piece == "hair":
        worn = [(who, tuple(_HAIR.get(name, name) for name in names)) for who, names in worn]
    verb = "look" if speaks_of_several(piece) else "looks"
    if len({names for _, names in worn}) == 1:
        return f"The {piece} {verb} {listed(worn[0][1])}."
    parts = [f"{listed(names)} on the person {scene.place(who)}" for who, names in worn]
    return f"The {piece} {verb} {listed(parts)}."


def wearing(scene: Scene, match: re.Match[str]) -> str | None:
    """What somebody wears: the colour of the clothes and what the detectors know of it."""
    people = [box for box in Asked(scene, match["thing"]).boxes if box.label == "person"]
    if not people:
        return None
    names = () if scene.is_grey else clothing.colours_of(scene, people[0], "clothes")
    parts = [f"{listed(names)} clothes"] if names else []
    parts += [
        with_article(box.label)
        for box in scene.doubtful
        if box.label in ("tie", "backpack", "handbag")
        and box.score >= 0.3
        and relations.has(people[0], box)
    ]
    return f"I see {listed(parts)}; more of it I cannot tell." if parts else None
