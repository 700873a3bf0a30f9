"""What kind of sound a recording holds: speech, music, noise, a tone, a siren, hum or knocks.

Speech is found by the Silero detector that comes with faster-whisper. The other kinds are told
apart by how a sound is measured to behave: how much of it lies in few lines of the spectrum,
whether these lines stay, glide or step from note to note, and how quickly it dies away. Only
kinds that these measures do tell apart are named; what fits none of them is "other sound".
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from controlllm.resources import Label, Sound
from tools.speech.embedded import whisper

SILENCE = "silence"
SPEECH = "speech"
MUSIC = "music"
NOISE = "noise"
TONE = "beep or tone"
SIREN = "siren"
HUM = "hum"
KNOCK = "knock or bang"
OTHER = "other sound"

_RATE = 16000
_FRAME, _STEP = 1024, 256
_SLICE = 64  # samples over which the quick rise and fall of loudness is followed
_SILENT = -60.0  # decibels under full scale
_HEARD = 25.0  # decibels under the loudest moment; what is softer hardly counts
_NEARLY = 6.0  # decibels
#: A longer recording is judged by excerpts spread over it.
_LONGEST, _EXCERPTS, _EXCERPT_SECONDS = 300.0, 10, 20.0
_LEAST_SHARE = 0.02
_LOWEST_NOTE = 45.0  # hertz
_OTHER_EVIDENCE = 0.12
_LINES = 6


@dataclass(frozen=True)
class Measures:
    """How a sound behaves where it is heard; shares are 0..1, the middle one of all moments."""

    flatness: float  # decibels: near 0 for hiss, far below for tones
    one_line: float  # share of the energy in the strongest line of the spectrum
    few_lines: float  # share in the six strongest
    same_note: float  # share of moments whose strongest line is the most frequent note
    still: float  # share of moments at which the strongest line stays
    gliding: float  # share of moments at which it moves by less than two semitones
    pitch: float  # hertz
    harmonic: float  # share of the energy that lasts rather than strikes
    loudness_spread: float  # decibels
    colour_spread: float  # how much the bands of the spectrum change over the whole sound
    colour_change: float  # how much they change within a sixteenth of a second
    event: float  # seconds that it sounds without a gap
    level: float  # share of such an event that is nearly as loud as its loudest moment
    seconds: float  # heard


def kinds(sound: Sound, said: Callable[[float], None] = lambda fraction: None) -> tuple[Label, ...]:
    """The kinds of sound in a recording, the likeliest first; the scores sum to one at most.

    `said` hears how far it is.
    """
    samples = _excerpts(_at_rate(sound))
    loudness = _loudness(_frames(samples))
    if loudness.max(initial=-math.inf) < _SILENT:
        return (Label(SILENCE, 1.0),)
    said(0.1)
    heard = loudness > max(_SILENT, loudness.max() - _HEARD)
    spoken = _spoken(samples, len(loudness))
    said(0.4)
    shares: dict[str, float] = {}
    share = float((spoken & heard).sum() / heard.sum())
    if share > 0:
        # Applause, drones and trains deceive the detector, but their sound hardly changes.
        voice = _measures(samples, spoken & heard)
        share *= _over(voice.colour_change + voice.colour_spread, 1.95, 0.15)
        shares[SPEECH] = share
    said(0.7)
    rest = heard & ~spoken if shares.get(SPEECH, 0) > 0.5 and (heard & ~spoken).any() else heard
    for name, evidence in _evidence(_measures(samples, rest)).items():
        shares[name] = shares.get(name, 0.0) + (1 - share) * evidence
    ordered = sorted(shares.items(), key=lambda item: -item[1])
    return tuple(
        Label(name, round(value, 3))
        for place, (name, value) in enumerate(ordered)
        # Some doubt is always left; it is named only where it is the answer.
        if value > _LEAST_SHARE and (name != OTHER or place == 0)
    )


def _evidence(found: Measures) -> dict[str, float]:
    """How well the measures fit each kind but speech, summing to one."""
    short = _under(math.log(found.event), math.log(0.35), 0.35)
    # What lasts under a twentieth of a second is a click, even where its fading is not seen.
    fading = max(_under(found.level, 0.6, 0.12), _under(found.event, 0.04, 0.008))
    dying = fading * max(short, _under(found.event, 1.3, 0.25) * _under(found.seconds, 1.6, 0.3))
    dying *= _under(found.seconds, 3.0, 0.5)
    tonal = _over(found.few_lines, 0.88, 0.04)
    high = _over(found.pitch, 230, 30)
    steady = _over(found.same_note, 0.85, 0.06) * _over(found.still, 0.8, 0.08)
    gliding = _over(found.gliding, 0.6, 0.08) * _over(found.one_line, 0.55, 0.1)
    gliding *= _under(found.same_note, 0.6, 0.1)
    # A line so low is rumble, not a note, and one that hardly stands out is an insect or a fan.
    holding = found.still * found.few_lines if found.pitch > _LOWEST_NOTE else 0.0
    melodious = (
        4.0 * (holding - 0.15)
        + 3.0 * (found.harmonic - 0.55)
        + 2.0 * (found.colour_spread - 1.25)
        + 2.0 * (found.colour_change - 0.9)
        - 0.12 * (max(found.flatness, -18) + 14)
    )
    musical = _over(melodious, 0.0, 0.6)
    plain = _under(found.colour_spread, 1.35, 0.2)
    values = {
        TONE: tonal * steady * high * (1 - dying),
        HUM: _over(found.few_lines, 0.93, 0.03)
        * (1 - high)
        * _under(found.loudness_spread, 4, 1)
        * _over(found.same_note, 0.75, 0.06)
        * plain,
        SIREN: tonal * gliding * high * (1 - dying),
        KNOCK: dying * _under(found.harmonic, 0.85, 0.08),
    }
    taken = max(values.values())
    values[MUSIC] = musical * (1 - taken) * _over(found.seconds, 0.8, 0.3)
    values[NOISE] = (1 - musical) * (1 - taken) * (1 - dying) * (1 - gliding * high)
    values[OTHER] = _OTHER_EVIDENCE
    total = sum(values.values())
    return {name: value / total for name, value in values.items()}


def _over(value: float, border: float, width: float) -> float:
    """0 well below a border, 0.5 at it, 1 well above."""
    return 1 / (1 + math.exp(min(max(-2 * (value - border) / width, -50), 50)))


def _under(value: float, border: float, width: float) -> float:
    return 1 - _over(value, border, width)


def _at_rate(sound: Sound) -> np.ndarray:
    from scipy.signal import resample_poly

    if not len(sound.samples):
        return np.zeros(0, np.float32)
    samples = np.nan_to_num(sound.mono().astype(np.float32))
    samples = samples - samples.mean()  # a constant offset of a recorder is no sound
    ratio = Fraction(_RATE, sound.rate)
    if ratio != 1:
        samples = resample_poly(samples, ratio.numerator, ratio.denominator)
    return samples.astype(np.float32)


def _excerpts(samples: np.ndarray) -> np.ndarray:
    if len(samples) <= _LONGEST * _RATE:
        return samples
    length = int(_EXCERPT_SECONDS * _RATE)
    starts = np.linspace(0, len(samples) - length, _EXCERPTS).astype(int)
    return np.concatenate([samples[start : start + length] for start in starts])


def _frames(samples: np.ndarray) -> np.ndarray:
    short = max(_FRAME - len(samples), 0)
    padded = np.pad(samples, (0, short)) if short else samples
    return np.lib.stride_tricks.sliding_window_view(padded, _FRAME)[::_STEP]


def _loudness(frames: np.ndarray) -> np.ndarray:
    """Decibels under full scale of each frame."""
    power = np.array([float(np.mean(frame**2)) for frame in frames])
    return 10 * np.log10(power + 1e-12)


def _spoken(samples: np.ndarray, count: int) -> np.ndarray:
    """At which frames somebody speaks."""
    middles = (np.arange(count) * _STEP + _FRAME / 2) / _RATE
    spoken = np.zeros(count, bool)
    listened = whisper.at_listening_rate(Sound(samples[:, None], _RATE))
    for start, end in whisper.speech_spans(listened):
        spoken |= (middles >= start) & (middles < end)
    return spoken


def _measures(samples: np.ndarray, heard: np.ndarray) -> Measures:
    """The measures of the frames that are heard."""
    frames = _frames(samples)[heard]
    power = np.abs(np.fft.rfft(frames * np.hanning(_FRAME).astype(np.float32), axis=1)) ** 2
    power = power.astype(np.float32) + 1e-12
    power[:, :2] = 1e-12  # rumble below what is heard
    total = power.sum(axis=1)
    band = power[:, 6:448]
    flatness = 10 * np.log10(np.exp(np.log(band).mean(axis=1)) / band.mean(axis=1))
    strongest = power.argmax(axis=1)
    one, few = _line_shares(power, total)
    pitch = _exact_pitch(power, strongest)
    notes = 12 * np.log2(np.maximum(pitch, 20) / 440)
    steps = np.abs(np.diff(notes))
    nearest = np.bincount((np.round(notes) + 100).astype(int))
    edges = np.unique(np.geomspace(3, 500, 24).astype(int))
    colours = np.log(np.add.reduceat(power, edges, axis=1) + 1e-9)
    loudness = _loudness(frames)
    event, level, seconds = _events(samples, heard)
    return Measures(
        flatness=float(np.median(flatness)),
        one_line=float(np.median(one)),
        few_lines=float(np.median(few)),
        same_note=float(nearest.max() / nearest.sum()),
        still=float((steps < 0.08).mean()) if len(steps) else 1.0,
        gliding=float(((steps > 0.03) & (steps < 1.6)).mean()) if len(steps) else 0.0,
        pitch=float(np.median(pitch)),
        harmonic=_harmonic_share(power),
        loudness_spread=float(loudness.std()),
        colour_spread=float(np.median(colours.std(axis=0))),
        colour_change=float(np.median(np.abs(colours[4:] - colours[:-4]).mean(axis=1)))
        if len(colours) > 4
        else 0.0,
        event=event,
        level=level,
        seconds=seconds,
    )


def _line_shares(power: np.ndarray, total: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How much of each frame's energy is in its strongest line, and in the six strongest."""
    left = power.copy()
    around = np.arange(-3, 4)
    sums = []
    for _ in range(_LINES):
        places = np.clip(left.argmax(axis=1)[:, None] + around, 0, left.shape[1] - 1)
        sums.append(np.take_along_axis(left, places, axis=1).sum(axis=1))
        np.put_along_axis(left, places, 1e-12, axis=1)
    return sums[0] / total, np.sum(sums, axis=0) / total


def _exact_pitch(power: np.ndarray, strongest: np.ndarray) -> np.ndarray:
    """The strongest line's frequency in hertz, between the steps of the spectrum."""
    places = np.clip(strongest, 1, power.shape[1] - 2)[:, None]
    below, at, above = (
        np.log(np.take_along_axis(power, places + offset, axis=1)[:, 0]) for offset in (-1, 0, 1)
    )
    shift = 0.5 * (below - above) / np.minimum(below - 2 * at + above, -1e-6)
    return (places[:, 0] + np.clip(shift, -1, 1)) * _RATE / _FRAME


def _harmonic_share(power: np.ndarray) -> float:
    """How much of the energy lasts rather than strikes (Fitzgerald, "Harmonic/percussive
    separation using median filtering", 2010)."""
    from scipy.ndimage import median_filter

    strength = np.sqrt(power)
    lasting = median_filter(strength, (17, 1)) ** 2
    striking = median_filter(strength, (1, 17)) ** 2
    kept = lasting[lasting > striking].sum()
    return float(kept / max(kept + striking[lasting <= striking].sum(), 1e-12))


def _events(samples: np.ndarray, heard: np.ndarray) -> tuple[float, float, float]:
    """How long a sound goes on without a gap, how level it is meanwhile, and all heard time.

    The louder ones of several events count more.
    """
    count = len(samples) // _SLICE
    if not count:
        return 0.01, 1.0, 0.0
    power = (samples[: count * _SLICE].reshape(-1, _SLICE) ** 2).mean(axis=1)
    middles = np.clip((np.arange(count) * _SLICE - _FRAME // 2) // _STEP, 0, len(heard) - 1)
    smooth = np.convolve(power, np.ones(3) / 3)[1 : count + 1]
    level = 10 * np.log10(smooth + 1e-12)
    level[~heard[middles]] = -120
    audible = level > level.max() - _HEARD
    changes = np.flatnonzero(np.diff(np.concatenate([[0], audible.astype(int), [0]])))
    weights, lengths, shares = [], [], []
    for start, end in zip(changes[::2], changes[1::2], strict=True):
        part = level[start:end]
        weights.append(float(power[start:end].sum()))
        lengths.append((end - start) * _SLICE / _RATE)
        shares.append(float((part > part.max() - _NEARLY).mean()))
    return (
        float(np.average(lengths, weights=weights)),
        float(np.average(shares, weights=weights)),
        float(sum(lengths)),
    )
