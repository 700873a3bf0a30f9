"""How each mood and each genre is played: tempo, mode, instruments, patterns, harmony, echo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .musical_request import MusicalRequest
from .tables import table


@dataclass(frozen=True)
class Mood:
    """What a mood changes; `assets/music/styles.toml` says what each means."""

    modes: tuple[str, ...]
    pace: float
    strength: float
    register: int
    liveliness: int
    held: float = 0.95


@dataclass(frozen=True)
class Style:
    """How a genre is played; `assets/music/styles.toml` says what each means."""

    tempo: tuple[float, float]
    melody: tuple[str, ...]
    pattern: str
    bass_pattern: str
    harmony: str
    liveliness: int
    chords: str | None = None
    bass: str | None = None
    metre: str = "4/4"
    pad: str | None = None
    second: tuple[str, str] | None = None
    drums: str | None = None
    swing: float = 0.5
    loose: float = 0.007
    hall: float = 1.4
    slows: bool = False
    builds: bool = False
    doubled: bool = False
    ducks: bool = False
    modes: tuple[str, ...] = ()


LIVELINESS = ("sparse", "even", "busy", "syncopated", "driving")
MOODS = {name: Mood(**row) for name, row in table("styles")["moods"].items()}
GENRES: tuple[str, ...] = tuple(table("styles")["styles"])


def style_of(request: MusicalRequest) -> Style:
    """The genre's style, as the mood bends it."""
    row: dict[str, Any] = dict(table("styles")["styles"][request.genre])
    for bent in row.pop("bent", ()):
        if request.mood in bent["moods"]:
            row |= {name: value for name, value in bent.items() if name != "moods"}
    # Nobody is written as "".
    empty: dict[str, Any] = {name: None for name, value in row.items() if value == ""}
    return Style(**row | empty)


def mode_of(request: MusicalRequest, style: Style) -> str:
    """The mode where the words name none: the mood has it, and some genres."""
    modes = style.modes or MOODS[request.mood].modes
    return modes[request.seed % len(modes)]
