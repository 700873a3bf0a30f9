"""English speech from phonemes by Kokoro, a network of 82 million numbers (StyleTTS 2, Li et al.
2023), run by onnxruntime alone.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.models import onnx_session, resident

RATE = 24_000
#: The network reads at most so many signs at once.
LONGEST = 510
_NETWORK = "onnx/model_quantized.onnx"
_VOICE = "voices/am_michael.bin"
_STYLE = 256
_SIGNS = Path(__file__).with_name("english_voice_signs.json")

#: From the alphabet of `tools.speech.embedded.pronunciation` to the one that Kokoro
#: learnt, in which a diphthong is one sign and length is not written.
_WRITTEN = (
    *(("eɪ", "A"), ("aɪ", "I"), ("oʊ", "O"), ("aʊ", "W"), ("ɔɪ", "Y"), ("dʒ", "ʤ"), ("tʃ", "ʧ")),
    *(("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɚɹ", "əɹ"), ("ɚ", "əɹ"), ("n̩", "ᵊn"), ("ː", "")),
)


def speak(folder: Path, phonemes: str) -> np.ndarray:
    """The sound of one sentence, float32 mono at 24,000 Hz.

    What the voice has no sign for is left out, and what is beyond `LONGEST` signs.
    """
    for sound, sign in _WRITTEN:
        phonemes = phonemes.replace(sound, sign)
    known = _signs()
    signs = [known[sign] for sign in phonemes if sign in known][:LONGEST]
    network, styles = _voice(folder)
    # Some conversions of the network call its first input otherwise.
    first = network.get_inputs()[0].name
    (found, *_) = network.run(
        None,
        {
            first: np.array([[0, *signs, 0]], np.int64),
            # There is a style for each length.
            "style": styles[len(signs) - 1][None],
            "speed": np.ones(1, np.float32),
        },
    )
    return np.asarray(found, np.float32).reshape(-1)


@resident
def _voice(folder: Path) -> tuple[Any, np.ndarray]:
    styles = np.fromfile(folder / _VOICE, "<f4").reshape(-1, _STYLE)
    return onnx_session(folder / _NETWORK), styles


@cache
def _signs() -> dict[str, int]:
    return json.loads(_SIGNS.read_text("utf-8"))
