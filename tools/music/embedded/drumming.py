"""What the drums play: the pattern of the genre, fills before phrases, and the last stroke."""

from __future__ import annotations

from .patterns import DRUMS, drum_bar
from .piece import Piece
from .score import Note

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
