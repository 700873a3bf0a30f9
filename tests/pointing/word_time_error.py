"""How near the times of words are: ``python -m tests.pointing.word_time_error``.

Sentences are put together of words that the shipped voice says one by one, so that it is known when
each begins and ends, with pauses of one length between them, in silence and in noise.
"""

from __future__ import annotations

import numpy as np

from controlllm.resources import Sound
from tools.speech.embedded import piper_voice, whisper, word_times
from tools.speech.embedded.pronunciation import phonemes

SENTENCES = (
    "the weather in london is cold and windy today",
    "please bring seven yellow apples and bread from the market",
    "our teacher reads a long story about the old captain",
    "doctor miller will open the window before the concert begins",
    "she bought three tickets for the morning train to berlin",
)
#: Where a word is as loud as this share of its loudest sample it has begun.
_BEGUN = 0.02


def spoken(text: str, pause: float) -> tuple[Sound, list[tuple[float, float]]]:
    """Words said one by one with pauses between, and the start and end of each, in seconds."""
    rate = piper_voice.RATE
    silence = np.zeros(round(rate * pause), np.float32)
    parts = [np.zeros(rate // 2, np.float32)]
    spans: list[tuple[float, float]] = []
    for word in text.split():
        said = piper_voice.speak(phonemes(word))
        loud = np.flatnonzero(np.abs(said) > _BEGUN * np.abs(said).max())
        said = said[loud[0] : loud[-1] + 1]
        start = sum(map(len, parts)) / rate
        spans.append((start, start + len(said) / rate))
        parts += [said, silence]
    return Sound(np.concatenate([*parts, parts[0]])[:, None], rate), spans


def found(text: str, samples: np.ndarray) -> list[whisper.Word]:
    """The words of a text with the times at which they are found in sound at 16 kHz."""
    heard = [word for said in whisper.transcribe(samples, is_timed=True) for word in said.single]
    return word_times.of_text(text, word_times.in_pauses(heard, samples))


def main() -> None:
    generator = np.random.default_rng(1)
    print("| pause | noise | median | p90 | within 0.1 s | words |")
    print("| --- " * 6 + "|")
    for pause in (0.02, 0.05, 0.15, 0.3, 0.6):
        for noise in (0.0, 0.005):
            errors: list[float] = []
            for sentence in SENTENCES:
                sound, spans = spoken(sentence, pause)
                samples = whisper.at_listening_rate(sound)
                samples = samples + noise * generator.standard_normal(len(samples)).astype(
                    "float32"
                )
                for word, span in zip(found(sentence, samples), spans, strict=False):
                    errors += [abs(word.start - span[0]), abs(word.end - span[1])]
            print(
                f"| {pause:.2f} s | {noise:g} | {np.median(errors):.3f} s "
                f"| {np.quantile(errors, 0.9):.3f} s | {np.mean(np.array(errors) < 0.1):.0%} "
                f"| {len(errors) // 2} |"
            )


if __name__ == "__main__":
    main()
