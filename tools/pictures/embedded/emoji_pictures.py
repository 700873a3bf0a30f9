"""Emoji: which one words ask for, and its picture (Noto Emoji, in ``assets/emoji``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

import PIL.Image

from controlllm.layout import ASSETS

_FOLDER = ASSETS / "emoji"

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: The kinds with the words that ask for each.
_WORDS: Mapping[str, str] = _TOLD["kinds"]
KINDS = tuple(_WORDS)
_WANTED = re.compile(
    r"\b([a-z]+)[ -]+(?:face[ -]+)?(?:emoji|emoticon|symbol|sticker)s?\b|"
    r"\b(?:emoji|emoticon|symbol|sticker)s? of (?:an? |the )?([a-z]+)|"
    r"^(?:an? |the )?([a-z]+)$"
)
_ANY = frozenset(_TOLD["any"]["words"].split())


def kind_of(words: str) -> str | None:
    """The kind of emoji that words ask for: "smiley" where any will do, None for one unknown."""
    lowered = words.lower().strip(" .!?")
    wanted = [word for found in _WANTED.findall(lowered) for word in found if word]
    for part in [*wanted, lowered]:
        for kind, pattern in _WORDS.items():
            if re.search(pattern, part):
                # "a smiley on the cat's face": the word beside "emoji" is what counts.
                return kind
        if part in wanted and part not in _ANY:
            return None
    return "smiley"


def draw(kind: str, side: int) -> PIL.Image.Image:
    """An emoji of one of `KINDS`, RGBA, side x side pixels."""
    with PIL.Image.open(_FOLDER / f"{kind.replace(' ', '-')}.webp") as picture:
        # Premultiplied scaling: what is clear must not darken the rim.
        scaled = picture.convert("RGBa").resize((side, side), PIL.Image.Resampling.LANCZOS)
    return scaled.convert("RGBA")
