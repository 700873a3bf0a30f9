"""The frame of a piece, form, chords, tempo and strength, and its score: notes and parts.

The form is made of phrases (A A' B A), each with a progression of functional harmony and a cadence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .harmony import Chord, Harmony, Role, Span, scale_over
from .instruments import INSTRUMENTS, Note
from .musical_request import MusicalRequest
from .musical_styles import MOODS, band_of, mode_of, style_of

_BEATS = {"2/4": 2, "3/4": 3, "4/4": 4, "5/4": 5, "6/8": 2}
#: The beats of the two halves of a bar.
_HALVES = {2: (1.0, 1.0), 3: (2.0, 1.0), 4: (2.0, 2.0), 5: (3.0, 2.0)}
#: Phrases by how many there are; a small letter is a phrase that comes again, changed.
_FORMS = {1: "A", 2: "Aa", 3: "ABA", 4: "AaBA", 5: "AaBAa", 6: "AaBbAa", 7: "AaBACcA"}
#: A bar that slows down ends at 1.25 of its tempo, so that an eighth is added to it.
_SLOWING = 0.25
#: Seconds for which a note is heard after it was let go.
_RELEASE = 0.35


@dataclass(frozen=True)
class Phrase:
    """Some bars of the form; `theme` is 0 or 1, `again` says that it comes a second time."""

    letter: str
    role: Role
    theme: int
    bar: int
    bars: int
    again: bool


class Piece:
    """What all players share. From `random` it is drawn in the order in which parts are written."""

    def __init__(self, request: MusicalRequest) -> None:
        self.request = request
        self.random = np.random.default_rng(request.seed)
        self.mood = MOODS[request.mood]
        self.style = style_of(request)
        self.metre = request.metre or self.style.metre
        self.bar_beats = _BEATS[self.metre]
        self.mode = request.mode or mode_of(request, self.style)
        self.tonic = (
            int(self.random.choice([0, 2, 5, 7, 9, 10, 3]))
            if request.tonic is None
            else request.tonic
        )
        self.band = band_of(request, self.style)
        self._set_length()
        style = self.style.harmony
        if request.mood in ("tense", "dark") and style in ("film", "classical", "folk"):
            style = "tense"
        self.harmony = Harmony(style, self.tonic, self.mode, self.random)
        self.phrases = self._form()
        self.spans = self._chords()
        self.random = np.random.default_rng([request.seed, 1])

    def _set_length(self) -> None:
        request, style = self.request, self.style
        low, high = style.tempo
        if self.metre == "6/8" and style.metre != "6/8":
            low, high = max(low * 0.6, 44), high * 0.6
        elif style.metre == "6/8" and self.metre != "6/8":
            low, high = low * 1.5, high * 1.5
        elif self.metre == "3/4" and style.metre == "4/4":
            low, high = low * 1.06, high * 1.06
        middle = (low + high) / 2
        usual = middle + self.mood.pace * (high - low) / 2 + self.random.uniform(-2, 2)
        tempo = request.tempo or float(np.clip(usual * request.speed, 36, 240))
        bar = self.bar_beats * 60 / tempo
        preferred = 8 if bar < 0.75 else 4 if bar <= 2.42 else 2
        self._slowing = self.bar_beats if style.slows else 0
        added = 0.5 * _SLOWING * self._slowing * 60 / tempo
        tail = float(np.clip(bar, 1.8, 4.0))
        if request.seconds is None:
            choices = (3, 6, 9) if style.harmony == "blues" else (2, 4, 6, 8, 12)
            wanted = 28 * request.length
            phrases = min(choices, key=lambda count: abs(np.log(count * preferred * bar / wanted)))
            bars = phrases * preferred
            seconds = round(bars * bar + added + tail, 2)
        else:
            seconds = request.seconds
            if seconds < 9:
                tail = max(0.24 * seconds, 0.9)
            room = (seconds - tail) / (bar + added * (seconds < 20))
            if request.tempo is not None:
                bars = max(int((seconds - tail - added) / bar + 0.02), 1)
                if (seconds - tail - added) / bar < 0.9:
                    tempo *= bar / (seconds - tail - added)
            else:
                bars = max(round(room), 1)
                for near in (bars, bars + 1, bars - 1, bars + 2, bars - 2):
                    if near > 0 and near % preferred == 0 and abs(near / room - 1) < 0.09:
                        bars = near
                        break
                tempo *= (bars * bar + added) / (seconds - tail)
        self.tempo, self.bars, self.seconds, self.phrase_bars = tempo, bars, seconds, preferred
        while self.phrase_bars > 1 and bars // self.phrase_bars < min(self.phrase_bars, 3):
            self.phrase_bars //= 2
        self.end = float(bars * self.bar_beats)

    def _form(self) -> list[Phrase]:
        length = self.phrase_bars
        count = self.bars // length
        self.intro = self.bars - count * length
        order = _FORMS.get(count) or ("AaBACcBa" * (count // 8 + 1))[: count - 1] + "A"
        if self.harmony.is_blues:
            order = "".join("AaB"[number % 3] for number in range(count))
        phrases = []
        for number, letter in enumerate(order):
            role: Role = "answer" if letter.islower() else "open"
            if number == count - 1:
                role = "close"
            elif letter in "Bb":
                role = "contrast"
            again = letter.islower() or (letter in order[:number] and self.random.random() < 0.5)
            bar = self.intro + number * length
            phrases.append(Phrase(letter, role, int(letter in "Cc"), bar, length, again))
        return phrases

    def _chords(self) -> list[Span]:
        spans: list[Span] = []
        beats = self.bar_beats
        for bar in range(self.intro):
            numerals = self.harmony.four("open", 0)
            name = numerals[0] if bar < self.intro - 1 or self.intro == 1 else numerals[-1]
            spans.append(Span(bar * beats, beats, self.harmony.chord(name)))
        halves = [*_HALVES[beats]]
        for number, phrase in enumerate(self.phrases):
            four = self.harmony.four(phrase.role, phrase.theme, number)
            start = float(phrase.bar * beats)
            names, lengths = list(four), [float(beats)] * 4
            if phrase.bars == 8:
                contrasts = phrase.role == "contrast"
                first = four if contrasts else self.harmony.four("open", phrase.theme, number)
                names, lengths = [*first, *four], lengths * 2
            elif phrase.bars == 2:
                lengths = halves * 2
            elif phrase.bars == 1 and beats == 4 and self.tempo < 84:
                lengths = [1.0] * 4
            elif phrase.bars == 1:
                names, lengths = [four[0], four[-1]], halves
            for name, length in zip(names, lengths, strict=True):
                spans.append(Span(start, length, self.harmony.chord(name)))
                start += length
        return spans

    def span_at(self, beat: float) -> Span:
        """The chord at a beat, with its beats."""
        for span in self.spans:
            if span.start - 1e-6 <= beat < span.start + span.beats - 1e-6:
                return span
        return self.spans[-1]

    def scale(self, chord: Chord) -> tuple[int, ...]:
        """The pitch classes that fit over a chord."""
        return scale_over(chord, self.tonic, self.mode)

    def phrase_at(self, beat: float) -> Phrase | None:
        """The phrase that a beat is in; None before the first and at the end."""
        bar = beat / self.bar_beats + 1e-6
        return next((p for p in self.phrases if p.bar <= bar < p.bar + p.bars), None)

    def seconds_at(self, beat: float) -> float:
        """When a beat is; the last bar may slow down."""
        late = max(min(beat, self.end) - (self.end - self._slowing), 0.0)
        more = 0.5 * _SLOWING * late**2 / self._slowing if self._slowing else 0.0
        return (beat + more) * 60 / self.tempo

    def moment(self, beat: float) -> float:
        """When a beat is played, with the swing of its genre."""
        swing = self.style.swing
        if swing != 0.5 and self.metre != "6/8":
            whole, part = divmod(beat + 1e-9, 1.0)
            part = part * 2 * swing if part < 0.5 else swing + (part - 0.5) * 2 * (1 - swing)
            beat = whole + part
        return max(self.seconds_at(beat), 0.0)

    def last_held(self) -> float:
        """For how many seconds the last notes are held."""
        return max(self.seconds - self.seconds_at(self.end) - _RELEASE - 0.25, 0.4)

    def human(self, start: float) -> float:
        """A moment with a player's small error."""
        if not self.style.loose:
            return start
        error = float(np.clip(self.random.normal(0, self.style.loose), -0.02, 0.02))
        return max(start + error, 0.0)

    def intensity(self, beat: float) -> float:
        """How strongly the moment is played, 0..1: the mood, the phrase and the way through it."""
        phrase = self.phrase_at(beat)
        if phrase is None:
            return self.mood.strength - 0.06
        along = (beat / self.bar_beats - phrase.bar) / phrase.bars
        more = 0.07 * np.sin(np.pi * min(along * 1.15, 1.0)) - 0.03
        more += {"contrast": 0.05, "answer": 0.02, "open": 0.0, "close": 0.02}[phrase.role]
        if self.style.builds and len(self.phrases) > 2:
            more += 0.1 * (self.phrases.index(phrase) / (len(self.phrases) - 1) - 0.6)
        if phrase.role == "close" and self.mood.strength < 0.7:
            more -= 0.08 * along
        return float(np.clip(self.mood.strength + more, 0.3, 1.0))

    def accent(self, beat: float) -> float:
        """How much stronger a moment is played by its place in the bar."""
        if beat % self.bar_beats < 0.01:
            return 0.05
        return -0.1 if 0.01 < beat % 1 < 0.99 else 0.0

    def range_of_tune(self, name: str) -> tuple[int, int, float]:
        """The lowest and the highest pitch of a tune on an instrument, and where it starts."""
        instrument = INSTRUMENTS[name]
        usual = instrument.tune + self.mood.register + (4 if self.band.alone else 0)
        low = int(np.clip(usual - 10, instrument.lowest, instrument.highest - 19))
        home = low + 6 + (self.tonic - low - 6) % 12
        return (
            low,
            min(low + 21, instrument.highest),
            float(home if home <= low + 13 else home - 12),
        )


def note(player: str, start: float, seconds: float, pitch: int, strength: float) -> Note:
    """A note that the instrument can play, moved by octaves into its range."""
    instrument = INSTRUMENTS[player]
    pitch = into(pitch, instrument.lowest, instrument.highest)
    return Note(start, seconds, pitch, float(np.clip(strength, 0.2, 1.0)))


def into(pitch: int, low: int, high: int) -> int:
    """The pitch moved by octaves into a range of an octave or more."""
    while pitch < low:
        pitch += 12
    while pitch > high:
        pitch -= 12
    return pitch


@dataclass(frozen=True)
class Part:
    """What one instrument plays; `level` in decibels, `room` how much of the hall is on it."""

    name: str
    instrument: str
    level: float
    room: float
    notes: tuple[Note, ...]
    ducks: bool = False


@dataclass(frozen=True)
class Score:
    """A whole piece. `beats_at` are the moments of the beats, `hall` the seconds of its echo."""

    parts: tuple[Part, ...]
    seconds: float
    tempo: float
    metre: str
    tonic: int
    mode: str
    hall: float
    beats_at: tuple[float, ...]
    chords: tuple[tuple[float, str], ...]
    form: str
