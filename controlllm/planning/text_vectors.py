"""Vectors of the texts that planning compares requests with: what tools say of themselves, and
their examples, with what their slots stand for.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np

from controlllm.layout import ASSETS

Encode = Callable[[Sequence[str]], np.ndarray]

VECTORS_FILE = ASSETS / "planner" / "vectors.npz"

#: What stands for a slot of an example when it is compared with a request. Several for each, so
#: that no one noun pulls an example towards requests about that noun.
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


def neutral(example: str) -> str:
    """An example with its slots filled so that nothing but its wording counts."""
    return re.sub(r"\{(\w+)\}", lambda slot: NEUTRAL.get(slot.group(1), slot.group(1)), example)


def filled(example: str) -> str:
    """An example with its slots filled, always in the same way."""
    number = int.from_bytes(hashlib.sha256(example.encode()).digest()[:4], "big")

    def fill(slot: re.Match[str]) -> str:
        choices = _FILLERS.get(slot.group(1), (slot.group(1),))
        return choices[number % len(choices)]

    return re.sub(r"\{(\w+)\}", fill, example)


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
