"""Pictures of a sound: its waveform and its mel spectrogram, with axes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import PIL.Image
from numpy.lib.stride_tricks import sliding_window_view

from controlllm.resources import Sound
from controlllm.resources.mixing_down import mono

_WIDTH, _DPI = 1280, 100
_LEFT, _RIGHT, _TOP, _BOTTOM, _BETWEEN = 92, 104, 54, 58, 46
_INNER = _WIDTH - _LEFT - _RIGHT
_AT_ONCE = 128  # columns
_RANGE = 75.0  # decibels from the darkest to the paper
_INK, _FAINT, _GRID = "#262b38", "#6e7686", "#e4e7ed"
_WAVE, _WAVE_CORE = "#7e9ed9", "#2b529e"
_TONES = (0, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
_PEAKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: From the paper over teal and blue to nearly black, evenly darker all the way.
_STOPS = "#ffffff #e0f0ec #a0d4d2 #5caac4 #3475b0 #2e408f #26185e #12082c".split()
_MINUTES_FROM = 120.0  # seconds from which on times are told in minutes


def draw(sound: Sound, waveform: bool, spectrogram: bool) -> PIL.Image.Image:
    """A picture with the waveform, the spectrogram, or one above the other."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    both = waveform and spectrogram
    parts = [(_draw_waveform, 220 if both else 420)] if waveform else []
    parts += [(_draw_spectrogram, 400 if both else 480)] if spectrogram else []
    tall = _TOP + sum(height + _BOTTOM for _, height in parts) + _BETWEEN * both
    figure = Figure((_WIDTH / _DPI, tall / _DPI), dpi=_DPI)
    top = _TOP
    for drawn, height in parts:
        place = (_LEFT / _WIDTH, 1 - (top + height) / tall, _INNER / _WIDTH, height / tall)
        axes = figure.add_axes(place)
        _time_axis(axes, sound.seconds)
        drawn(axes, sound, height)
        top += height + _BOTTOM + _BETWEEN
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return PIL.Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())


def _time_axis(axes: Any, seconds: float) -> None:
    is_long = seconds >= _MINUTES_FROM
    axes.set_xlim(0, seconds)
    axes.locator_params(axis="x", nbins=10, steps=[1, 2, 3, 6, 10] if is_long else [1, 2, 5, 10])
    axes.set_xlabel(f"Time ({'min:s' if is_long else 's'})", color=_FAINT)
    if is_long:
        axes.xaxis.set_major_formatter(lambda moment, _: f"{moment // 60:.0f}:{moment % 60:02.0f}")
    axes.tick_params(colors=_FAINT)
    axes.spines[:].set_color(_FAINT)


def _draw_waveform(axes: Any, sound: Sound, height: int) -> None:
    """The range of the values in each column, and inside it their effective value."""
    starts = np.linspace(0, sound.frames, _INNER, endpoint=False).astype(np.int64)
    ends = np.maximum(np.append(starts[1:], sound.frames), starts + 1)
    # The least, the largest and the effective value of each column.
    ranges = np.zeros((3, _INNER))
    for first in range(0, _INNER, _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        wave = mono(sound.part(int(starts[first]), int(ends[part][-1]))).astype(np.float64)
        places = starts[part] - starts[first]
        ranges[0, part] = np.minimum.reduceat(wave, places)
        ranges[1, part] = np.maximum.reduceat(wave, places)
        sums = np.add.reduceat(wave**2, places)
        ranges[2, part] = np.sqrt(sums / (ends - starts)[part])
    lowest, highest, effective = ranges
    peak = float(np.abs(ranges).max(initial=0))
    # For a quiet sound the scale ends at the next round number over its peak.
    full = next((step for step in _PEAKS if peak <= step), math.ceil(peak)) if peak else 1.0
    times = np.linspace(0, sound.seconds, _INNER)
    axes.fill_between(times, lowest, highest, color=_WAVE, linewidth=1)
    axes.fill_between(times, -effective, effective, color=_WAVE_CORE, linewidth=0.5)
    axes.set_ylim(-1.03 * full, 1.03 * full)
    axes.set_yticks([level * full for level in (-1.0, -0.5, 0.0, 0.5, 1.0)])
    axes.grid(color=_GRID)
    axes.set_axisbelow(True)
    axes.set_title("Waveform: amplitude", loc="left", color=_INK)


def _draw_spectrogram(axes: Any, sound: Sound, height: int) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    top = _mel(sound.rate / 2)
    shades = LinearSegmentedColormap.from_list("paper to ink", _STOPS)
    shown = axes.imshow(
        mel_spectrogram(sound, _INNER, height),
        shades,
        aspect="auto",
        origin="lower",
        extent=(0, sound.seconds, 0, top),
        vmin=-_RANGE,
        vmax=0,
    )
    marks = {_mel(tone): f"{tone / 1000:g}" for tone in _TONES if tone <= sound.rate / 2 * 1.001}
    axes.set_yticks([*marks], [*marks.values()])
    axes.set_title("Spectrogram: frequency (kHz)", loc="left", color=_INK)
    beside = axes.inset_axes((1.02, 0, 0.013, 1))
    scale = axes.figure.colorbar(shown, beside)
    scale.set_label("dB", color=_FAINT)
    scale.ax.tick_params(colors=_FAINT)
    scale.outline.set_color(_FAINT)


def mel_spectrogram(sound: Sound, columns: int, rows: int) -> np.ndarray:
    """Decibels below the loudest place, rows from low to high tones on the mel scale."""
    # A very short sound is all one moment to a long window.
    seconds = min(0.046, max(sound.seconds / 8, 0.004))
    size = min(max(2 * round(sound.rate * seconds / 2), 16), 16_384)
    middles = np.linspace(0, sound.frames, columns, endpoint=False)
    # Where there are more samples than columns see, several frames are looked at for each.
    each = int(min(max(sound.frames / columns / (size / 2), 1), 6))
    step = sound.frames / columns / each
    window = np.hanning(size).astype(np.float32)
    edges = 700 * (10 ** (np.linspace(0, _mel(sound.rate / 2), rows + 1) / 2595) - 1)
    bands = (np.arange(size // 2 + 2) - 0.5) * sound.rate / size
    levels = np.zeros((columns, rows))
    for first in range(0, columns, _AT_ONCE):
        part = middles[first : first + _AT_ONCE]
        power = np.zeros((len(part), size // 2 + 1))
        # A frame lies around its place; before the sound and after it there is silence.
        begin, end = int(part[0]) - size // 2, int(part[-1] + step * each) + size
        wave = mono(sound.part(begin, end))
        before = max(-begin, 0)
        views = sliding_window_view(np.pad(wave, (before, end - begin - before - len(wave))), size)
        for number in range(each):
            starts = (part + step * number).astype(int) - int(part[0])
            power += np.abs(np.fft.rfft(views[starts] * window, axis=1)) ** 2
        # The power between the edges of a row, whether many bands lie there or a part of one.
        sums = np.pad(np.cumsum(power, axis=1), ((0, 0), (1, 0)))
        below = np.stack([np.interp(edges, bands, row) for row in sums])
        levels[first : first + _AT_ONCE] = np.diff(below, axis=1) / np.diff(edges)
    loudest = float(levels.max(initial=0.0))
    if loudest <= 1e-12:
        return np.full((rows, columns), -200.0, np.float32)
    return (10 * np.log10(np.maximum(levels.T / loudest, 1e-20))).astype(np.float32)


def _mel(frequency: float) -> float:
    return 2595 * math.log10(1 + frequency / 700)
