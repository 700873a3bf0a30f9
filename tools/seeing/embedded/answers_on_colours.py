"""Answers on the colours of things in a picture, clothes and hair among them."""

from __future__ import annotations

import re

from controlllm.resources import Box

from ...shared.boxes import area
from . import clothing, colours, object_colours, relations
from .asked import Asked
from .grammar import (
    listed,
    sentence,
    speaks_of_several,
    with_article,
)
from .phrases_to_boxes import ground
from .scene import Scene

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
    words = [listed(object_colours.named(scene.image, box)) for box in boxes[:4]]
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
    names = listed(object_colours.named(scene.image, boxes[0]))
    return f"No, the {thing.bare} {thing.verb} rather {names}."


def _fit(scene: Scene, box: Box, word: str) -> float:
    named = colours.SYNONYMS.get(word, word) in object_colours.named(scene.image, box)
    return object_colours.likeness(scene.image, box, word) + 0.3 * named


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
