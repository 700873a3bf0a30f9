"""Scales, chords and progressions: which harmony a phrase of a piece has.

Chords are written in Roman numerals on the degrees of the scale ("ii7 V7 I"), upper case major;
the progressions are in `assets/music/harmony.toml`.
A phrase opens (ends on the dominant, as a question), answers (ends on the tonic), contrasts, or
closes the piece; the tonic that a closing phrase asks for is the piece's last chord.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .tables import table

Role = Literal["open", "answer", "contrast", "close"]

#: Semitones above the tonic.
SCALES: dict[str, tuple[int, ...]] = {
    mode: tuple(steps) for mode, steps in table("harmony")["scales"].items()
}
MINOR_LIKE = frozenset({"minor", "dorian", "phrygian"})

_NUMERALS = {"i": 0, "ii": 1, "iii": 2, "iv": 3, "v": 4, "vi": 5, "vii": 6}
_QUALITIES = {
    "": (), "7": (10,), "maj7": (11,), "6": (9,), "add9": (14,), "9": (10, 14),
}  # fmt: skip


@dataclass(frozen=True)
class Chord:
    """A chord: its root as a pitch class, and its tones in semitones above the root."""

    name: str
    root: int
    intervals: tuple[int, ...]

    @property
    def classes(self) -> tuple[int, ...]:
        """The pitch classes of the chord, root first."""
        return tuple((self.root + interval) % 12 for interval in self.intervals)


@dataclass(frozen=True)
class Span:
    """A chord and the beats for which it lasts, counted from the start of the piece."""

    start: float
    beats: float
    chord: Chord


def chord_of(numeral: str, tonic: int, mode: str) -> Chord:
    """The chord of a Roman numeral such as "V7", "iiø7", "viio" or "bVII" in a key."""
    found = re.fullmatch(r"([b#]?)([ivIV]+)(o|ø7|sus|5)?(maj7|7|6|add9|9)?", numeral)
    assert found is not None, numeral
    accidental, letters, kind, extra = found.groups()
    root = tonic + SCALES[mode][_NUMERALS[letters.lower()]]
    root += {"b": -1, "#": 1, "": 0}[accidental]
    third, fifth = (4 if letters.isupper() else 3), 7
    tones: tuple[int, ...] = (0, third, fifth)
    if kind in ("o", "ø7"):
        tones = (0, 3, 6) if kind == "o" else (0, 3, 6, 10)
    elif kind == "sus":
        tones = (0, 5, 7)
    elif kind == "5":
        tones = (0, 7)
    return Chord(numeral, root % 12, tones + _QUALITIES[extra or ""])


def scale_over(chord: Chord, tonic: int, mode: str) -> tuple[int, ...]:
    """The pitch classes that fit over a chord: the scale, bent to hold the chord's own tones.

    Over the dominant of a minor key this gives the raised seventh.
    """
    scale = [(tonic + step) % 12 for step in SCALES[mode]]
    for tone in chord.classes:
        if tone in scale:
            continue
        near = [
            note for note in scale
            if (note - tone) % 12 in (1, 11) and note not in chord.classes
        ]  # fmt: skip
        scale = [note for note in scale if note not in near] + [tone]
    return tuple(sorted(scale))


class Harmony:
    """The progressions of one piece: drawn once, so that a phrase that returns is the same."""

    def __init__(self, style: str, tonic: int, mode: str, random: np.random.Generator) -> None:
        self.tonic, self.mode, self.style = tonic, mode, style
        self._kind = "minor" if mode in MINOR_LIKE else "major"
        known = table("harmony")
        self._blues: list[str] = known["blues"][self._kind]
        self.is_blues = style == "blues" and mode not in known["modes"]
        found = {"opening": self._blues, "contrast": self._blues, "answer": "", "close": ""}
        if not self.is_blues:
            # Tension is minor; in major a film has as much as there is.
            by_kind = known[style] if self._kind in known[style] else known["film"]
            found = known["modes"].get(mode) or by_kind[self._kind]
        self._cadences: dict[Role, str] = {"answer": found["answer"], "close": found["close"]}
        # Two of each: a long piece has two themes.
        self._openings = [str(item) for item in random.permutation(found["opening"])]
        self._contrasts = [str(item) for item in random.permutation(found["contrast"])]

    def four(self, role: Role, theme: int, place: int = 0) -> tuple[str, ...]:
        """The four chords of a phrase; `place` is its number in the piece."""
        if self.is_blues:
            return tuple(self._blues[place % 3].split())
        if role == "contrast":
            return tuple(self._contrasts[theme % len(self._contrasts)].split())
        opening = self._openings[theme % len(self._openings)].split()
        cadence = self._cadences.get(role, "").split()
        return (*opening[: 4 - len(cadence)], *cadence)

    def chord(self, numeral: str) -> Chord:
        """The chord of a numeral in the key of the piece."""
        return chord_of(numeral, self.tonic, self.mode)

    def last(self) -> Chord:
        """The chord on which the piece ends."""
        names = table("harmony")["last"].get(self.style, ("I", "i"))
        return self.chord(names[self._kind == "minor"])


def voiced(chord: Chord, before: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    """The chord's tones as pitches between `low` and `high`, as near to those before as may be."""
    classes = list(chord.classes)
    if len(classes) > 4:
        classes.pop(2)
    best: tuple[float, tuple[int, ...]] | None = None
    for bottom in range(low, min(low + 13, high)):
        if bottom % 12 not in classes:
            continue
        pitches = [bottom]
        pitches += [bottom + (tone - bottom) % 12 for tone in classes if tone != bottom % 12]
        pitches = sorted(set(pitches))
        if pitches[-1] > high:
            continue
        if before:
            moves = 0.0 + sum(min(abs(pitch - old) for old in before) for pitch in pitches)
            moves += abs(pitches[-1] - before[-1]) + 0.5 * abs(pitches[0] - before[0])
        else:
            moves = abs(sum(pitches) / len(pitches) - (low + high) / 2)
        # Tones a semitone apart grate, most of all at the bottom.
        rough = sum(
            3 if place == 0 else 1
            for place, (one, two) in enumerate(zip(pitches, pitches[1:], strict=False))
            if two - one == 1
        )
        cost = moves + rough
        if best is None or cost < best[0]:
            best = (cost, tuple(pitches))
    assert best is not None, (chord, low, high)
    return best[1]
