"""Answers on the colours of things in a picture, clothes and hair among them."""

from __future__ import annotations

import re

from controlllm.resources import Box
from tools.seeing.embedded import clothing, colours, object_colours, relations
from tools.seeing.embedded.answer_words import absent, bare, owner, someone, tidy
from tools.seeing.embedded.grounding import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.scene_description import listed, sentence, with_article
from tools.seeing.embedded.visual_places import PICTURE
from tools.seeing.embedded.vocabulary import is_plural

_BACKDROPS = {"sky": (0.0, 0.25), "background": (0.0, 0.2), "floor": (0.85, 1.0),
              "ground": (0.85, 1.0), "grass": (0.8, 1.0)}  # fmt: skip

_LEGS = re.compile(r"\b(?:pants|trousers|jeans|shorts|skirt|shoes?|boots?)$")
#: Words that are always plural.
_PAIRS = frozenset("trousers pants jeans shorts leggings glasses sunglasses clothes".split())
#: What hair is called, by the colour it has in a picture.
_HAIR = {"yellow": "blond", "beige": "blond", "orange": "blond or ginger", "red": "red"}


def colour(scene: Scene, match: re.Match[str]) -> str | None:
    """What colour a thing, a backdrop, a piece of clothing or the whole picture has."""
    thing = re.sub(r"\s+(?:wearing|painted|coloured|colored)$", "", tidy(match["thing"]))
    name = bare(thing)
    if scene.is_grey:
        return "It is a black-and-white picture, so I cannot tell colours."
    if name in PICTURE:
        return f"The picture is mostly {colours.in_words(colours.main_colours(scene.image))}."
    if name in _BACKDROPS:
        top, bottom = (int(share * scene.image.height) for share in _BACKDROPS[name])
        strip = scene.image.crop((0, top, scene.image.width, max(bottom, top + 1)))
        names = colours.in_words(colours.main_colours(strip))
        part = "top" if top == 0 else "bottom"
        return f"The {part} of the picture, where the {name} would be, is mostly {names}."
    worn = "" if _is_seen_alone(scene, name) else _worn(scene, thing)
    if worn:
        return worn
    if re.search(r"\b(?:eyes?|hair|nose|ears?|face|skin|fur|tail|teeth)$", name):
        return None
    boxes = ground(scene, name if owner(thing) else thing)
    if not boxes:
        return absent(scene, thing)
    words = [colours.in_words(object_colours.named(scene.image, box)) for box in boxes[:4]]
    if len(boxes) == 1 or len(set(words)) == 1:
        several = is_plural(name.split()[-1]) or name in _PAIRS
        return f"The {name} {'are' if several else 'is'} {words[0]}."
    places = [f"the one {scene.place(box)} is {word}" for box, word in
              zip(boxes, words, strict=False)]  # fmt: skip
    return sentence(f"{listed(places)}.")


def is_colour(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether a thing has a colour, or which of two it has."""
    asked = [match["colour"]] + ([match["other"]] if match.groupdict().get("other") else [])
    if not all(colours.is_colour(word) for word in asked):
        return None
    thing = tidy(match["thing"])
    wanted = [colours.SYNONYMS.get(word, word) for word in asked]
    name = bare(thing)
    worn = _worn_on(scene, thing)
    if worn:
        found = worn[0][1]
        said = f"the {clothing.piece_in(thing)} looks {colours.in_words(found)}"
        if len(asked) > 1:
            return sentence(f"{said}.")
        return f"{'Yes' if set(wanted) & set(found) else 'No'}, {said}."
    boxes = ground(scene, name if owner(thing) else thing)
    if not boxes:
        return absent(scene, thing)
    fits = [
        max(colours.likeness(scene.image, box, word) + _fit(scene, box, word) for box in boxes)
        for word in asked
    ]
    if len(asked) > 1:
        best = max(range(len(asked)), key=lambda number: fits[number])
        return f"The {name} is {asked[best]}." if fits[best] >= 0.3 else None
    if fits[0] >= 0.3:
        return f"Yes, the {name} is {asked[0]}."
    names = colours.in_words(object_colours.named(scene.image, boxes[0]))
    return f"No, the {name} is rather {names}."


def _is_seen_alone(scene: Scene, name: str) -> bool:
    """Whether trousers or shoes are found as things: more is known of them than by the person."""
    return bool(_LEGS.search(name)) and bool(ground(scene, name))


def _fit(scene: Scene, box: Box, word: str) -> float:
    return 0.3 * (colours.SYNONYMS.get(word, word) in object_colours.named(scene.image, box))


def _worn_on(scene: Scene, thing: str) -> list[tuple[Box, tuple[str, ...]]]:
    """The people who are meant, each with the colours of the piece of clothing that is named."""
    if not clothing.piece_in(thing):
        return []
    people = ground(scene, owner(thing) or "all people")
    people = tuple(person for person in people if person.label == "person")
    found = [(p, clothing.colours_of(scene, p, clothing.piece_in(thing))) for p in people[:4]]
    return [(person, names) for person, names in found if names]


def _worn(scene: Scene, thing: str) -> str:
    piece = clothing.piece_in(thing)
    found = _worn_on(scene, thing)
    if not found:
        return ""
    if piece == "hair":
        found = [(who, tuple(_HAIR.get(name, name) for name in names)) for who, names in found]
    verb = "look" if is_plural(piece) or piece in _PAIRS else "looks"
    if len(found) == 1 or len({names for _, names in found}) == 1:
        return f"The {piece} {verb} {colours.in_words(found[0][1])}."
    parts = [f"{colours.in_words(names)} on the person {scene.place(p)}" for p, names in found]
    return f"The {piece} {verb} {listed(parts)}."


def wearing(scene: Scene, match: re.Match[str]) -> str | None:
    """What somebody wears: the colour of the clothes and what the detectors know of it."""
    thing = someone(tidy(match["thing"]))
    people = [box for box in ground(scene, thing) if box.label == "person"][:1]
    if not people:
        return None
    parts = []
    names = () if scene.is_grey else clothing.colours_of(scene, people[0], "clothes")
    if names:
        parts.append(f"{colours.in_words(names)} clothes")
    parts += [
        with_article(box.label)
        for box in scene.doubtful
        if box.label in ("tie", "backpack", "handbag")
        and box.score >= 0.3
        and relations.has(people[0], box)
    ]
    if not parts:
        return None
    return f"I see {listed(parts)}; more of it I cannot tell."
