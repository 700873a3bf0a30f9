"""Answers on where things are in a picture and how they stand to each other."""

from __future__ import annotations

import re
from collections.abc import Callable

from controlllm.resources import Box
from tools.seeing.embedded import phrases, relations
from tools.seeing.embedded.answer_words import (
    absent,
    bare,
    definite,
    named,
    not_there,
    seen,
    someone,
    tidy,
)
from tools.seeing.embedded.grounding import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.scene_description import (
    counted,
    grouped,
    listed,
    plural,
    sentence,
    with_article,
)
from tools.seeing.embedded.vocabulary import COCO_CLASSES, GROUPS, classes_of, is_plural
from tools.shared.boxes import area, centre

PICTURE = frozenset("picture image photo photograph scene shot this it that".split())
_PLACES = {
    "left": lambda box, size: centre(box)[0] < 0.45 * size[0],
    "right": lambda box, size: centre(box)[0] > 0.55 * size[0],
    "top": lambda box, size: centre(box)[1] < 0.45 * size[1],
    "bottom": lambda box, size: centre(box)[1] > 0.55 * size[1],
    "middle": lambda box, size: 0.3 < centre(box)[0] / size[0] < 0.7,
}
_SAME_PLACE = {"center": "middle", "centre": "middle", "upper": "top", "lower": "bottom"}
_KEYS: dict[str, Callable[[Box], float]] = {
    "big": area, "larg": area, "small": lambda box: -area(box),
    "left": lambda box: -centre(box)[0], "right": lambda box: centre(box)[0],
    "high": lambda box: -box.top, "low": lambda box: box.bottom,
    "tall": lambda box: box.bottom - box.top, "wide": lambda box: box.right - box.left,
    "short": lambda box: box.top - box.bottom,
    # On level ground what is nearer stands lower in the picture.
    "close": lambda box: _nearness(box), "near": lambda box: _nearness(box),
    "further": lambda box: -_nearness(box), "farther": lambda box: -_nearness(box),
}  # fmt: skip
#: The relations that say more than which side a thing is on, the most telling first.
_TELLING = ("on", "under", "with", "in front of", "behind", "beside")
_SPATIAL = ("to the left of", "to the right of", "above", "below", "in front of", "behind")
_VERBS = {
    "riding": ("riding", "driving"),
    "on": ("on", "on top of", "sitting on", "standing on", "lying on", "sleeping on", "resting on"),
    "with": ("wearing", "holding", "carrying", "using", "with", "eating", "playing with"),
    "under": ("under", "underneath", "beneath"),
    "in front of": ("in front of",),
    "behind": ("behind",),
    "above": ("above", "over"),
    "below": ("below",),
    "to the left of": ("left of", "to the left of", "on the left of"),
    "to the right of": ("right of", "to the right of", "on the right of"),
    "beside": ("next to", "beside", "near", "close to", "by", "sitting next to"),
}
#: The words of a relation as they stand in a question.
RELATION_WORDS = "|".join(
    sorted({w for words in _VERBS.values() for w in words} | {"in", "inside"}, key=len)[::-1]
)
_POSTURE = re.compile(
    r"\s+(?:sitting|standing|lying|laying|sleeping|resting|placed|located|positioned|parked|"
    r"looking|situated|seated|riding|going|walking|running|kept|hanging)$"
)


def where(scene: Scene, match: re.Match[str]) -> str | None:
    """Where in the picture a thing is, and where from what is near it."""
    thing = someone(_POSTURE.sub("", tidy(match["thing"])))
    if bare(thing) in PICTURE or re.search(r"taken|\bwe\b", match[0]):
        known = f"It was probably taken {scene.setting}, but " if scene.setting else ""
        return sentence(f"{known}I cannot tell the place. {seen(scene)}")
    boxes = ground(scene, thing)
    if not boxes:
        return absent(scene, thing)
    name = definite(re.sub(r"^all ", "", thing))
    if len(boxes) > 1:
        places = list(dict.fromkeys(scene.place(box) for box in boxes[:6]))
        near = _beside_all(boxes, scene)
        return sentence(f"{name} are {listed(places)} of the picture{near}.")
    verb = "are" if is_plural(name.split()[-1]) else "is"
    return sentence(
        f"{name} {verb} {scene.place(boxes[0])} of the picture{_near(boxes[0], scene)}."
    )


def _near(box: Box, scene: Scene) -> str:
    """ ", on the couch and beside the dog": the relation that tells most about where a box is."""
    others = [other for other in scene.objects if other.label != box.label]
    told: list[str] = []
    for wanted in _TELLING:
        for other in others:
            if relations.relation(box, other) == wanted and len(told) < 2:
                worn = box.label in relations.HELD | {"tie", "backpack", "handbag"}
                word = "next to" if wanted == "with" and not worn else wanted
                told.append(f"{word} the {other.label}")
                others = [left for left in others if left.label != other.label]
                break
    if told:
        return ", " + listed(told)
    close = min(others, key=lambda other: relations.distance(other, box), default=None)
    if close is None or relations.distance(close, box) > 0.35 * max(scene.image.size):
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
    place = _SAME_PLACE.get(match["place"], match["place"])
    boxes = [box for box in scene.objects if _PLACES[place](box, scene.image.size)]
    if not boxes:
        return f"I recognise nothing for sure at the {place}."
    parts = [counted(len(group), group[0].label) for group in grouped(boxes)][:4]
    return f"At the {place} I see {listed(parts)}."


def is_at_place(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether a thing is in a part of the picture, or in which of two parts."""
    thing = someone(_POSTURE.sub("", tidy(match["thing"])))
    boxes = ground(scene, thing)
    if not boxes:
        return absent(scene, thing)
    box = boxes[0]
    one = _SAME_PLACE.get(match["one"], match["one"])
    two = _SAME_PLACE.get(match["two"] or "", match["two"])
    name = definite(thing)
    if not two:
        agreed = "Yes" if _PLACES[one](box, scene.image.size) else "No"
        return f"{agreed}, {name} is {scene.place(box)} of the picture."
    x, y = centre(box)[0] / scene.image.width, centre(box)[1] / scene.image.height
    pair = {one, two}
    if "middle" in pair:
        other = next(iter(pair - {"middle"}), "middle")
        chosen = other if _PLACES[other](box, scene.image.size) else "middle"
        if chosen == "middle" or not 0.4 < x < 0.6:
            return sentence(f"{name} is {_at(chosen)} of the picture.")
        return sentence(f"{name} is in the middle of the picture.")
    share = x if pair == {"left", "right"} else y
    if pair not in ({"left", "right"}, {"top", "bottom"}):
        return sentence(f"{name} is {scene.place(box)} of the picture.")
    low, high = ("left", "right") if pair == {"left", "right"} else ("top", "bottom")
    side = low if share < 0.5 else high
    if 0.45 < share < 0.55:
        return sentence(f"{name} is in the middle of the picture, neither {low} nor {high}.")
    return sentence(f"{name} is {_at(side)} of the picture{_near(box, scene)}.")


def _at(place: str) -> str:
    return {"left": "on the left", "right": "on the right", "middle": "in the middle"}.get(
        place, f"at the {place}"
    )


def is_related(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether one thing stands to another as asked: riding it, on it, left of it, wearing it."""
    return related(scene, match["who"], match["word"], match["thing"])


def related(scene: Scene, who: str, word: str, thing: str) -> str | None:
    """Whether `who` stands to `thing` as `word` says; None where that cannot be told."""
    who, thing = someone(tidy(who)), someone(tidy(thing))
    if bare(thing) in PICTURE:
        return None
    if thing == "each other":
        return _each_other(scene, who, word)
    group = next(name for name, words in _VERBS.items() if word in words) if word in {
        w for words in _VERBS.values() for w in words
    } else "on"  # fmt: skip
    ones = ground(scene, f"all {bare(who)}") if who == "person" else ground(scene, who)
    if not ones:
        if who == "person":
            return f"No, I see nobody in the picture. {seen(scene, read_text=False)}"
        return absent(scene, who)
    noun = phrases.parse(thing).noun
    others = ground(scene, thing) or _doubted(scene, noun)
    if not others:
        kinds = classes_of(noun)
        if not kinds & set(COCO_CLASSES) and noun not in GROUPS:
            return None
        said = not_there(thing)
        # What nobody found may still be there behind whoever sits on it.
        return absent(scene, thing) if said.startswith("No") else said
    pairs = [(a, b) for a in ones for b in others if a is not b]
    held = [(a, b) for a, b in pairs if _holds(group, word, a, b)]
    if held:
        one, other = held[0]
        sure = min(one.score, other.score) >= 0.35
        start = "Yes" if sure else "Probably yes"
        if group == "with":
            return f"{start}, I see {named(bare(thing))} with {definite(bare(who))}."
        return f"{start}, {definite(who)} is {word} {_other(thing)}."
    if not pairs:
        return None
    one, other = min(pairs, key=lambda pair: relations.distance(*pair))
    now = relations.relation(one, other)
    if group == "with" and now in ("in front of", "behind", "beside"):
        return None
    return f"No, {definite(who)} is {now} {_other(thing)}."


def _each_other(scene: Scene, who: str, word: str) -> str | None:
    boxes = ground(scene, who)
    if len(boxes) != 2 or word not in _VERBS["beside"]:
        return None
    agreed = "Yes" if _holds("beside", word, *boxes) else "No"
    return f"{agreed}, {who} are {' and '.join(scene.place(box) for box in boxes)} of the picture."


def _other(thing: str) -> str:
    return definite(thing) if not re.match(r"an? ", thing) else f"the {thing.split(' ', 1)[1]}"


def _doubted(scene: Scene, noun: str) -> tuple[Box, ...]:
    kinds = classes_of(noun)
    return tuple(box for box in scene.doubtful if box.label in kinds)


def _holds(group: str, word: str, one: Box, other: Box) -> bool:
    if group == "riding" or word == "driving":
        return relations.rides(one, other)
    if group == "with":
        return relations.has(one, other)
    if group == "on":
        return relations.rides(one, other) or relations.rests_on(one, other)
    if group == "beside":
        reach = 0.5 * max(one.right - one.left, other.right - other.left)
        return relations.distance(one, other) < reach
    if group in ("to the left of", "to the right of"):
        left = centre(one)[0] < centre(other)[0]
        return left == (group == "to the left of")
    if group in ("above", "below"):
        return (centre(one)[1] < centre(other)[1]) == (group == "above")
    return relations.relation(one, other) == group


def related_or(scene: Scene, match: re.Match[str]) -> str | None:
    """Which of two relations holds: "in front of or behind the bus"."""
    who, thing = someone(tidy(match["who"])), tidy(match["thing"])
    ones, others = ground(scene, who), ground(scene, thing)
    if not ones or not others:
        return absent(scene, who if not ones else thing)
    for word in (match["word"], match["other"]):
        word = f"{word} of" if word.endswith(("left", "right")) else word
        group = next((name for name, words in _VERBS.items() if word in words), "")
        if group and _holds(group, word, ones[0], others[0]):
            return sentence(f"{definite(who)} is {word} {_other(thing)}.")
    now = relations.relation(ones[0], others[0])
    return sentence(f"{definite(who)} is {now} {_other(thing)}.")


def beside(scene: Scene, match: re.Match[str]) -> str | None:
    """What is next to, behind, on or under a thing."""
    thing = someone(tidy(match["thing"]))
    boxes = ground(scene, thing)
    others = [box for box in scene.objects if box not in boxes and box.label != boxes[0].label] if (
        boxes) else []  # fmt: skip
    if not boxes or not others:
        return None if boxes else absent(scene, thing)
    word = match["word"]
    group = next((name for name, words in _VERBS.items() if word in words), "beside")
    if group in (*_SPATIAL, "on", "under"):
        fitting = [
            box for box in others
            if _holds(group, word, box, boxes[0])
            or (group == "behind" and relations.relation(box, boxes[0]) == "behind")
        ]  # fmt: skip
        if not fitting:
            return None
        names = [counted(len(g), g[0].label) for g in grouped(fitting)][:4]
        return f"I see {listed(names)} {word} {definite(thing)}."
    near = min(others, key=lambda box: relations.distance(box, boxes[0]))
    where_it_is = relations.relation(near, boxes[0])
    return sentence(f"{with_article(near.label)}: it is {where_it_is} {definite(thing)}.")


def held(scene: Scene, match: re.Match[str]) -> str | None:
    """What a person has in the hands, as far as the boxes tell."""
    thing = someone(tidy(match["thing"]))
    boxes = ground(scene, thing)
    if not boxes:
        return absent(scene, thing)
    near = [box for box in scene.objects if any(relations.has(one, box) for one in boxes)]
    near = [box for box in near if box.label != "tie"]
    if not near:
        return None
    return f"I see {listed([with_article(box.label) for box in near[:3]])} with {definite(thing)}."


def doing(scene: Scene, match: re.Match[str]) -> str | None:
    """What somebody does, told from the thing the person has or is on."""
    thing = someone(tidy(match["thing"]))
    boxes = ground(scene, thing)
    if not boxes:
        return None
    verb = "are" if len(boxes) > 1 or is_plural(thing.split()[-1]) else "is"
    for box in boxes:
        for other in scene.objects:
            words = _activity(box, other)
            if words:
                return sentence(f"{definite(thing)} {verb} probably {words}.")
    return None


def _activity(one: Box, other: Box) -> str:
    label = other.label
    if relations.rides(one, other):
        special = {"surfboard": "surfing", "skateboard": "skateboarding", "skis": "skiing"}
        special |= {"snowboard": "snowboarding", "motorcycle": "riding a motorcycle"}
        return special.get(label, f"riding {with_article(label)}")
    if relations.has(one, other):
        special = {
            "tennis racket": "playing tennis", "baseball bat": "playing baseball",
            "baseball glove": "playing baseball", "kite": "flying a kite",
            "umbrella": "holding an umbrella", "frisbee": "playing with a frisbee",
            "sports ball": "playing with a ball", "cell phone": "using a cell phone",
            "toothbrush": "brushing teeth",
        }  # fmt: skip
        if label in special:
            return special[label]
        if label in GROUPS["food"] and one.label == "person":
            return f"eating {with_article(label)}"
    if relations.rests_on(one, other):
        return f"{'sitting' if one.label == 'person' else 'resting'} on the {label}"
    return ""


def which(scene: Scene, match: re.Match[str]) -> str | None:
    """Which of two things is larger, further left, nearer and so on."""
    first, second = someone(tidy(match["one"])), someone(tidy(match["two"]))
    one, two = ground(scene, first), ground(scene, second)
    if not one or not two:
        return absent(scene, first if not one else second)
    key = _key(match["word"])
    if key is None:
        return None
    winner = first if key(one[0]) >= key(two[0]) else second
    return f"In the picture, {definite(winner)} is."


def which_of_kind(scene: Scene, match: re.Match[str]) -> str | None:
    """Which one of several of a kind is largest, nearest and so on: where it stands."""
    key = _key(match["word"])
    boxes = ground(scene, f"all {plural(bare(match['thing']))}")
    if key is None or len(boxes) < 2:
        return None
    return f"The one {scene.place(max(boxes, key=key))}."


def compared(scene: Scene, match: re.Match[str]) -> str | None:
    """Whether one thing is larger, higher or nearer than another."""
    first, second = someone(tidy(match["one"])), someone(tidy(match["two"]))
    one, two = ground(scene, first), ground(scene, second)
    if not one or not two:
        return absent(scene, first if not one else second)
    key = _key(match["word"])
    if key is None:
        return None
    if key(one[0]) >= key(two[0]):
        return f"Yes, in the picture {definite(first)} is {match['word']} than {definite(second)}."
    return f"No, in the picture {definite(second)} is {match['word']}."


def _nearness(box: Box) -> float:
    # Of two that the picture's edge cuts off alike, the taller one is nearer.
    return box.bottom + 0.1 * (box.bottom - box.top)


def _key(word: str) -> Callable[[Box], float] | None:
    word = re.sub(r"^(?:more |further |farther )?(?:(?:to|on) the )?(?=left|right)", "", word)
    return next((key for start, key in _KEYS.items() if word.startswith(start)), None)
