"""Tempo and mode of a recording, heard in the sound alone."""

from __future__ import annotations

import numpy as np

_HOP = 256
_FRAME = 1024
_SLOWEST, _FASTEST = 50.0, 200.0
#: Peaks of the spectrum under this share of the highest are not heard as notes.
_LEAST_SHARE = 0.03
#: How much each step above the tonic is heard in major and in minor (Krumhansl 1990).
_PROFILES = {
    "major": (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88),
    "minor": (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17),
}
NOTES = ("C", "C sharp", "D", "E flat", "E", "F", "F sharp", "G", "A flat", "A", "B flat", "B")


def onset_strength(samples: np.ndarray) -> np.ndarray:
    """How much louder the sound grows from one short frame to the next, over all frequencies."""
    levels = np.log1p(300 * _spectrum(samples, _FRAME, _HOP))
    rising = np.maximum(np.diff(levels, axis=0), 0).sum(axis=1)
    around = np.convolve(rising, np.ones(65) / 65, "same")
    return rising - around


def tempo_of(samples: np.ndarray, rate: int) -> float:
    """Beats a minute, 50 to 200, by how the onsets correlate with themselves some beats later.

    Music that is accented on every other beat may be heard at half or double its tempo.
    """
    onsets = onset_strength(samples)
    size = 1 << (2 * len(onsets)).bit_length()
    alike = np.fft.irfft(np.abs(np.fft.rfft(onsets, size)) ** 2)[: len(onsets)]
    tempos = np.arange(_SLOWEST, _FASTEST, 0.1)
    likeness = np.zeros(len(tempos))
    for beats in (1, 2, 4, 8):
        later = beats * 60 / tempos * rate / _HOP
        likeness += np.interp(later, np.arange(len(alike)), alike, right=0.0)
    return float(tempos[int(likeness.argmax())])


def key_of(samples: np.ndarray, rate: int) -> tuple[str, str]:
    """The tonic and the mode ("major" or "minor") whose profile the sounded pitches fit best."""
    frame = 16384
    spectrum = _spectrum(samples, frame, frame // 2)
    inner = spectrum[:, 1:-1]
    # What is far below the loudest tone of its moment is leakage and no note.
    loud = inner > _LEAST_SHARE * spectrum.max(axis=1, keepdims=True)
    peaks = (inner > spectrum[:, :-2]) & (inner > spectrum[:, 2:]) & loud
    strengths = np.sqrt(inner * peaks).sum(axis=0)
    frequencies = np.fft.rfftfreq(frame, 1 / rate)[1:-1]
    heard = (frequencies > 60) & (frequencies < 700)
    pitches = np.round(69 + 12 * np.log2(frequencies[heard] / 440)).astype(int) % 12
    classes = np.bincount(pitches, strengths[heard], minlength=12)
    fits = {
        (tonic, mode): float(np.corrcoef(np.roll(classes, -tonic), profile)[0, 1])
        for tonic in range(12)
        for mode, profile in _PROFILES.items()
    }
    tonic, mode = max(fits, key=lambda key: fits[key])
    return NOTES[tonic], mode


def _spectrum(samples: np.ndarray, frame: int, hop: int) -> np.ndarray:
    """Amplitudes of overlapping frames, shape (frames, frequencies)."""
    padded = np.pad(samples.astype(np.float32), (0, max(frame - len(samples), 0)))
    frames = np.lib.stride_tricks.sliding_window_view(padded, frame)[::hop]
    window = np.hanning(frame).astype(np.float32)
    return np.abs(np.fft.rfft(frames * window, axis=1)) / frame * 2
