"""Changing how fast a sound runs without changing its pitch, and its pitch without its speed.

The work is Signalsmith Stretch's (the pip package ``python-stretch``). All channels are stretched
alike, which keeps the places of a stereo picture.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

Progress = Callable[[float, str], None]

_PIECE, _LAP = 60.0, 0.25  # seconds that are stretched at once, and that pieces share
#: Seconds: with longer windows fast speech loses words, with rarer ones tones grow weaker.
_WINDOW, _EVERY = 0.06, 0.01


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
    from python_stretch.Signalsmith import Stretch

    if factor <= 0:
        raise ValueError(f"The factor is {factor}, expected more than 0.")
    if abs(factor - 1) < 1e-3 or not len(samples):
        return samples
    result = np.zeros((max(round(len(samples) / factor), 1), samples.shape[1]), np.float32)
    step, lap = round(_PIECE * rate), round(_LAP * rate)
    for start in range(0, len(samples), step):
        progress(start / len(samples), words)
        first = max(start - lap, 0)
        stretch = Stretch(0)  # the seed: equal sounds give equal results
        stretch.configure(samples.shape[1], round(_WINDOW * rate), max(round(_EVERY * rate), 1))
        stretch.setTimeFactor(factor)
        piece = samples[first : start + step].T.astype(np.float32)
        begin, goes_on = round(first / factor), round(start / factor)
        made = np.array(stretch.process(np.ascontiguousarray(piece))).T[: len(result) - begin]
        rise = np.linspace(0, 1, goes_on - begin, dtype=np.float32)[:, None]
        made[: len(rise)] = rise * made[: len(rise)] + (1 - rise) * result[begin:goes_on]
        result[begin : begin + len(made)] = made
    return result


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
