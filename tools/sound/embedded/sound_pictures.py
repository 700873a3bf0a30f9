"""Pictures of a sound: its waveform and its mel spectrogram, with axes."""

from __future__ import annotations

import math

import numpy as np
import PIL.Image
import PIL.ImageDraw
import PIL.ImageFont

from controlllm.resources import Sound

_SCALE = 2  # drawn larger and scaled down, so that lines are smooth
_WIDTH = 1280
_LEFT, _RIGHT, _TOP, _BOTTOM = 92, 104, 54, 58
_BETWEEN = 46
_WAVE_HEIGHT, _SPECTRUM_HEIGHT = 220, 400
_RANGE = 75.0  # decibels from the darkest to the paper
_PAPER, _INK, _FAINT, _GRID = (255, 255, 255), (38, 43, 56), (110, 118, 134), (228, 231, 237)
_WAVE, _WAVE_CORE = (126, 158, 217), (43, 82, 158)
_TONES = (0, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000)
_TIME_STEPS = (
    *(size * 10.0**power for power in range(-6, 0) for size in (1, 2, 5)),
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400),
)
#: From the paper over teal and blue to nearly black, evenly darker all the way.
_STOPS = (
    (255, 255, 255),
    (224, 240, 236),
    (160, 212, 210),
    (92, 170, 196),
    (52, 117, 176),
    (46, 64, 143),
    (38, 24, 94),
    (18, 8, 44),
)


def draw(sound: Sound, waveform: bool, spectrogram: bool) -> PIL.Image.Image:
    """A picture with the waveform, the spectrogram, or one above the other."""
    parts = []
    if waveform:
        parts.append(_WAVE_HEIGHT * len(_lanes(sound)) if spectrogram else 420)
    if spectrogram:
        parts.append(_SPECTRUM_HEIGHT if waveform else 480)
    height = _TOP + sum(parts) + _BOTTOM * len(parts) + (_BETWEEN if len(parts) == 2 else 0)
    canvas = _Canvas(height)
    top = _TOP
    if waveform:
        _draw_waveform(canvas, sound, top, parts[0])
        top += parts[0] + _BOTTOM + _BETWEEN
    if spectrogram:
        _draw_spectrogram(canvas, sound, top, parts[-1])
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
        size: float = 15,
        colour: tuple[int, int, int] = _FAINT,
    ) -> None:
        font = PIL.ImageFont.load_default(size * _SCALE)
        self.pen.text((x * _SCALE, y * _SCALE), words, fill=colour, font=font, anchor=anchor)

    def frame(self, left: float, top: float, right: float, bottom: float, width: int) -> None:
        corners = [place * _SCALE for place in (left, top, right, bottom)]
        self.pen.rectangle(corners, outline=_FAINT, width=width)

    def upward_text(self, x: float, y: float, words: str, size: float = 15) -> None:
        font = PIL.ImageFont.load_default(size * _SCALE)
        left, top, right, bottom = self.pen.textbbox((0, 0), words, font=font)
        sheet = PIL.Image.new("L", (math.ceil(right - left) + 4, math.ceil(bottom - top) + 4))
        PIL.ImageDraw.Draw(sheet).text((2 - left, 2 - top), words, fill=255, font=font)
        turned = sheet.transpose(PIL.Image.Transpose.ROTATE_90)
        at = (round(x * _SCALE - turned.width / 2), round(y * _SCALE - turned.height / 2))
        self.image.paste(PIL.Image.new("RGB", turned.size, _FAINT), at, turned)

    def finished(self) -> PIL.Image.Image:
        return self.image.resize(self.size, PIL.Image.Resampling.BOX)


def _lanes(sound: Sound) -> list[np.ndarray]:
    """Both channels where they differ so much that each is worth a picture, else their mean."""
    if sound.samples.shape[1] == 2:
        left, right = sound.samples.T
        loudest = np.abs(sound.samples).max(initial=0)
        if np.abs(left - right).max(initial=0) > 0.02 * loudest:
            return [left, right]
    return [sound.mono()]


def _draw_waveform(canvas: _Canvas, sound: Sound, top: int, height: int) -> None:
    lanes = _lanes(sound)
    names = ["left", "right"] if len(lanes) == 2 else [""]
    width = _WIDTH - _LEFT - _RIGHT
    each = height / len(lanes)
    full = _round_up(max(float(np.abs(lane).max(initial=0)) for lane in lanes))
    for number, (lane, name) in enumerate(zip(lanes, names, strict=True)):
        middle = top + (number + 0.5) * each
        half = each / 2 - 6 * len(lanes)
        for level in (-1.0, -0.5, 0.5, 1.0):
            y = middle - level * half
            canvas.line(_LEFT, y, _LEFT + width, y, colour=_GRID)
            canvas.text(_LEFT - 10, y, f"{level * full:g}", "rm", 13)
        canvas.text(_LEFT - 10, middle, "0", "rm", 13)
        for moment, _ in _ticks(sound.seconds):
            x = _LEFT + width * moment / sound.seconds
            canvas.line(x, top + number * each, x, top + (number + 1) * each, colour=_GRID)
        if name:
            canvas.text(_LEFT + width + 12, middle, name, "lm", 14)
        if len(lane) < 4 * width:
            places = _LEFT + width * np.arange(len(lane)) / max(len(lane) - 1, 1)
            curve = np.stack([places, middle - lane / full * half], axis=1).ravel().tolist()
            canvas.line(*curve, *curve[-2:], colour=_WAVE_CORE, width=1.2)
        else:
            _draw_envelope(canvas, lane / full, middle, half)
        canvas.line(_LEFT, middle, _LEFT + width, middle, colour=_WAVE_CORE, width=0.5)
    _finish(canvas, sound.seconds, top, height, "Waveform", "Amplitude")


def _round_up(peak: float) -> float:
    """The top of the scale: full, or for a quiet sound the next round number over its peak."""
    steps = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    if peak <= 0 or peak > 1:
        return float(max(math.ceil(peak), 1))
    return next((step for step in steps if peak <= step), 1.0)


def _draw_envelope(canvas: _Canvas, lane: np.ndarray, middle: float, half: float) -> None:
    """The range of the values in each column, and inside it their effective value."""
    columns = (_WIDTH - _LEFT - _RIGHT) * _SCALE
    starts = np.linspace(0, len(lane), columns, endpoint=False).astype(np.int64)
    counts = np.diff(np.append(starts, len(lane)))
    effective = np.sqrt(np.add.reduceat(lane.astype(np.float64) ** 2, starts) / counts)
    for lows, highs, colour in (
        (np.minimum.reduceat(lane, starts), np.maximum.reduceat(lane, starts), _WAVE),
        (-effective, effective, _WAVE_CORE),
    ):
        firsts = np.round((middle - highs * half) * _SCALE).astype(int)
        lasts = np.round((middle - lows * half) * _SCALE).astype(int)
        for column in range(columns):
            x = _LEFT * _SCALE + column
            last = max(lasts[column], firsts[column] + 1)
            canvas.pen.line((x, int(firsts[column]), x, int(last)), fill=colour)


def mel_spectrogram(sound: Sound, columns: int, rows: int) -> np.ndarray:
    """Decibels below the loudest place, rows from low to high tones on the mel scale."""
    samples = sound.mono().astype(np.float32)
    rate = sound.rate
    # A very short sound is all one moment to a long window.
    seconds = min(0.046, max(sound.seconds / 8, 0.004))
    size = min(max(2 * round(rate * seconds / 2), 16), 16_384)
    padded = np.pad(samples, (size // 2, size))
    middles = np.linspace(0, len(samples), columns, endpoint=False)
    # Where there are more samples than columns see, several frames are looked at for each.
    each = int(min(max(len(samples) / columns / (size / 2), 1), 6))
    window = np.hanning(size).astype(np.float32)
    weights = _mel_weights(rate, size, rows)
    views = np.lib.stride_tricks.sliding_window_view(padded, size)
    levels = np.zeros((columns, rows), np.float32)
    step = len(samples) / columns
    for first in range(0, columns, 128):
        part = middles[first : first + 128]
        power = np.zeros((len(part), size // 2 + 1), np.float32)
        for number in range(each):
            starts = np.minimum((part + step * number / each).astype(int), len(views) - 1)
            power += np.abs(np.fft.rfft(views[starts] * window, axis=1)) ** 2
        levels[first : first + 128] = (weights @ power.T).T / each
    loudest = float(levels.max(initial=0.0))
    if loudest <= 1e-12:
        return np.full((rows, columns), -200.0, np.float32)
    return 10 * np.log10(np.maximum(levels.T / loudest, 1e-20))


def _mel(frequency: float) -> float:
    return 2595 * math.log10(1 + frequency / 700)


def _mel_weights(rate: int, size: int, rows: int) -> np.ndarray:
    """For each row a triangle around its tone; rows between two bands are interpolated."""
    mels = np.linspace(0, _mel(rate / 2), rows + 2)
    tones = 700 * (10 ** (mels / 2595) - 1)
    bands = np.arange(size // 2 + 1) * rate / size
    spacing = rate / size
    weights = np.zeros((rows, len(bands)), np.float32)
    for row in range(rows):
        # At low tones rows are closer than bands, so that triangles must not be narrower.
        below = min(tones[row], tones[row + 1] - spacing)
        above = max(tones[row + 2], tones[row + 1] + spacing)
        rising = (bands - below) / (tones[row + 1] - below)
        falling = (above - bands) / (above - tones[row + 1])
        weights[row] = np.clip(np.minimum(rising, falling), 0, None)
        weights[row] /= max(float(weights[row].sum()), 1e-9)
    return weights


def _draw_spectrogram(canvas: _Canvas, sound: Sound, top: int, height: int) -> None:
    width = _WIDTH - _LEFT - _RIGHT
    levels = mel_spectrogram(sound, width, height)
    shade = np.clip(1 + levels[::-1] / _RANGE, 0, 1)
    picture = PIL.Image.fromarray(_coloured(shade))
    shown = picture.resize((width * _SCALE, height * _SCALE), PIL.Image.Resampling.BICUBIC)
    canvas.image.paste(shown, (_LEFT * _SCALE, top * _SCALE))
    highest = _mel(sound.rate / 2)
    last = math.inf
    for tone in _TONES:
        y = top + height * (1 - _mel(tone) / highest)
        if tone > sound.rate / 2 * 1.001 or last - y < 20:
            continue
        last = y
        canvas.line(_LEFT - 6, y, _LEFT, y, colour=_FAINT)
        canvas.text(_LEFT - 10, y, f"{tone / 1000:g}", "rm", 13)
    _finish(canvas, sound.seconds, top, height, "Spectrogram", "Frequency (kHz)")
    _draw_legend(canvas, top, height)


def _draw_legend(canvas: _Canvas, top: int, height: int) -> None:
    left, width = _WIDTH - _RIGHT + 22, 14
    ramp = _coloured(np.linspace(1, 0, height * _SCALE)[:, None].repeat(width * _SCALE, axis=1))
    canvas.image.paste(PIL.Image.fromarray(ramp), (left * _SCALE, top * _SCALE))
    canvas.frame(left, top, left + width, top + height, 1)
    for decibels in range(0, int(_RANGE), 20):
        y = top + height * decibels / _RANGE
        words = "0 dB" if not decibels else f"-{decibels}"
        canvas.line(left + width, y, left + width + 4, y, colour=_FAINT)
        canvas.text(left + width + 8, y, words, "lm", 13)


def _coloured(shade: np.ndarray) -> np.ndarray:
    """Colours, uint8, for values of 0 (paper) to 1 (darkest)."""
    stops = np.asarray(_STOPS, np.float64)
    places = np.linspace(0, 1, len(stops))
    return np.stack(
        [np.interp(shade, places, stops[:, channel]) for channel in range(3)], axis=-1
    ).astype(np.uint8)


def _ticks(seconds: float) -> list[tuple[float, str]]:
    """Round moments along the time axis, with their words."""
    step = next((step for step in _TIME_STEPS if seconds / step <= 10), _TIME_STEPS[-1])
    marks = []
    for number in range(int(seconds / step + 1e-6) + 1):
        moment = number * step
        if seconds >= 120:
            minutes, rest = divmod(round(moment), 60)
            hours, left = divmod(minutes, 60)
            words = f"{hours}:{left:02}:{rest:02}" if seconds >= 3600 else f"{minutes}:{rest:02}"
        else:
            words = f"{moment:.6f}".rstrip("0").rstrip(".")
        marks.append((moment, words))
    return marks


def _finish(canvas: _Canvas, seconds: float, top: int, height: int, title: str, axis: str) -> None:
    """The frame around a drawing with its title, the name of its axis and the time below it."""
    width, bottom = _WIDTH - _LEFT - _RIGHT, top + height
    canvas.text(_LEFT, top - 30, title, "lm", 19, _INK)
    canvas.upward_text(24, top + height / 2, axis)
    canvas.frame(_LEFT, top, _LEFT + width, bottom, _SCALE)
    for moment, words in _ticks(seconds):
        x = _LEFT + width * moment / seconds
        canvas.line(x, bottom, x, bottom + 6, colour=_FAINT)
        canvas.text(x, bottom + 16, words, "mm", 13)
    unit = "h:min:s" if seconds >= 3600 else "min:s" if seconds >= 120 else "s"
    canvas.text(_LEFT + width / 2, bottom + 40, f"Time ({unit})", "mm")
