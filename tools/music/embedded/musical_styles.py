"""How each mood and each genre is played: tempo, mode, instruments, patterns, harmony, echo."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tools.music.embedded.musical_request import MusicalRequest


@dataclass(frozen=True)
class Mood:
    modes: tuple[str, ...]
    pace: float  # -1 the slow end of the genre's tempo, 1 the fast one
    strength: float
    register: int
    liveliness: int
    held: float = 0.95  # the share of its length that a melody note is held


@dataclass(frozen=True)
class Style:
    tempo: tuple[float, float]
    melody: tuple[str, ...]
    chords: str | None
    pattern: str
    bass: str | None
    bass_pattern: str
    harmony: str
    liveliness: int
    metre: str = "4/4"
    pad: str | None = None
    second: tuple[str, str] | None = None  # another instrument of chords, and its pattern
    drums: str | None = None
    swing: float = 0.5
    loose: float = 0.007  # seconds by which players are not together
    hall: float = 1.4
    slows: bool = False
    builds: bool = False
    doubled: bool = False
    ducks: bool = False


LIVELINESS = ("sparse", "even", "busy", "syncopated", "driving")
MOODS = {
    "happy": Mood(("major",), 0.5, 0.8, 2, 1, 0.85),
    "sad": Mood(("minor",), -1.0, 0.6, -3, -1),
    "calm": Mood(("major",), -0.9, 0.56, 0, -1),
    "tense": Mood(("minor",), 0.6, 0.82, -2, 1, 0.75),
    "dark": Mood(("minor", "phrygian"), -0.6, 0.74, -7, -1),
    "epic": Mood(("minor", "major"), 0.3, 0.92, 0, 0),
    "dreamy": Mood(("lydian", "major"), -0.7, 0.58, 4, -1),
    "romantic": Mood(("major",), -0.5, 0.66, 0, 0),
    "angry": Mood(("minor", "phrygian"), 1.0, 0.97, -3, 2, 0.8),
    "mysterious": Mood(("dorian", "minor"), -0.4, 0.64, -2, 0),
    "playful": Mood(("major",), 0.7, 0.74, 4, 1, 0.6),
    "nostalgic": Mood(("major", "dorian"), -0.6, 0.62, -1, 0),
    "hopeful": Mood(("major",), 0.1, 0.74, 1, 0),
    "energetic": Mood(("major", "minor"), 0.8, 0.9, 1, 1, 0.85),
    "solemn": Mood(("minor", "major"), -1.0, 0.72, -4, -1),
}
STYLES = {
    "lullaby": Style(
        (48, 60), ("music box", "flute", "vibraphone"), "harp", "broken", None, "held", "folk", 1,
        metre="6/8", pad="strings", hall=2.0, slows=True,
    ),
    "jazz": Style(
        (108, 156), ("saxophone", "vibraphone", "piano"), "piano", "comp", "bass", "walking",
        "jazz", 3, drums="jazz", swing=0.63, loose=0.009, hall=1.0,
    ),
    "blues": Style(
        (84, 116), ("saxophone", "guitar"), "piano", "ballad", "bass", "boogie", "blues", 3,
        drums="blues", swing=0.65, loose=0.01, hall=0.9,
    ),
    "rock": Style(
        (106, 146), ("distorted guitar",), "distorted guitar", "power", "bass guitar", "eighths",
        "loop", 3, drums="rock", loose=0.006, hall=0.9,
    ),
    "techno": Style(
        (122, 134), ("synth lead", "synth pluck"), "synth pluck", "sequence", "synth bass",
        "offbeat", "loop", 2, pad="pad", drums="techno", loose=0.0, hall=1.3, builds=True,
        ducks=True,
    ),
    "waltz": Style(
        (144, 178), ("violin", "clarinet", "accordion"), "pizzicato", "afterbeat", "pizzicato",
        "held", "classical", 1, metre="3/4", pad="strings", hall=1.7, slows=True, doubled=True,
    ),
    "march": Style(
        (106, 120), ("brass",), "horn", "offbeat", "horn", "march", "classical", 2,
        drums="march", loose=0.006, hall=1.3, doubled=True,
    ),
    "folk": Style(
        (92, 126), ("flute", "violin", "accordion"), "guitar", "picking", "bass", "half", "folk",
        2, drums="folk", hall=1.1, slows=True, doubled=True,
    ),
    "ambient": Style(
        (58, 74), ("bells", "electric piano", "flute"), "pad", "held", None, "held", "ambient", 0,
        second=("harp", "wide"), pad="choir", loose=0.014, hall=3.6,
    ),
    "classical": Style(
        (74, 116), ("piano",), "piano", "broken", None, "held", "classical", 1, loose=0.01,
        hall=1.9, slows=True,
    ),
    "chiptune": Style(
        (128, 160), ("square lead",), "pulse arpeggio", "fast arpeggio", "triangle bass", "chip",
        "loop", 2, drums="chip", loose=0.0, hall=0.3,
    ),
    "hip hop": Style(
        (76, 92), ("vibraphone", "electric piano", "guitar"), "electric piano", "lofi",
        "sub bass", "hip hop", "jazz", 1, drums="hip hop", swing=0.57, loose=0.009, hall=1.0,
        builds=True,
    ),
    "bossa nova": Style(
        (112, 138), ("flute", "saxophone", "guitar"), "guitar", "bossa", "bass", "bossa", "bossa",
        3, drums="bossa", hall=1.1,
    ),
    "reggae": Style(
        (70, 86), ("organ", "saxophone"), "guitar", "offbeat", "bass guitar", "reggae", "loop", 1,
        drums="reggae", swing=0.56, hall=1.1,
    ),
    "pop": Style(
        (98, 124), ("synth lead", "piano", "guitar"), "piano", "ballad", "bass guitar", "pop",
        "loop", 3, pad="strings", second=("guitar", "strum"), drums="pop", hall=1.3,
    ),
    "orchestral": Style(
        (80, 124), ("horn", "violin", "oboe"), "strings", "held", "cello", "held", "film", 1,
        second=("harp", "broken"), loose=0.01, hall=2.6, slows=True, doubled=True,
    ),
}  # fmt: skip
STORMY = frozenset({"epic", "tense", "angry", "energetic"})


def style_of(request: MusicalRequest) -> Style:
    """The genre's style, as the mood bends it."""
    style = STYLES[request.genre]
    mood = request.mood
    if request.genre == "orchestral":
        if mood in STORMY:
            style = replace(
                style, melody=("horn", "brass"), second=("staccato strings", "ostinato"),
                drums="epic", pad="choir" if mood == "epic" else None, builds=mood == "epic",
            )  # fmt: skip
        elif mood in ("dark", "solemn"):
            style = replace(style, melody=("cello", "horn"), pad="choir", second=None)
        elif mood == "mysterious":
            style = replace(style, melody=("oboe", "clarinet"), second=("harp", "wide"))
        elif mood == "playful":
            style = replace(style, melody=("clarinet", "flute"), chords="pizzicato",
                            pattern="offbeat", second=None)  # fmt: skip
    elif request.genre == "classical":
        pattern = {
            "calm": "broken", "sad": "broken", "solemn": "held", "happy": "alberti",
            "playful": "alberti", "energetic": "alberti", "dark": "wide", "tense": "alberti",
        }  # fmt: skip
        style = replace(style, pattern=pattern.get(mood, "arpeggio"))
        if mood == "solemn" and "organ" not in request.instruments:
            style = replace(style, pattern="ballad")
    elif request.genre == "folk":
        style = replace(style, drums=style.drums if MOODS[mood].pace > 0.3 else None)
        if MOODS[mood].pace > 0.3:
            style = replace(style, pattern="strum")
    elif request.genre == "pop" and MOODS[mood].pace < 0:
        style = replace(style, melody=("piano", "flute"), second=None)
    return style


def mode_of(request: MusicalRequest) -> str:
    """The mode where the words name none: the mood has it, and some genres."""
    genre = request.genre
    if genre in ("techno", "hip hop") and request.mood in ("energetic", "nostalgic", "calm"):
        return "minor"
    if request.mood == "energetic" and genre in ("rock",):
        return "minor" if request.seed % 2 else "major"
    return MOODS[request.mood].modes[request.seed % len(MOODS[request.mood].modes)]
