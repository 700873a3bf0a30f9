"""Where in a recording something is said, found by its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from ...shared.function_words import FUNCTION_WORDS, stem
from ...shared.sounds import parted
from ...shared.time_phrases import Span
from . import whisper

_LISTENED_AT_ONCE = 300.0
_PAUSE = 0.6  # seconds of silence that part what is said into passages
_MARGIN = 0.25  # seconds kept before and behind what is said, where the pauses allow it
_LEAST = 0.5  # share of the words looked for that a passage holds


def said_passages(sound: Sound, thing: str, context: Context) -> list[Span]:
    """The passages, from pause to pause or of a sentence, in which the words for a thing are said
    best; empty where they are not heard."""
    wanted = {stem(word) for word in re.findall(r"[\w']+", thing.lower())
              if word not in FUNCTION_WORDS}  # fmt: skip
    if not wanted:
        return []
    sentences = list(_sentences(_words(sound, context)))
    shares = [
        len(wanted & {stem(word.text.lower().strip(".,;:!?\"'")) for word in sentence})
        / len(wanted)
        for sentence in sentences
    ]
    best = max(shares, default=0.0)
    if best < _LEAST:
        return []
    edges = [0.0, *((one[-1].end + other[0].start) / 2 for one, other in pairwise(sentences))]
    edges.append(sound.seconds)
    return [
        (max(edges[place], sentence[0].start - _MARGIN),
         min(edges[place + 1], sentence[-1].end + _MARGIN))
        for place, sentence in enumerate(sentences) if shares[place] == best
    ]  # fmt: skip


def _words(sound: Sound, context: Context) -> list[whisper.Word]:
    heard: list[whisper.Word] = []
    listened = whisper.as_heard(sound, context)
    for first, samples in parted(listened, _LISTENED_AT_ONCE):
        context.progress(first / max(listened.frames, 1), "Listening to what is said")
        for utterance in whisper.transcribe(samples, is_timed=True):
            heard += utterance.later(first / whisper.RATE).single
    if not heard:
        raise ToolError(
            "I hear nobody speak in it in English, so I cannot find where something is said; name "
            "the passage by its times."
        )
    return heard


def _sentences(words: Sequence[whisper.Word]) -> Iterator[list[whisper.Word]]:
    """The words parted where a sentence ends or somebody pauses."""
    held: list[whisper.Word] = []
    for word in words:
        if held and (word.start - held[-1].end > _PAUSE or held[-1].text.endswith((".", "!", "?"))):
            yield held
            held = []
        held.append(word)
    if held:
        yield held
