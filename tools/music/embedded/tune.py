"""The tune of a piece and its second voice: the melody's notes as they are played."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import melody
from .musical_styles import LIVELINESS
from .piece import Phrase, Piece, note
from .score import Note

_STRONG_BEATS = {2: (0, 1), 3: (0,), 4: (0, 2), 5: (0, 3)}


def tune_of(piece: Piece) -> list[melody.MelodyNote]:
    """The tune as it is written; nothing where nobody plays it."""
    player = piece.band.melody
    if player is None:
        return []
    style, mood = piece.style, piece.mood
    lively = int(np.clip(style.liveliness + mood.liveliness, 0, 4))
    if piece.tempo > 150 and lively > 1:
        lively -= 1
    if piece.tempo < 76 and lively == 0 and style.liveliness:
        # A slow tempo alone is calm enough.
        lively = 1
    if style.liveliness == 3:
        lively = 3 if mood.liveliness >= 0 else 1
    other = max(lively - 1, 0) if piece.random.random() < 0.5 else min(lively + 1, 3)
    motifs = {
        theme: melody.invent(piece.metre, LIVELINESS[how], piece.random)
        for theme, how in (("A", lively), ("B", other), ("C", lively))
    }
    low, high, home = piece.range_of_tune(player)
    tune: list[melody.MelodyNote] = []
    for number, phrase in enumerate(piece.phrases):
        if style.builds and number == 0 and len(piece.phrases) >= 4 and not piece.intro:
            # In a piece that builds up, the tune enters with the second phrase.
            continue
        theme = phrase.letter.upper()
        places = _places(piece, phrase, motifs[theme], home)
        # The same seed each time, so that a phrase that returns is recognised.
        random = np.random.default_rng([piece.request.seed, ord(theme)])
        pitches = melody.pitches_for(places, piece.tonic, low, high, random)
        tune += [
            melody.MelodyNote(place.start, place.beats, pitch)
            for place, pitch in zip(places, pitches, strict=True)
        ]
    return tune


def _places(piece: Piece, phrase: Phrase, motif: melody.Motif, home: float) -> list[melody.Place]:
    """Where the notes of a phrase fall."""
    places: list[melody.Place] = []
    bars = melody.bars_of(motif, phrase.bars, phrase.role, phrase.again)
    for number, (rhythm, shape) in enumerate(bars):
        inside = 0.0
        for beats in rhythm:
            length = abs(beats)
            if beats > 0:
                start = (phrase.bar + number) * piece.bar_beats + inside
                chord = piece.span_at(start).chord
                share = inside / piece.bar_beats
                steps = melody.target_steps(motif, number, phrase.bars, shape, share, phrase.role)
                strong = any(abs(inside - beat) < 0.05 for beat in _STRONG_BEATS[piece.bar_beats])
                target = home + steps * 12 / 7
                places.append(
                    melody.Place(start, length, strong, target, chord, piece.scale(chord))
                )
            inside += length
    if phrase.role == "close":
        chord = piece.harmony.last()
        places.append(melody.Place(piece.end, 4.0, True, home, chord, piece.scale(chord), "close"))
    else:
        places[-1] = replace(places[-1], rests_after=phrase.role)
    return places


def played(piece: Piece, tune: list[melody.MelodyNote], player: str) -> list[Note]:
    """A tune as an instrument plays it."""
    notes = []
    for number, written in enumerate(tune):
        start = piece.moment(written.start)
        if written.start >= piece.end - 1e-6:
            held, strength = piece.last_held(), piece.mood.strength
        else:
            end = written.start + written.beats
            follows = number + 1 < len(tune) and tune[number + 1].start < end + 0.05
            held = piece.moment(end) - start
            held *= piece.mood.held if follows else min(piece.mood.held, 0.92)
            strength = piece.intensity(written.start) + piece.accent(written.start)
            strength += 0.004 * (written.pitch - 74) - (0.04 if written.beats < 0.5 else 0)
        strength += float(piece.random.normal(0, 0.015)) if piece.style.loose else 0.0
        notes.append(note(player, piece.human(start), held, written.pitch, strength))
    return notes


def shared(
    piece: Piece, tune: list[melody.MelodyNote], players: tuple[str, ...]
) -> dict[str, list[melody.MelodyNote]]:
    """The tune handed from player to player, phrase by phrase; the first one ends it."""
    shares: dict[str, list[melody.MelodyNote]] = {player: [] for player in players}
    for written in tune:
        number = sum(phrase.bar * piece.bar_beats <= written.start for phrase in piece.phrases)
        last = written.start >= piece.end - 1e-6
        shares[players[0 if last else (number - 1) % len(players)]].append(written)
    return {player: notes for player, notes in shares.items() if notes}


def doubled(piece: Piece, tune: list[melody.MelodyNote]) -> list[melody.MelodyNote]:
    """A second voice under the tune in the phrases that answer or contrast."""
    band = piece.band
    unaccompanied = band.chords is None and band.counter is None
    if unaccompanied or band.alone or not (piece.style.doubled or band.counter):
        return []
    doubles = []
    for written in tune:
        phrase = piece.phrase_at(written.start)
        if phrase is not None and phrase.role == "open":
            continue
        chord = piece.span_at(written.start).chord if phrase else piece.harmony.last()
        fitting = chord.classes if written.beats >= 0.5 else piece.scale(chord)
        below = range(written.pitch - 3, written.pitch - 10, -1)
        pitch = next((pitch for pitch in below if pitch % 12 in fitting), None)
        if pitch is not None:
            doubles.append(melody.MelodyNote(written.start, written.beats, pitch))
    return doubles
