"""Where in a recording something is said."""

from __future__ import annotations

import re

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from ...shared.cut_words import Meant
from ...shared.time_phrases import Span, in_words
from ...speech.embedded.word_times import said_passages
from .sound_effects import stretches

_ONSET = re.compile(
    r"(?:\b(?:from|start(?:s|ing)?|begin(?:s|ning)?|at|to)\b ?){0,3}"
    r"(?:the (?:moment|point|place|spot) )?"
    r"\b(?P<how>where|when|once|as soon as|after|before|until|till)\b (?:the |my |her |his )?"
    r"[\w ]{2,25}?\b"
    r"(?:(?:comes?|sets?|kicks?|joins?|cuts?) in|starts?|begins?|enters|is (?:first )?heard)\b"
)
_ASIDE = re.compile(r"\([^()]*\)")
_BEFORE = 0.05  # seconds that are kept before the sound sets in


def found_passages(sound: Sound, meant: Meant, context: Context) -> list[Span]:
    """The passages of a recording that are meant, with a remark which seconds they are.

    Raises ToolError where their words are not heard.
    """
    spans = said_passages(sound, meant.thing, context.part(0.0, 0.5))
    if not spans:
        raise ToolError(
            f"I hear nothing of “{meant.thing}” in the words of the recording, so I do not know "
            "which passage is meant. Name it by its times, such as “from 0:05 to 0:12”."
        )
    told = " and ".join(f"from {in_words(start)} to {in_words(end)}" for start, end in spans)
    context.remark(f"I heard “{meant.thing}” {told} of the recording.")
    return spans


def with_onset(prompt: str, sound: Sound, context: Context) -> str:
    """A request with the time at which the sound sets in, in place of the words for it: "from where
    the guitar comes in"."""
    told = _ONSET.search(prompt.lower())
    if not told:
        return prompt
    found = stretches(sound)
    if not found:
        raise ToolError("There is nothing but silence in the recording; hand over another one.")
    begins = max(found[0][0] / sound.rate - _BEFORE, 0.0)
    context.remark(f"The sound sets in at {in_words(begins)} of the recording.")
    how = "before" if told["how"] in ("before", "until", "till") else "from"
    return _ONSET.sub(f" {how} {begins:.2f} seconds", _ASIDE.sub(" ", prompt.lower()), count=1)
