"""The person's models for speech on the network: speaking a text, writing down what is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import numpy as np

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from ..shared.sounds import kept, mono, parted, resampled, share_of
from ..shared.time_stretch import at_rate
from .calls import SPEECH, TRANSCRIPTION, call
from .endpoint import endpoint_of
from .payloads import read_sound, wav_file

_USUAL_VOICE = "alloy"

#: What is spoken in one call, in characters, and in all.
_PIECE = 3000
_MOST_WORDS = 60_000

#: What is written down in one call: ten minutes of what speech needs, about 19 MB.
_RATE = 16_000
_PIECE_SECONDS = 600


def speak(text: str, context: Context) -> Sound:
    """A text as speech; raises ToolError."""
    words = " ".join(text.split())
    if not words:
        raise ToolError("There is nothing to speak. Give some words.")
    if len(words) > _MOST_WORDS:
        raise ToolError(
            f"The text has {len(words):,} characters, and at most {_MOST_WORDS:,} are spoken at "
            "once. Give a part of it."
        )
    pieces = list(_pieces_of_text(words))
    spoken: list[Sound] = []
    for number, piece in enumerate(pieces):
        context.progress(0.05 + 0.9 * number / len(pieces), "Asking for the speech")
        spoken.append(_spoken(piece, context))
    return _joined(spoken)


def transcribe(sound: Sound, context: Context) -> str:
    """What is said in a sound, in words; raises ToolError."""
    speech = kept(mono(sound), sound.rate, context)
    speech = kept(resampled(speech, share_of(sound.rate, _RATE)), _RATE, context)
    written: list[str] = []
    for first, piece in parted(speech, _PIECE_SECONDS):
        context.progress(0.05 + 0.9 * first / speech.frames, "Asking for what is said")
        written.append(_written(np.clip(piece, -1, 1), context))
    words = " ".join(filter(None, written)).strip()
    if not words:
        raise ToolError("No words were heard in this sound. Try another one.")
    return words


def _spoken(text: str, context: Context) -> Sound:
    voice = endpoint_of(context).speech_voice or _USUAL_VOICE
    answer = call(
        SPEECH,
        lambda client: client.audio.speech.with_streaming_response.create,
        lambda refused: {"input": text, "voice": voice, "response_format": "wav"},
        context,
    )
    return read_sound(answer.body, answer.media_type, SPEECH.subject, context)


def _joined(spoken: list[Sound]) -> Sound:
    if len(spoken) == 1:
        return spoken[0]
    rate = spoken[0].rate
    return Sound(
        np.concatenate([at_rate(item.mono()[:, None], item.rate, rate) for item in spoken]), rate
    )


def _pieces_of_text(words: str) -> Iterator[str]:
    """The text in pieces that one call takes, parted after sentences where that is possible."""
    while len(words) > _PIECE:
        ends = [found.end() for found in re.finditer(r"[.!?…;:]\s|\s", words[: _PIECE + 1])]
        sentences = [
            found.end()
            for found in re.finditer(r"[.!?…]\s", words[: _PIECE + 1])
            if found.end() > _PIECE // 2
        ]
        end = (sentences or ends or [_PIECE])[-1]
        yield words[:end].strip()
        words = words[end:]
    if words.strip():
        yield words.strip()


def _written(speech: np.ndarray, context: Context) -> str:
    content = wav_file(Sound(speech[:, None], _RATE))
    answer = call(
        TRANSCRIPTION,
        lambda client: client.audio.transcriptions.with_streaming_response.create,
        lambda refused: {"file": ("speech.wav", content, "audio/wav")},
        context,
    )
    unreadable = ToolError(f"{TRANSCRIPTION.subject} sent no words that can be read. Try again.")
    try:
        said = answer.body.decode("utf-8")
        # Some servers answer with the words alone.
        if answer.media_type != "text/plain":
            said = json.loads(said)["text"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise unreadable from None
    if not isinstance(said, str):
        raise unreadable
    return said.strip()
