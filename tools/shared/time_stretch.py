"""Changing how fast a sound runs without changing its pitch, and its pitch without its speed.

A phase vocoder: each new frame goes on with the phase of the last one by as much as the sound
itself went on in the same time (Puckette, 1995). All bands around a peak turn together, so that a
voice stays a voice (Laroche and Dolson, 1999). All channels turn alike, which keeps the places of a
stereo picture.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

Progress = Callable[[float, str], None]

_WINDOW = 0.064  # seconds
_HOP_PARTS = 4
_BLOCK = 400  # frames whose spectra are held in memory at once


def change_tempo(
    samples: np.ndarray,
    rate: int,
    factor: float,
    progress: Progress = lambda fraction, words: None,
    words: str = "Changing the speed",
) -> np.ndarray:
    """The sound played `factor` times as fast at the same pitch, frames x channels.

    Raises ValueError where the factor is not above 0.
    """
    if factor <= 0:
        raise ValueError(f"The factor is {factor}, expected more than 0.")
    if abs(factor - 1) < 1e-3 or not len(samples):
        return samples
    length = max(round(len(samples) / factor), 1)
    size = max(4 * _HOP_PARTS, 2 * _HOP_PARTS * round(rate * _WINDOW / (2 * _HOP_PARTS)))
    hop = size // _HOP_PARTS
    window = np.hanning(size + 1)[:size].astype(np.float32)
    # One hop more in front: the phases of a frame are compared with those of a hop before.
    padded = np.pad(samples.astype(np.float32), ((size + hop, 2 * size), (0, 0)))
    count = (length + size) // hop + 1
    starts = np.minimum(
        np.round(np.arange(count) * hop * factor).astype(np.int64) + hop, len(padded) - size
    )
    # The window's middle, not its begin, is the moment that a frame is of.
    starts = np.clip(starts + round((factor - 1) * (hop - size / 2)), hop, len(padded) - size)
    result = np.zeros(((count - 1) * hop + size, samples.shape[1]), np.float32)
    views = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    turning = _Turning(size // 2 + 1)
    scale = 1 / np.float32(_HOP_PARTS * np.mean(window**2))
    for first in range(0, count, _BLOCK):
        progress(first / count, words)
        places = starts[first : first + _BLOCK]
        now = np.fft.rfft(views[places] * window, axis=-1)
        before = np.fft.rfft(views[places - hop] * window, axis=-1)
        turned = np.stack(
            [frame * turning.of(frame, past) for frame, past in zip(now, before, strict=True)]
        )
        pieces = np.fft.irfft(turned, size, axis=-1).astype(np.float32) * window * scale
        for number in range(len(places)):
            at = (first + number) * hop
            result[at : at + size] += pieces[number].T
    return result[size : size + length]


class _Turning:
    """By how much each band of a frame is turned so that it goes on where the last one stopped."""

    def __init__(self, bands: int) -> None:
        self._past_phase = np.zeros(bands)
        self._bands = np.arange(bands)

    def of(self, frame: np.ndarray, past: np.ndarray) -> np.ndarray:
        """The factors for a frame; `past` is the sound one hop before it, channels x bands."""
        sizes = np.abs(frame)
        loudest = np.argmax(sizes, axis=0)
        phase = np.angle(frame[loudest, self._bands])
        peaks = _peaks(sizes.sum(axis=0))
        turned = np.zeros(len(phase))
        if len(peaks):
            # What was heard there last, gone on as far as the sound itself does in one hop.
            earlier = np.angle(past[loudest[peaks], peaks])
            turn = self._past_phase[peaks] - earlier
            turned = turn[np.searchsorted((peaks[1:] + peaks[:-1]) // 2, self._bands)]
        self._past_phase = phase + turned
        return np.exp(1j * turned)


def _peaks(size: np.ndarray) -> np.ndarray:
    """Bands that are louder than two neighbours on each side."""
    middle = size[2:-2]
    higher = (
        (middle > size[:-4]) & (middle > size[1:-3]) & (middle >= size[3:-1]) & (middle >= size[4:])
    )
    return np.flatnonzero(higher) + 2


def change_pitch(
    samples: np.ndarray,
    rate: int,
    semitones: float,
    progress: Progress = lambda fraction, words: None,
) -> np.ndarray:
    """The sound higher (or lower, below 0) by semitones, as long as before."""
    ratio = 2 ** (semitones / 12)
    longer = change_tempo(samples, rate, 1 / ratio, progress, "Changing the pitch")
    result = change_speed(longer, ratio)
    missing = len(samples) - len(result)
    return np.pad(result, ((0, max(missing, 0)), (0, 0)))[: len(samples)]


def change_speed(samples: np.ndarray, factor: float) -> np.ndarray:
    """The sound as a tape plays it that runs `factor` times as fast: higher and shorter."""
    return _resampled(samples, Fraction(1 / factor).limit_denominator(400))


def at_rate(samples: np.ndarray, rate: int, wanted: int) -> np.ndarray:
    """The samples of a sound at another sampling rate."""
    share = Fraction(wanted, rate)
    if max(share.numerator, share.denominator) > 2000:
        share = share.limit_denominator(2000)
    return _resampled(samples, share)


def _resampled(samples: np.ndarray, share: Fraction) -> np.ndarray:
    from scipy import signal

    if share == 1 or not len(samples):
        return samples
    return signal.resample_poly(
        samples.astype(np.float32), share.numerator, share.denominator, axis=0
    ).astype(np.float32)
