"""The tempo, the note and the key that are heard in a sound.

The tempo comes from where the spectrum rises (spectral flux) and how far apart that repeats, as
Ellis, "Beat Tracking by Dynamic Programming" (2007) has it; the note from the autocorrelation of
short pieces (de Cheveigné and Kawahara, "YIN", 2002); the key from how strong the twelve pitch
classes are beside the profiles of Krumhansl (1990).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from controlllm.resources import Sound

from ...shared.sounds import brought_to

NOTES = "C C♯ D E♭ E F F♯ G A♭ A B♭ B".split()
_RATE, _WINDOW, _HOP = 22_050, 2048, 512
#: So much of a long sound is listened to, in seconds.
_LONGEST = 300.0
_SLOWEST, _FASTEST, _USUAL = 40.0, 220.0, 120.0
#: A tempo is told where the rises repeat at least so well, 0..1, and clearly better than by chance:
#: so many times the deviation of what noise of that length has.
_STEADY, _BY_CHANCE = 0.12, 4.5
_LOW, _HIGH = 60.0, 1500.0
#: A piece has a pitch where it is like itself a period later, and one note is heard where so many
#: of the pieces are within a quarter of a tone.
_LIKE, _ONE_NOTE = 0.85, 0.6
_MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
_MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
_KEY_FITS = 0.65


@dataclass(frozen=True)
class Heard:
    """Beats a minute, 0 where none are steady; the pitch of the one note in hertz, 0 where there
    are several or none; the key, empty where none fits."""

    tempo: float
    pitch: float
    key: str


def heard(sound: Sound) -> Heard:
    """What is heard in the first five minutes of a sound."""
    samples = _samples(sound)
    if len(samples) < 2 * _WINDOW or not np.abs(samples).max():
        return Heard(0.0, 0.0, "")
    spectra = _spectra(samples)
    pitch = _pitch(samples)
    return Heard(_tempo(spectra), pitch, "" if pitch else _key(spectra))


def note_of(pitch: float) -> str:
    """The name of the note nearest to a pitch in hertz, with its octave: ``"A4"``."""
    number = round(69 + 12 * np.log2(pitch / 440.0))
    return f"{NOTES[number % 12]}{number // 12 - 1}"


def _samples(sound: Sound) -> np.ndarray:
    short = sound.part(0, round(_LONGEST * sound.rate))
    return brought_to(Sound(short, sound.rate), _RATE).samples[:, 0].astype(np.float64)


def _spectra(samples: np.ndarray) -> np.ndarray:
    """Magnitudes, shape (windows, frequencies)."""
    count = 1 + (len(samples) - _WINDOW) // _HOP
    places = np.arange(_WINDOW)[None] + _HOP * np.arange(count)[:, None]
    window = np.hanning(_WINDOW)
    parts = [
        np.abs(np.fft.rfft(samples[places[first : first + 1024]] * window)).astype(np.float32)
        for first in range(0, count, 1024)
    ]
    return np.concatenate(parts)


def _tempo(spectra: np.ndarray) -> float:
    rises = np.maximum(np.diff(np.log1p(100 * spectra), axis=0), 0).mean(axis=1)
    if len(rises) < 4 * round(60 / _FASTEST * _RATE / _HOP):
        return 0.0
    rises = rises - np.convolve(rises, np.ones(43) / 43, "same")
    if not rises.std():
        return 0.0
    size = 1 << (2 * len(rises) - 1).bit_length()
    power = np.abs(np.fft.rfft(rises, size)) ** 2
    alike = np.fft.irfft(power)[: len(rises)]
    alike /= alike[0]
    first = int(60 / _FASTEST * _RATE / _HOP)
    last = min(int(60 / _SLOWEST * _RATE / _HOP), len(alike) - 2)
    lags = np.arange(first, last + 1)
    # Only where it repeats better than a little sooner and a little later.
    peaks = (alike[lags] >= alike[lags - 1]) & (alike[lags] > alike[lags + 1])
    lags = lags[peaks]
    if not len(lags):
        return 0.0
    tempi = 60 * _RATE / _HOP / lags
    # People tap to what is nearest to two beats a second, of those that repeat as well.
    weights = np.exp(-0.5 * (np.log2(tempi / _USUAL) / 0.9) ** 2)
    best = lags[int((alike[lags] * weights).argmax())]
    if alike[best] < max(_STEADY, _BY_CHANCE / np.sqrt(len(rises))):
        return 0.0
    before, here, after = alike[best - 1 : best + 2]
    bend = before - 2 * here + after
    shift = 0.5 * (before - after) / bend if bend else 0.0
    return float(60 * _RATE / _HOP / (best + shift))


def _pitch(samples: np.ndarray) -> float:
    first, last = int(_RATE / _HIGH), int(_RATE / _LOW)
    size = _WINDOW * 2
    count = 1 + max(len(samples) - _WINDOW, 0) // _WINDOW
    loud = np.sqrt(np.mean(samples**2))
    found, voiced = [], 0
    for number in range(min(count, 600)):
        piece = samples[number * _WINDOW : (number + 1) * _WINDOW]
        if len(piece) < _WINDOW or np.sqrt(np.mean(piece**2)) < 0.3 * loud:
            continue
        voiced += 1
        alike = np.fft.irfft(np.abs(np.fft.rfft(piece - piece.mean(), size)) ** 2)[:_WINDOW]
        # A shorter stretch is compared at a longer lag.
        alike = alike / alike[0] * _WINDOW / (_WINDOW - np.arange(_WINDOW))
        part = alike[first : last + 1]
        if part.max() < _LIKE:
            continue
        # The first of the peaks that are about as high: later ones are whole multiples of it.
        peaks = np.flatnonzero(
            (part[1:-1] >= part[:-2]) & (part[1:-1] > part[2:]) & (part[1:-1] > 0.93 * part.max())
        )
        if not len(peaks):
            continue
        lag = first + 1 + int(peaks[0])
        before, here, after = alike[lag - 1 : lag + 2]
        bend = before - 2 * here + after
        found.append(_RATE / (lag + (0.5 * (before - after) / bend if bend else 0.0)))
    if not voiced or len(found) < _ONE_NOTE * voiced:
        return 0.0
    middle = float(np.median(found))
    near = np.abs(12 * np.log2(np.array(found) / middle)) < 0.5
    return middle if near.sum() >= _ONE_NOTE * voiced else 0.0


def _key(spectra: np.ndarray) -> str:
    frequencies = np.fft.rfftfreq(_WINDOW, 1 / _RATE)
    kept = (frequencies > 100) & (frequencies < 2000)
    classes = np.round(69 + 12 * np.log2(frequencies[kept] / 440)).astype(int) % 12
    counts = np.maximum(np.bincount(classes, minlength=12), 1)
    strengths = np.bincount(classes, spectra[:, kept].mean(axis=0), 12) / counts
    fits = {
        f"{NOTES[root]} {name}": np.corrcoef(np.roll(profile, root), strengths)[0, 1]
        for name, profile in (("major", _MAJOR), ("minor", _MINOR))
        for root in range(12)
    }
    best = max(fits, key=lambda key: fits[key])
    return best if fits[best] >= _KEY_FITS else ""
