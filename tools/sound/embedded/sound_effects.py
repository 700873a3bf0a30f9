"""Effects on sound: tone, echo, reverb, robot voice, fades, loudness, silence.

Each gives the new sound in blocks, frames x channels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from controlllm.resources import BLOCK, Sound
from controlllm.toolbox import Context

from ...shared.sounds import carried, faded, kept, peak, piecewise, power, powers, seamed

Blocks = Iterator[np.ndarray]

#: What a result may reach: a little under full, as lossy files rise above what they are made of.
CEILING = 0.97
#: Decibels where only "louder" is said, or by how much in words.
_STEPS = {"": 6.0, "slightly": 3.0, "strongly": 12.0}
_LOUDNESS = -16.0  # LUFS: usual for speech and music on the web
_LEAST_LOUDNESS = -70.0
_LEAST_RATE = 4000  # that the norm knows
_ROBOT_PITCH = 100.0  # hertz
_LONGEST_TAIL = 6.0  # seconds
_LEVELED_OVER, _MOST_LEVELED = 120, 15.0  # hundredths of a second, and decibels


def filtered(sound: Sound, filters: Sequence[tuple[np.ndarray, np.ndarray]]) -> Blocks:
    """A sound through filters (numerator, denominator) that go on from block to block."""
    from scipy import signal

    states = [np.zeros((len(a) - 1, sound.channels)) for _, a in filters]
    for block in sound.blocks():
        for number, (b, a) in enumerate(filters):
            block, states[number] = signal.lfilter(b, a, block, axis=0, zi=states[number])
        yield block.astype(np.float32, copy=False)


def band_pass(sound: Sound, lowest: float, highest: float) -> Blocks:
    """Only what lies between two frequencies in hertz; 0 and infinity set no border."""
    from scipy import signal

    top = 0.45 * sound.rate
    sections = np.zeros((0, 6))
    for wanted, border, kind in (
        (lowest > 0, min(lowest, top), "highpass"),
        (highest < top, max(highest, 1.0), "lowpass"),
    ):
        if wanted:
            made = signal.butter(4, border, kind, fs=sound.rate, output="sos")
            sections = np.concatenate([sections, made])
    state = np.zeros((len(sections), 2, sound.channels))
    for block in sound.blocks():
        if len(sections):
            block, state = signal.sosfilt(sections, block, axis=0, zi=state)
        yield block.astype(np.float32, copy=False)


def shelf(sound: Sound, frequency: float, decibels: float, high: bool) -> Blocks:
    """Everything above (or below) a frequency in hertz louder or quieter."""
    from pyloudnorm import IIRfilter

    kind = "high_shelf" if high else "low_shelf"
    # This quality is the steepest without a bump at the edge.
    quality, border = math.sqrt(0.5), min(frequency, 0.4 * sound.rate)
    made = IIRfilter(decibels, quality, border, sound.rate, kind)
    return filtered(sound, [(made.passband_gain * made.b, made.a)])


def telephone(sound: Sound, context: Context) -> Blocks:
    """As an old telephone sounds: a narrow band, a little pressed."""
    narrow = kept(band_pass(sound, 320, 3300), sound.rate, context)
    level = math.sqrt(power(narrow)) or 1.0
    wanted = math.sqrt(power(sound)) or level
    for block in narrow.blocks():
        pressed = np.tanh(1.5 * block / (4 * level)) * 4 / 1.5
        yield (pressed * wanted).astype(np.float32)


def echo(sound: Sound, delay: float, share: float) -> Blocks:
    """The sound with repeats every `delay` seconds, each `share` as loud as the one before."""
    step = max(round(delay * sound.rate), 1)
    times = min(math.ceil(math.log(0.02) / math.log(share)), max(int(_LONGEST_TAIL / delay), 1))

    def add(block: np.ndarray, made: np.ndarray) -> None:
        for number in range(times + 1):
            made[number * step :][: len(block)] += block * np.float32(share**number)

    return carried(sound, times * step, add)


def reverb(sound: Sound, seconds: float, wet: float) -> Blocks:
    """The sound in a room whose echo takes so many seconds to go 60 dB down."""
    from scipy import ndimage, signal

    rate, channels = sound.rate, sound.channels
    seconds = min(seconds, _LONGEST_TAIL)
    count = max(round(seconds * rate), 2)
    times = np.arange(count) / rate
    # Every channel has a noise of its own, so that the room is heard around the listener.
    noise = np.random.default_rng(7).standard_normal((count, channels))
    # The air swallows high tones first: later parts of the tail are ever duller.
    dull = ndimage.gaussian_filter1d(noise, max(rate / 14_000, 0.5), axis=0, mode="nearest")
    dull *= np.std(noise) / max(float(np.std(dull)), 1e-9)
    mix = np.exp(-times / (0.25 * seconds))[:, None]
    tail = (mix * noise + (1 - mix) * dull) * 10 ** (-3 * times / seconds)[:, None]
    first = min(round(0.018 * rate), count - 1)
    tail[:first] = 0
    tail = np.concatenate([*band_pass(Sound(tail, rate), 120, 9000)])
    tail /= np.maximum(np.sqrt(np.sum(tail**2, axis=0)), 1e-9)

    def add(block: np.ndarray, made: np.ndarray) -> None:
        made += wet * signal.oaconvolve(block, tail, axes=0)
        made[: len(block)] += block

    return carried(sound, count - 1, add)


def robot(sound: Sound, context: Context) -> Blocks:
    """A voice on one steady tone, as a robot's: every frame begins with the same phases."""
    hop = max(round(sound.rate / _ROBOT_PITCH), 2)
    size = 4 * hop
    window = np.hanning(size + 1)[:size].astype(np.float32)

    def spoken(samples: np.ndarray) -> np.ndarray:
        padded = np.pad(samples.astype(np.float32), ((size, 2 * size), (0, 0)))
        result = np.zeros_like(padded)
        views = np.lib.stride_tricks.sliding_window_view(padded, size, axis=0)
        starts = np.arange(0, len(padded) - size + 1, hop)
        for part in np.array_split(starts, max(len(starts) // 1000, 1)):
            sizes = np.abs(np.fft.rfft(views[part] * window, axis=-1))
            pulses = np.fft.fftshift(np.fft.irfft(sizes, size, axis=-1), axes=-1) * window
            for start, pulse in zip(part, pulses, strict=True):
                result[start : start + size] += pulse.T
        return result[size : size + len(samples)]

    # Pieces begin where a frame does.
    made = kept(piecewise(sound, spoken, 2 * size, hop * (BLOCK // hop + 1)), sound.rate, context)
    louder = math.sqrt(power(sound)) / max(math.sqrt(power(made)), 1e-9)
    for block in made.blocks():
        yield block * np.float32(louder)


def fade(sound: Sound, seconds: float, out: bool) -> Blocks:
    """The sound rising from silence, or with `out` falling into it."""
    count = min(max(round(seconds * sound.rate), 1), sound.frames)
    return faded(sound.blocks(), sound.frames, 0 if out else count, count if out else 0)


def passages(sound: Sound, spans: Sequence[tuple[float, float]], seam: float) -> Blocks:
    """What lies from second to second, one after the other; faded over `seam` where two meet."""
    rate, frames = sound.rate, sound.frames
    pieces = [(sound, round(start * rate), round(min(end * rate, frames))) for start, end in spans]
    return seamed(pieces, seam)


def change_asked(level: float, percent: float, of_all: bool, way: str, how_much: str = "") -> float:
    """By how many decibels a sound is to become "louder" or "quieter": by a level, by a share of
    its volume or, where it is `of_all`, to that share; by a step where neither is said, which is
    smaller where it is to be so "slightly", and larger where "strongly"."""
    if level:
        return {"quieter": -abs(level), "louder": abs(level)}.get(way, level)
    if not percent:
        return -_STEPS[how_much] if way == "quieter" else _STEPS[how_much]
    share = abs(percent) / 100
    if way == "louder" and not of_all and share <= 1:
        share += 1  # "twice as loud" is 200 %, and so is "200 % louder" to most
    elif way == "quieter" and not of_all:
        share = 1 - share if share <= 1 else 1 / max(share, 2)
    return 20 * math.log10(max(share, 1e-9))


def amplify(sound: Sound, decibels: float) -> Blocks:
    """The sound louder or quieter; peaks that would be cut off are held down."""
    reach = max(round(0.005 * sound.rate), 1)
    louder = 10 ** (decibels / 20)

    def change(samples: np.ndarray) -> np.ndarray:
        return _held_down((samples * louder).astype(np.float32), reach)

    return piecewise(sound, change, 2 * reach)


def _held_down(samples: np.ndarray, reach: int, ceiling: float = CEILING) -> np.ndarray:
    """Samples with their peaks under the ceiling, turned down smoothly just around them."""
    from scipy import ndimage

    level = np.abs(samples).max(axis=1)
    if level.max(initial=0.0) <= ceiling:
        return samples
    gain = np.minimum(1.0, ceiling / np.maximum(level, 1e-9))
    # Least of the neighbourhood, then its mean over the same width: never above what is allowed.
    gain = ndimage.minimum_filter1d(gain, 2 * reach + 1, mode="nearest")
    gain = ndimage.uniform_filter1d(gain, 2 * reach + 1, mode="nearest")
    return np.clip(samples * gain[:, None], -ceiling, ceiling).astype(np.float32)


def within(sound: Sound) -> Blocks:
    """The sound, turned down as a whole where it would be cut off."""
    highest = peak(sound)
    louder = np.float32(CEILING / highest if highest > 1 else 1)
    return (block * louder for block in sound.blocks())


def loudness(sound: Sound) -> float:
    """How loud the sound is to a listener, in LUFS (ITU-R BS.1770-4), at least -70."""
    from pyloudnorm import Meter

    meter = Meter(max(sound.rate, _LEAST_RATE))
    # What is shorter than the norm measures is heard over and over.
    frames = max(sound.frames, math.ceil(meter.block_size * meter.rate))
    if frames > sound.frames:
        sound = Sound(np.resize(sound.samples, (frames, sound.channels)), sound.rate)
    # The energy up to each place where a block of the norm begins or ends.
    overlapping = round((frames / meter.rate - meter.block_size) / (meter.block_size / 4)) + 1
    numbers = np.arange(overlapping)
    begins = (meter.block_size * (numbers * (1 - meter.overlap)) * meter.rate).astype(int)
    ends = (meter.block_size * (numbers * (1 - meter.overlap) + 1) * meter.rate).astype(int)
    places = np.minimum(np.concatenate([begins, ends]), frames)
    energy = np.zeros(len(places))
    total, done = 0.0, 0
    weighting = [(part.passband_gain * part.b, part.a) for part in meter._filters.values()]
    for block in filtered(sound, weighting):
        sums = np.zeros(len(block) + 1)
        np.cumsum(np.square(block, dtype=np.float64).sum(axis=1), out=sums[1:])
        here = (places >= done) & (places <= done + len(block))
        energy[here] = total + sums[places[here] - done]
        total, done = total + sums[-1], done + len(block)
    blocks = (energy[overlapping:] - energy[:overlapping]) / (meter.block_size * meter.rate)
    levels = -0.691 + 10 * np.log10(np.maximum(blocks, 1e-12))
    heard = levels >= _LEAST_LOUDNESS
    if not heard.any():
        return _LEAST_LOUDNESS
    gate = -0.691 + 10 * math.log10(blocks[heard].mean()) - 10
    heard &= levels > gate
    return max(-0.691 + 10 * math.log10(blocks[heard].mean()), _LEAST_LOUDNESS)


def normalise(sound: Sound) -> Blocks:
    """The sound at the loudness that is usual on the web, with no peak cut off."""
    now = loudness(sound)
    if now <= _LEAST_LOUDNESS:
        louder = np.float32(CEILING / (peak(sound) or CEILING))
        return (block * louder for block in sound.blocks())
    return amplify(sound, _LOUDNESS - now)


def leveled(sound: Sound) -> Blocks:
    """The sound with its quiet stretches as loud as its loud ones, slowly changing, so that takes
    that were joined are equally loud."""
    from scipy import ndimage

    size = max(sound.rate // 100, 1)
    found = powers(sound, size)
    # What is 40 dB under the loud is no part but a pause.
    weights = (found > 1e-4 * np.quantile(found, 0.95)).astype(float)
    around = ndimage.uniform_filter1d(found * weights, _LEVELED_OVER, mode="nearest")
    share = ndimage.uniform_filter1d(weights, _LEVELED_OVER, mode="nearest")
    heard = share > 0.1
    if not heard.any():
        yield from sound.blocks()
        return
    level = 10 * np.log10(np.maximum(around, 1e-12) / np.maximum(share, 1e-6))
    places = np.arange(len(level))
    level = np.interp(places, places[heard], level[heard])
    wanted = np.clip(np.median(level[heard]) - level, -_MOST_LEVELED, _MOST_LEVELED)
    gains = 10 ** (ndimage.gaussian_filter1d(wanted, _LEVELED_OVER / 8, mode="nearest") / 20)
    done = 0
    for block in sound.blocks():
        moments = (np.arange(done, done + len(block)) / size)[:, None]
        done += len(block)
        yield (block * np.interp(moments, places + 0.5, gains)).astype(np.float32)


def sounding(sound: Sound) -> np.ndarray:
    """For each hundredth of a second whether there is more than silence or faint noise."""
    found = powers(sound, max(sound.rate // 100, 1))
    loud, quiet = np.quantile(found, 0.95), np.quantile(found, 0.05)
    # Over the noise, if there is some; noise is never taken for all of the sound.
    border = max(loud * 1e-4, min(quiet * 6, loud * 0.02), 1e-10)
    return found > border


def stretches(sound: Sound) -> list[tuple[int, int]]:
    """Where there is more than silence, as frames from and to; none where there is only silence."""
    from scipy import ndimage

    size = max(sound.rate // 100, 1)
    # Beginnings and ends of words are faint.
    active = ndimage.binary_dilation(sounding(sound), iterations=5)
    spans = [span for (span,) in ndimage.find_objects(ndimage.label(active)[0])]
    return [(int(s.start) * size, min(int(s.stop) * size, sound.frames)) for s in spans]


def without_silence(sound: Sound, only: str = "") -> Blocks:
    """The sound without silence at both ends, or `only` at its "start" or its "end".

    No block where there is nothing but silence.
    """
    found = stretches(sound)
    if found:
        first = 0 if only == "end" else found[0][0]
        yield from sound.blocks(first, sound.frames if only == "start" else found[-1][1])


def between_pauses(
    sound: Sound, longest: float, from_length: float = 0.0, is_trimmed: bool = True
) -> list[tuple[int, int]]:
    """What stays, as frames from and to, where pauses inside are shortened to `longest` seconds,
    those of at least `from_length`; without silence at both ends where it `is_trimmed`.

    None where there is nothing but silence.
    """
    found = stretches(sound)
    if not found:
        return []
    half = round(longest * sound.rate / 2)
    least = max(from_length * sound.rate, 2 * half + 1)
    edges = [max(found[0][0] - half, 0) if is_trimmed else 0]
    for (_, end), (start, _) in pairwise(found):
        if start - end >= least:
            edges += [end + half, start - half]
    edges.append(min(found[-1][1] + half, sound.frames) if is_trimmed else sound.frames)
    return list(zip(edges[::2], edges[1::2], strict=True))


def without_pauses(
    sound: Sound, longest: float, from_length: float = 0.0, is_trimmed: bool = True
) -> Blocks:
    """The sound of what `between_pauses` keeps; no block where there is nothing but silence."""
    kept_parts = between_pauses(sound, longest, from_length, is_trimmed)
    pieces = [(sound, *place) for place in kept_parts]
    yield from joined(pieces, round(0.008 * sound.rate)) if pieces else ()


def joined(pieces: Sequence[tuple[Sound, int, int]], overlap: int) -> Blocks:
    """Parts of sounds, from a frame to before another, one after the other, each faded into the
    next over so many frames; never over more than a quarter of one."""
    ends = [(sound, first, min(last, sound.frames)) for sound, first, last in pieces]
    counts = [
        min(overlap, (one[2] - one[1]) // 4, (other[2] - other[1]) // 4)
        for one, other in pairwise(ends)
    ]
    before: np.ndarray | None = None
    for (sound, first, last), lead, follow in zip(ends, [0, *counts], [*counts, 0], strict=True):
        if before is not None:
            angle = np.linspace(0, np.pi / 2, lead, dtype=np.float32)[:, None]
            yield before * np.cos(angle) + sound.part(first, first + lead) * np.sin(angle)
        yield from sound.blocks(first + lead, last - follow)
        before = sound.part(last - follow, last)
