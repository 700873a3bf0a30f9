"""A piece on paper: notes, the parts that play them, and the whole."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """A note as it sounds, in seconds; `drum` names the drum where the part is of drums."""

    start: float
    seconds: float
    pitch: int
    strength: float
    drum: str = ""


@dataclass(frozen=True)
class Part:
    """What one instrument plays; `level` in decibels, `room` how much of the hall is on it."""

    name: str
    instrument: str
    level: float
    room: float
    notes: tuple[Note, ...]
    ducks: bool = False


@dataclass(frozen=True)
class Score:
    """A whole piece. `beats_at` are the moments of the beats, `hall` the seconds of its echo."""

    parts: tuple[Part, ...]
    seconds: float
    tempo: float
    metre: str
    tonic: int
    mode: str
    hall: float
    beats_at: tuple[float, ...]
    chords: tuple[tuple[float, str], ...]
    form: str
