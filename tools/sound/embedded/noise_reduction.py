"""Taking noise, hum, clicks and room echo out of a recording.

Where somebody speaks, a network keeps the voice (`deep_filter`). It would take music and birds for
noise, so in other sounds each frequency is turned down as far as it is no louder than the noise
below it; so it is on machines on which the network does not run. Mains hum and whistles are steady
enough for notch filters. Clicks and crackle are filled in by linear prediction (Godsill and Rayner,
1998).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from controlllm.resources import Sound
from controlllm.resources.mixing_down import mono

from . import deep_filter

Progress = Callable[[float, str], None]

_LOWEST = 35.0  # hertz
_MUCH_RUMBLE = 0.05  # share of the energy
_PIECE, _LAP = 20.0, 1.0  # seconds that are worked on at once, and that pieces share
_LEAST_SPEECH = 0.3  # share of the recording
_LEAST_SPEECH_RATE = 8000
_WINDOW = 0.032  # seconds
_HOP_PARTS = 4
#: A little noise that is left hides the chirping that isolated bands make.
_FLOOR = 10 ** (-22 / 20)
_LATE_AFTER = 0.05  # seconds; what comes later is heard as the room
_ROOM_DECAY = 0.7  # seconds until a usual room's echo is 60 dB down
_LINE_SECONDS = 1.0
_LINE_STANDS_OUT = 10 ** (10 / 10)
_MOST_LINES = 40


def reduce_noise(
    sound: Sound,
    progress: Progress = lambda fraction, words: None,
    less_room: bool = False,
) -> Iterator[np.ndarray]:
    """The sound without what is behind the voice, or without its steady noise where nobody speaks,
    in blocks; with `less_room` without what a room adds as well."""
    rate = sound.rate
    progress(0.0, "Listening to the noise")
    tones = [] if less_room else steady_tones(sound)
    words = "Taking the noise out"
    spoken = _speech_share(sound, progress) >= _LEAST_SPEECH
    if spoken and not deep_filter.runs_here():
        spoken = False
        words += "; the network that keeps voices does not run on this machine"

    def cleared(piece: np.ndarray) -> np.ndarray:
        piece = _without_rumble_and(tones, piece, rate)
        if not spoken:
            return _gated(piece, rate, less_room)
        voices: list[np.ndarray] = []
        for number, channel in enumerate(piece.T):
            alike = number and np.array_equal(channel, piece[:, number - 1])
            voices.append(voices[-1] if alike else deep_filter.clear_voice(channel, rate))
        return np.stack(voices, axis=1)

    step, lap = round(_PIECE * rate), round(_LAP * rate)
    before = np.zeros((0, sound.channels), np.float32)  # the end of one piece, for the next
    for start in range(0, sound.frames, step):
        progress(0.1 + 0.9 * start / sound.frames, words)
        # What was heard before and after it tells what is noise; pieces fade into each other.
        first, begin = max(start - 2 * lap, 0), max(start - lap, 0)
        made = cleared(sound.part(first, start + step + lap))[begin - first :].astype(np.float32)
        rise = np.linspace(0, 1, start - begin, dtype=np.float32)[:, None]
        made[: len(rise)] = rise * made[: len(rise)] + (1 - rise) * before
        is_last = start + step >= sound.frames
        held = len(made) if is_last else start + step - lap - begin
        yield made[:held]
        before = made[held : held + lap]


def _speech_share(sound: Sound, progress: Progress) -> float:
    """How much of the time somebody speaks, 0 to 1."""
    from ...speech.embedded import whisper

    seconds = 0.0
    step = round(_PIECE * sound.rate)
    for start in range(0, sound.frames if sound.rate >= _LEAST_SPEECH_RATE else 0, step):
        progress(0.1 * start / sound.frames, "Listening for a voice")
        piece = Sound(sound.part(start, start + step), sound.rate)
        heard = whisper.at_listening_rate(piece)
        seconds += sum(end - begin for begin, end in whisper.speech_spans(heard))
    return seconds / max(sound.seconds, 1e-9)


def _gated(samples: np.ndarray, rate: int, less_room: bool) -> np.ndarray:
    """Each frequency turned down as far as it is no louder than the noise, all channels alike."""
    from scipy import ndimage, signal

    size = max(2 * _HOP_PARTS, _HOP_PARTS * round(rate * _WINDOW / _HOP_PARTS))
    hop = size // _HOP_PARTS
    padded = np.pad(samples.T.astype(np.float32), ((0, 0), (0, size)))
    _, _, spectra = signal.stft(padded, nperseg=size, noverlap=size - hop)
    power = ndimage.uniform_filter(np.mean(np.abs(spectra) ** 2, axis=0), (3, 5))
    totals = power.sum(axis=0)
    # Frames of nothing but digital silence would hide the noise.
    sounding = power[:, totals > 1e-7 * totals.max()]
    noise = np.quantile(sounding if sounding.size else power, 0.2, axis=1)
    unwanted = np.repeat(1.3 * noise[:, None], power.shape[1], axis=1)
    if less_room:
        late = max(round(_LATE_AFTER * rate / hop), 1)
        room = ndimage.uniform_filter1d(power, 2 * late, axis=1)[:, :-late]
        unwanted[:, late:] += 10 ** (-6 * _LATE_AFTER / _ROOM_DECAY) * room
    gains = 1 - 2.0 * unwanted / np.maximum(power, 1e-20)
    gains = ndimage.uniform_filter(np.maximum(gains, _FLOOR), (3, 3))
    _, result = signal.istft(spectra * gains, nperseg=size, noverlap=size - hop)
    return np.ascontiguousarray(result[:, : len(samples)].T, np.float32)


def _without_rumble_and(tones: list[float], samples: np.ndarray, rate: int) -> np.ndarray:
    """The sound without much that is too low to hear, and without tones that never change."""
    from scipy import signal

    # In both directions, so that no phase is changed.
    if rate > 8 * _LOWEST:
        sections = signal.butter(2, _LOWEST, "highpass", fs=rate, output="sos")
        pad = min(len(samples) - 1, rate // 10)
        high = signal.sosfiltfilt(sections, samples, axis=0, padlen=pad)
        if np.sum((samples - high) ** 2) > _MUCH_RUMBLE * np.sum(samples**2):
            samples = high
    for frequency in tones:
        width = max(3.0, 0.004 * frequency)
        numerator, denominator = signal.iirnotch(frequency, frequency / width, fs=rate)
        pad = min(len(samples) - 1, 3 * round(rate / width))
        # Begun from a steady level, the filter rings least at the ends.
        samples = signal.filtfilt(
            numerator, denominator, samples, axis=0, padtype="constant", padlen=pad
        )
    return samples.astype(np.float32)


def steady_tones(sound: Sound) -> list[float]:
    """The frequencies in hertz that sound all the time, much above their neighbours."""
    from scipy import ndimage

    rate, frames = sound.rate, sound.frames
    size = round(rate * _LINE_SECONDS)
    if frames < 4 * size or rate < 1000:
        return []
    starts = np.linspace(0, frames - size, min(frames // size * 2, 400)).astype(int).tolist()
    window = np.hanning(size)
    levels = np.empty((len(starts), size // 2 + 1))
    for level, at in zip(levels, starts, strict=True):
        level[:] = np.abs(np.fft.rfft(mono(sound.part(at, at + size)) * window)) ** 2
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
