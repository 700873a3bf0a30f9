"""Taking noise, hum, crackle and room echo out of a recording.

The noise is followed in each frequency band by how likely speech is there (Gerkmann and Hendriks,
2012), and each band is turned down by the least error of its log amplitude (Ephraim and Malah,
1985). Mains hum and whistles are steady enough for notch filters, which leave more of the voice.
Clicks are found and filled in by linear prediction (Godsill and Rayner, 1998).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

Progress = Callable[[float, str], None]

_LOWEST = 35.0  # hertz
_WINDOW = 0.032  # seconds
_HOP_PARTS = 4
_BLOCK = 2000  # frames that are held in memory at once
_FLOOR = 10 ** (-22 / 20)
#: A little noise that is left hides the chirping that isolated bands make.
_LEAST_PRIOR = 10 ** (-22 / 10)
_SPEECH_PRIOR = 10 ** (15 / 10)
_LONGEST_SURVEY = 4000  # frames
_LINE_SECONDS = 1.0
_LINE_STANDS_OUT = 10 ** (10 / 10)
_MOST_LINES = 40
_PREDICTION_ORDER = 24
_CLICK_BLOCK = 2048
_CLICK_QUANTILE = 0.97
_CLICK_THRESHOLD = 4.0
_LATE_AFTER = 0.05  # seconds; what comes later is heard as the room
_ROOM_DECAY = 0.7  # seconds until a usual room's echo is 60 dB down


def reduce_noise(
    samples: np.ndarray,
    rate: int,
    progress: Progress = lambda fraction, words: None,
    less_room: bool = False,
) -> np.ndarray:
    """The sound without steady and slowly changing noise, shape and length as before.

    Parameters
    ----------
    samples: float, frames x channels; all channels are turned down alike.
    less_room: also turns down what a room adds to a voice.
    """
    progress(0.0, "Listening to the noise")
    tones = [] if less_room else steady_tones(samples, rate)
    channels = []
    for channel in samples.T:
        channels.append(_without_rumble_and(tones, channel, rate))
        progress(0.02, "Listening to the noise")
    samples = np.stack(channels, axis=1)
    size = max(2 * _HOP_PARTS, _HOP_PARTS * round(rate * _WINDOW / _HOP_PARTS))
    hop = size // _HOP_PARTS
    window = np.sqrt(np.hanning(size + 1)[:size]).astype(np.float32)
    length = len(samples)
    padded = np.pad(samples.astype(np.float32), ((size, 2 * size), (0, 0)))
    count = (len(padded) - size) // hop + 1
    result = np.zeros_like(padded)
    gains = _Gains(_survey(padded, size, hop, count, window), hop / rate, less_room)
    scale = 2 / _HOP_PARTS  # of the squared windows' sum
    for first in range(0, count, _BLOCK):
        progress(0.02 + 0.98 * first / count, "Taking the noise out")
        starts = np.arange(first, min(first + _BLOCK, count)) * hop
        frames = _frames(padded, starts, size) * window
        spectra = np.fft.rfft(frames, axis=-1)
        power = np.mean(np.abs(spectra) ** 2, axis=1)
        for number, row in enumerate(power):
            spectra[number] *= gains.following(row)
        pieces = np.fft.irfft(spectra, size, axis=-1) * window * scale
        for number, start in enumerate(starts):
            result[start : start + size] += pieces[number].T
    return result[size : size + length]


def _frames(padded: np.ndarray, starts: np.ndarray, size: int) -> np.ndarray:
    """Frames x channels x size."""
    views = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    return views[starts]


def _survey(padded: np.ndarray, size: int, hop: int, count: int, window: np.ndarray) -> np.ndarray:
    """The noise's power in each band, from the quieter frames of the whole recording."""
    step = max(count // _LONGEST_SURVEY, 1)
    starts = np.arange(0, count, step) * hop
    # Frames of nothing but filling or digital silence would hide the noise.
    power = np.concatenate(
        [
            np.mean(np.abs(np.fft.rfft(_frames(padded, part, size) * window, axis=-1)) ** 2, axis=1)
            for part in np.array_split(starts, max(len(starts) // 500, 1))
        ]
    )
    totals = power.sum(axis=1)
    sounding = power[totals > 1e-7 * totals.max()]
    if not len(sounding):
        sounding = power
    share = 0.2
    # A share of noise lies under the quantile; its mean follows from the exponential distribution.
    estimate = np.quantile(sounding, share, axis=0) / -math.log(1 - share)
    return np.maximum(estimate, 1e-12 * max(float(power.max()), 1e-12))


class _Gains:
    """Gains for one frame after the other, with the memory that they need."""

    def __init__(self, noise: np.ndarray, hop_seconds: float, less_room: bool) -> None:
        self._noise = noise.astype(np.float64)
        self._least_noise = 1e-3 * self._noise
        self._presence = np.full(len(noise), 0.5)
        self._clean = np.zeros(len(noise))
        # The constants are known for other distances of frames.
        self._keep_noise = 0.9 ** (hop_seconds / 0.016)
        self._keep_clean = 0.98 ** (hop_seconds / 0.008)
        self._keep_presence = 0.9 ** (hop_seconds / 0.016)
        self._late: list[np.ndarray] = []
        self._delay = max(round(_LATE_AFTER / hop_seconds), 1) if less_room else 0
        self._decay = math.exp(-6 * math.log(10) / _ROOM_DECAY * _LATE_AFTER)
        self._keep_room = 0.9 ** (hop_seconds / 0.016)
        self._room = np.zeros(len(noise))

    def following(self, power: np.ndarray) -> np.ndarray:
        from scipy.special import exp1

        noise = self._noise
        ratio = power / noise
        odds = (1 + _SPEECH_PRIOR) * np.exp(
            -np.minimum(ratio, 200) * (_SPEECH_PRIOR / (1 + _SPEECH_PRIOR))
        )
        present = 1 / (1 + odds)
        self._presence += (1 - self._keep_presence) * (present - self._presence)
        # Noise that grew for good would be taken for speech for ever without this.
        present = np.where(self._presence > 0.99, np.minimum(present, 0.99), present)
        seen = present * noise + (1 - present) * power
        noise = self._keep_noise * noise + (1 - self._keep_noise) * seen
        self._noise = np.maximum(noise, self._least_noise)
        unwanted = self._noise + self._late_power(power) if self._delay else self._noise
        ratio = np.minimum(power / unwanted, 1e4)
        prior = self._keep_clean * self._clean / unwanted + (1 - self._keep_clean) * np.maximum(
            ratio - 1, 0
        )
        prior = np.maximum(prior, _LEAST_PRIOR)
        share = prior / (1 + prior)
        gain = share * np.exp(0.5 * exp1(np.maximum(share * ratio, 1e-8)))
        gain = np.minimum(gain, 1)
        self._clean = gain**2 * power
        return np.maximum(gain, _FLOOR) ** present * _FLOOR ** (1 - present)

    def _late_power(self, power: np.ndarray) -> np.ndarray:
        """What the room still gives back of what was heard a moment ago."""
        self._room = self._keep_room * self._room + (1 - self._keep_room) * power
        self._late.append(self._room)
        if len(self._late) <= self._delay:
            return np.zeros(len(power))
        return self._decay * self._late.pop(0)


def _without_rumble_and(tones: list[float], wave: np.ndarray, rate: int) -> np.ndarray:
    """One channel without what is too low to hear, and without tones that never change."""
    from scipy import signal

    if rate > 8 * _LOWEST:
        rumble_filter = signal.butter(2, _LOWEST, "highpass", fs=rate, output="sos")
        # In both directions, so that no phase is changed.
        wave = signal.sosfiltfilt(rumble_filter, wave, padlen=min(len(wave) - 1, rate // 10))
    for frequency in tones:
        width = max(3.0, 0.004 * frequency)
        numerator, denominator = signal.iirnotch(frequency, frequency / width, fs=rate)
        pad = min(len(wave) - 1, 3 * round(rate / width))
        wave = signal.filtfilt(numerator, denominator, wave, padlen=pad)
    return wave.astype(np.float32)


def steady_tones(samples: np.ndarray, rate: int) -> list[float]:
    """The frequencies in hertz that sound all the time, much above their neighbours."""
    from scipy import ndimage

    size = round(rate * _LINE_SECONDS)
    mono = samples.mean(axis=1)
    if len(mono) < 4 * size or rate < 1000:
        return []
    starts = np.linspace(0, len(mono) - size, min(len(mono) // size * 2, 400)).astype(int)
    window = np.hanning(size)
    levels = np.stack([np.abs(np.fft.rfft(mono[at : at + size] * window)) ** 2 for at in starts])
    # Nearly the least level: a tone that stops, as one of a voice or of music, is none of these.
    least = np.quantile(levels, 0.1, axis=0)
    neighbours = ndimage.median_filter(least, 41, mode="nearest")
    stands_out = least > _LINE_STANDS_OUT * np.maximum(neighbours, 1e-12)
    stands_out &= least == ndimage.maximum_filter1d(least, 5)
    # And its level hardly changes.
    stands_out &= np.quantile(levels, 0.5, axis=0) < 4 * least
    bins = np.flatnonzero(stands_out)
    bins = bins[(bins > 30 * _LINE_SECONDS) & (bins < 0.45 * size)]
    strongest = sorted(bins, key=lambda place: -least[place])[:_MOST_LINES]
    found = []
    for place in strongest:
        before, at, after = np.log(np.maximum(least[place - 1 : place + 2], 1e-20))
        bend = before - 2 * at + after
        offset = 0.5 * (before - after) / bend if bend else 0.0
        found.append(float((place + np.clip(offset, -0.5, 0.5)) * rate / size))
    return sorted(found)


def remove_clicks(
    samples: np.ndarray, rate: int, progress: Progress = lambda fraction, words: None
) -> np.ndarray:
    """The sound with clicks and crackle filled in from what is around them."""
    result = samples.astype(np.float64)
    block = _CLICK_BLOCK
    if len(result) < 4 * _PREDICTION_ORDER:
        return samples
    for channel in range(result.shape[1]):
        wave = result[:, channel]
        for number, start in enumerate(range(0, len(wave), block)):
            if number % 50 == 0:
                done = (channel + start / len(wave)) / result.shape[1]
                progress(done, "Looking for clicks")
            begin = max(start - 256, 0)
            end = min(start + block + 256, len(wave))
            wave[begin:end] = _without_clicks(wave[begin:end])
    return result.astype(np.float32)


def _without_clicks(wave: np.ndarray) -> np.ndarray:
    from scipy import linalg, signal

    order = _PREDICTION_ORDER
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
        usual = float(np.quantile(surprise, _CLICK_QUANTILE))
        bad = surprise > _CLICK_THRESHOLD * max(usual, 1e-7)
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
