"""Answers to questions about a picture, made of what the models see in it.

Each kind of question has a rule below; the first that fits and knows an answer words it. A question
that none fits gets what can be seen and a plain word that more than that is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from controlllm.resources.animations import ANIMATION
from controlllm.toolbox import ToolError

from . import answers_on_places as on_places
from . import answers_on_things as on_colours
from . import answers_on_things as on_things
from . import questions, relations
from .asked import seen
from .grammar import counted, sentence
from .phrases_to_boxes import ground
from .scene import Scene
from .setting import room_or_open_air

#: What is asked of the words of a photographed receipt or letter, not of what a picture shows.
_OF_A_PAPER = re.compile(
    r"\bhow much\b|\b(?:total|sums?|amounts?|prices?|costs?|paid|pay|owe|due|invoice|receipt|bill|"
    r"date|phone|e-?mail|add(?:s|ed)? up)\b|^\W*(?:when|until when|by when)\b",
    re.IGNORECASE,
)
_LINES_OF_A_PAPER = 4
#: Who asks of "it" means what was asked of before.
_OF_BEFORE = re.compile(r"\b(?:it|they|them|he|she|him|his|her|its|their)\b", re.IGNORECASE)

Answer = Callable[[Scene, re.Match[str]], str | None]

#: The kinds of questions about a picture.
QUESTIONS = questions.Questions(
    Path(__file__).with_suffix(".toml"), relation="|".join(relations.NAMED)
)


def answer(scene: Scene, question: str) -> str:
    """An answer in one to three sentences; it says so where the models cannot tell."""
    if _OF_A_PAPER.search(question) and len(scene.lines) >= _LINES_OF_A_PAPER:
        raise ToolError(
            "This asks about what is written in the picture. Let me read it as text first, and ask "
            "that."
        )
    asked = questions.each_of(questions.asked(question))
    answers = [_answer(scene, part, place > 0) for place, part in enumerate(asked)]
    told = [one for one in answers if one]
    left = [part.strip(" ?!.,") for part, one in zip(asked, answers, strict=True) if not one]
    if told and not left:
        return " ".join(dict.fromkeys(told))
    unanswered = question.strip() if not told else "” and “".join(left)
    return (
        f"{' '.join(told) or seen(scene)} The models at work here cannot tell more than that; to "
        f"answer “{unanswered}”, add an API key for a vision-language model in the settings."
    )


def _answer(scene: Scene, question: str, is_next: bool) -> str | None:
    """The answer to one question, None where the models cannot tell, or where it is not said of
    what it `is_next` asked."""
    if is_next and _OF_BEFORE.search(question):
        return None
    for kind, match in QUESTIONS.read(questions.plain(question)):
        found = _RULES[kind](scene, match)
        if found:
            return found
    return None


def lasts(scene: Scene, match: re.Match[str]) -> str | None:
    """How long it is, where it is a frame of an animation."""
    moving = scene.image.info.get(ANIMATION)
    _, is_one, known = str(moving or "").partition(" of ")
    return f"The animation has {known}." if is_one else None


def described(scene: Scene, match: re.Match[str]) -> str:
    """What can be seen."""
    return seen(scene)


def text(scene: Scene, match: re.Match[str]) -> str:
    """What the text in it says."""
    return sentence(on_things.said_in(scene))


def grey(scene: Scene, match: re.Match[str]) -> str:
    """Whether it is in black and white."""
    if scene.is_grey:
        return "It is a black-and-white picture."
    return "It is a picture in colour."


def time(scene: Scene, match: re.Match[str]) -> str:
    """What a clock with digits shows."""
    for line in scene.lines:
        shown = re.search(r"\b([01]?\d|2[0-3])[:.]([0-5]\d)\b", line.label)
        if shown:
            return f"It shows {shown[1]}:{shown[2]}."
    if ground(scene, "clock"):
        return "There is a clock, but I can read only clocks that show the time in digits."
    return "I see no clock in the picture."


def setting(scene: Scene, match: re.Match[str]) -> str:
    """Whether it was taken indoors or outdoors."""
    place = room_or_open_air(scene)
    if place:
        return f"It was probably taken {place}."
    return "I see too few signs to tell whether it was taken indoors or outdoors."


def daylight(scene: Scene, match: re.Match[str]) -> str:
    """Whether it was taken by day or by night, as far as its brightness tells."""
    if scene.brightness < 0.18:
        return "The picture is dark, so it may be night or an unlit room."
    if room_or_open_air(scene) == "outdoors":
        return "The picture is bright and was probably taken outdoors, so it is most likely day."
    return "The picture is bright, but I cannot tell whether by daylight or by lamps."


def who(scene: Scene, match: re.Match[str]) -> str:
    """How many people are seen; who they are is not told."""
    if not scene.people:
        return f"I see nobody in the picture. {seen(scene, read_text=False)}"
    return f"I see {counted(scene.people, 'person')}, but I do not recognise who people are."


#: What words the answer to each kind of question.
_RULES: dict[str, Answer] = {
    rule.__name__: rule
    for rule in (
        lasts, daylight, time, text, setting, grey, who, described,
        on_things.how_many, on_things.is_there, on_things.is_this, on_things.kind,
        on_colours.colour, on_colours.is_colour, on_colours.wearing,
        on_places.where, on_places.at_place, on_places.is_at_place, on_places.beside,
        on_places.is_related, on_places.which_relation, on_places.held, on_places.doing,
        on_places.compared, on_places.which_of_kind,
    )
}  # fmt: skip
