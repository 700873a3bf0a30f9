"""The tune of a piece: a motif, what becomes of it, and the pitches that fit the chords best.

A phrase repeats its motif on other degrees, cuts it and comes to rest. The pitches are found by
dynamic programming (Viterbi) over the tones of the scale: near to the motif's shape, chord tones
where the beat is strong, steps rather than leaps, dissonances left by step, leading tones rising.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .harmony import Chord, Role
from .musical_styles import LIVELINESS
from .piece import Note, Phrase, Piece, note
from .tables import table

_SHAPES: list[tuple[int, ...]] = [tuple(shape) for shape in table("patterns")["tunes"]["shapes"]]
_ARCS: dict[Role, tuple[int, ...]] = table("patterns")["tunes"]["arcs"]


@dataclass(frozen=True)
class MelodyNote:
    """A note of a melody; beats are counted from the start of the piece."""

    start: float
    beats: float
    pitch: int


@dataclass(frozen=True)
class Place:
    """Where a note falls, before it has a pitch: `target` is what the motif's shape asks for."""

    start: float
    beats: float
    strong: bool
    target: float
    chord: Chord
    scale: tuple[int, ...]
    rests_after: Role | None = None


def _any_of(metre: str, kind: str, random: np.random.Generator) -> tuple[float, ...]:
    """The beats of a bar, one of those of a kind; a negative number is a rest."""

    def exact(item: str) -> float:
        value = float(item)
        # A third of a beat is written .333 and meant exactly.
        return round(value * 3) / 3 if abs(value * 3 - round(value * 3)) < 0.01 else value

    chosen = str(random.choice(table("patterns")["rhythms"][metre][kind]))
    return tuple(exact(item) for item in chosen.split())


def _rhythm(metre: str, liveliness: str, random: np.random.Generator) -> tuple[float, ...]:
    if metre == "2/4":
        first: list[float] = []
        for beats in _rhythm("4/4", liveliness, random):
            rest = 2 - sum(abs(item) for item in first)
            if rest <= 1e-6:
                break
            first.append(np.sign(beats) * min(abs(beats), rest))
        return tuple(first)
    if metre == "5/4":
        return _rhythm("3/4", liveliness, random) + _rhythm("2/4", liveliness, random)
    return _any_of(metre, liveliness, random)


def _resting(metre: str, closing: bool, random: np.random.Generator) -> tuple[float, ...]:
    if metre == "2/4":
        return (1.0, 1.0) if closing else ((2.0,) if random.random() < 0.5 else (0.5, 0.5, 1.0))
    if metre == "5/4":
        return (*_resting("3/4", closing, random), 1.0, 1.0)
    return _any_of(metre, "closing" if closing else "resting", random)


def _varied(rhythm: tuple[float, ...]) -> tuple[float, ...]:
    """The rhythm with its longest note split, as a returning phrase is decorated."""
    place = int(np.argmax(rhythm))
    longest = rhythm[place]
    if longest < 1:
        return rhythm
    halves = (longest / 2, longest / 2)
    if abs(longest * 3 - round(longest * 3)) < 1e-6 and longest % 0.5:
        halves = (longest * 2 / 3, longest / 3)
    return (*rhythm[:place], *halves, *rhythm[place + 1 :])


@dataclass(frozen=True)
class Motif:
    """What a theme is made of: rhythms of its bars, and shapes in steps of the scale."""

    rhythms: tuple[tuple[float, ...], ...]
    resting: tuple[float, ...]
    closing: tuple[float, ...]
    shape: tuple[int, ...]
    second_shape: tuple[int, ...]
    rises: int


def invent(metre: str, liveliness: str, random: np.random.Generator) -> Motif:
    """A new motif."""
    calmer = {"driving": "syncopated", "busy": "even", "syncopated": "even", "even": "sparse"}
    first = _rhythm(metre, liveliness, random)
    second = _rhythm(metre, liveliness, random)
    third = _rhythm(metre, calmer.get(liveliness, "sparse"), random)
    shapes = random.permutation(len(_SHAPES))
    return Motif(
        rhythms=(first, second, third),
        resting=_resting(metre, False, random),
        closing=_resting(metre, True, random),
        shape=_SHAPES[shapes[0]],
        second_shape=_SHAPES[shapes[1]],
        rises=int(random.choice([1, 1, 2, -1])),
    )


def bars_of(
    motif: Motif, count: int, role: Role, again: bool
) -> list[tuple[tuple[float, ...], int]]:
    """Rhythm and number of the shape of each bar of a phrase: statement, sequence, change, rest."""
    first, second, third = motif.rhythms
    rest = motif.closing if role == "close" else motif.resting
    if count == 1:
        return [(rest if role in ("answer", "close") else first, 0)]
    pattern = {
        2: [(first, 0)],
        3: [(first, 0), (second, 1)],
        4: [(first, 0), (first, 0), (second, 1)],
    }.get(count)
    if pattern is None:
        pattern = [(first, 0), (second, 1), (first, 0), (third, 1)]
        pattern += [(first, 0), (first, 0), (second, 1)]
        pattern = (pattern * (count // 7 + 1))[: count - 1]
    pattern = list(pattern)
    if again and len(pattern) > 1:
        rhythm, shape = pattern[1]
        pattern[1] = (_varied(rhythm), shape)
    return [*pattern, (rest, 0)]


def target_steps(motif: Motif, bar: int, count: int, shape: int, share: float, role: Role) -> float:
    """How many steps above the start the motif wants a note, `share` of the way through its bar."""
    points = motif.shape if shape == 0 else motif.second_shape
    if role == "contrast":
        points = tuple(-point for point in points)
    inside = float(np.interp(share * (len(points) - 1), np.arange(len(points)), points))
    arc = _ARCS[role]
    along = float(np.interp(bar / max(count - 1, 1) * 3, np.arange(4), arc))
    return inside + along * (1 if motif.rises > 0 else 0.6) + (motif.rises if bar % 2 else 0)


def pitches_for(
    places: Sequence[Place], tonic: int, low: int, high: int, random: np.random.Generator
) -> list[int]:
    """The pitches of the notes that cost least together."""
    candidates = []
    for place in places:
        fitting = [p for p in range(low, high + 1) if p % 12 in place.scale]
        candidates.append(np.array(fitting or list(range(low, high + 1))))
    costs = [
        _own_cost(place, options, tonic, random)
        for place, options in zip(places, candidates, strict=True)
    ]
    total = [costs[0]]
    came_from: list[np.ndarray] = []
    for number in range(1, len(places)):
        step = _step_cost(
            places[number - 1], candidates[number - 1], places[number], candidates[number], tonic
        )
        through = total[-1][:, None] + step
        came_from.append(through.argmin(axis=0))
        total.append(through.min(axis=0) + costs[number])
    at = int(total[-1].argmin())
    found = [int(candidates[-1][at])]
    for number in range(len(places) - 2, -1, -1):
        at = int(came_from[number][at])
        found.append(int(candidates[number][at]))
    return found[::-1]


def _own_cost(
    place: Place, pitches: np.ndarray, tonic: int, random: np.random.Generator
) -> np.ndarray:
    classes = pitches % 12
    inside = np.isin(classes, place.chord.classes)
    cost = 0.32 * np.abs(pitches - place.target) + 0.25 * random.random(len(pitches))
    weight = 3.6 if place.strong or place.beats >= 1.5 else 1.6 if place.beats >= 1 else 0.5
    cost = cost + weight * ~inside
    above = np.isin((pitches - 1) % 12, place.chord.classes) & ~inside
    cost = cost + (3.0 if place.beats >= 1 else 0.8) * above
    if place.rests_after in ("answer", "close"):
        root, third = place.chord.classes[0], place.chord.classes[1]
        cost = cost + np.where(classes == root, 0, np.where(classes == third, 2.5, 6))
    elif place.rests_after is not None:
        cost = cost + np.where(inside, 0, 6) + np.where(classes == tonic, 1.5, 0)
    return cost


def _step_cost(
    before: Place, old: np.ndarray, place: Place, new: np.ndarray, tonic: int
) -> np.ndarray:
    move = new[None, :] - old[:, None]
    size = np.abs(move)
    prices = np.array([0.7, 0, 0, 0.35, 0.45, 0.9, 3.0, 1.3, 2.2, 2.4, 4, 5, 2.6, 8])
    cost = prices[np.minimum(size, 13)]
    dissonant = (
        ~np.isin(old % 12, before.chord.classes)[:, None]
        | ~np.isin(new % 12, place.chord.classes)[None, :]
    )
    cost = cost + 2.2 * (dissonant & (size > 2))
    leading = ((old % 12) == (tonic - 1) % 12)[:, None] & np.isin(
        (tonic - 1) % 12, before.chord.classes
    )
    changes = before.chord != place.chord and tonic in place.chord.classes
    return cost + 1.8 * (leading & (move != 1) & (size != 0)) * changes


_STRONG_BEATS = {2: (0, 1), 3: (0,), 4: (0, 2), 5: (0, 3)}


def tune_of(piece: Piece) -> list[MelodyNote]:
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
        theme: invent(piece.metre, LIVELINESS[how], piece.random)
        for theme, how in (("A", lively), ("B", other), ("C", lively))
    }
    low, high, home = piece.range_of_tune(player)
    tune: list[MelodyNote] = []
    for number, phrase in enumerate(piece.phrases):
        if style.builds and number == 0 and len(piece.phrases) >= 4 and not piece.intro:
            # In a piece that builds up, the tune enters with the second phrase.
            continue
        theme = phrase.letter.upper()
        places = _places(piece, phrase, motifs[theme], home)
        # The same seed each time, so that a phrase that returns is recognised.
        random = np.random.default_rng([piece.request.seed, ord(theme)])
        pitches = pitches_for(places, piece.tonic, low, high, random)
        tune += [
            MelodyNote(place.start, place.beats, pitch)
            for place, pitch in zip(places, pitches, strict=True)
        ]
    return tune


def _places(piece: Piece, phrase: Phrase, motif: Motif, home: float) -> list[Place]:
    """Where the notes of a phrase fall."""
    places: list[Place] = []
    bars = bars_of(motif, phrase.bars, phrase.role, phrase.again)
    for number, (rhythm, shape) in enumerate(bars):
        inside = 0.0
        for beats in rhythm:
            length = abs(beats)
            if beats > 0:
                start = (phrase.bar + number) * piece.bar_beats + inside
                chord = piece.span_at(start).chord
                share = inside / piece.bar_beats
                steps = target_steps(motif, number, phrase.bars, shape, share, phrase.role)
                strong = any(abs(inside - beat) < 0.05 for beat in _STRONG_BEATS[piece.bar_beats])
                target = home + steps * 12 / 7
                places.append(Place(start, length, strong, target, chord, piece.scale(chord)))
            inside += length
    if phrase.role == "close":
        chord = piece.harmony.last()
        places.append(Place(piece.end, 4.0, True, home, chord, piece.scale(chord), "close"))
    else:
        places[-1] = replace(places[-1], rests_after=phrase.role)
    return places


def played(piece: Piece, tune: list[MelodyNote], player: str) -> list[Note]:
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
    piece: Piece, tune: list[MelodyNote], players: tuple[str, ...]
) -> dict[str, list[MelodyNote]]:
    """The tune handed from player to player, phrase by phrase; the first one ends it."""
    shares: dict[str, list[MelodyNote]] = {player: [] for player in players}
    for written in tune:
        number = sum(phrase.bar * piece.bar_beats <= written.start for phrase in piece.phrases)
        last = written.start >= piece.end - 1e-6
        shares[players[0 if last else (number - 1) % len(players)]].append(written)
    return {player: notes for player, notes in shares.items() if notes}


def doubled(piece: Piece, tune: list[MelodyNote]) -> list[MelodyNote]:
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
            doubles.append(MelodyNote(written.start, written.beats, pitch))
    return doubles
