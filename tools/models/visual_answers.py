"""Answers to questions about a picture, made of what the models see in it.

Each kind of question has a rule below; the first that fits answers. A question that none fits
gets what can be seen and a plain word that more than that is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from controlllm.resources import Box
from tools.models import colours, imagenet, phrases, text_reader
from tools.models.boxes import area, centre
from tools.models.grounding import ground
from tools.models.scene import Scene, in_sentence
from tools.models.scene_description import (
    counted,
    describe_scene,
    grouped,
    listed,
    plural,
    sentence,
    with_article,
)
from tools.models.vocabulary import GROUPS, classes_of, is_plural, singular

Answer = Callable[[Scene, re.Match[str]], str | None]

_PICTURE = frozenset("picture image photo photograph scene shot this it that".split())
_PLACES = {
    "left": lambda box, size: centre(box)[0] < 0.45 * size[0],
    "right": lambda box, size: centre(box)[0] > 0.55 * size[0],
    "top": lambda box, size: centre(box)[1] < 0.45 * size[1],
    "bottom": lambda box, size: centre(box)[1] > 0.55 * size[1],
    "middle": lambda box, size: 0.3 < centre(box)[0] / size[0] < 0.7,
}
_BACKDROPS = {"sky": (0.0, 0.25), "background": (0.0, 0.2), "floor": (0.85, 1.0),
              "ground": (0.85, 1.0), "grass": (0.8, 1.0)}  # fmt: skip


def answer(scene: Scene, question: str) -> str:
    """An answer in one to three sentences; it says so where the models cannot tell."""
    text = " ".join(question.lower().replace("’", "'").split()).rstrip("?.! ")
    text = re.sub(
        r"^(?:(?:please|do you know|"
        r"(?:can|could|would) you (?=tell|say|describe|count|read|elaborate|explain)|"
        r"hey|ok|so)\s+)*(?:tell me|let me know|say|i want to know|answer(?: me)?)?[,:]?\s*",
        "",
        text,
    )
    for pattern, rule in _RULES:
        match = re.search(pattern, text)
        if match:
            found = rule(scene, match)
            if found:
                return found
    return _beyond(scene, question)


def _beyond(scene: Scene, question: str) -> str:
    return (
        f"{_seen(scene)} The models at work here cannot tell more than that; to answer "
        f"“{question.strip()}”, add an API key for a vision-language model in the settings."
    )


def _seen(scene: Scene, *, read_text: bool = True) -> str:
    """The caption as something said: "I see a dog in the middle"."""
    caption = describe_scene(scene, read_text=read_text)
    if not scene.objects:
        return caption
    return f"I see {caption[0].lower()}{caption[1:]}"


def _described(scene: Scene, match: re.Match[str]) -> str:
    return _seen(scene)


def _text(scene: Scene, match: re.Match[str]) -> str | None:
    if not scene.lines:
        return "I can find no readable text in the picture."
    words = text_reader.as_text(scene.lines).replace("\n", " / ")
    return f"It says “{words}”."


def _any_text(scene: Scene, match: re.Match[str]) -> str:
    if not scene.lines:
        return "No, I can find no readable text in the picture."
    words = text_reader.as_text(scene.lines).replace("\n", " / ")
    return f"Yes, it says “{words}”."


def _time(scene: Scene, match: re.Match[str]) -> str | None:
    for line in scene.lines:
        shown = re.search(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)\b", line.text)
        if shown:
            return f"It shows {shown[1]}:{shown[2]}."
    clocks = ground(scene, "clock")
    if clocks:
        return "There is a clock, but I can read only clocks that show the time in digits."
    return "I see no clock in the picture."


def _how_many(scene: Scene, match: re.Match[str]) -> str | None:
    thing = _tidy(match["thing"])
    noun = phrases.parse(thing).noun
    if noun in phrases.ANYTHING or noun in ("object", "thing"):
        if not scene.objects:
            return "I recognise no object for sure."
        groups = [counted(len(group), group[0].label) for group in grouped(scene.objects)]
        return f"I can make out {_things(len(scene.objects), 'object')}: {listed(groups)}."
    boxes = ground(scene, f"all {thing}")
    if noun == "person" and len(scene.faces) > len(boxes):
        boxes = scene.faces
    if not boxes:
        return f"None: I see no {thing} in the picture."
    detail = ""
    if noun in GROUPS:
        detail = ": " + listed([counted(len(g), g[0].label) for g in grouped(boxes)])
    verb = "is" if len(boxes) == 1 else "are"
    hedge = " at least" if len(boxes) > 6 else ""
    name = noun if not colours.is_colour(thing.split()[0]) else f"{thing.split()[0]} {noun}"
    return f"There {verb}{hedge} {counted(len(boxes), name)}{detail}."


def _colour(scene: Scene, match: re.Match[str]) -> str | None:
    thing = re.sub(r"^the ", "", _tidy(match["thing"]))
    if thing in _PICTURE:
        return f"The picture is mostly {colours.in_words(colours.main_colours(scene.image))}."
    if thing in _BACKDROPS:
        top, bottom = (int(share * scene.image.height) for share in _BACKDROPS[thing])
        strip = scene.image.crop((0, top, scene.image.width, max(bottom, top + 1)))
        names = colours.in_words(colours.main_colours(strip))
        part = "top" if top == 0 else "bottom"
        return f"The {part} of the picture, where the {thing} would be, is mostly {names}."
    if re.search(r"\b(hair|eyes?|shirt|dress|jacket|coat|hat|shoes?|pants|trousers)\b", thing):
        worn = _worn_colours(scene, thing)
        return f"The {_worn(thing)} looks {colours.in_words(worn)}." if worn else None
    boxes = ground(scene, thing)
    if not boxes:
        return _absent(scene, thing)
    words = [colours.in_words(colours.main_colours(scene.image, box)[:2]) for box in boxes[:4]]
    name = re.sub(r"^(the|an?|this|that)\s+", "", thing)
    if len(boxes) == 1:
        return f"The {name} is {words[0]}."
    places = [f"the one {scene.place(box)} is {word}" for box, word in
              zip(boxes, words, strict=False)]  # fmt: skip
    return sentence(f"{listed(places)}.")


_WORN = re.compile(r"\b(hair|shirt|t-shirt|dress|jacket|coat|top|sweater|blouse)\b")


def _worn(thing: str) -> str:
    found = _WORN.search(thing)
    return found[1] if found else ""


def _worn_colours(scene: Scene, thing: str) -> tuple[str, ...]:
    """The colour above the face (hair) or below it (a shirt), where one face is seen."""
    if len(scene.faces) != 1 or not _worn(thing):
        return ()
    face = scene.faces[0]
    width, height = face.right - face.left, face.bottom - face.top
    if _worn(thing) == "hair":
        sides = (face.left, face.top - 0.45 * height, face.right, face.top + 0.05 * height)
    else:
        top, bottom = face.bottom + 0.4 * height, face.bottom + 1.8 * height
        sides = (face.left - 0.2 * width, top, face.right + 0.2 * width, bottom)
    left, top, right, bottom = (max(round(side), 0) for side in sides)
    bottom = min(bottom, scene.image.height)
    if bottom - top < 4 or right - left < 4:
        return ()
    return colours.main_colours(scene.image.crop((left, top, right, bottom)))[:1]


def _where(scene: Scene, match: re.Match[str]) -> str | None:
    thing = _tidy(match["thing"])
    if thing in _PICTURE:
        return _taken(scene)
    boxes = ground(scene, thing)
    if not boxes:
        return _absent(scene, thing)
    name = re.sub(r"^(the|an?|this|that|all)\s+", "", thing)
    if len(boxes) > 1:
        return f"The {name} are {listed([scene.place(box) for box in boxes[:5]])}."
    others = [box for box in scene.objects if box.label != boxes[0].label]
    near = min(others, key=lambda box: _distance(box, boxes[0]), default=None)
    beside = ""
    if near is not None and _distance(near, boxes[0]) < 0.35 * max(scene.image.size):
        beside = f", {_relation(boxes[0], near)} the {near.label}"
    return f"The {name} is {scene.place(boxes[0])} of the picture{beside}."


def _taken(scene: Scene) -> str:
    known = f"It was probably taken {scene.setting}, but " if scene.setting else ""
    return sentence(f"{known}I cannot tell the place. {_seen(scene)}")


def _is_there(scene: Scene, match: re.Match[str]) -> str | None:
    thing = _tidy(match["thing"])
    if re.fullmatch(r"(any |some )?(text|writing|words|letters)", thing):
        return _any_text(scene, match)
    thing = re.sub(r"^(any|some|an?|one)\s+", "", thing)
    options = re.split(r"\s+or\s+(?:an?\s+)?", thing)
    if len(options) == 2:
        seen = [option for option in options if ground(scene, option)]
        if len(seen) == 1:
            return f"I see {_named(seen[0])}, and no {options[1 - options.index(seen[0])]}."
    noun = phrases.parse(thing).noun
    boxes = ground(scene, f"all {thing}")
    if not boxes and noun == "person" and scene.faces:
        boxes = scene.faces
    if not boxes:
        return f"No, I see no {thing} in the picture."
    if noun in GROUPS:
        return f"Yes, {listed([counted(len(g), g[0].label) for g in grouped(boxes)])}."
    if len(boxes) == 1:
        doubt = "" if boxes[0].score >= 0.4 else " (but I am not sure)"
        name = with_article(noun) if is_plural(thing.split()[-1]) else _named(thing)
        return f"Yes, there is {name} {scene.place(boxes[0])}{doubt}."
    return f"Yes, there are {counted(len(boxes), noun)}."


def _kind(scene: Scene, match: re.Match[str]) -> str | None:
    thing = singular(_tidy(match["thing"]).split()[-1]) if match["thing"] else ""
    if thing in GROUPS:
        return _members(scene, thing)
    boxes = ground(scene, thing) if thing and thing not in _PICTURE else scene.objects[:1]
    for box in boxes[:1]:
        kind = scene.kind(box)
        if kind is not None and kind.score >= 0.3:
            sure = "It is most likely" if kind.score >= 0.6 else "It may be"
            return f"{sure} {with_article(kind.name)} ({kind.score:.0%} sure)."
        if thing in classes_of(box.label) or thing != box.label:
            return f"It is {with_article(box.label)}; I cannot tell more."
    if thing and thing not in _PICTURE and not boxes and thing in imagenet.members():
        return _absent(scene, thing)
    best = scene.whole[0]
    if best.score >= 0.3:
        name = in_sentence(best.name)
        return f"It is most likely {with_article(name)} ({best.score:.0%} sure)."
    return None


def _members(scene: Scene, group: str) -> str | None:
    boxes = ground(scene, f"all {plural(group)}")
    extra = [b for b in scene.objects if group == "animal" and b.label in imagenet.ANIMALS]
    boxes = tuple({id(box): box for box in [*boxes, *extra]}.values())
    if not boxes:
        best = scene.whole[0]
        return f"It may be {with_article(in_sentence(best.name))}." if best.score > 0.5 else (
            f"I see no {group} in the picture.")  # fmt: skip
    parts = []
    for found in grouped(boxes):
        kind = scene.kind(found[0])
        if len(found) == 1 and kind is not None and kind.score >= 0.6:
            parts.append(f"{with_article(found[0].label)} (most likely {with_article(kind.name)})")
        else:
            parts.append(counted(len(found), found[0].label))
    return f"I see {listed(parts)}."


def _setting(scene: Scene, match: re.Match[str]) -> str:
    if scene.setting:
        return f"It was probably taken {scene.setting}."
    return "I see too few signs to tell whether it was taken indoors or outdoors."


def _daylight(scene: Scene, match: re.Match[str]) -> str:
    if scene.brightness < 0.18:
        return "The picture is dark, so it may be night or an unlit room."
    if scene.setting == "outdoors":
        return "The picture is bright and was probably taken outdoors, so it is most likely day."
    return "The picture is bright, but I cannot tell whether by daylight or by lamps."


def _is_colour(scene: Scene, match: re.Match[str]) -> str | None:
    if not colours.is_colour(match["colour"]):
        return None
    thing = _tidy(match["thing"])
    worn = _worn_colours(scene, thing)
    if worn:
        agreed = "Yes" if colours.SYNONYMS.get(match["colour"], match["colour"]) in worn else "No"
        return f"{agreed}, the {_worn(thing)} looks {colours.in_words(worn)}."
    boxes = ground(scene, thing)
    if not boxes:
        return _absent(scene, thing)
    fit = max(colours.likeness(scene.image, box, match["colour"]) for box in boxes)
    names = colours.in_words(colours.main_colours(scene.image, boxes[0])[:2])
    name = re.sub(r"^(the|an?|this|that)\s+", "", thing)
    if fit >= 0.3:
        return f"Yes, the {name} is {match['colour']}."
    return f"No, the {name} is rather {names}."


def _is_this(scene: Scene, match: re.Match[str]) -> str | None:
    thing = _tidy(match["thing"])
    if ground(scene, thing):
        return f"Yes, I see {_named(thing)}."
    return f"No, I see no {thing}. {_seen(scene, read_text=False)}"


def _at_place(scene: Scene, match: re.Match[str]) -> str | None:
    place = {"center": "middle", "centre": "middle"}.get(match["place"], match["place"])
    boxes = [box for box in scene.objects if _PLACES[place](box, scene.image.size)]
    if not boxes:
        return f"I recognise nothing for sure at the {place}."
    parts = [counted(len(group), group[0].label) for group in grouped(boxes)][:4]
    return f"At the {place} I see {listed(parts)}."


def _beside(scene: Scene, match: re.Match[str]) -> str | None:
    boxes = ground(scene, _tidy(match["thing"]))
    others = [box for box in scene.objects if box not in boxes]
    if not boxes or not others:
        return None if boxes else _absent(scene, _tidy(match["thing"]))
    near = min(others, key=lambda box: _distance(box, boxes[0]))
    return sentence(f"{with_article(near.label)}: it is {_relation(near, boxes[0])} the "
                    f"{boxes[0].label}.")  # fmt: skip


def _held(scene: Scene, match: re.Match[str]) -> str | None:
    boxes = ground(scene, _tidy(match["thing"]))
    if not boxes:
        return _absent(scene, _tidy(match["thing"]))
    others = [box for box in scene.objects if box.label != boxes[0].label]
    near = [box for box in others if _distance(box, boxes[0]) == 0 and area(box) < area(boxes[0])]
    if not near:
        return None
    names = listed([with_article(box.label) for box in near[:3]])
    return f"Right at the {boxes[0].label} I see {names}; how it is held I cannot tell for sure."


def _which(scene: Scene, match: re.Match[str]) -> str | None:
    first, second = _tidy(match["one"]), _tidy(match["two"])
    one, two = ground(scene, first), ground(scene, second)
    if not one or not two:
        return _absent(scene, first if not one else second)
    word = match["word"]
    keys: dict[str, Callable[[Box], float]] = {
        "big": area, "larg": area, "small": lambda box: -area(box),
        "left": lambda box: -centre(box)[0], "right": lambda box: centre(box)[0],
        "high": lambda box: -centre(box)[1], "low": lambda box: centre(box)[1],
        "tall": lambda box: box.bottom - box.top,
    }  # fmt: skip
    key = next((key for start, key in keys.items() if word.startswith(start)), None)
    if key is None:
        return None
    winner = first if key(one[0]) >= key(two[0]) else second
    return f"In the picture, {_definite(winner)} is."


def _who(scene: Scene, match: re.Match[str]) -> str:
    count = max(len(scene.faces), sum(box.label == "person" for box in scene.objects))
    if not count:
        return f"I see nobody in the picture. {_seen(scene, read_text=False)}"
    return f"I see {counted(count, 'person')}, but I do not recognise who people are."


def _absent(scene: Scene, thing: str) -> str:
    name = re.sub(r"^(the|an?|this|that|any)\s+", "", thing)
    return f"I see no {name} in the picture. {_seen(scene, read_text=False)}"


def _things(count: int, label: str) -> str:
    return counted(count, label)


def _named(thing: str) -> str:
    words = re.sub(r"^(?:the|an?|any|some)\s+", "", thing)
    return words if is_plural(words.split()[-1]) else with_article(words)


def _definite(thing: str) -> str:
    return thing if thing.startswith("the ") else f"the {thing}"


def _tidy(thing: str) -> str:
    thing = re.sub(
        r"\s+(?:(?:in|on|of|from) (?:the|this|that|my|it)(?: (?:picture|image|photo|photograph|"
        r"scene|shot))?|here|there|visible|present|shown|seen|in total|altogether|can you see|"
        r"do you see|are there|is there|are visible|is visible|are|is)$",
        "",
        thing.strip(" ,?"),
    )
    return re.sub(r"\s+(?:are|is) (?:there|in|on|visible|shown).*$", "", thing).strip()


def _distance(one: Box, other: Box) -> float:
    across = max(one.left, other.left) - min(one.right, other.right)
    down = max(one.top, other.top) - min(one.bottom, other.bottom)
    return max(across, 0.0) + max(down, 0.0)


def _relation(one: Box, other: Box) -> str:
    """Where `one` is, seen from `other`."""
    (x, y), (other_x, other_y) = centre(one), centre(other)
    width = (one.right - one.left + other.right - other.left) / 2
    height = (one.bottom - one.top + other.bottom - other.top) / 2
    across, down = (x - other_x) / max(width, 1), (y - other_y) / max(height, 1)
    if max(abs(across), abs(down)) < 0.3:
        return "at the same place as"
    if abs(across) >= abs(down):
        return "to the left of" if across < 0 else "to the right of"
    return "above" if down < 0 else "below"


_RULES: tuple[tuple[str, Answer], ...] = (
    (r"\bwhat(?:'s| is)? (?:the )?time\b|what time|clock (?:say|show|read)", _time),
    (r"\bwhat (?:does|do|is|are) .*\b(?:say|says|read|written|printed|spell)\b|\bread (?:the|"
     r"this|what)|^what (?:text|words?|writing|letters?)\b|\bwhat is the text\b|"
     r"\bwhat(?:'s| is) (?:the )?(?:name|number|text|word) "
     r"(?:on|of the (?:street|road|shop|sign))", _text),
    (r"\b(?:how many|count|number of|how much) (?:of )?(?:the |all )?(?P<thing>.+)", _how_many),
    (r"\b(?:indoors?|outdoors?|inside or outside|outside or inside)\b", _setting),
    (r"\b(?:day ?time|night ?time|day or night|night or day|at night|during the day)\b", _daylight),
    (r"^(?:which|what|who) (?:one |of them )?is (?:the )?(?P<word>bigger|larger|smaller|"
     r"higher|lower|taller|(?:more |further |farther )?(?:to the )?(?:left|right))[,:]?\s+"
     r"(?P<one>.+?) or (?P<two>.+)", _which),
    (r"\bwhat colou?rs? (?:is|are|of|does|do|has)?\s*(?P<thing>.+)", _colour),
    (r"\bcolou?rs? (?:of|is|are|does|do)\s+(?P<thing>.+)", _colour),
    (r"^where (?:is|are|was|'s|can you see|do you see)\s*(?P<thing>.+?)(?: (?:located|taken))?$",
     _where),
    (r"^(?:what|which) (?:sort|kind|type|breed|species|make|model|variety|class) "
     r"(?:of (?P<thing>[a-z ]+?))?(?: (?:is|are|do|does|can|in|on)\b.*)?$", _kind),
    (r"\b(?:breed|species|kind|type) (?:of|is)? ?(?:the |this |that )?(?P<thing>[a-z]+)?", _kind),
    (r"^(?:what|which) (?P<thing>animals?|vehicles?|fruits?|foods?|furniture|pets?)\b", _kind),
    (r"^(?:what|which)(?: (?:things?|objects?))?(?:'s| is| are) (?:at|on|in|to) (?:the )?"
     r"(?P<place>left|right|top|bottom|middle|cent(?:er|re))\b", _at_place),
    (r"^what(?:'s| is| are) (?:next to|beside|near|close to|by|behind|in front of) (?P<thing>.+)",
     _beside),
    (r"^what(?:'s| is| does| has) (?P<thing>.+?) (?:holding|carrying|hold|carry|got)\b", _held),
    (r"^(?:is|are) there (?:any |some )?(?P<thing>.+)", _is_there),
    (r"^(?:does|do|has) (?:the|this|that|it|these)(?: (?:picture|image|photo|scene))? ?(?:show|"
     r"have|contain|include|depict|got)s?\s+(?P<thing>.+)", _is_there),
    (r"^(?:do|can|could) (?:you|we|i) (?:see|find|spot|make out) (?P<thing>.+)", _is_there),
    (r"^is (?:this|it|that) (?:really )?(?:an? |the )(?:picture of |photo of )?(?P<thing>.+)",
     _is_this),
    (r"^(?:is|are) (?P<thing>(?:the|this|that|these|those|his|her) .+?) (?P<colour>[a-z]+)$",
     _is_colour),
    (r"^who\b", _who),
    (r"^what(?:'s| is| are| can| do| does| was)?\s*(?:you |we )?(?:see|shown|depicted|this|that|it|"
     r"there|in (?:the|this|it)|here|the (?:main )?(?:subject|content|object|thing|picture|image|"
     r"photo)|(?:the )?things|(?:the )?objects|visible|on (?:the|this) (?:picture|image|photo))"
     r"(?!.*\b(?:doing|wearing|holding|looking|feel|think|mean|skill)\b)", _described),
    (r"^(?:describe|caption|summari[sz]e|what(?:'s| is) happening|what is going on|elaborate"
     r"|explain|interpret|analy[sz]e|discuss|what do you (?:think is|see) (?:going on|happening))"
     r"(?!.*\bwhy\b)", _described),
)  # fmt: skip
