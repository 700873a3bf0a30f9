"""A piece composed by rules: from what was asked to the notes that each instrument plays.

The melody develops a motif over the harmony, the accompaniment follows the genre. Equal requests
give equal pieces.
"""

from __future__ import annotations

from .accompaniment import bass, chords
from .drumming import drums
from .musical_request import MusicalRequest
from .piece import Piece
from .score import Note, Part, Score
from .tune import doubled, played, shared, tune_of

_DUCKING = frozenset({"chords", "pad", "bass", "figures"})
_LOUD_DRUMS = frozenset({"techno", "hip hop", "rock", "epic"})


def compose(request: MusicalRequest) -> Score:
    """The piece that was asked for."""
    piece = Piece(request)
    return Score(
        parts=tuple(_parts(piece)),
        seconds=piece.seconds,
        tempo=piece.tempo,
        metre=piece.metre,
        tonic=piece.tonic,
        mode=piece.mode,
        hall=piece.style.hall,
        beats_at=tuple(piece.seconds_at(float(beat)) for beat in range(round(piece.end) + 1)),
        chords=tuple((piece.seconds_at(span.start), span.chord.name) for span in piece.spans),
        form="".join(p.letter.upper() + "'" * p.letter.islower() for p in piece.phrases),
    )


def _parts(piece: Piece) -> list[Part]:
    """Everybody's part, the tune first; levels in decibels."""
    band = piece.band
    parts = []

    def part(name: str, player: str, level: float, room: float, notes: list[Note]) -> None:
        ducks = piece.style.ducks and name in _DUCKING
        parts.append(Part(name, player, level, room, tuple(notes), ducks))

    tune = tune_of(piece)
    if band.melody:
        for player, its in shared(piece, tune, (band.melody, *band.relief)).items():
            part("melody", player, -0.5 if band.alone else 0.0, 1.0, played(piece, its, player))
        second = doubled(piece, tune)
        if second:
            player = band.counter or band.melody
            part("second voice", player, -6.0, 1.1, played(piece, second, player))
    if band.chords:
        level = -8.5 if band.pattern in ("power", "held") else -7.0
        part("chords", band.chords, level, 0.9, chords(piece, band.chords, band.pattern))
    if band.second:
        player, pattern = band.second
        level = -9.0 if pattern == "ostinato" else -12.0
        part("figures", player, level, 1.1, chords(piece, player, pattern, "figures"))
    if band.pad:
        part("pad", band.pad, -14.0, 1.3, chords(piece, band.pad, "held", "pad"))
    if band.bass:
        part("bass", band.bass, -3.5, 0.25, bass(piece, band.bass))
    if band.drums:
        level = -3.0 if band.drums in _LOUD_DRUMS else -5.5
        part("drums", "drums", level, 0.35, drums(piece, band.drums))
    return parts
