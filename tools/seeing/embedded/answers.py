"""Answers to questions about a picture, made of what the models see in it.

Each kind of question has a rule below; the first that fits and knows an answer words it. A question
that none fits gets what can be seen and a plain word that more than that is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tools.seeing.embedded import answers_on_colours as on_colours
from tools.seeing.embedded import answers_on_places as on_places
from tools.seeing.embedded import answers_on_things as on_things
from tools.seeing.embedded import relations
from tools.seeing.embedded.asked import seen
from tools.seeing.embedded.grammar import counted, sentence
from tools.seeing.embedded.phrases_to_boxes import ground
from tools.seeing.embedded.scene import Scene
from tools.seeing.embedded.setting import room_or_open_air

Answer = Callable[[Scene, re.Match[str]], str | None]

_PLACE = r"left|right|top|bottom|middle|cent(?:er|re)|upper|lower"
_SIDE = r"(?: (?:side|half|part|hand side|edge))?"
_THAN = r"bigger|larger|smaller|higher|lower|taller|shorter|wider|closer|nearer|further|farther"
_RELATION = "|".join(
    sorted({word for words in relations.WORDS.values() for word in words}, key=len, reverse=True)
)
_ASKING = re.compile(
    r"^(?:(?:please|do you know|(?:can|could|would) you (?=tell|say|describe|count|read|elaborate|"
    r"explain)|hey|ok|so)\s+)*(?:tell me|let me know|say|i want to know|answer(?: me)?)?[,:]?\s*"
)


def answer(scene: Scene, question: str) -> str:
    """An answer in one to three sentences; it says so where the models cannot tell."""
    text = " ".join(question.lower().replace("’", "'").split()).rstrip("?.! ")
    text = _ASKING.sub("", text)
    for pattern, rule in _RULES:
        match = re.search(pattern, text)
        found = rule(scene, match) if match else None
        if found:
            return found
    return (
        f"{seen(scene)} The models at work here cannot tell more than that; to answer "
        f"“{question.strip()}”, add an API key for a vision-language model in the settings."
    )


def _described(scene: Scene, match: re.Match[str]) -> str:
    return seen(scene)


def _text(scene: Scene, match: re.Match[str]) -> str:
    return sentence(on_things.said_in(scene))


def _grey(scene: Scene, match: re.Match[str]) -> str:
    if scene.is_grey:
        return "It is a black-and-white picture."
    return "It is a picture in colour."


def _time(scene: Scene, match: re.Match[str]) -> str:
    for line in scene.lines:
        shown = re.search(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)\b", line.text)
        if shown:
            return f"It shows {shown[1]}:{shown[2]}."
    if ground(scene, "clock"):
        return "There is a clock, but I can read only clocks that show the time in digits."
    return "I see no clock in the picture."


def _setting(scene: Scene, match: re.Match[str]) -> str:
    setting = room_or_open_air(scene)
    if setting:
        return f"It was probably taken {setting}."
    return "I see too few signs to tell whether it was taken indoors or outdoors."


def _daylight(scene: Scene, match: re.Match[str]) -> str:
    if scene.brightness < 0.18:
        return "The picture is dark, so it may be night or an unlit room."
    if room_or_open_air(scene) == "outdoors":
        return "The picture is bright and was probably taken outdoors, so it is most likely day."
    return "The picture is bright, but I cannot tell whether by daylight or by lamps."


def _who(scene: Scene, match: re.Match[str]) -> str:
    if not scene.people:
        return f"I see nobody in the picture. {seen(scene, read_text=False)}"
    return f"I see {counted(scene.people, 'person')}, but I do not recognise who people are."


_RULES: tuple[tuple[str, Answer], ...] = (
    (r"\b(?:time of (?:the )?day|(?:day|night) ?time|day or night|night or day|at night|"
     r"during the day)\b", _daylight),
    (r"\bwhat(?:'s| is)? (?:the )?time\b|what time|clock (?:say|show|read)", _time),
    (r"\bwhat (?:does|do|is|are) .*\b(?:say|says|read|written|printed|spell)\b|\bread (?:the|"
     r"this|what)|^what (?:text|words?|writing|letters?)\b|\bwhat is the text\b|"
     r"\bwhat(?:'s| is) (?:the )?(?:name|number|text|word) "
     r"(?:on|of the (?:street|road|shop|sign))", _text),
    (r"\b(?:how many|count|number of|how much) (?:of )?(?:the |all )?(?P<thing>.+)",
     on_things.how_many),
    (r"\b(?:indoors?|outdoors?|inside or outside|outside or inside)\b", _setting),
    (r"black and white|black-and-white|\bgr[ea]yscale\b|\bin colou?r\b|\bcolou?r (?:photo|pic)",
     _grey),
    (r"^(?:which|what|who) (?:one |of them )?is (?:the )?(?P<word>"
     rf"(?:more |further |farther )?(?:(?:to|on) the )?(?:left|right)|{_THAN})[,:]?\s+"
     r"(?P<one>.+?) or (?P<two>.+)", on_places.compared),
    (r"^which (?:one )?(?:of the (?:two )?)?(?P<thing>[a-z ]+?) is (?:the )?(?P<word>(?:bigg|larg|"
     r"small|high|low|tall|clos|near|furth|farth)(?:e?r|e?st))\b", on_places.which_of_kind),
    (rf"^(?:is|are) (?P<one>.+?) (?P<word>{_THAN}) than (?P<two>.+)$", on_places.compared),
    (r"\bwhat colou?rs? (?:is|are|of|does|do|has)?\s*(?P<thing>.+)", on_colours.colour),
    (r"\bcolou?rs? (?:of|is|are|does|do)\s+(?P<thing>.+)", on_colours.colour),
    (r"^where (?:is|are|was|were|'s|can you see|do you see|does|do)\s*(?P<thing>.+?)"
     r"(?: (?:located|taken))?$", on_places.where),
    (r"^(?:what|which) (?:sort|kind|type|breed|species|make|model|variety|class) "
     r"(?:of (?P<thing>[a-z ]+?))?(?: (?:is|are|do|does|can|in|on)\b.*)?$", on_things.kind),
    (r"\b(?:breed|species|kind|type) (?:of|is)? ?(?:the |this |that )?(?P<thing>[a-z]+)?",
     on_things.kind),
    (r"^(?:what|which) (?P<thing>animals?|vehicles?|fruits?|vegetables?|foods?|furniture|pets?)\b"
     rf"(?:.*\b(?:on|at|in) the (?P<place>{_PLACE})\b)?", on_things.kind),
    (r"^(?:what|which)(?: (?:things?|objects?))?(?:'s| is| are) (?:at|on|in|to) (?:the )?"
     r"(?P<place>left|right|top|bottom|middle|cent(?:er|re))(?! of the (?!pic|im|ph))\b",
     on_places.at_place),
    (r"^what(?:'s| is| are) (?P<word>next to|beside|near|close to|by|behind|in front of|on top of|"
     r"on|under|above|below|to the (?:left|right) of) (?P<thing>.+)", on_places.beside),
    (r"^what(?:'s| is| does| has| are| do) (?P<thing>.+?) (?:holding|carrying|hold|carry|got)\b",
     on_places.held),
    (r"^what(?:'s| is| are) (?P<thing>.+?) (?:doing|riding|playing|eating)\b", on_places.doing),
    (r"^what(?:'s| is| are| does| do) (?P<thing>.+?) (?:wearing|wear|dressed in)\b",
     on_colours.wearing),
    (r"^(?:is|are) there (?:any |some )?(?P<thing>.+)", on_things.is_there),
    (r"^(?:does|do|has) (?:the|this|that|it|these)(?: (?:picture|image|photo|scene))? ?(?:show|"
     r"have|contain|include|depict|got)s?\s+(?P<thing>.+)", on_things.is_there),
    (r"^(?:do|can|could) (?:you|we|i) (?:see|find|spot|make out) (?P<thing>.+)",
     on_things.is_there),
    (r"^(?:is|are) (?P<thing>.+?) (?P<colour>[a-z]+) or (?P<other>[a-z]+)$", on_colours.is_colour),
    (rf"^(?:is|are) (?P<thing>.+?) (?:more )?(?:(?:on|at|in|to|towards?) )?(?:the )?"
     rf"(?P<one>{_PLACE}){_SIDE}(?: or (?:(?:on|at|in|to) )?(?:the )?(?P<two>{_PLACE}){_SIDE})?"
     r"(?: (?:of|in) (?:the|this) (?:picture|image|photo|photograph|scene|frame))?$",
     on_places.is_at_place),
    (rf"^(?:is|are) (?P<who>.+?) (?P<word>{_RELATION}) or (?P<other>{_RELATION}) "
     r"(?P<thing>.+)$", on_places.which_relation),
    (rf"^(?:is|are) (?!there\b)(?P<who>.+?) (?P<word>{_RELATION}) "
     r"(?P<thing>(?:the|an?|his|her|their|any|some|its) .+|glasses|skis|each other)$",
     on_places.is_related),
    (r"^(?:does|do|has|have) (?P<who>.+?) (?P<word>wear|hold|carry|have|got) (?P<thing>.+)$",
     on_places.is_related),
    (r"^is (?:this|it|that) (?:really )?(?:an? |the )(?:picture of |photo of )?(?P<thing>.+)",
     on_things.is_this),
    (r"^(?:is|are) (?P<thing>(?:the|this|that|these|those|his|her) .+?) (?P<colour>[a-z]+)$",
     on_colours.is_colour),
    (r"^who\b", _who),
    (r"^what(?:'s| is| are| can| do| does| was)?\s*(?:you |we )?(?:see|shown|depicted|this|that|it|"
     r"there|in (?:the|this|it)|here|the (?:main )?(?:subject|content|object|thing|picture|image|"
     r"photo)|(?:the )?things|(?:the )?objects|visible|on (?:the|this) (?:picture|image|photo))"
     r"(?!.*\b(?:doing|wearing|holding|looking|feel|think|mean|skill)\b)", _described),
    (r"^(?:describe|caption|summari[sz]e|what(?:'s| is) happening|what is going on|elaborate"
     r"|explain|interpret|analy[sz]e|discuss|what do you (?:think is|see) (?:going on|happening))"
     r"(?!.*\bwhy\b)", _described),
)  # fmt: skip
