"""What is played under a tune, after the patterns of the genre: chords, bass and drums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .harmony import Chord, Span, voiced
from .instruments import INSTRUMENTS
from .piece import Note, Piece, into, note
from .tables import BASS, CHORDS, DRUMS, bar_of, drum_bar, table

#: Figures that begin anew with each chord, and whose notes may ring on under a pedal.
_FIGURES = frozenset({"broken", "wide", "picking", "arpeggio"})
_BEGUN_ANEW = _FIGURES | {"alberti"}
_SHORT = frozenset({"afterbeat", "offbeat", "comp", "ostinato"})
_ROLES = table("instruments")["roles"]
#: The voices over the root of a power chord.
_POWER = (0, 7, 12)


@dataclass(frozen=True)
class _Sign:
    """A sign of a pattern in its bar; `begins` says that a chord begins with it."""

    sign: str
    place: int
    beat: float
    beats: float
    span: Span
    begins: bool


def _signs_of(piece: Piece, bar: int, signs: str) -> Iterator[_Sign]:
    """The signs of a bar that are played; what is held is played anew where the chord changes."""
    step = piece.bar_beats / len(signs)
    held = ""
    for place, sign in enumerate(signs):
        beat = bar * piece.bar_beats + place * step
        span = piece.span_at(beat + 1e-6)
        begins = abs(span.start - beat) < 1e-6
        if sign != ".":
            held = sign.strip("-")
        elif not (begins and held):
            continue
        if held:
            later = range(place + 1, len(signs))
            following = next((other for other in later if signs[other] != "."), len(signs))
            end = span.start + span.beats
            beats = min((following - place) * step, max(end - beat, step))
            yield _Sign(held, place, beat, beats, span, begins)


def _fifth(chord: Chord) -> int:
    return chord.intervals[2] if len(chord.intervals) > 2 else 7


class _Chords:
    """Who plays chords, and how: `pad` keeps them low, `figures` begin after the introduction."""

    def __init__(self, piece: Piece, player: str, pattern: str, role: str) -> None:
        self.piece, self.player, self.pattern, self.role = piece, player, pattern, role
        low, high = (45, 64) if piece.band.alone or role == "pad" else (50, 68)
        if pattern == "ostinato":
            low, high = 48, 67
        elif player in _ROLES["high"] and role != "pad":
            low, high = low + 8, high + 10
        elif piece.band.melody:
            # What accompanies stays below the tune.
            above = max(high - piece.range_of_tune(piece.band.melody)[0] - 4, 0)
            low, high = max(low - above, 43), max(high - above, 62)
        self.low = max(low, INSTRUMENTS[player].lowest)
        self.high = max(high, self.low + 19)

    def notes(self) -> list[Note]:
        """What is played, with the last chord."""
        piece = self.piece
        notes: list[Note] = []
        before: tuple[int, ...] = ()
        for bar in range(piece.intro if self.role == "figures" else 0, piece.bars):
            turn = int(piece.random.integers(0, 5)) if self.pattern == "comp" else bar
            signs = self._begun_anew(bar_of(CHORDS[self.pattern], piece.metre, turn), bar)
            for sign in _signs_of(piece, bar, signs):
                voices = self._voices(sign.span.chord, before)
                if sign.begins or not before:
                    before = voices
                notes += self._stroke(sign, voices)
        return notes + self._last_chord(before)

    def _voices(self, chord: Chord, before: tuple[int, ...]) -> tuple[int, ...]:
        if self.pattern == "power":
            root = into(chord.root, 40, 51)
            return tuple(root + step for step in _POWER)
        return voiced(chord, before, self.low, self.high)

    def _begun_anew(self, signs: str, bar: int) -> str:
        """The bar with its figure begun anew where the chord changes inside it."""
        if self.pattern not in _BEGUN_ANEW:
            return signs
        start, step = bar * self.piece.bar_beats, self.piece.bar_beats / len(signs)
        places = [round((span.start - start) / step) for span in self.piece.spans]
        inside = [0, *(place for place in places if 0 < place < len(signs)), len(signs)]
        return "".join(signs[: end - begin] for begin, end in zip(inside, inside[1:], strict=False))

    def _lasting(self, sign: _Sign) -> float:
        """For how many beats a stroke of the pattern sounds."""
        if self.pattern in _FIGURES and self.player in _ROLES["pedal"]:
            return max(sign.span.start + sign.span.beats - sign.beat, sign.beats)
        if self.pattern in _SHORT:
            longest = 0.5 if self.pattern == "comp" else 0.36
            return min(sign.beats, longest) * (0.8 if self.piece.tempo < 100 else 1)
        return 0.9 * sign.beats if self.pattern == "power" else sign.beats

    def _stroke(self, sign: _Sign, voices: tuple[int, ...]) -> list[Note]:
        piece = self.piece
        # Where the chords lie low, under a cello, their roots lie lower.
        lowest = 40 if self.player == "guitar" else 38 if voices[0] > 47 else 33
        root = into(sign.span.chord.root, lowest, lowest + 12)
        if sign.sign == "C":
            pitches = list(voices)
            if piece.band.alone and self.pattern in ("held", "ballad", "comp") and not sign.place:
                pitches = [root, *[voice for voice in voices if voice > root + 6]]
        elif sign.sign == "B":
            pitches = [root]
        elif sign.sign == "F":
            fifth = root + _fifth(sign.span.chord)
            pitches = [fifth if fifth < voices[0] else fifth - 12]
        else:
            octave, index = divmod(int(sign.sign) - 1, len(voices))
            pitches = [voices[index] + 12 * octave]
        start = piece.moment(sign.beat)
        seconds = piece.moment(sign.beat + self._lasting(sign)) - start
        strength = piece.intensity(sign.beat) + piece.accent(sign.beat) - 0.06
        strength += 0.12 if sign.sign in "BF" else -0.05 if len(pitches) > 2 else 0.0
        start = piece.human(start)
        strummed = self.pattern in ("strum", "bossa", "picking") and self.player == "guitar"
        if strummed and sign.place % 2 == 1:
            pitches.reverse()
            strength -= 0.05
        late = 0.011 if strummed else 0.0
        return [
            note(self.player, start + late * order, seconds, pitch, strength)
            for order, pitch in enumerate(pitches)
        ]

    def _last_chord(self, before: tuple[int, ...]) -> list[Note]:
        piece, player = self.piece, self.player
        chord = piece.harmony.last()
        voices = self._voices(chord, before)
        bottom = piece.band.bass is None and player != "pulse arpeggio"
        if self.pattern != "power" and bottom and INSTRUMENTS[player].lowest <= 43:
            voices = (into(chord.root, 38, 49), *[voice for voice in voices if voice > 50])
        held = piece.last_held()
        if self.pattern in _SHORT - {"comp"} and not piece.style.slows:
            held = min(held, 0.9)
        spread = 0.035 if player in ("harp", "guitar", "piano") and piece.style.slows else 0.0
        start, strength = piece.seconds_at(piece.end), max(piece.mood.strength - 0.08, 0.3)
        return [
            note(player, start + spread * order, held, voice, strength)
            for order, voice in enumerate(voices)
        ]


def chords(piece: Piece, player: str, pattern: str, role: str = "chords") -> list[Note]:
    """What an instrument of chords plays; `role` is "chords", "pad" or "figures"."""
    return _Chords(piece, player, pattern, role).notes()


def bass(piece: Piece, player: str) -> list[Note]:
    """What the bass plays."""
    low = max(INSTRUMENTS[player].lowest, 31 if player != "sub bass" else 28)
    pattern = piece.style.bass_pattern
    share = 0.7 if pattern in ("offbeat", "chip", "march") else 0.93
    notes = []
    for bar in range(piece.bars):
        signs = bar_of(BASS[pattern], piece.metre, bar + (bar // 4) % 2)
        for sign in _signs_of(piece, bar, signs):
            chord = sign.span.chord
            root = into(chord.root, low, low + 11)
            step = {"T": chord.intervals[1], "F": _fifth(chord)}.get(sign.sign, 0)
            if sign.sign == "A" and not sign.begins:
                pitch = _approach(piece, sign.beat, root, low)
            elif sign.sign in "TFA":
                pitch = root + (0 if sign.begins else step)
            else:
                if root > 43 and root - 12 >= INSTRUMENTS[player].lowest:
                    root -= 12
                pitch = root + (12 if sign.sign == "O" else 0)
            if pitch > low + 17:
                pitch -= 12
            start = piece.moment(sign.beat)
            seconds = (piece.moment(sign.beat + sign.beats) - start) * share
            strength = piece.intensity(sign.beat) + piece.accent(sign.beat)
            notes.append(note(player, piece.human(start), seconds, pitch, strength))
    last = into(piece.harmony.last().root, low, low + 11)
    end = piece.seconds_at(piece.end)
    return [*notes, note(player, end, piece.last_held(), last, piece.mood.strength)]


def _approach(piece: Piece, beat: float, root: int, low: int) -> int:
    """A tone that leads to the root of the next chord by a step."""
    ahead = float(np.floor(beat / piece.bar_beats + 1) * piece.bar_beats)
    last = ahead >= piece.end - 1e-6
    chord = piece.harmony.last() if last else piece.span_at(ahead + 1e-6).chord
    target = into(chord.root, low, low + 11)
    below, above = target - 1, target + 2
    if above % 12 not in piece.scale(chord):
        above = target + 1
    return above if abs(above - root) < abs(below - root) else below


_STRENGTHS = {"X": 0.97, "x": 0.85, "o": 0.66}
#: Drums that wait for the second phrase, and those that go on through a fill.
_LATER = frozenset({"clap", "snare", "electronic snare", "low tom", "march snare"})
_THROUGH = frozenset({"ride", "shaker"})


def drums(piece: Piece, pattern: str) -> list[Note]:
    """The strokes of a pattern through a piece."""
    bars, known = drum_bar(pattern, piece.metre), DRUMS[pattern]
    fill = known.get("fill", {})
    filled = {phrase.bar - 1 for phrase in piece.phrases} | {piece.bars - 1}
    quiet = piece.intro
    if piece.style.builds and len(piece.phrases) >= 3:
        quiet += piece.phrase_bars
    level = 0.5 * (piece.mood.strength - 0.85)
    notes: list[Note] = []

    def strike(drum: str, beat: float, strength: float) -> None:
        strength += level + 0.3 * (piece.intensity(beat) - piece.mood.strength)
        if piece.style.loose:
            strength += float(piece.random.normal(0, 0.02))
        moment = piece.human(piece.moment(beat))
        notes.append(Note(moment, 0.1, 0, min(max(strength, 0.2), 1.0), drum))

    for bar in range(piece.bars):
        start = bar * piece.bar_beats
        fills = bar in filled and piece.phrase_bars > 1 and bar > 0
        for drum, signs in bars.items():
            if bar < quiet and drum in _LATER:
                continue
            step = piece.bar_beats / len(signs)
            cut = fills and fill and drum not in _THROUGH and step < 1
            until = len(signs) - round(1 / step) if cut else len(signs)
            for place, sign in enumerate(signs[:until]):
                if sign != ".":
                    strike(drum, start + place * step, _STRENGTHS[sign])
        if fills and bar >= quiet:
            for drum, signs in fill.items():
                for place, sign in enumerate(signs):
                    if sign != ".":
                        beat = start + piece.bar_beats - 1 + place / len(signs)
                        strike(drum, beat, _STRENGTHS[sign] - 0.04)
    for phrase in piece.phrases if known.get("crashes") else ():
        if phrase.role == "contrast" or (phrase.role == "close" and len(piece.phrases) > 2):
            strike("crash", phrase.bar * piece.bar_beats, 0.85)
    ending = known.get("ending", "crash")
    strike(ending, piece.end, 0.85)
    kick = next((drum for drum in bars if "kick" in drum or drum == "big drum"), None)
    if kick and kick != ending:
        strike(kick, piece.end, 0.9)
    return notes
