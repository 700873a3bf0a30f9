"""The phrasebook: intents with example phrasings, and which of them a clause comes nearest to.

The shipped intents (``assets/planner/intents.json``) say what people want, not which tool gives it.
Each tool that carries examples adds an intent of its own, so that a tool added tomorrow is
understood as well as one of ours.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from controlllm.layout import ASSETS
from controlllm.planning.arguments import role_of
from controlllm.resources import PARENTS
from controlllm.toolbox import Tool

Encode = Callable[[Sequence[str]], np.ndarray]

INTENTS_FILE = ASSETS / "planner" / "intents.json"
VECTORS_FILE = ASSETS / "planner" / "vectors.npz"

#: What an intent returns that no tool can ever meet: something to be done outside of the program.
OUTSIDE = "outside"

#: What stands for a slot of a phrasing when it is compared with a request. Several for each, so
#: that no one noun pulls a phrasing towards requests about that noun.
_FILLERS: dict[str, tuple[str, ...]] = {
    "image": ("the image", "this picture", "the photo", "my picture", "this image"),
    "images": ("these images", "the pictures", "all three photos"),
    "video": ("the video", "this clip", "my video"),
    "videos": ("these videos", "the clips"),
    "audio": ("the audio", "this recording", "the sound file"),
    "object": ("dog", "red car", "umbrella", "woman on the left", "laptop", "horses", "chair"),
    "text": ("the meeting was moved to Friday", "once upon a time there was a king"),
    "prompt": ("a castle on a hill at sunset", "a snowy forest with a cabin", "two robots dancing"),
    "question": ("what is happening here?", "why is the man smiling?"),
    "place": ("Berlin", "the city of Lima"),
    "number": ("three", "10"),
    "language": ("German", "Spanish"),
    "kind": ("goldfinch", "espresso maker", "border collie", "bolete"),
    "activity": ("rowing a boat", "playing the violin", "doing push ups"),
}


@dataclass(frozen=True)
class Intent:
    """What a person may want.

    `takes` are the types of the resources that it works on; `text` is the role of the words that
    go with it (``object``, ``question``, ``prompt``, ``content`` or ``none``); `refers` says
    whether a later "it" means the ``object`` spoken of or the ``result``; `keeps` that the result
    shows all that was there, so that what is asked next is asked of it. `follow_ups` are
    phrasings that refer back to a clause before. `own` is False for intents that a tool's examples
    make. `knows` names the things that it is for, in the singular, where it is not for just any.
    `gathers` says that several files go into one result, and are not worked on one by one.
    """

    name: str
    description: str
    domain: str
    takes: tuple[str, ...]
    returns: str
    text: str
    refers: str
    phrasings: tuple[str, ...]
    follow_ups: tuple[str, ...] = ()
    keeps: bool = False
    own: bool = True
    knows: frozenset[str] = frozenset()
    gathers: bool = False


@dataclass(frozen=True)
class Match:
    """An intent with how near a clause comes to it, about 0..1."""

    intent: Intent
    score: float


def read_intents(path: Path = INTENTS_FILE) -> tuple[Intent, ...]:
    """The intents of a phrasing file, in its order."""
    return tuple(
        Intent(
            entry["intent"],
            entry["description"],
            entry["domain"],
            tuple(entry["takes"]),
            entry["returns"],
            entry["text"],
            entry["refers"],
            tuple(entry["phrasings"]),
            tuple(entry.get("follow_ups", ())),
            bool(entry.get("keeps", False)),
            knows=frozenset(entry.get("knows", ())),
            gathers=len(set(entry["takes"])) < len(entry["takes"]),
        )
        for entry in json.loads(path.read_text())
    )


def intent_of(tool: Tool) -> Intent:
    """The intent that a tool's own examples stand for."""
    roles = [role_of(argument) for argument in tool.args if argument.type == "text"]
    files = [argument for argument in tool.required if argument.type != "text"]
    types = tuple(argument.type for argument in files)
    is_foreign = not {*types, tool.returns.type} <= set(PARENTS)
    return Intent(
        tool.name,
        tool.description,
        tool.domain,
        types,
        tool.returns.type,
        roles[0] if roles else "none",
        "object" if tool.returns.type in ("bbox", "mask", "category", "number") else "result",
        # Of a tool of another field every word helps; of others the intents know more.
        (*tool.examples, tool.description) if is_foreign else tool.examples,
        own=False,
        gathers=len(set(types)) < len(types) or any(argument.many for argument in files),
    )


#: What stands for a slot where only the wording around it counts.
NEUTRAL = {
    "image": "the image",
    "images": "the images",
    "video": "the video",
    "videos": "the videos",
    "audio": "the recording",
    "object": "object",
    "text": "some text",
    "prompt": "a scene",
    "question": "a question",
    "place": "a place",
    "number": "two",
    "language": "a language",
    "kind": "kind of thing",
    "activity": "activity",
}


def neutral(phrasing: str) -> str:
    """A phrasing with its slots filled so that nothing but its wording counts."""
    return re.sub(r"\{(\w+)\}", lambda slot: NEUTRAL.get(slot.group(1), slot.group(1)), phrasing)


def filled(phrasing: str) -> str:
    """A phrasing with its slots filled, always in the same way."""
    number = int.from_bytes(hashlib.sha256(phrasing.encode()).digest()[:4], "big")

    def fill(slot: re.Match[str]) -> str:
        choices = _FILLERS.get(slot.group(1), (slot.group(1),))
        return choices[number % len(choices)]

    return re.sub(r"\{(\w+)\}", fill, phrasing)


class TextVectors:
    """Sentence vectors by text, from a file where they are known and encoded where not."""

    def __init__(self, encode: Encode, path: Path | None = VECTORS_FILE) -> None:
        self._encode = encode
        self._known: dict[bytes, np.ndarray] = {}
        if path is not None and path.is_file():
            with np.load(path) as stored:
                for key, vector in zip(stored["keys"], stored["vectors"], strict=True):
                    self._known[key.tobytes()] = vector
        self.encoded = 0

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        """Vectors of the texts, float32, shape (n, d), rows of length 1."""
        keys = [_key(text) for text in texts]
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if new:
            self.encoded += len(new)
            for key, vector in zip(new, self._encode(list(new.values())), strict=True):
                self._known[key] = vector
        return np.array([self._known[key] for key in keys], np.float32)

    @staticmethod
    def write(path: Path, texts: Iterable[str], encode: Encode) -> None:
        """Store the vectors of the texts in a file that the constructor reads."""
        ordered = sorted(set(texts))
        np.savez_compressed(
            path,
            keys=np.array([np.frombuffer(_key(text), np.uint8) for text in ordered]),
            vectors=encode(ordered).astype(np.float16),
        )


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:12]


#: So many phrasings of an intent are compared with a request: the reader has learnt the others.
COMPARED = 32


class Phrasebook:
    """Intents and the vectors of their phrasings, filled with examples and neutrally."""

    #: How much of an intent's score is its nearest phrasing; the rest is its three nearest.
    NEAREST_SHARE = 0.7

    def __init__(self, intents: Sequence[Intent], vectors: Callable[[Sequence[str]], np.ndarray]):
        self.intents = tuple(
            replace(intent, phrasings=intent.phrasings[:COMPARED])
            for intent in intents
            if intent.phrasings
        )
        phrasings = [phrasing for intent in self.intents for phrasing in intent.phrasings]
        self._filled = _vectors_of([filled(phrasing) for phrasing in phrasings], vectors)
        self._neutral = _vectors_of([neutral(phrasing) for phrasing in phrasings], vectors)
        # Only a phrasing with a slot can be compared without what fills it.
        self._bare_share = np.array([0.5 if "{" in phrasing else 0.0 for phrasing in phrasings])
        ends = np.cumsum([len(intent.phrasings) for intent in self.intents])
        self._spans = [
            (int(end) - len(intent.phrasings), int(end))
            for end, intent in zip(ends, self.intents, strict=True)
        ]

    def matches(self, wording: np.ndarray, bare_wording: np.ndarray) -> list[Match]:
        """Every intent with its nearness to a clause, nearest first.

        `wording` is the vector of the clause, `bare_wording` that of the clause with the object
        and the description in it replaced by neutral words.
        """
        if not self.intents:
            return []
        similarities = (1 - self._bare_share) * (self._filled @ wording)
        similarities += self._bare_share * (self._neutral @ bare_wording)
        found = []
        for intent, (start, end) in zip(self.intents, self._spans, strict=True):
            nearest = np.sort(similarities[start:end])[::-1][:3]
            score = self.NEAREST_SHARE * nearest[0] + (1 - self.NEAREST_SHARE) * nearest.mean()
            found.append(Match(intent, float(score)))
        return sorted(found, key=lambda match: (-match.score, match.intent.name))


def _vectors_of(texts: list[str], vectors: Callable[[Sequence[str]], np.ndarray]) -> np.ndarray:
    return vectors(texts) if texts else np.zeros((0, 1), np.float32)
