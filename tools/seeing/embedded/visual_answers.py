"""Answers to questions about a picture, made of what the models see in it.

Each kind of question has a rule below; the first that fits answers. A question that none fits
gets what can be seen and a plain word that more than that is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tools.seeing.embedded import (
    colours,
    ground_cover,
    imagenet,
    phrases,
    text_reader,
    visual_colours,
    visual_places,
)
from tools.seeing.embedded.answer_words import absent, named, not_there, seen, someone, tidy
from tools.seeing.embedded.grounding import ground
from tools.seeing.embedded.scene import Scene, in_sentence
from tools.seeing.embedded.scene_description import counted, grouped, listed, plural, with_article
from tools.seeing.embedded.visual_places import PICTURE, RELATION_WORDS
from tools.seeing.embedded.vocabulary import COCO_CLASSES, GROUPS, classes_of, is_plural, singular

Answer = Callable[[Scene, re.Match[str]], str | None]


#: Parts of a landscape, by the words for them, and how each is recognised.
_COVERS: dict[str, Callable[[Scene], bool]] = {
    "sky": ground_cover.blue_sky, "snow": ground_cover.has_snow, "water": ground_cover.has_water,
    "sea": ground_cover.has_water, "ocean": ground_cover.has_water,
    "lake": ground_cover.has_water, "grass": ground_cover.has_grass,
    "lawn": ground_cover.has_grass,
}  # fmt: skip
_WHO_IS_MEANT = frozenset("man woman boy girl lady guy gentleman".split())
_PLACE = r"left|right|top|bottom|middle|cent(?:er|re)|upper|lower"
_SIDE = r"(?: (?:side|half|part|hand side|edge))?"
_THAN = r"bigger|larger|smaller|higher|lower|taller|shorter|wider|closer|nearer|further|farther"

_EITHER = RELATION_WORDS + r"|(?:on|to) the left|(?:on|to) the right|left|right"


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
        f"{seen(scene)} The models at work here cannot tell more than that; to answer "
        f"“{question.strip()}”, add an API key for a vision-language model in the settings."
    )


def _described(scene: Scene, match: re.Match[str]) -> str:
    return seen(scene)


def _text(scene: Scene, match: re.Match[str]) -> str | None:
    if not scene.lines:
        return "I can find no readable text in the picture."
    words = text_reader.as_text(scene.legible or scene.lines).replace("\n", " / ")
    if not scene.legible:
        return f"It may say “{words}”, but I cannot read it well."
    return f"It says “{words}”."


def _any_text(scene: Scene, match: re.Match[str]) -> str:
    if not scene.lines:
        return "No, I can find no readable text in the picture."
    words = text_reader.as_text(scene.legible or scene.lines).replace("\n", " / ")
    return f"Yes, it {'says' if scene.legible else 'may say'} “{words}”."


def _grey(scene: Scene, match: re.Match[str]) -> str:
    if scene.is_grey:
        return "It is a black-and-white picture."
    return "It is a picture in colour."


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
    thing = tidy(match["thing"])
    noun = phrases.parse(thing).noun
    if noun in phrases.ANYTHING or noun in ("object", "thing"):
        if not scene.objects:
            return "I recognise no object for sure."
        groups = [counted(len(group), group[0].label) for group in grouped(scene.objects)]
        return f"I can make out {counted(len(scene.objects), 'object')}: {listed(groups)}."
    thing = re.sub(r"^(?:people|men|women|persons) \w+ing$", lambda m: m[0].split()[0], thing)
    boxes = ground(scene, f"all {thing}")
    everybody = thing in ("person", "people", "men", "women", "persons", "humans")
    if everybody and len(scene.faces) > len(boxes):
        boxes = scene.faces
    if not boxes:
        return f"None: I see no {thing} in the picture."
    if noun in _WHO_IS_MEANT:
        return f"I see {counted(len(boxes), 'person')}; I cannot tell women from men."
    detail = ""
    if noun in GROUPS:
        detail = ": " + listed([counted(len(g), g[0].label) for g in grouped(boxes)])
    verb = "is" if len(boxes) == 1 else "are"
    hedge = " at least" if len(boxes) > 6 else ""
    name = noun if not colours.is_colour(thing.split()[0]) else f"{thing.split()[0]} {noun}"
    return f"There {verb}{hedge} {counted(len(boxes), name)}{detail}."


def _is_there(scene: Scene, match: re.Match[str]) -> str | None:
    thing = tidy(match["thing"])
    if re.fullmatch(r"(any |some )?(text|writing|words|letters)", thing):
        return _any_text(scene, match)
    thing = re.sub(r"^(any|some|an?|one)\s+", "", thing)
    options = re.split(r"\s+or\s+(?:an?\s+)?", thing)
    if len(options) == 2:
        there = [option for option in options if ground(scene, option)]
        if len(there) == 1:
            return f"I see {named(there[0])}, and no {options[1 - options.index(there[0])]}."
    thing = someone(thing)
    cover = _COVERS.get(thing)
    if cover is not None:
        return f"Yes, I see {thing}." if cover(scene) else f"I see no {thing} for sure."
    noun = phrases.parse(thing).noun
    boxes = ground(scene, f"all {thing}")
    if not boxes and noun == "person" and scene.faces:
        boxes = scene.faces
    if not boxes:
        return not_there(thing)
    if noun in GROUPS:
        return f"Yes, {listed([counted(len(g), g[0].label) for g in grouped(boxes)])}."
    if len(boxes) == 1:
        detected = boxes[0].label in {box.label for box in scene.doubtful}
        sure = boxes[0].score >= 0.4 and (detected or noun not in COCO_CLASSES)
        doubt = "" if sure else " (but I am not sure)"
        name = with_article(noun) if is_plural(thing.split()[-1]) else named(thing)
        return f"Yes, there is {name} {scene.place(boxes[0])}{doubt}."
    return f"Yes, there are {counted(len(boxes), noun)}."


def _kind(scene: Scene, match: re.Match[str]) -> str | None:
    thing = singular(tidy(match["thing"]).split()[-1]) if match["thing"] else ""
    if thing in GROUPS:
        return _members(scene, thing)
    boxes = ground(scene, thing) if thing and thing not in PICTURE else scene.objects[:1]
    for box in boxes[:1]:
        kind = scene.kind(box)
        if kind is not None and kind.score >= 0.3:
            sure = "It is most likely" if kind.score >= 0.6 else "It may be"
            return f"{sure} {with_article(kind.name)} ({kind.score:.0%} sure)."
        if thing in classes_of(box.label) or thing != box.label:
            return f"It is {with_article(box.label)}; I cannot tell more."
    if thing and thing not in PICTURE and not boxes and thing in imagenet.members():
        return absent(scene, thing)
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


def _is_this(scene: Scene, match: re.Match[str]) -> str | None:
    thing = tidy(match["thing"])
    options = re.split(r"\s+or\s+", thing)
    if len(options) == 2:
        there = [option for option in options if ground(scene, option)]
        return f"I see {named(there[0])}." if len(there) == 1 else None
    if ground(scene, thing):
        return f"Yes, I see {named(thing)}."
    return f"No, I see no {thing}. {seen(scene, read_text=False)}"


def _who(scene: Scene, match: re.Match[str]) -> str:
    count = scene.people
    if not count:
        return f"I see nobody in the picture. {seen(scene, read_text=False)}"
    return f"I see {counted(count, 'person')}, but I do not recognise who people are."


def _has(scene: Scene, match: re.Match[str]) -> str | None:
    """ "Does the man wear a tie" asked as "is the man wearing a tie"."""
    who, thing = match["who"], match["thing"]
    if re.sub(r"^(?:the|this|that) ", "", who) in PICTURE:
        return None
    return visual_places.related(scene, who, "with", thing)


_RULES: tuple[tuple[str, Answer], ...] = (
    (r"\bwhat(?:'s| is)? (?:the )?time\b|what time|clock (?:say|show|read)", _time),
    (r"\bwhat (?:does|do|is|are) .*\b(?:say|says|read|written|printed|spell)\b|\bread (?:the|"
     r"this|what)|^what (?:text|words?|writing|letters?)\b|\bwhat is the text\b|"
     r"\bwhat(?:'s| is) (?:the )?(?:name|number|text|word) "
     r"(?:on|of the (?:street|road|shop|sign))", _text),
    (r"\b(?:how many|count|number of|how much) (?:of )?(?:the |all )?(?P<thing>.+)", _how_many),
    (r"\b(?:indoors?|outdoors?|inside or outside|outside or inside)\b", _setting),
    (r"\b(?:day ?time|night ?time|day or night|night or day|at night|during the day)\b", _daylight),
    (r"black and white|black-and-white|\bgr[ea]yscale\b|\bin colou?r\b|\bcolou?r (?:photo|pic)",
     _grey),
    (rf"^(?:which|what|who) (?:one |of them )?is (?:the )?(?P<word>"
     r"(?:more |further |farther )?(?:(?:to|on) the )?(?:left|right)|" rf"{_THAN})[,:]?\s+"
     r"(?P<one>.+?) or (?P<two>.+)", visual_places.which),
    (r"^which (?:one )?(?:of the (?:two )?)?(?P<thing>[a-z ]+?) is (?:the )?(?P<word>(?:bigg|larg|"
        r"small|high|low|tall|clos|near|furth|farth)(?:e?r|e?st))\b",
        visual_places.which_of_kind),
    (rf"^(?:is|are) (?P<one>.+?) (?P<word>{_THAN}) than (?P<two>.+)$", visual_places.compared),
    (r"\bwhat colou?rs? (?:is|are|of|does|do|has)?\s*(?P<thing>.+)", visual_colours.colour),
    (r"\bcolou?rs? (?:of|is|are|does|do)\s+(?P<thing>.+)", visual_colours.colour),
    (r"^where (?:is|are|was|were|'s|can you see|do you see|does|do)\s*(?P<thing>.+?)"
     r"(?: (?:located|taken))?$", visual_places.where),
    (r"^(?:what|which) (?:sort|kind|type|breed|species|make|model|variety|class) "
     r"(?:of (?P<thing>[a-z ]+?))?(?: (?:is|are|do|does|can|in|on)\b.*)?$", _kind),
    (r"\b(?:breed|species|kind|type) (?:of|is)? ?(?:the |this |that )?(?P<thing>[a-z]+)?", _kind),
    (r"^(?:what|which) (?P<thing>animals?|vehicles?|fruits?|foods?|furniture|pets?)\b", _kind),
    (r"^(?:what|which)(?: (?:things?|objects?))?(?:'s| is| are) (?:at|on|in|to) (?:the )?"
     r"(?P<place>left|right|top|bottom|middle|cent(?:er|re))\b", visual_places.at_place),
    (r"^what(?:'s| is| are) (?P<word>next to|beside|near|close to|by|behind|in front of|on top of|"
     r"on|under|above|below|to the (?:left|right) of) (?P<thing>.+)", visual_places.beside),
    (r"^what(?:'s| is| does| has| are| do) (?P<thing>.+?) (?:holding|carrying|hold|carry|got)\b",
     visual_places.held),
    (r"^what(?:'s| is| are) (?P<thing>.+?) (?:doing|riding|playing|eating)\b",
     visual_places.doing),
    (r"^what(?:'s| is| are| does| do) (?P<thing>.+?) (?:wearing|wear|dressed in)\b",
     visual_colours.wearing),
    (r"^(?:is|are) there (?:any |some )?(?P<thing>.+)", _is_there),
    (r"^(?:does|do|has) (?:the|this|that|it|these)(?: (?:picture|image|photo|scene))? ?(?:show|"
     r"have|contain|include|depict|got)s?\s+(?P<thing>.+)", _is_there),
    (r"^(?:do|can|could) (?:you|we|i) (?:see|find|spot|make out) (?P<thing>.+)", _is_there),
    (r"^(?:is|are) (?P<thing>.+?) (?P<colour>[a-z]+) or (?P<other>[a-z]+)$",
     visual_colours.is_colour),
    (rf"^(?:is|are) (?P<thing>.+?) (?:more )?(?:(?:on|at|in|to|towards?) )?(?:the )?"
     rf"(?P<one>{_PLACE}){_SIDE}(?: or (?:(?:on|at|in|to) )?(?:the )?(?P<two>{_PLACE}){_SIDE})?"
     r"(?: (?:of|in) (?:the|this) (?:picture|image|photo|photograph|scene|frame))?$",
     visual_places.is_at_place),
    (rf"^(?:is|are) (?P<who>.+?) (?P<word>{_EITHER}) or (?P<other>{_EITHER}) "
     r"(?P<thing>.+)$", visual_places.related_or),
    (rf"^(?:is|are) (?!there\b)(?P<who>.+?) (?P<word>{RELATION_WORDS}) "
     r"(?P<thing>(?:the|an?|his|her|their|any|some|its) .+|glasses|skis|each other)$",
     visual_places.is_related),
    (r"^(?:does|do|has|have) (?P<who>.+?) (?P<word>with|wear|hold|carry|have|got)"
     r" (?P<thing>.+)$", _has),
    (r"^is (?:this|it|that) (?:really )?(?:an? |the )(?:picture of |photo of )?(?P<thing>.+)",
     _is_this),
    (r"^(?:is|are) (?P<thing>(?:the|this|that|these|those|his|her) .+?) (?P<colour>[a-z]+)$",
     visual_colours.is_colour),
    (r"^who\b", _who),
    (r"^what(?:'s| is| are| can| do| does| was)?\s*(?:you |we )?(?:see|shown|depicted|this|that|it|"
     r"there|in (?:the|this|it)|here|the (?:main )?(?:subject|content|object|thing|picture|image|"
     r"photo)|(?:the )?things|(?:the )?objects|visible|on (?:the|this) (?:picture|image|photo))"
     r"(?!.*\b(?:doing|wearing|holding|looking|feel|think|mean|skill)\b)", _described),
    (r"^(?:describe|caption|summari[sz]e|what(?:'s| is) happening|what is going on|elaborate"
     r"|explain|interpret|analy[sz]e|discuss|what do you (?:think is|see) (?:going on|happening))"
     r"(?!.*\bwhy\b)", _described),
)  # fmt: skip
