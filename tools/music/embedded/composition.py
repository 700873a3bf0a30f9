"""A piece composed by rules: from what was asked to the notes that each instrument plays.

The form is made of phrases (A A' B A), each with a progression of functional harmony and a cadence;
the melody develops a motif over it, the accompaniment follows the genre. Equal requests give equal
pieces.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tools.music.embedded import melody
from tools.music.embedded.accompaniment import BASS, CHORDS, FILLS, bar_of, drum_bar
from tools.music.embedded.ensemble import band_of
from tools.music.embedded.harmony import Harmony, Role, Span, scale_over, voiced
from tools.music.embedded.instruments import INSTRUMENTS
from tools.music.embedded.musical_request import MusicalRequest
from tools.music.embedded.musical_styles import LIVELINESS, MOODS, mode_of, style_of

_PEDAL = frozenset(
    {"piano", "harp", "guitar", "vibraphone", "electric piano", "music box", "bells"}
)
_BEATS = {"2/4": 2, "3/4": 3, "4/4": 4, "5/4": 5, "6/8": 2}


@dataclass(frozen=True)
class Note:
    """A note as it sounds, in seconds; `drum` names the drum where the part is of drums."""

    start: float
    seconds: float
    pitch: int
    strength: float
    drum: str = ""


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


@dataclass(frozen=True)
class _Phrase:
    letter: str
    role: Role
    theme: int
    bar: int
    bars: int
    again: bool


@dataclass
class _Time:
    """When a beat is, in seconds; the last bar may slow down."""

    beat: float
    body: float
    slowing: float
    extra: float = field(default=0.25)

    def at(self, beat: float) -> float:
        late = max(min(beat, self.body) - (self.body - self.slowing), 0.0)
        more = 0.5 * self.extra * late**2 / self.slowing if self.slowing else 0.0
        return (beat + more) * self.beat


def compose(request: MusicalRequest) -> Score:
    """The piece that was asked for."""
    return _Composer(request).score()


class _Composer:
    def __init__(self, request: MusicalRequest) -> None:
        self.request = request
        self.random = np.random.default_rng(request.seed)
        self.mood = MOODS[request.mood]
        self.style = style_of(request)
        self.metre = request.metre or self.style.metre
        self.bar_beats = _BEATS[self.metre]
        self.mode = request.mode or mode_of(request)
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
        self.notes: dict[str, list[Note]] = {}

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
        # Of a bar that slows evenly to 1.25 of its length, an eighth is added.
        slowing = self.bar_beats if style.slows else 0
        added = 0.125 * slowing * 60 / tempo
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
        while self.phrase_bars > 1 and bars // self.phrase_bars < (
            3 if self.phrase_bars > 2 else 2
        ):
            self.phrase_bars //= 2
        self.time = _Time(60 / tempo, bars * self.bar_beats, slowing)
        self.final = self.time.at(bars * self.bar_beats)

    def _form(self) -> list[_Phrase]:
        length = self.phrase_bars
        count = self.bars // length
        self.intro = self.bars - count * length
        letters = {1: "A", 2: "Aa", 3: "ABA", 4: "AaBA", 5: "AaBAa", 6: "AaBbAa", 7: "AaBACcA"}
        if count in letters:
            order = letters[count]
        else:
            order = "".join("AaBACcBa"[number % 8] for number in range(count - 1)) + "A"
        if self.harmony.is_blues:
            order = "".join("AaB"[number % 3] for number in range(count))
        phrases = []
        for number, letter in enumerate(order):
            last = number == count - 1
            role: Role = "open"
            if last:
                role = "close"
            elif letter.islower():
                role = "contrast" if letter == "b" else "answer"
            elif letter == "B":
                role = "contrast"
            again = letter.islower() or (letter in order[:number] and self.random.random() < 0.5)
            bar = self.intro + number * length
            phrases.append(_Phrase(letter, role, int(letter in "Cc"), bar, length, again))
        return phrases

    def _chords(self) -> list[Span]:
        spans: list[Span] = []
        beats = self.bar_beats
        for bar in range(self.intro):
            numerals = self.harmony.four("open", 0)
            name = numerals[0] if bar < self.intro - 1 or self.intro == 1 else numerals[-1]
            spans.append(Span(bar * beats, beats, self.harmony.chord(name)))
        split = {2: (1, 1), 3: (2, 1), 4: (2, 2), 5: (3, 2)}[beats]
        for number, phrase in enumerate(self.phrases):
            four = self.harmony.four(phrase.role, phrase.theme, number)
            start = float(phrase.bar * beats)
            if phrase.bars == 8:
                first = self.harmony.four("open", phrase.theme, number)
                if phrase.role == "contrast":
                    first = four
                names = [*first, *four]
                lengths = [float(beats)] * 8
            elif phrase.bars == 4:
                names, lengths = list(four), [float(beats)] * 4
            elif phrase.bars == 2:
                names, lengths = list(four), [*map(float, split)] * 2
            elif beats == 4 and self.tempo < 84:
                names, lengths = list(four), [1.0] * 4
            else:
                names, lengths = [four[0], four[-1]], [*map(float, split)]
            for name, length in zip(names, lengths, strict=True):
                spans.append(Span(start, length, self.harmony.chord(name)))
                start += length
        return spans

    def _span_at(self, beat: float) -> Span:
        for span in self.spans:
            if span.start - 1e-6 <= beat < span.start + span.beats - 1e-6:
                return span
        return self.spans[-1]

    # What is played.

    def score(self) -> Score:
        self.random = np.random.default_rng([self.request.seed, 1])
        tune = self._melody()
        parts = []
        band = self.band
        if band.melody:
            level = -0.5 if band.alone else 0.0
            players = (band.melody, *band.relief)
            for player, its in self._shared(tune, players).items():
                parts.append(self._part("melody", player, level, 1.0, self._sung(its, player)))
            doubles = self._doubled(tune)
            if doubles:
                instrument = band.counter or band.melody
                parts.append(
                    self._part(
                        "second voice", instrument, -6.0, 1.1, self._sung(doubles, instrument)
                    )
                )
        if band.chords:
            level = -7.0 if band.pattern != "power" else -8.5
            if band.pattern == "held":
                level = -8.5
            notes = self._accompaniment(band.chords, band.pattern)
            parts.append(self._part("chords", band.chords, level, 0.9, notes))
        if band.second:
            loud = band.second[1] == "ostinato"
            notes = self._accompaniment(*band.second, shift=self.bar_beats, number=2)
            parts.append(self._part("figures", band.second[0], -9.0 if loud else -12.0, 1.1, notes))
        if band.pad:
            parts.append(
                self._part(
                    "pad", band.pad, -14.0, 1.3, self._accompaniment(band.pad, "held", number=1)
                )
            )
        if band.bass:
            parts.append(self._part("bass", band.bass, -4.5, 0.25, self._bass(band.bass)))
        if band.drums:
            level = -3.0 if band.drums in ("techno", "hip hop", "rock", "epic") else -5.5
            parts.append(Part("drums", "drums", level, 0.35, tuple(self._drums(band.drums))))
        beats_at = tuple(
            self.time.at(float(beat)) for beat in range(self.bars * self.bar_beats + 1)
        )
        return Score(
            tuple(parts),
            self.seconds,
            self.tempo,
            self.metre,
            self.tonic,
            self.mode,
            self.style.hall,
            beats_at,
            tuple((self.time.at(span.start), span.chord.name) for span in self.spans),
            "".join(
                {"a": "A'", "b": "B'", "c": "C'"}.get(p.letter, p.letter) for p in self.phrases
            ),
        )

    def _part(
        self, name: str, instrument: str, level: float, room: float, notes: list[Note]
    ) -> Part:
        ducks = self.style.ducks and name in ("chords", "pad", "bass", "figures")
        return Part(name, instrument, level, room, tuple(notes), ducks)

    def _moment(self, beat: float) -> float:
        """When a beat is played, with the swing of its genre and a player's small error."""
        swing = self.style.swing
        if swing != 0.5 and self.metre != "6/8":
            whole, part = divmod(beat + 1e-9, 1.0)
            part = part * 2 * swing if part < 0.5 else swing + (part - 0.5) * 2 * (1 - swing)
            beat = whole + part
        return max(self.time.at(beat), 0.0)

    def _human(self, start: float) -> float:
        if not self.style.loose:
            return start
        error = float(np.clip(self.random.normal(0, self.style.loose), -0.02, 0.02))
        return max(start + error, 0.0)

    def _intensity(self, beat: float) -> float:
        """How strongly the moment is played, 0..1: the mood, the phrase and the way through it."""
        bar = beat / self.bar_beats
        base = self.mood.strength
        for number, phrase in enumerate(self.phrases):
            if phrase.bar <= bar + 1e-6 < phrase.bar + phrase.bars:
                along = (bar - phrase.bar) / phrase.bars
                arch = 0.07 * np.sin(np.pi * min(along * 1.15, 1.0)) - 0.03
                more = {"contrast": 0.05, "answer": 0.02, "open": 0.0, "close": 0.02}[phrase.role]
                if self.style.builds and len(self.phrases) > 2:
                    more += 0.1 * (number / (len(self.phrases) - 1) - 0.6)
                if phrase.role == "close" and self.mood.strength < 0.7:
                    more -= 0.08 * along
                return float(np.clip(base + arch + more, 0.3, 1.0))
        return base - 0.06

    def _melody(self) -> list[melody.MelodyNote]:
        band = self.band
        if band.melody is None:
            return []
        lively = int(np.clip(self.style.liveliness + self.mood.liveliness, 0, 4))
        if self.tempo > 150 and lively > 1:
            lively -= 1
        if self.tempo < 76 and lively == 0 and self.style.liveliness:
            # A slow tempo alone is calm enough.
            lively = 1
        if self.style.liveliness == 3:
            lively = 3 if self.mood.liveliness >= 0 else 1
        other = max(lively - 1, 0) if self.random.random() < 0.5 else min(lively + 1, 3)
        motifs = {
            "A": melody.invent(self.metre, LIVELINESS[lively], self.random),
            "B": melody.invent(self.metre, LIVELINESS[other], self.random),
            "C": melody.invent(self.metre, LIVELINESS[lively], self.random),
        }
        low, high, home = self._range(band.melody)
        tune: list[melody.MelodyNote] = []
        for number, phrase in enumerate(self.phrases):
            if self._silent_melody(number):
                continue
            motif = motifs[phrase.letter.upper()]
            places = self._places(phrase, motif, home)
            # The same seed each time, so that a phrase that returns is recognised.
            theme = ord(phrase.letter.upper())
            random = np.random.default_rng([self.request.seed, theme])
            pitches = melody.pitches_for(places, self.tonic, low, high, random)
            tune += [
                melody.MelodyNote(place.start, place.beats, pitch)
                for place, pitch in zip(places, pitches, strict=True)
            ]
        return tune

    def _silent_melody(self, number: int) -> bool:
        """In a piece that builds up, the melody enters with the second phrase."""
        return self.style.builds and number == 0 and len(self.phrases) >= 4 and not self.intro

    def _range(self, name: str) -> tuple[int, int, float]:
        instrument = INSTRUMENTS[name]
        usual = 74 + self.mood.register + (4 if self.band.alone else 0)
        if name in ("music box", "bells", "flute", "synth lead", "square lead"):
            usual += 4
        if name in ("cello", "horn", "saxophone", "bass", "clarinet", "guitar", "distorted guitar"):
            usual -= 5
        low = int(np.clip(usual - 10, instrument.lowest, instrument.highest - 19))
        high = min(low + 21, instrument.highest)
        above = low + 6
        home = above + (self.tonic - above) % 12
        if home > low + 13:
            home -= 12
        return low, high, float(home)

    def _places(self, phrase: _Phrase, motif: melody.Motif, home: float) -> list[melody.Place]:
        places: list[melody.Place] = []
        bars = melody.bars_of(motif, phrase.bars, phrase.role, phrase.again)
        strong_beats = {2: (0, 1), 3: (0,), 4: (0, 2), 5: (0, 3)}[self.bar_beats]
        for number, (rhythm, shape) in enumerate(bars):
            inside = 0.0
            for beats in rhythm:
                length = abs(beats)
                if beats > 0:
                    start = (phrase.bar + number) * self.bar_beats + inside
                    chord = self._span_at(start).chord
                    share = inside / self.bar_beats
                    steps = melody.target_steps(
                        motif, number, phrase.bars, shape, share, phrase.role
                    )
                    strong = any(abs(inside - beat) < 0.05 for beat in strong_beats)
                    places.append(
                        melody.Place(
                            start, length, strong, home + steps * 12 / 7, chord,
                            scale_over(chord, self.tonic, self.mode),
                        )
                    )  # fmt: skip
                inside += length
        if phrase.role == "close":
            chord = self.harmony.last()
            scale = scale_over(chord, self.tonic, self.mode)
            end = float(self.bars * self.bar_beats)
            places.append(melody.Place(end, 4.0, True, home, chord, scale, "close"))
        else:
            places[-1] = replace(places[-1], rests_after=phrase.role)
        return places

    def _sung(self, tune: list[melody.MelodyNote], name: str) -> list[Note]:
        instrument = INSTRUMENTS[name]
        notes = []
        final = self.bars * self.bar_beats
        for number, note in enumerate(tune):
            start = self._moment(note.start)
            if note.start >= final - 1e-6:
                held = max(self.seconds - self.final - instrument.release - 0.25, 0.4)
                strength = self.mood.strength
            else:
                end = self._moment(note.start + note.beats)
                follows = (
                    number + 1 < len(tune)
                    and tune[number + 1].start < note.start + note.beats + 0.05
                )
                share = self.mood.held if follows else min(self.mood.held, 0.92)
                held = (end - start) * share
                strength = self._intensity(note.start)
                strength += 0.04 if abs(note.start % self.bar_beats) < 0.01 else 0.0
                strength += 0.004 * (note.pitch - 74) - (0.04 if note.beats < 0.5 else 0)
            strength += float(self.random.normal(0, 0.015)) if self.style.loose else 0.0
            pitch = _into(note.pitch, instrument.lowest, instrument.highest)
            notes.append(Note(self._human(start), held, pitch, float(np.clip(strength, 0.2, 1))))
        return notes

    def _shared(
        self, tune: list[melody.MelodyNote], players: tuple[str, ...]
    ) -> dict[str, list[melody.MelodyNote]]:
        """The tune handed from player to player, phrase by phrase; the first one ends it."""
        shares: dict[str, list[melody.MelodyNote]] = {player: [] for player in players}
        for note in tune:
            number = sum(phrase.bar * self.bar_beats <= note.start for phrase in self.phrases)
            last = note.start >= self.bars * self.bar_beats - 1e-6
            shares[players[0 if last else (number - 1) % len(players)]].append(note)
        return {player: notes for player, notes in shares.items() if notes}

    def _doubled(self, tune: list[melody.MelodyNote]) -> list[melody.MelodyNote]:
        """A second voice under the melody in the phrases that answer or contrast."""
        unaccompanied = self.band.chords is None and self.band.counter is None
        if unaccompanied or self.band.alone or not (self.style.doubled or self.band.counter):
            return []
        doubles = []
        for note in tune:
            bar = note.start / self.bar_beats
            phrase = next((p for p in self.phrases if p.bar <= bar + 1e-6 < p.bar + p.bars), None)
            if phrase is not None and phrase.role == "open":
                continue
            last = phrase is None
            chord = self.harmony.last() if last else self._span_at(note.start).chord
            fitting = [
                pitch for pitch in range(note.pitch - 9, note.pitch - 2)
                if pitch % 12 in (
                    chord.classes if note.beats >= 0.5 else scale_over(chord, self.tonic, self.mode)
                )
            ]  # fmt: skip
            if fitting:
                doubles.append(melody.MelodyNote(note.start, note.beats, fitting[-1]))
        return doubles

    def _accompaniment(
        self, name: str, pattern: str, shift: int = 0, number: int = 0
    ) -> list[Note]:
        instrument = INSTRUMENTS[name]
        low, high = (45, 64) if self.band.alone or number == 1 else (50, 68)
        if name in ("music box", "bells", "pulse arpeggio", "harp") and number != 1:
            low, high = low + 8, high + 10
        elif self.band.melody and pattern != "ostinato":
            # What accompanies stays below the tune.
            above = max(high - self._range(self.band.melody)[0] - 4, 0)
            low, high = max(low - above, 43), max(high - above, 62)
        if pattern == "ostinato":
            low, high = 48, 67
        low = max(low, instrument.lowest)
        high = max(high, low + 19)
        turn = int(self.random.integers(0, 5)) if pattern == "comp" else 0
        notes: list[Note] = []
        before: tuple[int, ...] = ()
        for bar in range(self.bars):
            if number == 2 and bar < self.intro:
                continue
            if pattern == "comp":
                turn = int(self.random.integers(0, 5))
                signs = bar_of(CHORDS[pattern], self.metre, turn)
            else:
                signs = bar_of(CHORDS[pattern], self.metre, bar)
            step = self.bar_beats / len(signs)
            start = float(bar * self.bar_beats)
            signs = self._begun_anew(signs, bar, step, pattern)
            changes = [
                place
                for place in range(len(signs))
                if abs(self._span_at(start + place * step).start - (start + place * step))
                < step / 2
            ]
            for place, sign in enumerate(signs):
                beat = start + place * step
                # Where the chord changes under a held one, it is struck anew.
                if sign == "." and place in changes and place and _holds(signs, place):
                    sign = _holds(signs, place)
                if sign in ".-":
                    continue
                span = self._span_at(beat + 1e-6)
                voices = voiced(span.chord, before, low, high)
                if pattern == "power":
                    root = _into(span.chord.root, 40, 51)
                    voices = (root, root + 7, root + 12)
                if span.start >= beat - 1e-6 or not before:
                    before = voices
                length = self._lasting(signs, place, step, beat, span, pattern, name)
                notes += self._stroke(sign, voices, span, beat, length, place, pattern, name)
        return notes + self._last_chord(name, pattern, before, low, high)

    def _begun_anew(self, signs: str, bar: int, step: float, pattern: str) -> str:
        """The bar with its figure begun anew where the chord changes inside it."""
        if pattern not in ("broken", "wide", "picking", "arpeggio", "alberti", "oompah"):
            return signs
        start = bar * self.bar_beats
        places = [round((span.start - start) / step) for span in self.spans]
        inside = [0, *(place for place in places if 0 < place < len(signs)), len(signs)]
        pieces = [signs[: end - begin] for begin, end in zip(inside, inside[1:], strict=False)]
        return "".join(pieces)

    def _lasting(
        self, signs: str, place: int, step: float, beat: float, span: Span, pattern: str, name: str
    ) -> float:
        """For how many beats a stroke of the pattern sounds."""
        end = span.start + span.beats
        following = next(
            (later for later in range(place + 1, len(signs)) if signs[later] != "."), len(signs)
        )
        length = min((following - place) * step, max(end - beat, step))
        rings = pattern in ("broken", "wide", "picking", "arpeggio") and name in _PEDAL
        if rings:
            return max(end - beat, length)
        if pattern in ("afterbeat", "offbeat", "skank", "oompah", "comp", "ostinato"):
            return min(length, 0.5 if pattern == "comp" else 0.36) * (
                0.8 if self.tempo < 100 else 1
            )
        if pattern == "power" and step * 60 / self.tempo < 0.3:
            return length * 0.9
        return length

    def _stroke(
        self, sign: str, voices: tuple[int, ...], span: Span, beat: float, length: float,
        place: int, pattern: str, name: str,
    ) -> list[Note]:  # fmt: skip
        instrument = INSTRUMENTS[name]
        # Where the chords lie low, under a cello, their roots lie lower.
        lowest = 40 if name == "guitar" else 38 if voices[0] > 47 else 33
        root = _into(span.chord.root, lowest, lowest + 12)
        if sign == "C":
            pitches = list(voices)
            if self.band.alone and pattern in ("held", "ballad", "comp") and place == 0:
                pitches = [root, *[voice for voice in voices if voice > root + 6]]
        elif sign == "B":
            pitches = [root]
        elif sign == "F":
            fifth = span.chord.intervals[2] if len(span.chord.intervals) > 2 else 7
            pitches = [root + fifth if root + fifth < voices[0] else root + fifth - 12]
        else:
            index = int(sign) - 1
            pitches = [voices[index % len(voices)] + 12 * (index // len(voices))]
        start = self._moment(beat)
        seconds = self._moment(beat + length) - start
        strength = self._intensity(beat) - 0.06
        strength += 0.04 if place == 0 else -0.03 if beat % 1 else 0.0
        strength += 0.05 if sign in "BF" else 0.0
        start = self._human(start)
        strummed = pattern in ("strum", "bossa", "picking") and name in ("guitar", "harp")
        up = strummed and place % 2 == 1
        notes = []
        for order, pitch in enumerate(reversed(pitches) if up else pitches):
            pitch = _into(pitch, instrument.lowest, instrument.highest)
            late = 0.011 * order if strummed else 0.0
            loud = strength - (0.05 * (len(pitches) > 2)) - (0.05 if up else 0)
            notes.append(Note(start + late, seconds, pitch, float(np.clip(loud, 0.2, 1))))
        return notes

    def _last_chord(
        self, name: str, pattern: str, before: tuple[int, ...], low: int, high: int
    ) -> list[Note]:
        instrument = INSTRUMENTS[name]
        chord = self.harmony.last()
        voices = list(voiced(chord, before, low, high))
        if pattern == "power":
            root = _into(chord.root, 40, 51)
            voices = [root, root + 7, root + 12]
        elif self.band.bass is None and name not in ("pulse arpeggio",) and instrument.lowest <= 43:
            voices = [_into(chord.root, 38, 49), *[voice for voice in voices if voice > 50]]
        held = max(self.seconds - self.final - instrument.release - 0.25, 0.4)
        if pattern in ("afterbeat", "offbeat", "skank", "ostinato") and not self.style.slows:
            held = min(held, 0.9)
        spread = 0.035 if name in ("harp", "guitar", "piano") and self.style.slows else 0.0
        strength = float(np.clip(self.mood.strength - 0.08, 0.3, 1))
        return [
            Note(
                self.final + spread * order,
                held,
                _into(v, instrument.lowest, instrument.highest),
                strength,
            )
            for order, v in enumerate(voices)
        ]

    def _bass(self, name: str) -> list[Note]:
        instrument = INSTRUMENTS[name]
        low = max(instrument.lowest, 31 if name != "sub bass" else 28)
        pattern = self.style.bass_pattern
        notes = []
        for bar in range(self.bars):
            signs = bar_of(BASS[pattern], self.metre, bar + (bar // 4) % 2)
            step = self.bar_beats / len(signs)
            for place, sign in enumerate(signs):
                beat = bar * self.bar_beats + place * step
                span = self._span_at(beat + 1e-6)
                begins = abs(span.start - beat) < 1e-6
                if sign == "." and begins and _holds(signs, place):
                    sign = "R"
                if sign in ".-":
                    continue
                if begins and sign in "TFA":
                    sign = "R"
                root = _into(span.chord.root, low, low + 11)
                if root > 43 and sign in "RO":
                    root -= 12 if root - 12 >= instrument.lowest else 0
                intervals = span.chord.intervals
                third, fifth = intervals[1], (intervals[2] if len(intervals) > 2 else 7)
                pitch = root + {"R": 0, "T": third, "F": fifth, "O": 12}.get(sign, 0)
                if sign == "A":
                    pitch = self._approach(beat, root, low)
                if pitch > low + 17:
                    pitch -= 12
                following = next(
                    (later for later in range(place + 1, len(signs)) if signs[later] != "."),
                    len(signs),
                )
                length = min((following - place) * step, max(span.start + span.beats - beat, step))
                start = self._moment(beat)
                share = 0.7 if pattern in ("offbeat", "chip", "march") else 0.93
                seconds = (self._moment(beat + length) - start) * share
                strength = self._intensity(beat) + (0.03 if place == 0 else -0.03)
                pitch = _into(pitch, instrument.lowest, instrument.highest)
                notes.append(
                    Note(self._human(start), seconds, pitch, float(np.clip(strength, 0.3, 1)))
                )
        held = max(self.seconds - self.final - instrument.release - 0.25, 0.4)
        last = _into(self.harmony.last().root, low, low + 11)
        notes.append(Note(self.final, held, last, float(np.clip(self.mood.strength, 0.3, 1))))
        return notes

    def _approach(self, beat: float, root: int, low: int) -> int:
        """A tone that leads to the root of the next chord by a step."""
        ahead = float(np.floor(beat / self.bar_beats + 1) * self.bar_beats)
        end = ahead >= self.bars * self.bar_beats - 1e-6
        chord = self.harmony.last() if end else self._span_at(ahead + 1e-6).chord
        target = _into(chord.root, low, low + 11)
        below, above = target - 1, target + 2
        scale = scale_over(chord, self.tonic, self.mode)
        if above % 12 not in scale:
            above = target + 1
        return above if abs(above - root) < abs(below - root) else below

    def _drums(self, pattern: str) -> list[Note]:
        bars = drum_bar(pattern, self.metre)
        strengths = {"X": 0.97, "x": 0.85, "o": 0.66}
        boundaries = {phrase.bar for phrase in self.phrases}
        quiet_first = self.style.builds and len(self.phrases) >= 3
        notes: list[Note] = []
        level = 0.5 * (self.mood.strength - 0.85)

        def strike(drum: str, beat: float, strength: float) -> None:
            strength = strength + level + 0.3 * (self._intensity(beat) - self.mood.strength)
            if self.style.loose:
                strength += float(self.random.normal(0, 0.02))
            moment = self._human(self._moment(beat)) if self.style.loose else self._moment(beat)
            notes.append(Note(moment, 0.1, 0, float(np.clip(strength, 0.2, 1)), drum))

        for bar in range(self.bars):
            first = bar < self.intro or (quiet_first and bar < self.intro + self.phrase_bars)
            fills = bar + 1 in boundaries | {self.bars} and self.phrase_bars > 1 and bar > 0
            for drum, signs in bars.items():
                if first and drum in (
                    "clap",
                    "snare",
                    "electronic snare",
                    "low tom",
                    "march snare",
                ):
                    continue
                step = self.bar_beats / len(signs)
                last_beat = len(signs) - round(1 / step) if step < 1 else len(signs)
                for place, sign in enumerate(signs):
                    if sign == "." or (
                        fills
                        and FILLS[pattern]
                        and place >= last_beat
                        and drum not in ("ride", "shaker")
                    ):
                        continue
                    strike(drum, bar * self.bar_beats + place * step, strengths[sign])
            if fills and not first:
                for drum, signs in FILLS[pattern].items():
                    for place, sign in enumerate(signs):
                        if sign != ".":
                            at = (bar + 1) * self.bar_beats - 1 + place / len(signs)
                            strike(drum, at, strengths[sign] - 0.04)
        if pattern in ("rock", "pop", "techno", "epic", "blues", "march"):
            for phrase in self.phrases:
                if phrase.role in ("contrast",) or (
                    phrase.role == "close" and len(self.phrases) > 2
                ):
                    strike("crash", phrase.bar * self.bar_beats, 0.85)
        end = float(self.bars * self.bar_beats)
        ending = {"jazz": "ride", "bossa": "clave", "waltz": "brush", "folk": "kick",
                  "chip": "noise snare", "hip hop": "sub kick"}.get(pattern, "crash")  # fmt: skip
        strike(ending, end, 0.85)
        kick = next((drum for drum in bars if "kick" in drum or drum == "big drum"), None)
        if kick and kick != ending:
            strike(kick, end, 0.9)
        return notes


def _holds(signs: str, place: int) -> str:
    """The sign that is still held at a place of a pattern, or nothing."""
    for earlier in range(place - 1, -1, -1):
        if signs[earlier] == "-":
            return ""
        if signs[earlier] != ".":
            return signs[earlier]
    return ""


def _into(pitch: int, low: int, high: int) -> int:
    """The pitch moved by octaves into a range of an octave or more."""
    while pitch < low:
        pitch += 12
    while pitch > high:
        pitch -= 12
    return pitch
