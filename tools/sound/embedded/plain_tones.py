"""What plain tones are asked for in words, and how they are made."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from controlllm.toolbox import Context

from ...shared.amounts import amounts, in_figures
from ...shared.sounds import faded, silence

RATE = 44_100
_LOWEST, _HIGHEST = 1.0, 20_000.0
_SHORTEST, _LONGEST = 0.01, 1800.0
_USUAL_SECONDS, _BEEP_SECONDS, _OF_SEVERAL = 3.0, 1.0, 0.25
_CONCERT_PITCH, _BEEP_PITCH = 440.0, 1000.0
_LEVEL, _NOISE_LEVEL = 0.5, 0.12
_EDGE = 0.008  # seconds of rising and falling, so that no click is heard
_WORD_BEFORE = 20  # characters before a letter in which a word that makes it a note ends
_PIECE = 1 << 16
_MOST_BEEPS = 60

_COLOURS = {
    "white": r"white|static|hiss\w*",
    "pink": r"pink",
    "brown": r"brown\w*|red noise",
}
_SHAPES = {"square": r"square", "sawtooth": r"saw[ -]?tooth|saw wave", "triangle": r"triang\w+"}
_STEPS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_NUMBER = r"(\d+(?:\.\d+)?)"
_HERTZ = re.compile(rf"(?<![\w.]){_NUMBER} ?(k?)(?:hz|hertz|ilohertz|cycles)\b")
_BARE_SWEEP = re.compile(rf"\b(?:from )?{_NUMBER} ?(?:to|-) ?{_NUMBER} ?(k?)(?:hz|hertz)\b")
#: "An A at 440": concert pitch without its unit.
_BARE_PITCH = re.compile(
    r"\b[a-g] ?(?:at|of|=|is)? ?(\d{3,5}(?:\.\d+)?)\b(?! ?(?:s|sec\w*|min\w*)\b)"
)
_NOTE = re.compile(
    r"\b(?:(middle|concert|low|high|tenor) )?([a-g])(?: ?(#|♯|♭|sharp|flat)|(b)(?=\d|\b(?! ?\w)))?"
    r" ?(?:(\d)\b)?"
)
_SWEEP = re.compile(r"\b(?:sweep\w*|chirp\w*|glide\w*|glissando|gliss|siren|slid\w+)\b")
_TONE = re.compile(
    r"\b(?:tones?|beep\w*|bleep\w*|sine\w*|notes?|pitch|hum|buzz\w*|(?:square|saw\w*|triang\w+) "
    r"waves?|frequency|hz|hertz)\b"
)


class UnclearToneError(ValueError):
    """The words ask for no tone that can be made; the message is a sentence."""


@dataclass(frozen=True)
class Tone:
    """A tone: `kind` is "sine", "square", "sawtooth", "triangle", "sweep" or a colour of noise;
    `end` is where a sweep goes; `times` is how often it sounds, with a pause after each."""

    kind: str
    pitch: float = 0.0
    end: float = 0.0
    seconds: float = _USUAL_SECONDS
    times: int = 1

    @property
    def in_words(self) -> str:
        if self.kind in _COLOURS:
            return f"{self.kind} noise"
        if self.kind == "sweep":
            return f"a sweep from {self.pitch:g} to {self.end:g} Hz"
        return f"a tone of {self.pitch:.4g} Hz"


def read(text: str) -> Tone:
    """The tone that words ask for; raises UnclearToneError where they ask for none, or for one
    that nobody hears."""
    words = re.sub(r"(?<=\d),(?=\d{3}\b)", "", in_figures(text))
    named = [item.value for item in amounts(words) if item.kind == "seconds"]
    length = sum(named) if named else 0.0
    if named and not _SHORTEST <= length <= _LONGEST:
        raise UnclearToneError(
            f"I can make tones of 0.01 seconds to {_LONGEST / 60:.0f} minutes; ask for another "
            "length."
        )
    noise = _noise(words)
    if noise:
        return Tone(noise, seconds=length or _USUAL_SECONDS)
    pitches = _pitches(words)
    for pitch in pitches:
        if not _LOWEST <= pitch <= _HIGHEST:
            raise UnclearToneError(
                f"{pitch:,g} Hz is outside of what can be heard; ask for 20 to 20,000 Hz."
            )
    if _SWEEP.search(words) or re.search(r"\b(?:rising|falling)\b", words):
        return _sweep(words, pitches, length)
    if len(pitches) == 2 and re.search(r"\bfrom\b.*\bto\b|\d ?(?:-|to) ?\d", words):
        return _sweep(words, pitches, length)
    if len(set(pitches)) > 1 or re.search(r"\b(?:chords?|melod\w+|songs?)\b(?! (?:my|the))", words):
        raise UnclearToneError(
            "I make one plain pitch at a time; ask for each tone by itself, or for music where a "
            "tune is wanted."
        )
    is_beep = re.search(r"\bb(?:l)?eep", words) is not None
    if not pitches and not _TONE.search(words):
        raise UnclearToneError(
            "I make a tone of a pitch such as 440 Hz or middle C, a beep, a sweep from one pitch "
            "to another, or white, pink or brown noise; say which of these it shall be."
        )
    shape = next((name for name, said in _SHAPES.items() if re.search(said, words)), "sine")
    usual = _BEEP_PITCH if is_beep else _CONCERT_PITCH
    times = _how_often(words) if is_beep else 1
    short = _OF_SEVERAL if times > 1 or re.search(r"\bshort\b", words) else _BEEP_SECONDS
    seconds = length or (short if is_beep else _USUAL_SECONDS)
    return Tone(shape, pitches[0] if pitches else usual, seconds=seconds, times=times)


def _noise(words: str) -> str:
    if not re.search(r"\bnoise\b|\bstatic\b", words):
        return ""
    return next((name for name, said in _COLOURS.items() if re.search(rf"\b(?:{said})\b", words)),
                "white")  # fmt: skip


def _sweep(words: str, pitches: list[float], length: float) -> Tone:
    start, end = (*pitches, 20.0, 20_000.0)[:2] if len(pitches) != 1 else (pitches[0], 20_000.0)
    if len(pitches) < 2 and re.search(r"\b(?:falling|down\w*)\b", words):
        start, end = end, start
    return Tone("sweep", start, end, length or _USUAL_SECONDS)


def _how_often(words: str) -> int:
    counted = re.search(r"\b(\d+) (?:\w+ ){0,2}?b(?:l)?eeps\b|\bbeeps? (\d+) times\b", words)
    if counted:
        return min(max(int(counted[1] or counted[2]), 1), _MOST_BEEPS)
    return 3 if re.search(r"\bb(?:l)?eeps\b", words) else 1


def _pitches(words: str) -> list[float]:
    """The pitches that words name, in hertz, in their order."""
    both = _BARE_SWEEP.search(words)
    if both:
        scale = 1000.0 if both[3] else 1.0
        return [float(both[1]) * (scale if float(both[1]) <= 20 and scale > 1 and
                                  float(both[1]) < float(both[2]) else 1.0),
                float(both[2]) * scale]  # fmt: skip
    bare = None if _HERTZ.search(words) else _BARE_PITCH.search(words)
    if bare:
        return [float(bare[1])]
    found = [
        (match.start(), float(match[1]) * (1000.0 if match[2] else 1.0))
        for match in _HERTZ.finditer(words)
    ]
    found += [(match.start(), pitch) for match in _NOTE.finditer(words)
              if (pitch := _note(match, words))]  # fmt: skip
    return [pitch for _, pitch in sorted(found)]


def _note(match: re.Match[str], words: str) -> float:
    """The pitch of a note, 0 where a letter is no note, as in "a tone"."""
    where, letter, sign, flat, octave = match.groups()
    before = words[max(match.start() - _WORD_BEFORE, 0) : match.start()]
    named = (
        where or sign or octave or re.search(r"\b(?:notes?|note of|pitch|an?|from|to) $", before)
    )
    is_article = letter == "a" and not (where or sign or octave)
    if not named or (is_article and not re.search(r"\b(?:note|an|the|pitch) $", before)):
        return 0.0
    if octave is None and not (where or sign):
        follows = re.compile(r" ?(\w+)").match(words, match.end())
        if follows and follows[1] not in ("note", "tone", "for", "sine", "major", "on", "to", "at"):
            return 0.0
    step = _STEPS[letter] + {"#": 1, "♯": 1, "sharp": 1, "♭": -1, "flat": -1}.get(sign or "", 0)
    step -= 1 if flat else 0
    usual = {"low": 3, "high": 5, "tenor": 5}.get(where or "", 4)
    height = int(octave) if octave else usual
    return float(_CONCERT_PITCH * 2 ** ((step - 9) / 12 + height - 4))


def made(tone: Tone, context: Context) -> Iterator[np.ndarray]:
    """The tone in blocks, frames x 1."""
    count = max(round(tone.seconds * RATE), 1)
    for number in range(tone.times):
        done = 0
        for piece in _edged(_waves(tone, count), count, RATE):
            done += len(piece)
            context.progress(done / count, "Making the tone")
            yield piece
        if number + 1 < tone.times:
            yield from silence(count, 1)


def beep(count: int, rate: int, channels: int, height: float) -> Iterator[np.ndarray]:
    """A beep of 1 kHz in blocks, frames x channels, of so many frames and so high, 0..1."""
    places = (np.arange(at, min(at + _PIECE, count)) for at in range(0, count, _PIECE))
    waves = (height * np.sin(2 * np.pi * _BEEP_PITCH * place / rate) for place in places)
    return (np.repeat(block, channels, 1) for block in _edged(waves, count, rate))


def _edged(waves: Iterator[np.ndarray], count: int, rate: int) -> Iterator[np.ndarray]:
    """Pieces of a wave as blocks of one channel that begin and end without a click."""
    edge = max(min(round(_EDGE * rate), count // 2), 1)
    return faded((wave[:, None] for wave in waves), count, edge, edge)


def _waves(tone: Tone, count: int) -> Iterator[np.ndarray]:
    if tone.kind in _COLOURS:
        yield from _noises(tone.kind, count)
        return
    for first in range(0, count, _PIECE):
        times = np.arange(first, min(first + _PIECE, count)) / RATE
        if tone.kind == "sweep":
            yield _LEVEL * np.sin(_swept(tone, times))
        else:
            yield _LEVEL * _periodic(tone, times)


def _swept(tone: Tone, times: np.ndarray) -> np.ndarray:
    """The phase of a pitch that goes through as many octaves in each second."""
    if tone.pitch == tone.end:
        return 2 * np.pi * tone.pitch * times
    growth = np.log(tone.end / tone.pitch) / tone.seconds
    return np.asarray(2 * np.pi * tone.pitch * np.expm1(growth * times) / growth)


def _periodic(tone: Tone, times: np.ndarray) -> np.ndarray:
    """A wave of overtones, none of them over half the sampling rate, where it would fold back."""
    base = 2 * np.pi * tone.pitch * times
    if tone.kind == "sine":
        return np.sin(base)
    total = np.zeros_like(base)
    step = 1 if tone.kind == "sawtooth" else 2
    for number in range(1, min(int(RATE / 2 / tone.pitch), 400) + 1, step):
        if tone.kind == "triangle":
            total += np.cos(number * base) / number**2 * (8 / np.pi**2)
        elif tone.kind == "square":
            total += np.sin(number * base) / number * (4 / np.pi) * 0.8
        else:
            total += np.sin(number * base) / number * (2 / np.pi) * 0.8
    return total


def _noises(colour: str, count: int) -> Iterator[np.ndarray]:
    from scipy import signal

    generator = np.random.default_rng()
    filters = _noise_filters(colour)
    states = [np.zeros(1) for _ in filters]
    gain = 0.0
    for first in range(0, count + RATE, _PIECE):
        white = generator.standard_normal(_PIECE)
        piece = np.zeros(_PIECE) if filters else white
        for number, (weight, pole) in enumerate(filters):
            part, states[number] = signal.lfilter([1 - pole], [1, -pole], white, zi=states[number])
            piece += weight * part
        # The first second is left out: the slowest parts have to swing in first.
        start, end = max(RATE - first, 0), min(count + RATE - first, _PIECE)
        if start >= end:
            continue
        gain = gain or _NOISE_LEVEL / max(_spread(filters), 1e-9)
        yield np.clip(gain * piece[start:end], -0.99, 0.99)


def _noise_filters(colour: str) -> list[tuple[float, float]]:
    """Weights and poles of the low passes that noise of a colour is the sum of.

    Pink noise falls by 3 dB an octave: low passes two octaves apart, each half as strong as the one
    below it. Brown noise falls by 6 dB: a single one from 20 Hz on.
    """
    if colour == "white":
        return []
    if colour == "brown":
        return [(1.0, float(np.exp(-2 * np.pi * 20 / RATE)))]
    borders = 20.0 * 4.0 ** np.arange(6)
    return [
        (float(2.0**-number), float(np.exp(-2 * np.pi * min(border, RATE) / RATE)))
        for number, border in enumerate(borders)
    ]


def _spread(filters: list[tuple[float, float]]) -> float:
    """The standard deviation of what the filters make of white noise."""
    if not filters:
        return 1.0
    turns = np.exp(-2j * np.pi * np.linspace(0, 0.5, 1 << 16))
    response = sum(weight * (1 - pole) / (1 - pole * turns) for weight, pole in filters)
    return float(np.sqrt(np.mean(np.abs(response) ** 2)))
