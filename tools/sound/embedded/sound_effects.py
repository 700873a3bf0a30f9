"""Effects on sound: tone, echo, reverb, robot voice, fades, loudness, silence.

Samples are frames x channels; every function returns new ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

#: What a result may reach: a little under full, as lossy files rise above what they are made of.
CEILING = 0.97
_LOUDNESS = -16.0  # LUFS: usual for speech and music on the web
_LEAST_LOUDNESS = -70.0
_MOST_CHANNELS, _LEAST_RATE = 5, 4000  # that the norm knows
_ROBOT_PITCH = 100.0  # hertz
_LONGEST_TAIL = 6.0  # seconds


def band_pass(samples: np.ndarray, rate: int, lowest: float, highest: float) -> np.ndarray:
    """Only what lies between two frequencies in hertz; 0 and infinity set no border."""
    from scipy import signal

    top = 0.45 * rate
    if lowest > 0:
        sections = signal.butter(4, min(lowest, top), "highpass", fs=rate, output="sos")
        samples = signal.sosfilt(sections, samples, axis=0)
    if highest < top:
        sections = signal.butter(4, max(highest, 1.0), "lowpass", fs=rate, output="sos")
        samples = signal.sosfilt(sections, samples, axis=0)
    return samples.astype(np.float32)


def shelf(
    samples: np.ndarray, rate: int, frequency: float, decibels: float, high: bool
) -> np.ndarray:
    """Everything above (or below) a frequency in hertz louder or quieter."""
    from pyloudnorm import IIRfilter

    kind = "high_shelf" if high else "low_shelf"
    # This quality is the steepest without a bump at the edge.
    made = IIRfilter(decibels, math.sqrt(0.5), min(frequency, 0.4 * rate), rate, kind)
    return made.apply_filter(samples.T).T.astype(np.float32)


def telephone(samples: np.ndarray, rate: int) -> np.ndarray:
    """As an old telephone sounds: a narrow band, a little pressed."""
    narrow = band_pass(samples, rate, 320, 3300)
    level = math.sqrt(float(np.mean(narrow**2))) or 1.0
    wanted = math.sqrt(float(np.mean(samples**2))) or level
    pressed = np.tanh(1.5 * narrow / (4 * level)) * 4 / 1.5
    return (pressed * wanted).astype(np.float32)


def echo(samples: np.ndarray, rate: int, delay: float, share: float) -> np.ndarray:
    """The sound with repeats every `delay` seconds, each `share` as loud as the one before."""
    step = max(round(delay * rate), 1)
    times = min(math.ceil(math.log(0.02) / math.log(share)), max(int(_LONGEST_TAIL / delay), 1))
    result = np.pad(samples, ((0, times * step), (0, 0))).astype(np.float32)
    for number in range(1, times + 1):
        at = number * step
        result[at : at + len(samples)] += samples * share**number
    return result


def reverb(samples: np.ndarray, rate: int, seconds: float, wet: float) -> np.ndarray:
    """The sound in a room whose echo takes so many seconds to go 60 dB down."""
    from scipy import ndimage, signal

    seconds = min(seconds, _LONGEST_TAIL)
    count = max(round(seconds * rate), 2)
    times = np.arange(count) / rate
    channels = samples.shape[1]
    # Every channel has a noise of its own, so that the room is heard around the listener.
    noise = np.random.default_rng(7).standard_normal((count, channels))
    # The air swallows high tones first: later parts of the tail are ever duller.
    dull = ndimage.gaussian_filter1d(noise, max(rate / 14_000, 0.5), axis=0, mode="nearest")
    dull *= np.std(noise) / max(float(np.std(dull)), 1e-9)
    mix = np.exp(-times / (0.25 * seconds))[:, None]
    tail = (mix * noise + (1 - mix) * dull) * 10 ** (-3 * times / seconds)[:, None]
    first = min(round(0.018 * rate), count - 1)
    tail[:first] = 0
    tail = band_pass(tail, rate, 120, 9000)
    tail /= np.maximum(np.sqrt(np.sum(tail**2, axis=0)), 1e-9)
    room = signal.oaconvolve(samples, tail, axes=0)
    result = wet * room
    result[: len(samples)] += samples
    return result.astype(np.float32)


def robot(samples: np.ndarray, rate: int) -> np.ndarray:
    """A voice on one steady tone, as a robot's: every frame begins with the same phases."""
    hop = max(round(rate / _ROBOT_PITCH), 2)
    size = 4 * hop
    window = np.hanning(size + 1)[:size].astype(np.float32)
    length = len(samples)
    padded = np.pad(samples.astype(np.float32), ((size, 2 * size), (0, 0)))
    result = np.zeros_like(padded)
    views = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
    starts = np.arange(0, len(padded) - size + 1, hop)
    for part in np.array_split(starts, max(len(starts) // 1000, 1)):
        sizes = np.abs(np.fft.rfft(views[part] * window, axis=-1))
        pulses = np.fft.fftshift(np.fft.irfft(sizes, size, axis=-1), axes=-1) * window
        for start, pulse in zip(part, pulses, strict=True):
            result[start : start + size] += pulse.T
    result = result[size : size + length]
    level = math.sqrt(float(np.mean(samples**2)))
    return result * np.float32(level / max(math.sqrt(float(np.mean(result**2))), 1e-9))


def fade(samples: np.ndarray, rate: int, seconds: float, out: bool) -> np.ndarray:
    """The sound rising from silence, or with `out` falling into it, like a half of a cosine."""
    count = min(max(round(seconds * rate), 1), len(samples))
    curve = (0.5 - 0.5 * np.cos(np.pi * np.arange(count) / count)).astype(np.float32)[:, None]
    result = samples.astype(np.float32).copy()
    if out:
        result[len(result) - count :] *= curve[::-1]
    else:
        result[:count] *= curve
    return result


def amplify(samples: np.ndarray, rate: int, decibels: float) -> np.ndarray:
    """The sound louder or quieter; peaks that would be cut off are held down."""
    return held_down((samples * 10 ** (decibels / 20)).astype(np.float32), rate)


def held_down(samples: np.ndarray, rate: int, ceiling: float = CEILING) -> np.ndarray:
    """The sound with its peaks under the ceiling, turned down smoothly just around them."""
    from scipy import ndimage

    level = np.abs(samples).max(axis=1)
    if level.max(initial=0.0) <= ceiling:
        return samples
    reach = max(round(0.005 * rate), 1)
    gain = np.minimum(1.0, ceiling / np.maximum(level, 1e-9))
    # Least of the neighbourhood, then its mean over the same width: never above what is allowed.
    gain = ndimage.minimum_filter1d(gain, 2 * reach + 1, mode="nearest")
    gain = ndimage.uniform_filter1d(gain, 2 * reach + 1, mode="nearest")
    return np.clip(samples * gain[:, None], -ceiling, ceiling).astype(np.float32)


def loudness(samples: np.ndarray, rate: int) -> float:
    """How loud the sound is to a listener, in LUFS (ITU-R BS.1770), at least -70."""
    from pyloudnorm import Meter

    meter = Meter(max(rate, _LEAST_RATE))
    # What is shorter than the norm measures is heard over and over.
    frames = max(len(samples), math.ceil(meter.block_size * meter.rate))
    heard = np.resize(samples, (frames, samples.shape[1]))[:, :_MOST_CHANNELS]
    return max(float(meter.integrated_loudness(heard)), _LEAST_LOUDNESS)


def normalise(samples: np.ndarray, rate: int) -> np.ndarray:
    """The sound at the loudness that is usual on the web, with no peak cut off."""
    now = loudness(samples, rate)
    if now <= _LEAST_LOUDNESS:
        peak = float(np.abs(samples).max(initial=0.0))
        return (samples * (CEILING / peak)).astype(np.float32) if peak else samples
    return amplify(samples, rate, _LOUDNESS - now)


def sounding(samples: np.ndarray, rate: int) -> np.ndarray:
    """For each hundredth of a second whether there is more than silence or faint noise."""
    size = max(rate // 100, 1)
    count = -(-len(samples) // size)
    padded = np.pad(samples.astype(np.float64), ((0, count * size - len(samples)), (0, 0)))
    power = np.mean(padded.reshape(count, -1) ** 2, axis=1)
    loud, quiet = np.quantile(power, 0.95), np.quantile(power, 0.05)
    # Over the noise, if there is some; noise is never taken for all of the sound.
    border = max(loud * 1e-4, min(quiet * 6, loud * 0.02), 1e-10)
    return power > border


def without_silence(samples: np.ndarray, rate: int, longest_pause: float | None) -> np.ndarray:
    """The sound without silence at both ends; with `longest_pause`, shorter pauses inside too.

    Empty where there is nothing but silence.
    """
    from scipy import ndimage

    size = max(rate // 100, 1)
    # Beginnings and ends of words are faint.
    active = ndimage.binary_dilation(sounding(samples, rate), iterations=5)
    if not active.any():
        return samples[:0]
    first, last = np.flatnonzero(active)[[0, -1]]
    if longest_pause is None:
        return samples[first * size : (last + 1) * size].copy()
    half = max(round(longest_pause * 100 / 2), 1)
    kept = ndimage.binary_dilation(active[first : last + 1], iterations=half)
    spans = [span for (span,) in ndimage.find_objects(ndimage.label(kept)[0])]
    pieces = [samples[(first + s.start) * size : (first + s.stop) * size] for s in spans]
    return joined(pieces, round(0.008 * rate))


def joined(pieces: Sequence[np.ndarray], overlap: int) -> np.ndarray:
    """Pieces one after the other, each faded into the next over so many samples.

    A piece is never faded over more than a quarter of it.
    """
    result = pieces[0]
    finished: list[np.ndarray] = []
    for piece in pieces[1:]:
        count = min(overlap, len(result) // 4, len(piece) // 4)
        angle = np.linspace(0, np.pi / 2, count, dtype=np.float32)[:, None]
        finished.append(result[: len(result) - count])
        blend = result[len(result) - count :] * np.cos(angle) + piece[:count] * np.sin(angle)
        result = np.concatenate([blend, piece[count:]])
    return np.concatenate([*finished, result])
