"""Instruments made of sines, noise and envelopes: one note of each, as samples.

Struck and plucked ones are sums of partials that die away at their own speed (modal synthesis),
bowed and blown ones are sums of steady harmonics with vibrato, the electric piano and the brass
are frequency modulation (Chowning 1973). Each note comes out at about the same loudness, so that
the mix depends on how strongly it is played and on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

RATE = 44_100
_NYQUIST_SHARE = 0.42

#: Makes a note of a frequency, a length in seconds with the release, and a strength 0..1.
Sounding = Callable[[float, float, float, np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class Instrument:
    """How an instrument is played: its range in MIDI pitches, what it can do, where it sits.

    `sustains` says that a note lasts as long as it is held; `chords` that it can play several at
    once; `pan` is -1 (left) to 1; `level` is in decibels beside the others.
    """

    lowest: int
    highest: int
    sound: Sounding
    release: float
    sustains: bool = False
    chords: bool = False
    pan: float = 0.0
    level: float = 0.0


def frequency_of(pitch: int) -> float:
    """The frequency of a MIDI pitch in hertz, A4 = 69 = 440 Hz."""
    return 440.0 * 2.0 ** ((pitch - 69) / 12)


def partials(
    frequencies: np.ndarray,
    amplitudes: np.ndarray,
    decays: np.ndarray,
    phases: np.ndarray,
    frames: int,
) -> np.ndarray:
    """A sum of sines, each dying away by e in its decay time (seconds), float32.

    The sines are powers of complex numbers, so a product of two small matrices gives them all:
    a hundred times faster than asking for each sine of each sample.
    """
    audible = frequencies < _NYQUIST_SHARE * RATE
    frequencies, amplitudes = frequencies[audible], amplitudes[audible]
    decays, phases = decays[audible], phases[audible]
    block = 256
    blocks = -(-frames // block)
    power = (2j * np.pi * frequencies - 1 / decays) / RATE
    inner = np.exp(power[:, None] * np.arange(block))
    outer = np.exp(power[None, :] * (np.arange(blocks) * block)[:, None])
    outer = outer * (amplitudes * np.exp(1j * phases))[None, :]
    sound = outer.real.astype(np.float32) @ inner.real.astype(np.float32)
    sound -= outer.imag.astype(np.float32) @ inner.imag.astype(np.float32)
    return sound.reshape(-1)[:frames]


def play(name: str, pitch: int, seconds: float, strength: float) -> np.ndarray:
    """One note of an instrument, float32, shape (channels, frames), one channel or two.

    `seconds` is how long it is held; its release comes after that. `strength` is 0..1.
    """
    instrument = INSTRUMENTS[name]
    random = np.random.default_rng([pitch, int(strength * 100), len(name), ord(name[0])])
    held = max(seconds, 0.04)
    whole = held + instrument.release
    sound = np.atleast_2d(instrument.sound(frequency_of(pitch), whole, strength, random))
    frames = sound.shape[1]
    start = min(int(held * RATE), frames - 1)
    fall = np.linspace(0, 1, frames - start, dtype=np.float32)
    # Half a cosine to a power: falls at once like a damper, and ends without a corner.
    sound[:, start:] *= (0.5 + 0.5 * np.cos(np.pi * fall)) ** 2
    sound *= 10 ** ((instrument.level + 26 * (strength - 0.8)) / 20) / _loudness(sound)
    return sound.astype(np.float32)


def _loudness(sound: np.ndarray) -> float:
    """How loud the loudest tenth of a second is to the ear, roughly; never zero."""
    from scipy.signal import lfilter

    heard = sound[:, : int(0.7 * RATE)]
    # Low sounds count less, high ones more: a bass boosted to the power of a flute would boom.
    heard = heard - 0.86 * lfilter([0.03], [1, -0.97], heard)
    window = min(int(0.1 * RATE), heard.shape[1])
    power = np.cumsum(np.concatenate([[0.0], (heard.astype(np.float64) ** 2).mean(axis=0)]))
    return float(np.sqrt(max((power[window:] - power[:-window]).max() / window, 1e-12))) * 5.0


def _attack(frames: int, seconds: float) -> np.ndarray:
    """A rise from 0 to 1 without a corner."""
    length = max(int(seconds * RATE), 8)
    shape = np.ones(frames, np.float32)
    rise = (0.5 - 0.5 * np.cos(np.pi * np.arange(length) / length)).astype(np.float32)
    shape[:length] = rise[:frames]
    return shape


def _noise(frames: int, low: float, high: float, random: np.random.Generator) -> np.ndarray:
    """Noise between two frequencies, of root mean square 1."""
    size = 1 << max(frames - 1, 255).bit_length()
    spectrum = np.zeros(size // 2 + 1, np.complex64)
    first, last = int(low * size / RATE), int(min(high, 0.49 * RATE) * size / RATE) + 1
    last = max(last, first + 2)
    edge = np.hanning(last - first + 2)[1:-1] ** 0.5
    spectrum[first:last] = edge * np.exp(2j * np.pi * random.random(last - first))
    sound = np.fft.irfft(spectrum, size)[:frames]
    return (sound / max(float(sound.std()), 1e-9)).astype(np.float32)


def _time(frames: int) -> np.ndarray:
    return np.arange(frames) / RATE


def _piano(
    frequency: float, seconds: float, strength: float, random: np.random.Generator
) -> np.ndarray:
    frames = int(min(seconds, 9.0) * RATE)
    count = int(np.clip(9500 / frequency, 4, 44))
    number = np.arange(1, count + 1)
    stiffness = 1.2e-4 * (frequency / 262) ** 1.3
    tones = frequency * number * np.sqrt(1 + stiffness * number**2)
    # The hammer strikes at an eighth of the string: partials with a node there are weak.
    spectrum = np.abs(np.sin(np.pi * number / 8.3)) + 0.08
    corner = 500 + 2200 * strength**1.5 + 0.8 * frequency
    spectrum = spectrum / number**0.55 / (1 + (tones / corner) ** 2.1)
    spectrum *= 1 + 0.12 * random.standard_normal(count)
    life = 5.5 * (220 / frequency) ** 0.55 / (1 + 0.16 * (number - 1) ** 1.05)
    beat = 0.25 * (frequency / 262) ** 0.4
    channels = []
    for side in (-1, 1):
        shift = side * 0.12 * beat
        sound = partials(
            np.concatenate([tones - beat + shift, tones + beat + shift, tones]),
            np.concatenate([0.3 * spectrum, 0.26 * spectrum, 0.75 * spectrum]),
            np.concatenate([life * 1.5, life * 1.4, life * 0.28]),
            random.uniform(-0.5, 0.5, 3 * count) - np.pi / 2,
            frames,
        )
        channels.append(sound)
    sound = np.stack(channels)
    knock = _noise(frames, 90, 900, random) * np.exp(-_time(frames) / 0.016).astype(np.float32)
    sound += 0.05 * strength * float(np.abs(sound).max()) * knock
    return sound * _attack(frames, 0.003)


def _plucked(brightness: float, life: float, place: float, noise: float, body: bool) -> Sounding:
    """A string plucked at a share of its length."""

    def sound(
        frequency: float, seconds: float, strength: float, random: np.random.Generator
    ) -> np.ndarray:
        frames = int(min(seconds, 6.0) * RATE)
        number = np.arange(1, int(np.clip(9000 / frequency, 4, 44)) + 1)
        tones = frequency * number * np.sqrt(1 + 3e-5 * number**2)
        spectrum = np.abs(np.sin(np.pi * number * place)) / number**1.1 + 0.01 / number
        spectrum /= 1 + (tones / (brightness * (0.45 + 0.8 * strength))) ** 2
        decays = (
            life * (196 / frequency) ** 0.5 / (1 + 0.1 * (number - 1) + 6e-9 * tones**2 * number)
        )
        spectrum *= 1 + 0.15 * random.standard_normal(len(number))
        heard = partials(
            tones, spectrum, decays, random.uniform(-0.4, 0.4, len(number)) - np.pi / 2, frames
        )
        peak = float(np.abs(heard).max())
        if body:
            wood = partials(
                np.array([102.0, 205.0, 390.0]), np.array([1.0, 0.8, 0.4]),
                np.array([0.05, 0.035, 0.02]), np.full(3, -np.pi / 2), frames,
            )  # fmt: skip
            heard += 0.12 * peak * wood
        pick = _noise(frames, 1200, 5200, random) * np.exp(-_time(frames) / 0.006).astype(
            np.float32
        )
        heard += noise * strength * peak * pick
        return heard * _attack(frames, 0.0022)

    return sound


def _struck(
    ratios: tuple[float, ...],
    amplitudes: tuple[float, ...],
    lives: tuple[float, ...],
    knock: float,
    tremolo: float = 0.0,
    soft: float = 0.002,
) -> Sounding:
    """A bar, a tine or a bell: a few partials of its own."""

    def sound(
        frequency: float, seconds: float, strength: float, random: np.random.Generator
    ) -> np.ndarray:
        frames = int(min(seconds, 6.0) * RATE)
        levels = np.array(amplitudes) * strength ** (0.5 * np.arange(len(ratios)))
        decays = np.array(lives) * (440 / frequency) ** 0.4
        heard = partials(
            frequency * np.array(ratios), levels, decays, np.full(len(ratios), -np.pi / 2), frames
        )
        click = _noise(frames, 400, 3000, random) * np.exp(-_time(frames) / 0.007).astype(
            np.float32
        )
        heard += knock * strength * click
        if tremolo:
            heard *= (1 + tremolo * np.sin(2 * np.pi * 5.2 * _time(frames))).astype(np.float32)
        return heard * _attack(frames, soft)

    return sound


def _formants(tones: np.ndarray, peaks: tuple[tuple[float, float, float], ...]) -> np.ndarray:
    """How much a body or a mouth lets through: peaks of (frequency, width, gain)."""
    through = np.full(len(tones), 0.12)
    for centre, width, gain in peaks:
        through += gain * np.exp(-(((tones - centre) / width) ** 2))
    return through


def _ensemble(
    voices: int,
    spread: float,
    slope: float,
    corner: float,
    attack: float,
    peaks: tuple[tuple[float, float, float], ...] = (),
    odd_only: bool = False,
) -> Sounding:
    """Many players on one note, each a little out of tune (in cents), different left and right."""

    def sound(
        frequency: float, seconds: float, strength: float, random: np.random.Generator
    ) -> np.ndarray:
        frames = int(seconds * RATE)
        number = np.arange(1, int(np.clip(9500 / frequency, 3, 40)) + 1)
        if odd_only:
            number = number[::2]
        tones = frequency * number
        spectrum = 1 / number**slope / (1 + (tones / (corner * (0.5 + 0.7 * strength))) ** 2)
        if peaks:
            spectrum *= _formants(tones, peaks)
        channels = []
        for _ in range(2):
            # Each harmonic drifts by itself, as with strings that are bowed by hand.
            cents = spread * random.standard_normal((voices, 1))
            cents -= cents.mean()
            cents = cents + 0.25 * spread * random.standard_normal((voices, len(number)))
            detuned = (tones * 2 ** (cents / 1200)).ravel()
            channels.append(
                partials(
                    detuned,
                    np.tile(spectrum, voices),
                    np.full(len(detuned), 60.0),
                    random.uniform(0, 2 * np.pi, len(detuned)),
                    frames,
                )
            )
        return np.stack(channels) * _attack(frames, min(attack, 0.45 * seconds))

    return sound


def _blown(
    spectrum: tuple[float, ...],
    attack: float,
    breath: float,
    vibrato: float,
    peaks: tuple[tuple[float, float, float], ...] = (),
    slope: float | None = None,
    speed: float = 5.2,
) -> Sounding:
    """One player with steady harmonics, brighter when louder; vibrato (in cents) comes late."""

    def sound(
        frequency: float, seconds: float, strength: float, random: np.random.Generator
    ) -> np.ndarray:
        frames = int(seconds * RATE)
        time = _time(frames)
        levels = np.array(spectrum) if slope is None else 1 / np.arange(1, 31) ** slope
        number = np.arange(1, len(levels) + 1)
        tones = frequency * number
        if peaks:
            levels = levels * _formants(tones, peaks)
        levels = np.where(tones < 11_000, levels, 0)
        position = np.arange(4096) / 4096
        waves = np.sin(2 * np.pi * np.outer(number, position) + 0.3 * number[:, None] ** 2)
        soft = levels / number**0.9
        tables = [(level @ waves) / np.sqrt((level**2).sum()) for level in (soft, levels)]
        sway = np.clip((time - 0.22) / 0.35, 0, 1) * np.sin(2 * np.pi * speed * time + 0.4)
        slow = np.interp(
            time,
            np.arange(0, seconds + 1, 0.13),
            random.standard_normal(len(np.arange(0, seconds + 1, 0.13))),
        )
        scoop = -18 * np.exp(-time / 0.035)
        cents = vibrato * sway + 2.0 * slow + scoop
        turns = np.cumsum(frequency / RATE * 2 ** (cents / 1200))
        place = (turns % 1.0) * 4096
        index = place.astype(np.int32)
        part = (place - index).astype(np.float32)
        following = (index + 1) & 4095
        rise = _attack(frames, min(attack, 0.4 * seconds))
        bright = np.clip(rise * (0.35 + 0.65 * strength) + 0.08 * sway, 0, 1).astype(np.float32)
        heard = np.zeros(frames, np.float32)
        for table, share in zip(tables, (1 - bright, bright), strict=True):
            values = table.astype(np.float32)
            heard += share * (values[index] * (1 - part) + values[following] * part)
        heard *= rise * (1 + 0.06 * sway + 0.03 * slow).astype(np.float32)
        if breath:
            air = _noise(frames, 0.8 * frequency, min(6 * frequency, 9000), random)
            heard += breath * air * rise * (0.6 + 1.6 * np.exp(-time / 0.05)).astype(np.float32)
        return heard

    return sound


def _brass(dark: float) -> Sounding:
    """Frequency modulation whose index follows the loudness (Chowning's brass)."""

    def sound(
        frequency: float, seconds: float, strength: float, random: np.random.Generator
    ) -> np.ndarray:
        frames = int(seconds * RATE)
        time = _time(frames)
        channels = []
        rise = _attack(frames, min(0.055 + 0.03 * dark, 0.4 * seconds))
        swell = rise * (0.82 + 0.18 * np.exp(-time / 0.18))
        index = (1.2 + 2.3 * strength) * (1 - 0.45 * dark) * min(1.0, (700 / frequency) ** 0.7)
        for detune in (-4.0, 4.0):
            sway = np.clip((time - 0.3) / 0.4, 0, 1) * np.sin(2 * np.pi * 5 * time + detune)
            cents = detune + 6 * sway - 22 * np.exp(-time / 0.03)
            turns = 2 * np.pi * np.cumsum(frequency / RATE * 2 ** (cents / 1200))
            channels.append(np.sin(turns + index * swell**1.4 * np.sin(turns)))
        return np.stack(channels).astype(np.float32) * swell.astype(np.float32)

    return sound


def _electric_piano(
    frequency: float, seconds: float, strength: float, random: np.random.Generator
) -> np.ndarray:
    frames = int(min(seconds, 6.0) * RATE)
    time = _time(frames)
    life = 2.6 * (262 / frequency) ** 0.4
    turns = 2 * np.pi * frequency * time
    index = (0.35 + 1.1 * strength) * np.exp(-time / (0.35 * life))
    body = np.sin(turns + index * np.sin(turns)) * np.exp(-time / life)
    tine = (
        0.09
        * strength
        * np.sin(min(14 * frequency, 9000) * 2 * np.pi * time)
        * np.exp(-time / 0.06)
    )
    sway = 0.22 * np.sin(2 * np.pi * 4.6 * time)
    sound = np.stack([(body + tine) * (1 + sway), (body + tine) * (1 - sway)])
    return sound.astype(np.float32) * _attack(frames, 0.003)


def _organ(
    frequency: float, seconds: float, strength: float, random: np.random.Generator
) -> np.ndarray:
    frames = int(seconds * RATE)
    ratios = np.array([0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0])
    levels = np.array([0.55, 1.0, 0.28, 0.7, 0.4, 0.35, 0.12, 0.14, 0.16])
    channels = []
    for _ in range(2):
        cents = np.array([[-2.0], [2.0]]) + 0.6 * random.standard_normal((2, len(ratios)))
        tones = (frequency * ratios * 2 ** (cents / 1200)).ravel()
        channels.append(
            partials(
                tones, np.tile(levels, 2), np.full(18, 60.0), random.uniform(0, 6.28, 18), frames
            )
        )
    return np.stack(channels) * _attack(frames, 0.014)


def _swept(
    harmonics: str, corner: float, fall: float, floor: float, detune: float, life: float
) -> Sounding:
    """A saw or a square through a low-pass filter that closes: high partials die sooner."""

    def sound(
        frequency: float, seconds: float, strength: float, random: np.random.Generator
    ) -> np.ndarray:
        frames = int(seconds * RATE)
        number = np.arange(1, int(np.clip(9000 / frequency, 3, 60)) + 1)
        if harmonics == "square":
            number = number[::2]
        tones = frequency * number
        levels = 1 / number
        open_levels = levels / (1 + (tones / (corner * (0.4 + strength))) ** 2.4)
        closed = levels / (1 + (tones / (floor + 1.5 * frequency)) ** 3)
        closing = fall / (1 + tones / (4 * floor + 400))
        channels = []
        for side in (-1, 1):
            both = [
                (tones * 2 ** (side * detune / 1200), open_levels, np.minimum(closing, life)),
                (tones * 2 ** (-side * detune * 0.6 / 1200), closed, np.full(len(tones), life)),
            ]
            channels.append(
                partials(
                    np.concatenate([item[0] for item in both]),
                    np.concatenate([item[1] for item in both]),
                    np.concatenate([item[2] for item in both]),
                    np.full(2 * len(tones), -np.pi / 2),
                    frames,
                )
            )
        kept = channels if detune else channels[:1]
        return np.stack(kept) * _attack(frames, 0.004)

    return sound


def _pulse(duty: float, vibrato: float) -> Sounding:
    """The pulse wave of an old game console, without the tones that would fold over."""
    number = np.arange(1, 41)
    levels = np.abs(np.sin(np.pi * number * duty)) / number
    return _blown(tuple(levels), 0.004, 0.0, vibrato, speed=6.0)


def _sub_bass(
    frequency: float, seconds: float, strength: float, random: np.random.Generator
) -> np.ndarray:
    frames = int(seconds * RATE)
    time = _time(frames)
    turns = 2 * np.pi * np.cumsum(frequency / RATE * (1 + 1.2 * np.exp(-time / 0.018)))
    heard = np.tanh(1.7 * np.sin(turns)) * np.exp(-time / 1.6)
    return heard.astype(np.float32) * _attack(frames, 0.004)


def _distorted(
    frequency: float, seconds: float, strength: float, random: np.random.Generator
) -> np.ndarray:
    frames = int(min(seconds, 6.0) * RATE)
    number = np.arange(1, 25)
    channels = []
    for _ in range(2):
        levels = np.abs(np.sin(np.pi * number * 0.13)) / number
        cents = 3.0 * random.standard_normal()
        tones = frequency * number * 2 ** (cents / 1200)
        heard = partials(
            tones, levels, 3.5 / (1 + 0.12 * number), random.uniform(0, 6.28, len(number)), frames
        )
        heard /= max(float(np.abs(heard).max()), 1e-6)
        # The amplifier is overdriven, and its loudspeaker gives nothing above 4.5 kHz.
        channels.append(_loudspeaker(np.tanh(9 * heard)))
    return np.stack(channels).astype(np.float32) * _attack(frames, 0.003)


def _loudspeaker(sound: np.ndarray) -> np.ndarray:
    from scipy.signal import butter, sosfilt

    low = butter(4, 4300, "low", fs=RATE, output="sos")
    high = butter(1, 90, "high", fs=RATE, output="sos")
    return sosfilt(np.concatenate([low, high]), sound)


_WOOD = ((280.0, 90.0, 1.0), (480.0, 140.0, 1.1), (1100.0, 350.0, 0.55), (2600.0, 800.0, 0.5))
_REED_BELL = ((520.0, 260.0, 1.0), (1300.0, 450.0, 0.8), (3000.0, 800.0, 0.4))
_MOUTH = ((620.0, 140.0, 1.2), (1080.0, 180.0, 0.9), (2600.0, 350.0, 0.25))

INSTRUMENTS: dict[str, Instrument] = {
    "piano": Instrument(24, 105, _piano, 0.16, chords=True),
    "electric piano": Instrument(31, 96, _electric_piano, 0.14, chords=True, pan=-0.1),
    "music box": Instrument(
        60, 103, _struck((1, 2.01, 3.02, 5.6, 9.3), (1, 0.28, 0.2, 0.1, 0.03),
                         (1.7, 0.9, 0.45, 0.16, 0.06), 0.03), 0.9, chords=True, level=-1,
    ),
    "marimba": Instrument(
        45, 96, _struck((1, 3.98, 9.9), (1, 0.22, 0.05), (0.42, 0.09, 0.03), 0.1), 0.3,
        chords=True, pan=0.15,
    ),
    "vibraphone": Instrument(
        53, 89, _struck((1, 4.0, 10.1), (1, 0.16, 0.03), (2.4, 0.7, 0.12), 0.03, tremolo=0.25),
        0.35, chords=True, pan=0.15,
    ),
    "bells": Instrument(
        60, 96, _struck((0.5, 1, 1.19, 1.5, 2.0, 2.74, 3.0), (0.3, 1, 0.14, 0.16, 0.5, 0.14, 0.1),
                        (2.6, 1.9, 1.2, 0.9, 0.8, 0.5, 0.4), 0.02), 1.1, chords=True, level=-2,
    ),
    "guitar": Instrument(
        40, 83, _plucked(3600, 1.6, 0.17, 0.06, True), 0.16, chords=True, pan=-0.2
    ),
    "harp": Instrument(31, 98, _plucked(3000, 2.2, 0.38, 0.03, False), 0.7, chords=True, pan=0.2),
    "pizzicato": Instrument(
        36, 90, _plucked(2300, 0.3, 0.2, 0.05, True), 0.18, chords=True, pan=-0.15
    ),
    "distorted guitar": Instrument(38, 86, _distorted, 0.07, chords=True, level=-1),
    "strings": Instrument(
        36, 96, _ensemble(5, 6.0, 0.85, 3400, 0.16, _WOOD), 0.34, sustains=True, chords=True
    ),
    "staccato strings": Instrument(
        36, 96, _ensemble(5, 6.0, 0.8, 3800, 0.025, _WOOD), 0.12, sustains=True, chords=True
    ),
    "violin": Instrument(
        55, 98, _blown((), 0.09, 0.012, 16, _WOOD, slope=0.85, speed=5.6), 0.14, sustains=True,
        pan=-0.15,
    ),
    "cello": Instrument(
        36, 76, _blown((), 0.1, 0.012, 13, _WOOD, slope=0.95, speed=5.1), 0.16, sustains=True,
        pan=0.15,
    ),
    "flute": Instrument(
        60, 96, _blown((1, 0.5, 0.26, 0.1, 0.06, 0.03, 0.015), 0.06, 0.05, 9), 0.1, sustains=True,
        pan=0.12,
    ),
    "clarinet": Instrument(
        50, 91, _blown((1, 0.05, 0.62, 0.07, 0.36, 0.09, 0.18, 0.08, 0.1, 0.04), 0.05, 0.012, 4),
        0.09, sustains=True, pan=0.1,
    ),
    "oboe": Instrument(
        58, 91, _blown((), 0.05, 0.01, 8, ((1050, 380, 1.2), (2900, 600, 0.6)), slope=0.6), 0.09,
        sustains=True, pan=0.1,
    ),
    "saxophone": Instrument(
        49, 88, _blown((), 0.05, 0.035, 10, _REED_BELL, slope=0.6), 0.11,
        sustains=True, pan=0.12,
    ),
    "accordion": Instrument(
        53, 96, _ensemble(2, 9.0, 0.65, 4200, 0.04), 0.07, sustains=True, chords=True, pan=0.1
    ),
    "brass": Instrument(46, 86, _brass(0.0), 0.11, sustains=True, chords=True, pan=0.2),
    "horn": Instrument(38, 77, _brass(0.8), 0.16, sustains=True, chords=True, pan=-0.2),
    "organ": Instrument(36, 96, _organ, 0.09, sustains=True, chords=True),
    "choir": Instrument(
        43, 86, _ensemble(5, 9.0, 0.8, 3000, 0.22, _MOUTH), 0.4, sustains=True, chords=True
    ),
    "pad": Instrument(
        36, 91, _ensemble(4, 8.0, 1.0, 1700, 0.45), 0.8, sustains=True, chords=True
    ),
    "synth lead": Instrument(
        48, 93, _swept("saw", 4500, 1.6, 1700, 6.0, 20.0), 0.12, sustains=True, chords=True
    ),
    "synth pluck": Instrument(
        43, 98, _swept("saw", 4500, 0.2, 300, 7.0, 0.55), 0.16, chords=True
    ),
    "square lead": Instrument(48, 98, _pulse(0.5, 7), 0.03, sustains=True, pan=-0.12),
    "pulse arpeggio": Instrument(
        43, 96, _pulse(0.25, 0), 0.03, sustains=True, chords=True, pan=0.25
    ),
    "triangle bass": Instrument(
        24, 64, _blown((1, 0, 0.111, 0, 0.04, 0, 0.0204, 0, 0.0123), 0.004, 0.0, 0), 0.03,
        sustains=True,
    ),
    "bass": Instrument(26, 62, _plucked(620, 1.3, 0.31, 0.012, False), 0.09),
    "bass guitar": Instrument(26, 62, _plucked(1500, 2.0, 0.19, 0.03, False), 0.07),
    "synth bass": Instrument(26, 60, _swept("saw", 900, 0.25, 160, 0.0, 2.5), 0.05, sustains=True),
    "sub bass": Instrument(24, 55, _sub_bass, 0.12, sustains=True),
}  # fmt: skip
