"""What can be heard in a video: whether there is sound, how long somebody speaks, what is said."""

from __future__ import annotations

from controlllm.resources import Sound
from controlllm.toolbox import Context

from ...shared.sounds import peak
from ...shared.time_phrases import in_words

_LEAST_SPOKEN = 0.4  # seconds
_MOST_WORDS = 120


def silence(sound: Sound | None) -> str:
    """Why nothing can be heard, empty where something can."""
    if sound is None:
        return "it has no sound"
    # A thousandth of full scale is the hiss of an empty recording.
    if peak(sound) < 1e-3:
        return "its sound track is silent"
    return ""


def speech(sound: Sound) -> str:
    """How long somebody speaks and from when on, empty where nobody does."""
    from ...speech.embedded import whisper

    spans = whisper.speech_spans(whisper.at_listening_rate(sound))
    spoken = sum(end - start for start, end in spans)
    if spoken < _LEAST_SPOKEN:
        return ""
    if spoken > 0.8 * sound.seconds:
        return "someone speaks almost throughout"
    seconds = max(round(spoken), 1)
    length = "a second" if seconds == 1 else f"{seconds} seconds" if seconds < 90 else ""
    begin = in_words(round(spans[0][0]))
    return f"someone speaks for about {length or in_words(seconds)}, from {begin} on"


def said(sound: Sound, context: Context) -> str:
    """The first words that are said, empty where no English ones are heard."""
    from ...speech.embedded import whisper

    words: list[str] = []
    for heard in whisper.transcribe(whisper.at_listening_rate(sound)):
        done = min(heard.end / max(sound.seconds, 1e-3), 1.0)
        context.progress(0.1 + 0.85 * done, "Listening to what is said")
        words += heard.words.split()
        if len(words) > _MOST_WORDS:
            return " ".join(words[:_MOST_WORDS]) + " …"
    return " ".join(words)
