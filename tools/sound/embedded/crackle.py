"""Clicks and crackle found and filled in by linear prediction (Godsill and Rayner, 1998)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from controlllm.resources import Sound

_ORDER = 24
_BLOCK, _AROUND = 2048, 256  # samples
_QUANTILE = 0.97
_THRESHOLD = 4.0


def remove_clicks(
    sound: Sound, progress: Callable[[float, str], None] = lambda fraction, words: None
) -> Iterator[np.ndarray]:
    """The sound with clicks and crackle filled in from what is around them, in blocks."""
    if sound.frames < 4 * _ORDER:
        yield from sound.blocks()
        return
    part, begin = np.zeros((0, sound.channels)), 0
    for number, start in enumerate(range(0, sound.frames, _BLOCK)):
        if number % 50 == 0:
            progress(start / sound.frames, "Looking for clicks")
        end = start + _BLOCK
        part = np.concatenate([part, sound.part(begin + len(part), end + _AROUND)])
        part = np.stack([_without_clicks(channel) for channel in part.T], axis=1)
        # What is around the next block is as this one left it.
        done = (end if end >= sound.frames else end - _AROUND) - begin
        yield part[:done].astype(np.float32)
        part, begin = part[done:], begin + done


def _without_clicks(wave: np.ndarray) -> np.ndarray:
    from scipy import linalg, signal

    order = _ORDER
    if len(wave) < 4 * order:
        return wave
    for _ in range(2):
        correlation = np.correlate(wave, wave, "full")[len(wave) - 1 : len(wave) + order]
        if correlation[0] <= 1e-9:
            return wave
        correlation[0] *= 1 + 1e-6
        prediction = linalg.solve_toeplitz(correlation[:-1], correlation[1:])
        whitening = np.concatenate([[1.0], -prediction])
        # Clicks break the prediction in both directions of time, the onset of a sound only in one.
        forward = np.abs(signal.lfilter(whitening, [1.0], wave))
        backward = np.abs(signal.lfilter(whitening, [1.0], wave[::-1])[::-1])
        surprise = np.minimum(forward, backward)
        surprise[:order] = surprise[-order:] = 0
        # Each pulse of a deep voice is a surprise too, but there are many alike.
        usual = float(np.quantile(surprise, _QUANTILE))
        bad = surprise > _THRESHOLD * max(usual, 1e-7)
        if not bad.any():
            return wave
        bad = np.convolve(bad, np.ones(9), "same") > 0
        bad[: 2 * order] = bad[-2 * order :] = False
        places = np.flatnonzero(bad)
        # So many clicks are no clicks but the sound itself.
        if not len(places) or len(places) > 0.15 * len(wave):
            return wave
        wave = _filled(wave, places, whitening)
    return wave


def _filled(wave: np.ndarray, places: np.ndarray, whitening: np.ndarray) -> np.ndarray:
    """The wave with the samples at `places` as the prediction expects them from both sides."""
    from scipy import linalg

    filled = wave.copy()
    reach = len(whitening) - 1
    correlation = np.correlate(whitening, whitening, "full")[reach:]
    groups = np.split(places, np.flatnonzero(np.diff(places) > reach) + 1)
    for group in groups:
        first, last = group[0] - reach, group[-1] + reach + 1
        around = filled[first:last].copy()
        inside = group - first
        around[inside] = 0
        both = np.concatenate([correlation[:0:-1], correlation])
        right = np.convolve(around, both, "same")[inside]
        distance = np.abs(inside[:, None] - inside[None, :])
        matrix = np.where(
            distance <= reach, correlation[np.minimum(distance, reach)], 0.0
        ) + 1e-9 * np.eye(len(inside))
        filled[group] = -linalg.solve(matrix, right, assume_a="pos")
    return filled
