"""Drums and cymbals made of sines and noise: one stroke of each, as samples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

RATE = 44_100


def stroke(name: str, strength: float) -> np.ndarray:
    """One stroke, float32, shape (2, frames). `strength` is 0..1."""
    sound, level, pan = DRUMS[name]
    heard = sound(np.random.default_rng([len(name), ord(name[0]), ord(name[-1])]))
    frames = len(heard)
    tail = min(frames // 3, int(0.03 * RATE))
    heard[-tail:] *= np.linspace(1, 0, tail)
    heard[:24] *= np.linspace(0, 1, 24)
    heard = heard / np.abs(heard).max() * 10 ** ((level + 24 * (strength - 0.9)) / 20)
    angle = (pan + 1) * np.pi / 4
    return (np.stack([np.cos(angle) * heard, np.sin(angle) * heard])).astype(np.float32)


def _time(seconds: float) -> np.ndarray:
    return np.arange(int(seconds * RATE)) / RATE


def _noise(seconds: float, low: float, high: float, random: np.random.Generator) -> np.ndarray:
    frames = int(seconds * RATE)
    size = 1 << (frames - 1).bit_length()
    spectrum = np.zeros(size // 2 + 1, np.complex128)
    first, last = int(low * size / RATE), int(min(high, 21_000) * size / RATE)
    spectrum[first:last] = np.exp(2j * np.pi * random.random(last - first))
    spectrum[first:last] *= np.hanning(last - first + 2)[1:-1] ** 0.3
    sound = np.fft.irfft(spectrum, size)[:frames]
    return sound / sound.std()


def _kick(
    random: np.random.Generator, low: float, sweep: float, fall: float, life: float, click: float
) -> np.ndarray:
    time = _time(min(life * 5, 1.2))
    turns = 2 * np.pi * np.cumsum(low * (1 + sweep * np.exp(-time / fall))) / RATE
    body = np.tanh(1.6 * np.sin(turns) * np.exp(-time / life))
    return body + click * _noise(len(time) / RATE, 1500, 6000, random)[: len(time)] * np.exp(
        -time / 0.004
    )


def _snare(
    random: np.random.Generator, tone: float, rattle: float, life: float, low: float = 1200
) -> np.ndarray:
    time = _time(min(life * 6, 0.7))
    bend = 1 + 0.25 * np.exp(-time / 0.012)
    drum = np.sin(2 * np.pi * np.cumsum(tone * bend) / RATE) * np.exp(-time / 0.055)
    drum += 0.5 * np.sin(2 * np.pi * np.cumsum(1.62 * tone * bend) / RATE) * np.exp(-time / 0.035)
    noise = _noise(len(time) / RATE, low, 9500, random)[: len(time)]
    return drum + rattle * noise * (0.7 * np.exp(-time / life) + 0.5 * np.exp(-time / 0.015))


def _cymbal(
    random: np.random.Generator, low: float, life: float, metal: float, swell: float = 0.0
) -> np.ndarray:
    time = _time(min(life * 5, 2.6))
    noise = _noise(len(time) / RATE, low, 15_000, random)[: len(time)]
    ring = np.zeros(len(time))
    # Squares at frequencies that share no common one sound like metal.
    for tone in (3010.0, 3790.0, 4410.0, 5230.0, 6170.0, 7330.0, 8510.0):
        ring += np.sin(2 * np.pi * tone * time + random.uniform(0, 6.28))
    shape = np.exp(-time / life) + 0.6 * np.exp(-time / (0.12 * life))
    if swell:
        shape *= np.clip(time / swell, 0, 1)
    return (noise + metal * ring / 2.6) * shape


def _tom(random: np.random.Generator, tone: float, life: float, skin: float = 0.25) -> np.ndarray:
    time = _time(min(5 * life, 1.6))
    turns = 2 * np.pi * np.cumsum(tone * (1 + 0.35 * np.exp(-time / 0.05))) / RATE
    body = np.sin(turns) * np.exp(-time / life)
    body += 0.35 * np.sin(1.59 * turns) * np.exp(-time / (0.4 * life))
    return body + skin * _noise(len(time) / RATE, 300, 3000, random)[: len(time)] * np.exp(
        -time / 0.012
    )


def _clap(random: np.random.Generator) -> np.ndarray:
    time = _time(0.35)
    noise = _noise(0.35, 800, 5000, random)[: len(time)]
    shape = np.zeros(len(time))
    for start, life in ((0.0, 0.006), (0.011, 0.006), (0.021, 0.007), (0.031, 0.075)):
        shape += np.where(time >= start, np.exp(-np.maximum(time - start, 0) / life), 0)
    return noise * shape


def _click(random: np.random.Generator, tones: tuple[float, ...], life: float) -> np.ndarray:
    time = _time(8 * life)
    return sum(np.sin(2 * np.pi * tone * time) * np.exp(-time / life) for tone in tones)  # type: ignore[return-value]


def _shaker(random: np.random.Generator) -> np.ndarray:
    time = _time(0.16)
    return (
        _noise(0.16, 4500, 13_000, random)[: len(time)]
        * np.sin(np.pi * np.clip(time / 0.11, 0, 1)) ** 2
    )


def _brush(random: np.random.Generator, life: float) -> np.ndarray:
    time = _time(5 * life)
    noise = _noise(5 * life, 900, 8000, random)[: len(time)]
    return noise * (1 - np.exp(-time / 0.008)) * np.exp(-time / life)


def _roll(random: np.random.Generator) -> np.ndarray:
    whole = np.zeros(int(0.62 * RATE))
    for position, start in enumerate(np.arange(0, 0.38, 0.042)):
        one = _snare(random, 185, 0.55, 0.06) * (0.35 + 0.07 * position)
        at = int(start * RATE)
        end = min(at + len(one), len(whole))
        whole[at:end] += one[: end - at]
    return whole


#: Name to how it is made, its level in decibels, and its place from left (-1) to right (1).
DRUMS: dict[str, tuple[Callable[[np.random.Generator], np.ndarray], float, float]] = {
    "kick": (partial(_kick, low=52, sweep=2.2, fall=0.018, life=0.11, click=0.12), -5, 0),
    "electronic kick": (partial(_kick, low=48, sweep=5, fall=0.022, life=0.19, click=0.06), -3, 0),
    "sub kick": (partial(_kick, low=44, sweep=4, fall=0.03, life=0.32, click=0.03), -3, 0),
    "snare": (partial(_snare, tone=190, rattle=0.5, life=0.085), -8, 0.04),
    "electronic snare": (partial(_snare, tone=210, rattle=0.7, life=0.11), -9, 0),
    "march snare": (partial(_snare, tone=230, rattle=0.75, life=0.06, low=1800), -11, 0.1),
    "roll": (_roll, -10, 0.1),
    "brush": (partial(_brush, life=0.05), -17, 0.1),
    "sweep": (partial(_brush, life=0.13), -22, 0.1),
    "rim": (partial(_click, tones=(1720.0, 440.0), life=0.012), -14, 0.25),
    "clave": (partial(_click, tones=(2480.0, 2510.0), life=0.022), -17, 0.35),
    "clap": (_clap, -10, 0),
    "hat": (partial(_cymbal, low=6000, life=0.032, metal=0.5), -16, 0.3),
    "open hat": (partial(_cymbal, low=5500, life=0.16, metal=0.5), -19, 0.3),
    "ride": (partial(_cymbal, low=4500, life=0.5, metal=1.2), -22, -0.3),
    "crash": (partial(_cymbal, low=2600, life=0.6, metal=0.5), -15, -0.25),
    "cymbal swell": (partial(_cymbal, low=3000, life=0.55, metal=0.4, swell=0.9), -20, 0.2),
    "high tom": (partial(_tom, tone=165, life=0.16), -9, 0.25),
    "low tom": (partial(_tom, tone=98, life=0.22), -7, -0.25),
    "timpani": (partial(_tom, tone=73, life=0.5, skin=0.12), -7, -0.1),
    "big drum": (partial(_tom, tone=56, life=0.38, skin=0.3), -4, 0),
    "conga": (partial(_tom, tone=236, life=0.09, skin=0.2), -14, -0.3),
    "shaker": (_shaker, -17, -0.35),
    "noise hat": (partial(_cymbal, low=5000, life=0.02, metal=0.0), -18, 0.1),
    "noise snare": (partial(_brush, life=0.06), -12, 0),
}
