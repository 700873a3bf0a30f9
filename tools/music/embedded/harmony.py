"""Scales, chords and progressions: which harmony a phrase of a piece has.

Chords are written in Roman numerals on the degrees of the scale ("ii7 V7 I"), upper case major.
A phrase opens (ends on the dominant, as a question), answers (ends on the tonic), contrasts, or
closes the piece; the tonic that a closing phrase asks for is the piece's last chord.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import numpy as np

Role = Literal["open", "answer", "contrast", "close"]

SCALES: dict[str, tuple[int, ...]] = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "phrygian": (0, 1, 3, 5, 7, 8, 10),
    "lydian": (0, 2, 4, 6, 7, 9, 11),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
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


#: Style and kind of mode to the chords of an opening phrase and of a contrasting one.
_OPENING = {
    ("classical", "major"): ("I vi IV V", "I IV ii V7", "I IV I V", "I V vi V", "I iii IV V"),
    ("classical", "minor"): ("i iv VI V", "i VI iv V", "i VII VI V7", "i iv i V7"),
    ("folk", "major"): ("I IV I V", "I V IV V", "I vi IV V", "I I IV V"),
    ("folk", "minor"): ("i VII i v", "i VI VII v", "i iv i V"),
    ("loop", "major"): ("I V vi IV", "vi IV I V", "I IV vi V", "I iii IV V", "I vi IV V"),
    ("loop", "minor"): ("i VI III VII", "i VII VI VII", "i III VII VI", "i iv VI VII"),
    ("jazz", "major"): ("Imaj7 vi7 ii7 V7", "Imaj7 VI7 ii7 V7", "Imaj7 iii7 ii7 V7"),
    ("jazz", "minor"): ("i7 iv7 iiø7 V7", "i7 VImaj7 iiø7 V7"),
    ("bossa", "major"): ("Imaj7 II7 ii7 V7", "Imaj7 vi7 ii7 V9", "Imaj7 Imaj7 ii7 V7"),
    ("bossa", "minor"): ("i7 iv7 iiø7 V7", "i7 i7 iiø7 V7"),
    ("ambient", "major"): ("Iadd9 IVmaj7 vi7 IVmaj7", "Imaj7 iii7 IVmaj7 IVadd9"),
    ("ambient", "minor"): ("iadd9 VImaj7 iv7 VImaj7", "i7 III VImaj7 VII"),
    ("film", "major"): ("I V vi IV", "I iii IV V", "I IV vi V"),
    ("film", "minor"): ("i VI III VII", "i VI iv V", "i v VI VII", "i VI III V"),
    ("tense", "minor"): ("i i iv V", "i VI i V", "i iio i V", "i i VI V"),
}
_CONTRAST = {
    ("classical", "major"): ("vi iii IV V7", "IV I ii V7", "V I ii V7", "ii V7 vi V7"),
    ("classical", "minor"): ("III VII VI V7", "VI III iv V7", "iv i VI V7"),
    ("folk", "major"): ("vi IV I V", "IV I ii V", "V IV I V7"),
    ("folk", "minor"): ("III VII i v", "VI III VII V"),
    ("loop", "major"): ("IV V vi IV", "ii IV I V", "vi V IV V"),
    ("loop", "minor"): ("VI VII i III", "iv VI III VII", "VI iv i VII"),
    ("jazz", "major"): ("IVmaj7 iv7 iii7 VI7", "vi7 II7 ii7 V7", "iii7 VI7 ii7 V7"),
    ("jazz", "minor"): ("iv7 VII7 IIImaj7 V7", "VImaj7 iiø7 V7 V7"),
    ("bossa", "major"): ("IVmaj7 iv7 iii7 VI7", "ii7 V7 iii7 VI7"),
    ("bossa", "minor"): ("iv7 VII7 IIImaj7 V7", "VImaj7 iv7 iiø7 V7"),
    ("ambient", "major"): ("vi7 iii7 IVmaj7 V", "ii7 IVmaj7 vi7 V"),
    ("ambient", "minor"): ("VImaj7 VII v7 i7", "iv7 i7 VImaj7 VII"),
    ("film", "major"): ("vi IV I V", "IV V vi V", "ii vi IV V"),
    ("film", "minor"): ("VI VII i v", "iv i VI V", "III VII iv V"),
    ("tense", "minor"): ("VI iv iio V", "iv i VI V", "iv iio VI V"),
}
#: The cadences of an answering phrase, and of the last phrase, whose tonic comes after it.
_CADENCES = {
    "classical": {"major": ("V7 I", "IV V7"), "minor": ("V7 i", "iv V7")},
    "folk": {"major": ("V I", "IV V7"), "minor": ("VII i", "iv V")},
    "loop": {"major": ("", "IV V"), "minor": ("", "VI VII")},
    "jazz": {"major": ("V7 I6", "ii7 V7"), "minor": ("V7 i6", "iiø7 V7")},
    "bossa": {"major": ("V7 Imaj7", "ii7 V7"), "minor": ("V7 i7", "iiø7 V7")},
    "ambient": {"major": ("", "IVmaj7 V"), "minor": ("", "VImaj7 VII")},
    "film": {"major": ("", "IV V"), "minor": ("", "iv V")},
    "tense": {"minor": ("iv V", "iio V"), "major": ("", "IV V")},
}
#: Opening, contrast and cadences of the modes that have colours of their own.
_MODAL = {
    "dorian": (("i IV i VII", "i VII IV i"), ("VII IV i VII", "III IV VII v"), "VII i", "IV VII"),
    "phrygian": (("i II i vii", "i II III II"), ("VI vii i II", "III II vii i"), "II i", "vii II"),
    "lydian": (("I II I V", "Imaj7 II vi II"), ("vi V II II", "V II vi II"), "V I", "II V"),
    "mixolydian": (("I VII IV I", "I IV VII IV"), ("IV VII I v", "v IV VII VII"), "VII I",
                   "IV VII"),
}  # fmt: skip
_BLUES = ("I7 I7 I7 I7", "IV7 IV7 I7 I7", "V7 IV7 I7 V7")
_BLUES_MINOR = ("i7 i7 i7 i7", "iv7 iv7 i7 i7", "V7 iv7 i7 V7")
_LAST = {
    "jazz": ("I6", "i6"), "bossa": ("Imaj7", "i7"), "ambient": ("Iadd9", "iadd9"),
    "blues": ("I7", "i7"),
}  # fmt: skip


class Harmony:
    """The progressions of one piece: drawn once, so that a phrase that returns is the same."""

    def __init__(self, style: str, tonic: int, mode: str, random: np.random.Generator) -> None:
        self.tonic, self.mode, self.style = tonic, mode, style
        kind = "minor" if mode in MINOR_LIKE else "major"
        self._kind = kind
        if style == "tense" and kind == "major":
            style = "film"
        self._cadences: tuple[str, str]
        openings: tuple[str, ...]
        contrasts: tuple[str, ...]
        if mode in _MODAL:
            openings, contrasts, answer, close = _MODAL[mode]
            self._cadences = (answer, close)
        elif style == "blues":
            openings, contrasts = _BLUES, _BLUES
            self._cadences = ("", "")
        else:
            openings, contrasts = _OPENING[style, kind], _CONTRAST[style, kind]
            self._cadences = _CADENCES[style][kind]
        # Two of each: a long piece has two themes.
        self._openings = [str(item) for item in random.permutation(openings)]
        self._contrasts = [str(item) for item in random.permutation(contrasts)]
        self._is_blues = style == "blues" and mode not in _MODAL

    @property
    def is_blues(self) -> bool:
        """Whether the phrases are the three lines of a blues."""
        return self._is_blues

    def four(self, role: Role, theme: int, place: int = 0) -> tuple[str, ...]:
        """The four chords of a phrase; `place` is its number in the piece."""
        if self._is_blues:
            lines = _BLUES if self._kind == "major" else _BLUES_MINOR
            return tuple(lines[place % 3].split())
        opening = self._openings[theme % len(self._openings)].split()
        if role == "contrast":
            return tuple(self._contrasts[theme % len(self._contrasts)].split())
        answer, close = self._cadences
        if role == "answer" and answer:
            return (*opening[:2], *answer.split())
        if role == "close" and close:
            return (*opening[:2], *close.split())
        return tuple(opening)

    def chord(self, numeral: str) -> Chord:
        """The chord of a numeral in the key of the piece."""
        return chord_of(numeral, self.tonic, self.mode)

    def last(self) -> Chord:
        """The chord on which the piece ends."""
        names = _LAST.get(self.style, ("I", "i"))
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
