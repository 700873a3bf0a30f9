"""How each mood and each genre is played, and by whom: the instruments that the words name, in the
roles that suit them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .instruments import INSTRUMENTS
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


_ROLES = table("instruments")["roles"]


@dataclass
class Band:
    """The instruments of a piece and what each plays; None where nobody does.

    `relief` are those who take the tune over in other phrases; `alone` says that one plays all.
    """

    melody: str | None
    chords: str | None
    pattern: str
    bass: str | None
    pad: str | None
    second: tuple[str, str] | None
    counter: str | None
    drums: str | None
    alone: bool = False
    relief: tuple[str, ...] = ()


def band_of(request: MusicalRequest, style: Style) -> Band:
    """Who plays: whom the words name, and those of the genre beside them."""
    named = [name for name in request.instruments if name not in ("drums", "bass")]
    lead = style.melody[request.seed % len(style.melody)]
    band = Band(
        lead, style.chords, style.pattern, style.bass, style.pad, style.second, None, style.drums
    )
    if request.instruments == ("drums",) and request.solo:
        return Band(None, None, "held", None, None, None, None, style.drums or "pop", True)
    if named:
        ordered = sorted(named, key=_ROLES["leads"].index)
        band.melody, rest = ordered[0], ordered[1:]
        keeps = request.genre_named and not request.solo
        if not keeps:
            band = replace(band, chords=None, pad=None, second=None, bass=None)
            band.drums = None
        for name in rest:
            instrument = INSTRUMENTS[name]
            if name in _ROLES["held"] and instrument.chords and name not in ("brass", "horn"):
                if band.chords is None or (
                    band.chords == style.chords and keeps and name == "organ"
                ):
                    band.chords, band.pattern = name, "held"
                else:
                    band.pad = name
            elif instrument.chords and (band.chords is None or band.chords == style.chords):
                if band.chords in _ROLES["held"] and not keeps:
                    band.pad = band.chords
                band.chords, band.pattern = name, _pattern_for(name, style)
            elif band.counter is None:
                band.counter = name
            else:
                band.relief = (*band.relief, name)
        if band.chords is None:
            _accompany_alone(band, request, style)
    if "bass" in request.instruments:
        band.bass = band.bass or "bass"
        if band.melody and not named and request.solo:
            player = band.bass if "bass" in band.bass else "bass"
            return Band(player, None, "held", None, None, None, None, None)
    if "drums" in request.instruments:
        band.drums = band.drums or style.drums or "pop"
    return _without_excluded(band, request, style)


def _accompany_alone(band: Band, request: MusicalRequest, style: Style) -> None:
    """One instrument is named: it plays alone, or is accompanied where it cannot."""
    assert band.melody is not None
    if INSTRUMENTS[band.melody].chords and band.melody not in ("brass", "horn", "choir"):
        band.chords, band.pattern, band.alone = band.melody, _pattern_for(band.melody, style), True
    elif not request.solo:
        band.chords = _ROLES["accompanied"].get(band.melody, "piano")
        band.pattern = _pattern_for(band.chords, style)


def _pattern_for(name: str, style: Style) -> str:
    if name in _ROLES["held"]:
        return "held"
    if name == "distorted guitar":
        return "power"
    if name == "pulse arpeggio":
        return "fast arpeggio"
    if name in ("marimba", "pizzicato", "synth pluck"):
        return "sequence" if name == "synth pluck" else "alberti"
    if style.pattern in ("held", "power", "sequence", "fast arpeggio"):
        return "picking" if name == "guitar" else "broken"
    if name == "guitar" and style.pattern in ("alberti", "broken", "arpeggio"):
        return "picking"
    return style.pattern


def _without_excluded(band: Band, request: MusicalRequest, style: Style) -> Band:
    gone = request.excluded
    if "guitar" in gone and "distorted guitar" not in request.instruments:
        gone |= {"distorted guitar"}
    spare = [name for name in _ROLES["substitutes"] if name not in gone]
    if band.melody in gone:
        left = [name for name in style.melody if name not in gone]
        band.melody = (left or spare)[0]
    if band.chords in gone:
        band.chords = next(name for name in spare if INSTRUMENTS[name].chords)
        band.pattern = _pattern_for(band.chords, style)
    if band.pad in gone:
        band.pad = None
    if band.second and (band.second[0] in gone or band.second[0] == band.melody):
        band.second = None
    if "strings" in gone and band.second and band.second[0] == "staccato strings":
        band.second = None
    if "bass" in gone:
        band.bass = None
    if "drums" in gone:
        band.drums = None
    return band
