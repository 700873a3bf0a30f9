"""A piece composed by rules, from what was asked to the notes that each instrument plays, and
played: its parts put in a hall, mixed and limited.

The melody develops a motif over the harmony, the accompaniment follows the genre. Equal requests
give equal pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np

from .accompaniment import bass, chords, drums
from .instruments import (
    DRUMS,
    INSTRUMENTS,
    RATE,
    Instrument,
    play,
)
from .melody import doubled, played, shared, tune_of
from .musical_request import MusicalRequest
from .piece import Note, Part, Piece, Score

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


_CEILING = 0.93
#: Root mean square that the loud parts are brought to, without the bass: about -16 LUFS.
_LOUDNESS = 0.155
_RISE = 88  # frames, two milliseconds


def perform(score: Score, said: Callable[[float], None] = lambda fraction: None) -> np.ndarray:
    """The piece as float32, shape (frames, 2), at 44,100 Hz; `said` hears how far it is."""
    frames = round(score.seconds * RATE)
    dry = np.zeros((2, frames), np.float32)
    hall = np.zeros((2, frames), np.float32)
    ducking = _ducking(score, frames)
    for number, part in enumerate(score.parts):
        share = 0.9 * number / len(score.parts)
        track = _track(part, frames, partial(said, share))
        if part.ducks and ducking is not None:
            track *= ducking
        dry += track
        hall += part.room * track
    said(0.92)
    if score.hall > 0.35:
        dry += _echo(hall, score.hall)
    said(0.97)
    return np.ascontiguousarray(_mastered(dry, score).T)


def _track(part: Part, frames: int, said: Callable[[], None]) -> np.ndarray:
    """What one part plays, shape (2, frames)."""
    players: dict[Instrument, list[Note]] = {}
    for note in part.notes:
        player = DRUMS[note.drum] if note.drum else INSTRUMENTS[part.instrument]
        players.setdefault(player, []).append(note)
    track = np.zeros((2, frames), np.float32)
    for player, notes in players.items():
        track += play(player, notes, frames, said)
    return np.float32(10 ** (part.level / 20)) * track


def _ducking(score: Score, frames: int) -> np.ndarray | None:
    """The dip that each kick makes in the others, as dance music has it."""
    drums = next((part for part in score.parts if part.instrument == "drums"), None)
    if drums is None or not any(part.ducks for part in score.parts):
        return None
    envelope = np.ones(frames, np.float32)
    dip_frames = int(0.26 * RATE)
    time = np.arange(dip_frames) / dip_frames
    dip = 1 - 0.62 * np.minimum(time / 0.03, 1) * (0.5 + 0.5 * np.cos(np.pi * time))
    for note in drums.notes:
        if "kick" in note.drum:
            start = int(note.start * RATE)
            part = envelope[start : start + dip_frames]
            np.minimum(part, dip[: len(part)], out=part)
    return envelope


def _echo(sound: np.ndarray, seconds: float) -> np.ndarray:
    from scipy.signal import butter, oaconvolve, sosfilt

    # Low notes in a hall turn to mud.
    clear = sosfilt(butter(2, 190, "high", fs=RATE, output="sos"), sound, axis=1)
    response = _room_response(seconds)
    echo = oaconvolve(clear.astype(np.float32), response, axes=1)
    return echo[:, : sound.shape[1]].astype(np.float32)


@lru_cache(maxsize=4)
def _room_response(seconds: float) -> np.ndarray:
    """The answer of a hall to a click: some walls, then noise whose highs die sooner."""
    from scipy.signal import butter, sosfilt

    random = np.random.default_rng(7)
    frames = int(1.1 * seconds * RATE)
    time = np.arange(frames) / RATE
    response = np.zeros((2, frames))
    for low, high, share in ((150, 800, 1.0), (800, 2500, 0.8), (2500, 7000, 0.42)):
        noise = random.standard_normal((2, frames))
        band = sosfilt(butter(2, (low, high), "band", fs=RATE, output="sos"), noise, axis=1)
        band /= band.std()
        response += np.sqrt(high - low) / 30 * band * np.exp(-6.9 * time / (share * seconds))
    response *= np.clip((time - 0.012) / 0.03, 0, 1)
    response /= np.sqrt((response**2).sum(axis=1, keepdims=True))
    for delay, gain in ((0.011, 0.3), (0.019, 0.26), (0.027, 0.22), (0.037, 0.18), (0.049, 0.14)):
        for side in (0, 1):
            response[side, int((delay + 0.0037 * side) * RATE)] += gain * random.choice([-1, 1])
    wet = 0.25 + 0.055 * seconds
    return (wet * response).astype(np.float32)


def _mastered(sound: np.ndarray, score: Score) -> np.ndarray:
    """As loud as the piece shall be, with no peak cut off, dying away at the end."""
    from scipy.ndimage import maximum_filter1d, uniform_filter1d
    from scipy.signal import butter, sosfilt

    sound = sosfilt(butter(2, 28, "high", fs=RATE, output="sos"), sound, axis=1)
    sound = sound.astype(np.float32)
    # What counts is how loud the loud half of the piece is.
    weighed = sosfilt(butter(1, 120, "high", fs=RATE, output="sos"), sound.mean(axis=0))
    block = RATE // 10
    blocks = weighed[: len(weighed) // block * block].reshape(-1, block)
    powers = np.sort((blocks**2).mean(axis=1))
    loud = float(np.sqrt(powers[len(powers) // 2 :].mean()))
    if loud > 0:
        strongest = max(note.strength for part in score.parts for note in part.notes)
        # A lullaby stays softer than a march.
        sound *= np.float32(_LOUDNESS * 10 ** (9 * (strongest - 1) / 20) / loud)
    ahead = int(0.005 * RATE)
    # The gain falls before a peak comes and is smooth, so that limiting makes no click.
    peak = maximum_filter1d(np.abs(sound).max(axis=0), 4 * ahead + 1)
    needed = np.minimum(1, _CEILING / np.maximum(peak, 1e-9))
    gain = uniform_filter1d(uniform_filter1d(needed, 2 * ahead + 1), 2 * ahead + 1)
    sound *= np.minimum(gain, 1).astype(np.float32)
    # A wave that begins at its height would click before silence.
    sound[:, :_RISE] *= np.linspace(0, 1, _RISE, dtype=np.float32)
    # The last chord dies away, also where an organ would hold it.
    end = int(0.8 * (score.seconds - score.beats_at[-1]) * RATE)
    sound[:, -end:] *= (0.5 + 0.5 * np.cos(np.pi * np.linspace(0, 1, end))).astype(np.float32)
    return np.clip(sound, -0.98, 0.98)
