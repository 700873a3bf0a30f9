"""Emoji: which one words ask for, and its picture (Noto Emoji, in ``assets/emoji``)."""

from __future__ import annotations

import re
from pathlib import Path

import PIL.Image

_FOLDER = Path(__file__).resolve().parents[3] / "assets" / "emoji"

#: The kinds with the words that ask for each; the first that fits is drawn.
_WORDS: tuple[tuple[str, str], ...] = (
    ("sunglasses", r"sun ?glass|shades\b|\bcool\b"),
    ("heart eyes", r"heart[- ]eye|in love|\bador|love[- ]?struck|loving"),
    ("wink", r"\bwink"),
    ("laughing", r"laugh|\blol\b|joy\b|grin|hilarious|funny|lmao|rofl"),
    ("angry", r"angry|\bmad\b|\brage|furious|grumpy|annoyed"),
    ("sad", r"\bsad|cry|crie|tear|unhappy|frown|upset"),
    ("surprised", r"surpris|shock|astonish|\bwow\b|amazed|omg|scared"),
    ("ghost", r"ghost|\bboo\b|spooky|halloween"),
    ("cat", r"\bcats?\b|kitt|kitty"),
    ("heart", r"heart|\blove\b|valentine"),
    ("star", r"\bstars?\b"),
    ("fire", r"\bfire|flame|\bhot\b|\blit\b|burn"),
    ("sun", r"\bsun\b|sunny|sunshine"),
    ("smiley", r"smil|happy|happi|cheer|glad|yellow face|\bfaces?\b"),
)
KINDS = tuple(kind for kind, _ in _WORDS)
_WANTED = re.compile(
    r"\b([a-z]+)[ -]+(?:face[ -]+)?(?:emoji|emoticon|symbol|sticker)s?\b|"
    r"\b(?:emoji|emoticon|symbol|sticker)s? of (?:an? |the )?([a-z]+)|"
    r"^(?:an? |the )?([a-z]+)$"
)
_ANY = frozenset(
    "a an the some any emoji emojis emoticon with by one big small large this that nice cute add "
    "put place of and random suitable fitting matching appropriate different use same an sticker "
    "it them yellow each every all my hide cover colourful colorful funky me please symbol".split()
)


def kind_of(words: str) -> str | None:
    """The kind of emoji that words ask for: "smiley" where any will do, None for one unknown."""
    lowered = words.lower().strip(" .!?")
    wanted = [word for found in _WANTED.findall(lowered) for word in found if word]
    for part in [*wanted, lowered]:
        for kind, pattern in _WORDS:
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
