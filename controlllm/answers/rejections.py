"""What is said where a request cannot be met: why, and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

from controlllm.core.plans import OUTSIDE, Plan, Subtask
from controlllm.planning.clauses import QUESTION_WORDS, SMALL_TALK
from controlllm.resources import Resource

#: More than this is a text to work on, not a request.
MAX_REQUEST_CHARACTERS = 400_000

HELP = (
    "I work on pictures, sound, video, documents, tables and text with tools that run on this "
    "machine. Add a file and say what you want done with it: “What is in this picture?”, "
    "“Highlight the dog, then cut it out”, “Transcribe this and summarise it”."
)
NEEDS_MODEL = (
    "This is a general question and needs a language model. Set one in the settings (any "
    "OpenAI-compatible address, also one on this machine), or add a file for the tools to work on."
)
#: The same a dozen times from the start on, which is no text that somebody leads in to; from so
#: many different words on it is an order.
_OVER_AND_OVER, _ORDER = re.compile(r"\s*(.{4,120}?)\1{11}", re.DOTALL), 3

#: Small words of other languages that are no English words.
_FOREIGN_WORDS = frozenset(
    "der das ist auf diesem dieser dieses bild und ein eine einen mit den dem zu wie viele wo sind "
    "bitte le la les est une dans cette sur avec qu quoi combien où et du des el los las es una en "
    "esta este qué cuántos dónde por con il che cosa questa questo nella quanti sono di della uma "
    "esta nesta imagem quantos onde het een van deze wat zijn".split()
)


def problem_with(text: str, handed: tuple[Resource, ...], has_model: bool = False) -> str:
    """What is wrong with a request as it stands, or nothing.

    A language model, where one is set, can answer a question in any language.
    """
    if not text and handed:
        names = " and ".join(resource.value for resource in handed[:3])
        return f"What shall I do with {names}? For example: “What is in it?”"
    if not text:
        return f"There is nothing to do yet. {HELP}"
    if len(text) > MAX_REQUEST_CHARACTERS:
        return "This is too long for a message. Put the text in a file and add the file."
    again = _OVER_AND_OVER.match(text)
    if not has_model and again and len(set(again[1].lower().split())) >= _ORDER:
        return "This says the same over and over. Say once what you want done, and how often."
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return f"I cannot find a request in this. {HELP}"
    foreign = sum(1 for letter in letters if ord(letter) > 0x24F)
    words = re.findall(r"[^\W\d_]+", text.lower())
    told = sum(word in _FOREIGN_WORDS for word in words)
    if not has_model and (foreign > len(letters) / 2 or (told >= 2 and told >= len(words) / 4)):
        return "I understand requests in English only. Please write it in English."
    return ""


def small_talk(text: str, asks_nothing: bool = False) -> str:
    """The answer to a greeting or to thanks, or nothing where a text is more than that; thanks may
    have words around them in one that `asks_nothing`."""
    is_no_more = SMALL_TALK.match(text) is not None
    if re.search(r"\b(?:thanks?|thank you|thx|cheers)\b", text, re.IGNORECASE):
        return "You are welcome." if is_no_more or asks_nothing else ""
    return f"Hello! {HELP}" if is_no_more else ""


def nothing_to_do(plan: Plan, problems: Mapping[int, str]) -> str:
    """Why nothing of a plan can run, with what could be done instead."""
    if not plan.subtasks:
        return f"I cannot find a request in this. {HELP}"
    said = []
    for subtask in plan.subtasks:
        general = _is_general_question(subtask)
        said.append(NEEDS_MODEL if general else problems.get(subtask.id, "I found no way."))
    return "\n\n".join(dict.fromkeys(said))


def _is_general_question(subtask: Subtask) -> bool:
    if subtask.returns.type == OUTSIDE:
        return subtask.description.lower().split(" ", 1)[0] in QUESTION_WORDS
    if any(argument.type != "text" for argument in subtask.args):
        return False
    return subtask.domains[:1] in (("question-answering",), ("public-api",))
