"""Faster and slower sound without a change of pitch: WSOLA (Verhelst and Roelands, 1993).

Pieces of the sound are laid over each other closer together or further apart; each is shifted a
little so that its wave continues that of the piece before.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_WINDOW = 0.046  # seconds
_SEARCH = 0.014
_COARSE = 12_000  # hertz at which the best shift is looked for first
_REPORT_EVERY = 400


def stretch(
    samples: np.ndarray,
    rate: int,
    factor: float,
    progress: Callable[[float], None] = lambda done: None,
) -> np.ndarray:
    """Sound `factor` times as fast, with the same pitch.

    `samples` are float, frames x channels; the result is float32 with round(frames / factor)
    frames. Raises ValueError where the factor is not above 0.
    """
    if factor <= 0:
        raise ValueError(f"The factor is {factor}, expected more than 0.")
    wanted = round(len(samples) / factor)
    window = 2 * (round(_WINDOW * rate) // 2)
    if factor == 1 or len(samples) < 2 * window:
        return _resized(samples, wanted)
    hop = window // 2
    search = round(_SEARCH * rate)
    fade = (0.5 - 0.5 * np.cos(2 * np.pi * (np.arange(window) + 0.5) / window)).astype(np.float32)
    step = max(rate // _COARSE, 1)
    padded = np.pad(
        np.asarray(samples, np.float32), ((search + window, search + 2 * window), (0, 0))
    )
    mono = padded.mean(axis=1)
    coarse = mono[: len(mono) // step * step].reshape(-1, step).mean(axis=1)
    result = np.zeros((wanted + 2 * window, samples.shape[1]), np.float32)
    count = wanted // hop + 2
    lead = search + window
    place = 0
    for number in range(count):
        if number % _REPORT_EVERY == 0:
            progress(number / count)
        # The middle of the piece lies where the sound is at that moment of the result.
        ideal = min(round(number * hop * factor), len(samples)) + lead - hop
        if number:
            ideal = _best(mono, coarse, place + hop, ideal, hop, search, step)
        place = min(max(ideal, 0), len(padded) - window)
        start = number * hop
        result[start : start + window] += fade[:, None] * padded[place : place + window]
    return np.ascontiguousarray(result[hop : hop + wanted])


def _best(
    mono: np.ndarray,
    coarse: np.ndarray,
    natural: int,
    ideal: int,
    length: int,
    search: int,
    step: int,
) -> int:
    """Where, near `ideal`, the sound is most like the one at `natural`, which would follow."""
    if abs(natural - ideal) <= 1:
        return natural
    wanted = coarse[natural // step : (natural + length) // step]
    low = max(ideal - search, 0)
    area = coarse[low // step : (ideal + search + length) // step]
    if len(area) <= len(wanted) or len(wanted) < 8:
        return ideal
    near = low // step * step + int(_likeness(wanted, area).argmax()) * step
    fine = mono[natural : natural + length]
    low = max(near - step, 0)
    area = mono[low : near + step + length]
    if len(area) <= len(fine) or len(fine) < length:
        return near
    return low + int(_likeness(fine, area).argmax())


def _likeness(wanted: np.ndarray, area: np.ndarray) -> np.ndarray:
    """The normalised correlation of a piece with each place of an area."""
    if len(area) - len(wanted) < 16:
        shared = np.correlate(area, wanted, "valid")
    else:
        size = 1 << (len(area) - 1).bit_length()
        spectrum = np.fft.rfft(area, size) * np.conj(np.fft.rfft(wanted, size))
        shared = np.fft.irfft(spectrum, size)[: len(area) - len(wanted) + 1]
    energy = np.cumsum(np.concatenate([[0.0], area.astype(np.float64) ** 2]))
    own = energy[len(wanted) :] - energy[: len(energy) - len(wanted)]
    return shared / np.sqrt(np.maximum(own, 1e-9))


def _resized(samples: np.ndarray, wanted: int) -> np.ndarray:
    """Cut or filled up with silence: what is shorter than a window has no pitch to keep."""
    result = np.zeros((wanted, samples.shape[1]), np.float32)
    count = min(wanted, len(samples))
    result[:count] = samples[:count]
    return result
