"""Several sounds made one: laid over each other, or one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from controlllm.resources import Sound
from tools.shared.time_stretch import at_rate
from tools.sound.embedded import sound_effects

_BACKGROUND = -14.0  # loudness units under what is in front
_ECHO_OUT = 2.0  # seconds that a background goes on after what is in front


def alike(sounds: Sequence[Sound]) -> tuple[list[np.ndarray], int]:
    """The samples of all sounds at the highest of their rates, with as many channels, and the rate.

    Where the numbers of channels differ and some sound has more than two, all become stereo.
    """
    rate = max(sound.rate for sound in sounds)
    counts = {sound.samples.shape[1] for sound in sounds}
    channels = counts.pop() if len(counts) == 1 else 2
    made = []
    for sound in sounds:
        samples = np.nan_to_num(sound.samples.astype(np.float32))
        if samples.shape[1] != channels:
            one = samples[:, :1] if samples.shape[1] == 1 else samples.mean(axis=1, keepdims=True)
            samples = np.repeat(one, channels, axis=1)
        made.append(at_rate(samples, sound.rate, rate))
    return made, rate


def overlaid(parts: Sequence[np.ndarray]) -> np.ndarray:
    """All at once, as long as the longest; turned down as a whole where it would be cut off."""
    result = np.zeros((max(len(part) for part in parts), parts[0].shape[1]), np.float32)
    for part in parts:
        result[: len(part)] += part
    return _within(result)


def in_background(parts: Sequence[np.ndarray], rate: int, front: int) -> np.ndarray:
    """One part in front, the others quiet behind it, ending softly a moment after it."""
    leading = parts[front]
    end = len(leading) + round(_ECHO_OUT * rate)
    loud = sound_effects.loudness(leading, rate)
    result = np.zeros((end, leading.shape[1]), np.float32)
    result[: len(leading)] += leading
    longest = len(leading)
    for number, part in enumerate(parts):
        if number == front:
            continue
        shorter = part[:end]
        if len(part) > len(leading):
            shorter = sound_effects.fade(shorter, rate, _ECHO_OUT, out=True)
        change = loud + _BACKGROUND - sound_effects.loudness(part, rate)
        result[: len(shorter)] += shorter * np.float32(10 ** (min(change, 0.0) / 20))
        longest = max(longest, len(shorter))
    return _within(result[:longest])


def in_turn(parts: Sequence[np.ndarray], rate: int, crossfade: float, pause: float) -> np.ndarray:
    """One after the other, each faded into the next, or with a pause between."""
    if pause > 0:
        gap = np.zeros((round(pause * rate), parts[0].shape[1]), np.float32)
        pieces = [piece for part in parts for piece in (part, gap)][:-1]
        return _within(np.concatenate(pieces))
    return _within(sound_effects.joined(parts, round(crossfade * rate)))


def _within(samples: np.ndarray) -> np.ndarray:
    peak = float(np.abs(samples).max(initial=0.0))
    if peak > 1:
        samples = samples * np.float32(sound_effects.CEILING / peak)
    return samples
