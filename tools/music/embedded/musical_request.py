"""What some words ask of a piece of music: mood, genre, tempo, key, metre, length, instruments.

The words are read leniently. Where they name neither a mood nor a genre, as when they describe a
scene, the nearest of some scenes with known music decides (nearness of sentence vectors).
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from controlllm.models.encoder import encode
from controlllm.toolbox import ToolError

from ...shared.amounts import amounts, in_figures
from ...shared.tables import filled
from .tables import table

SHORTEST_SECONDS, LONGEST_SECONDS = 3.0, 180.0
SLOWEST, FASTEST = 30.0, 260.0
METRES = ("2/4", "3/4", "4/4", "5/4", "6/8")


@dataclass(frozen=True)
class MusicalRequest:
    """What the words say; None or empty where they say nothing.

    `speed` is a factor on the usual tempo ("slow" is below 1); `mood` and `genre` are always given;
    `genre_named` says whether the words chose the genre, or only the mood did.
    """

    mood: str
    genre: str
    genre_named: bool
    seed: int
    tempo: float | None = None
    speed: float = 1.0
    metre: str | None = None
    tonic: int | None = None
    mode: str | None = None
    seconds: float | None = None
    length: float = 1.0
    instruments: tuple[str, ...] = ()
    excluded: frozenset[str] = frozenset()
    solo: bool = False


_WORDS = table("words")
_SCENES = table("scenes")
_GENRES = [
    (genre, re.compile(rf"(?<![\w-])(?:{'|'.join(words)})(?![\w])"))
    for genre, words in _WORDS["genres"].items()
]
#: The longest first: "electric piano" is no piano.
_INSTRUMENTS = sorted(
    (
        (name, re.compile(rf"(?<![\w-])(?:{words})(?!\w)"), len(words))
        for name, listed in _WORDS["instruments"].items()
        for words in listed
    ),
    key=lambda item: -item[2],
)
_MUSIC = "|".join(_WORDS["music"])
_AMBIGUOUS = re.compile("|".join(_WORDS["ambiguous"]))
_MOODS_OF_SCENES = frozenset(_WORDS["moods_of_scenes"].split())
_SCALES: dict[str, str] = _WORDS["scales"]
_LETTERS = {"c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11}
_PATTERNS = {
    name: re.compile(filled(pattern, {"music": _MUSIC}))
    for name, pattern in _WORDS["patterns"].items()
}


def read_request(words: str) -> MusicalRequest:
    """What the words ask for.

    Raises ToolError where they are empty, or ask for a voice, a length, a tempo or a metre that
    cannot be played.
    """
    plain = " ".join(words.replace("’", "'").split())
    if not re.search(r"\w", plain):
        raise ToolError(
            "There are no words to compose from; say what the music shall be like, for example "
            "“a calm piano piece of 30 seconds”."
        )
    lower = plain.lower()[:4000]
    if _PATTERNS["sung"].search(lower) and not _PATTERNS["not_sung"].search(lower):
        raise ToolError(
            "I play instruments and cannot sing; ask for the music without a voice, for example "
            "“a cheerful pop tune with guitar and drums”."
        )
    seed = _seed(lower)
    musical = (
        len(lower.split()) <= 3
        or re.search(rf"\b(?:{_MUSIC}|compose|orchestral)\b", lower) is not None
        or _seconds(lower) is not None
        or _metre(lower) is not None
        or _key(plain)[1] is not None
        or _names_music(lower)
    )
    mood = _mood(lower, musical)
    genre = _genre(lower, musical)
    instruments, excluded = _instruments(lower, musical)
    tempo, speed = _tempo(lower)
    tonic, mode = _key(plain)
    genre_named = genre is not None
    metre = _metre(lower)
    if genre == "waltz" and re.search(r"\bjazz", lower):
        genre, metre = "jazz", "3/4"
    if genre is None and metre == "3/4" and "waltz" not in excluded and mood is None:
        genre = "classical"
    if genre is None and mood is None:
        if mode == "minor" and instruments:
            mood, genre = "sad", "classical"
        elif instruments and not _describes(lower):
            mood = "calm" if speed < 1 else "hopeful" if speed == 1 else "energetic"
        else:
            mood, genre = _scene(lower)
    if genre is None:
        assert mood is not None
        choices = _SCENES["mood_genres"][mood]
        genre = choices[seed % len(choices)]
        if "drums" in instruments and genre in ("classical", "ambient", "orchestral", "lullaby"):
            genre = "pop"
        elif instruments and not set(instruments) & {"drums", "bass", "distorted guitar"}:
            genre = "orchestral" if len(instruments) > 2 else "classical"
            if instruments[0] in ("guitar", "accordion"):
                genre = "folk"
        elif "distorted guitar" in instruments:
            genre = "rock"
    return MusicalRequest(
        mood=mood or _SCENES["genre_moods"][genre],
        genre=genre,
        genre_named=genre_named,
        seed=seed,
        tempo=tempo,
        speed=speed,
        metre=metre,
        tonic=tonic,
        mode=mode,
        seconds=_seconds(lower),
        length=_length(lower),
        instruments=instruments,
        excluded=excluded,
        solo=_PATTERNS["solo"].search(lower) is not None,
    )


def _seed(lower: str) -> int:
    letters = " ".join(re.findall(r"[\w#./:]+", lower))
    return int.from_bytes(hashlib.sha256(letters.encode()).digest()[:6], "big")


def _denied(lower: str, start: int) -> bool:
    """Whether the word at `start` is one that is not wanted: "no drums", "not sad"."""
    return _PATTERNS["denied"].search(lower[max(start - 34, 0) : start]) is not None


def _mood(lower: str, musical: bool) -> str | None:
    first: tuple[int, str] | None = None
    for mood, names in _WORDS["moods"].items():
        for name in names.split():
            if name in _MOODS_OF_SCENES and not musical:
                continue
            for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?!\w)", lower):
                if not _denied(lower, found.start()) and (
                    first is None or found.start() < first[0]
                ):
                    first = (found.start(), mood)
    return first[1] if first else None


def _counts(lower: str, start: int, end: int, musical: bool) -> bool:
    """Whether a word that means music and something else means music here."""
    if not _AMBIGUOUS.fullmatch(lower[start:end]):
        return True
    before = lower[:start]
    if _PATTERNS["music_after"].match(lower[end:]):
        return True
    if not musical or _PATTERNS["of_a_kind"].search(before):
        return musical
    return (
        not _PATTERNS["article"].search(before) or _PATTERNS["with_it"].search(before) is not None
    )


def _genre(lower: str, musical: bool) -> str | None:
    best: tuple[int, int, str] | None = None
    for genre, pattern in _GENRES:
        for found in pattern.finditer(lower):
            if _denied(lower, found.start()):
                continue
            a_march = re.search(r"\b(?:a|military) march$", lower[: found.end()])
            if not (a_march or _counts(lower, found.start(), found.end(), musical)):
                continue
            # Of two genres the one named last is the noun: "a jazz waltz", "an orchestral march".
            weak = genre in ("orchestral", "folk", "pop", "classical") and best is not None
            place = (0 if weak else 1, found.start(), genre)
            if best is None or place[:2] > best[:2]:
                best = place
    return best[2] if best else None


def _instruments(lower: str, musical: bool) -> tuple[tuple[str, ...], frozenset[str]]:
    left = lower
    found: dict[str, int] = {}
    excluded: set[str] = set()
    for name, pattern, _ in _INSTRUMENTS:
        for match in pattern.finditer(left):
            start, end = match.span()
            if not left[start:end].strip() or not _counts(lower, start, end, musical):
                continue
            if _denied(lower, start):
                excluded.add(name)
            elif name not in found or start < found[name]:
                found[name] = start
            left = left[:start] + "\0" * (end - start) + left[end:]
    if re.search(r"\bdrum (?:and|&|'?n'?) bass\b", lower):
        found = {name: at for name, at in found.items() if name not in ("drums", "bass")}
    if "orchestra" in lower and "strings" in found and "string" not in lower:
        del found["strings"]
    if re.search(r"\b(?:beat|beats)\b", lower) and not re.search(r"\bdrum|percussion", lower):
        found.pop("drums", None)
    ordered = sorted((name for name in found if name not in excluded), key=lambda name: found[name])
    return tuple(ordered), frozenset(excluded)


def _names_music(lower: str) -> bool:
    """Whether an instrument or a genre is named that means nothing else."""
    patterns = [pattern for _, pattern in _GENRES]
    patterns += [pattern for _, pattern, _ in _INSTRUMENTS]
    return any(
        not _AMBIGUOUS.fullmatch(found.group())
        for pattern in patterns
        for found in pattern.finditer(lower)
    )


def _tempo(lower: str) -> tuple[float | None, float]:
    named = _PATTERNS["tempo"].search(lower)
    if named:
        tempo = float(named.group(1) or named.group(2))
        if not SLOWEST <= tempo <= FASTEST:
            raise ToolError(
                f"I cannot play at {tempo:g} beats per minute; ask for a tempo from {SLOWEST:g} to "
                f"{FASTEST:g}."
            )
        return tempo, 1.0
    for words, speed in _WORDS["speeds"]:
        found = re.search(rf"(?<![\w-])(?:{words})(?!\w)", lower)
        if found and not _denied(lower, found.start()):
            return None, speed
    return None, 1.0


def _metre(lower: str) -> str | None:
    found = re.search(r"(?<![\d/])(\d{1,2})\s*/\s*(2|4|8|16)(?![\d/])", lower)
    if not found:
        threes = re.search(r"\b(?:three-four|triple (?:time|metre|meter))\b", lower)
        return "3/4" if threes else None
    asked = _WORDS["metres"].get(found[0].replace(" ", ""), f"{found[1]}/{found[2]}")
    if asked not in METRES:
        raise ToolError(
            f"I cannot count in {asked}; ask for {', '.join(METRES[:-1])} or {METRES[-1]}."
        )
    return asked


def _tonic(found: re.Match[str]) -> int:
    """The pitch class of a letter with its sign."""
    sign = found["sign"] or found["word"] or ""
    shift = 1 if sign in ("#", "♯", "sharp") else -1 if sign else 0
    return (_LETTERS[found["letter"].lower()] + shift) % 12


def _key(plain: str) -> tuple[int | None, str | None]:
    lower = plain.lower()
    for found in _PATTERNS["key"].finditer(plain):
        if found["letter"] != "a" or found["lead"]:
            return _tonic(found), _SCALES[found["mode"]]
    alone = _PATTERNS["key_alone"].search(plain)
    tonic = _tonic(alone) if alone else None
    for word, mode in _SCALES.items():
        at = re.search(rf"\b{word}\b", lower)
        if at and word not in ("pentatonic", "maj", "min") and not _denied(lower, at.start()):
            return tonic, mode
    return tonic, "major" if tonic is not None else None


def _seconds(lower: str) -> float | None:
    plain = in_figures(
        _PATTERNS["no_length"].sub("", lower).replace("half-minute", "half a minute")
    )
    named = [amount.value for amount in amounts(plain) if amount.kind == "seconds"]
    clock = _PATTERNS["clock"].search(lower)
    if not named and not clock:
        return None
    total = sum(named) if named or not clock else 60.0 * int(clock[1]) + int(clock[2])
    if not SHORTEST_SECONDS <= total <= LONGEST_SECONDS:
        raise ToolError(
            f"I compose pieces of {SHORTEST_SECONDS:g} seconds to {LONGEST_SECONDS / 60:g} "
            f"minutes, and {total:g} seconds were asked for; ask for a length between."
        )
    return total


def _length(lower: str) -> float:
    if _PATTERNS["short"].search(lower):
        return 0.45
    return 2.0 if _PATTERNS["long"].search(lower) else 1.0


def _describes(lower: str) -> bool:
    """Whether words are left that may describe a scene, beside those that ask for music."""
    rest = _PATTERNS["carrier"].sub(" ", lower)
    for _, pattern, _ in _INSTRUMENTS:
        rest = pattern.sub(" ", rest)
    rest = _PATTERNS["says_nothing"].sub(" ", rest)
    return len(re.findall(r"[a-z]{3,}", rest)) >= 2


def _scene(lower: str) -> tuple[str, str]:
    rest = " ".join(_PATTERNS["carrier"].sub(" ", lower).split()) or lower
    nearness = _scene_vectors() @ encode([rest])[0]
    _, mood, genre = _SCENES["scenes"][int(np.argmax(nearness))]
    return mood, genre


@lru_cache(maxsize=1)
def _scene_vectors() -> np.ndarray:
    return encode([scene for scene, _, _ in _SCENES["scenes"]])
