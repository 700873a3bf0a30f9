"""Pictures of a sound: its waveform and its mel spectrogram, with axes."""

from __future__ import annotations

import math

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont
from numpy.lib.stride_tricks import sliding_window_view

from controlllm.resources import Sound
from controlllm.resources.mixing_down import mono

_SCALE = 2  # drawn larger and scaled down, so that lines are smooth
_WIDTH = 1280
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 104, 54, 58
_INNER = _WIDTH - _LEFT - _RIGHT
_AT_ONCE = 128  # columns
_BETWEEN = 46
_RANGE = 75.0  # decibels from the darkest to the paper
_PAPER, _INK, _FAINT, _GRID = (255, 255, 255), (38, 43, 56), (110, 118, 134), (228, 231, 237)
_WAVE, _WAVE_CORE = (126, 158, 217), (43, 82, 158)
_TONES = (0, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
_TIME_STEPS = (
    *(size * 10.0**power for power in range(-6, 0) for size in (1, 2, 5)),
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400),
)
_PEAKS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
#: From the paper over teal and blue to nearly black, evenly darker all the way.
_STOPS = (
    *((255, 255, 255), (224, 240, 236), (160, 212, 210), (92, 170, 196)),
    *((52, 117, 176), (46, 64, 143), (38, 24, 94), (18, 8, 44)),
)


def draw(sound: Sound, waveform: bool, spectrogram: bool) -> PIL.Image.Image:
    """A picture with the waveform, the spectrogram, or one above the other."""
    both = waveform and spectrogram
    parts = [(_draw_waveform, 220 if both else 420)] if waveform else []
    parts += [(_draw_spectrogram, 400 if both else 480)] if spectrogram else []
    canvas = _Canvas(_TOP + sum(height + _BOTTOM for _, height in parts) + _BETWEEN * both)
    top = _TOP
    for drawn, height in parts:
        drawn(canvas, sound, top, height)
        top += height + _BOTTOM + _BETWEEN
    return canvas.finished()


class _Canvas:
    """A sheet of paper, drawn on in the pixels of the finished picture."""

    def __init__(self, height: int) -> None:
        self.size = (_WIDTH, height)
        self.image = PIL.Image.new("RGB", (_WIDTH * _SCALE, height * _SCALE), _PAPER)
        self.pen = PIL.ImageDraw.Draw(self.image)

    def line(self, *points: float, colour: tuple[int, int, int], width: float = 1.0) -> None:
        places = [point * _SCALE for point in points]
        self.pen.line(places, fill=colour, width=max(round(width * _SCALE), 1))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        anchor: str,
        size: float = 13,
        colour: tuple[int, int, int] = _FAINT,
    ) -> None:
        font = PIL.ImageFont.load_default(size * _SCALE)
        self.pen.text((x * _SCALE, y * _SCALE), words, fill=colour, font=font, anchor=anchor)

    def paste(self, colours: np.ndarray, left: int, top: int, width: int, height: int) -> None:
        """Colours, uint8, in a rectangle with a frame around it."""
        shown = PIL.Image.fromarray(colours).resize((width * _SCALE, height * _SCALE))
        self.image.paste(shown, (left * _SCALE, top * _SCALE))
        self.frame(left, top, width, height)

    def frame(self, left: int, top: int, width: int, height: int) -> None:
        corners = [place * _SCALE for place in (left, top, left + width, top + height)]
        self.pen.rectangle(corners, outline=_FAINT, width=_SCALE)

    def finished(self) -> PIL.Image.Image:
        return self.image.resize(self.size, PIL.Image.Resampling.BOX)


def _draw_waveform(canvas: _Canvas, sound: Sound, top: int, height: int) -> None:
    """The range of the values in each column, and inside it their effective value."""
    columns = _INNER * _SCALE
    starts = np.linspace(0, sound.frames, columns, endpoint=False).astype(np.int64)
    ends = np.maximum(np.append(starts[1:], sound.frames), starts + 1)
    # The least, the largest and the effective value of each column.
    ranges = np.zeros((3, columns))
    for first in range(0, columns, _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        wave = mono(sound.part(int(starts[first]), int(ends[part][-1])))
        wave = wave.astype(np.float64)
        places = starts[part] - starts[first]
        ranges[0, part] = np.minimum.reduceat(wave, places)
        ranges[1, part] = np.maximum.reduceat(wave, places)
        sums = np.add.reduceat(wave**2, places)
        ranges[2, part] = np.sqrt(sums / (ends - starts)[part])
    lowest, highest, effective = ranges
    peak = float(np.abs(ranges).max(initial=0))
    # For a quiet sound the scale ends at the next round number over its peak.
    full = next((step for step in _PEAKS if peak <= step), math.ceil(peak)) if peak else 1.0
    middle, half = top + height / 2, height / 2 - 6
    for level in (-1.0, -0.5, 0.0, 0.5, 1.0):
        y = middle - level * half
        canvas.line(_LEFT, y, _LEFT + _INNER, y, colour=_GRID)
        canvas.text(_LEFT - 10, y, f"{level * full:g}", "rm")
    for moment, _ in _ticks(sound.seconds):
        x = _LEFT + _INNER * moment / sound.seconds
        canvas.line(x, top, x, top + height, colour=_GRID)
    for lows, highs, colour in (
        (lowest, highest, _WAVE),
        (-effective, effective, _WAVE_CORE),
    ):
        firsts = np.round((middle - highs / full * half) * _SCALE).astype(int).tolist()
        lasts = np.round((middle - lows / full * half) * _SCALE).astype(int).tolist()
        for x, (first, last) in enumerate(zip(firsts, lasts, strict=True), _LEFT * _SCALE):
            canvas.pen.line((x, first, x, max(last, first + 1)), fill=colour)
    canvas.frame(_LEFT, top, _INNER, height)
    _finish(canvas, sound.seconds, top, height, "Waveform: amplitude")


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


def _draw_spectrogram(canvas: _Canvas, sound: Sound, top: int, height: int) -> None:
    levels = mel_spectrogram(sound, _INNER, height)
    shade = np.clip(1 + levels[::-1] / _RANGE, 0, 1)
    canvas.paste(_coloured(shade), _LEFT, top, _INNER, height)
    last = math.inf
    for tone in _TONES:
        y = top + height * (1 - _mel(tone) / _mel(sound.rate / 2))
        if tone <= sound.rate / 2 * 1.001 and last - y >= 20:
            last = y
            canvas.line(_LEFT - 6, y, _LEFT, y, colour=_FAINT)
            canvas.text(_LEFT - 10, y, f"{tone / 1000:g}", "rm")
    _finish(canvas, sound.seconds, top, height, "Spectrogram: frequency (kHz)")
    left, width = _WIDTH - _RIGHT + 22, 14
    canvas.paste(_coloured(np.linspace(1, 0, height)[:, None]), left, top, width, height)
    for decibels in range(0, int(_RANGE), 20):
        y = top + height * decibels / _RANGE
        canvas.line(left + width, y, left + width + 4, y, colour=_FAINT)
        canvas.text(left + width + 8, y, f"-{decibels}" if decibels else "0 dB", "lm")


def _coloured(shade: np.ndarray) -> np.ndarray:
    """Colours, uint8, for values of 0 (paper) to 1 (darkest)."""
    places = np.linspace(0, 1, len(_STOPS))
    channels = [np.interp(shade, places, channel) for channel in zip(*_STOPS, strict=True)]
    return np.stack(channels, axis=-1).astype(np.uint8)


def _ticks(seconds: float) -> list[tuple[float, str]]:
    """Round moments along the time axis, with their words."""
    step = next((step for step in _TIME_STEPS if seconds / step <= 10), _TIME_STEPS[-1])
    marks = []
    for moment in (number * step for number in range(int(seconds / step + 1e-6) + 1)):
        words = f"{moment:.6f}".rstrip("0").rstrip(".")
        if seconds >= 120:
            minutes, rest = divmod(round(moment), 60)
            words = f"{minutes}:{rest:02}"
        marks.append((moment, words))
    return marks


def _finish(canvas: _Canvas, seconds: float, top: int, height: int, title: str) -> None:
    """The title over a drawing, and the time below it."""
    canvas.text(_LEFT, top - 30, title, "lm", 19, _INK)
    for moment, words in _ticks(seconds):
        x = _LEFT + _INNER * moment / seconds
        canvas.line(x, top + height, x, top + height + 6, colour=_FAINT)
        canvas.text(x, top + height + 16, words, "mm")
    unit = "min:s" if seconds >= 120 else "s"
    canvas.text(_LEFT + _INNER / 2, top + height + 40, f"Time ({unit})", "mm", 15)
