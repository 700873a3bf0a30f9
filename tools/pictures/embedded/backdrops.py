"""Backgrounds that words ask for: plain colours, gradients, patterns, skies and simple scenes."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np

from tools.pictures.embedded import backdrop_scenes

Colour = tuple[int, int, int]

_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: What each colour word looks like as a background.
SHADES: dict[str, Colour] = {name: tuple(shade) for name, shade in _TOLD["shades"].items()}

#: What can be drawn, in words for a person.
CHOICES = (
    "a plain colour, a gradient of two colours, stripes, dots, checks, a blur of the old "
    "background, a studio wall, a blue sky with clouds, a sunset sky, a night sky with stars, a "
    "beach, a meadow, snow or mountains, a brick wall, soft points of light, or nothing "
    "(transparent)"
)
#: Larger backgrounds are enlarged from this size: full size would take gigabytes to draw.
_LARGEST_SIDE = 2048
TRANSPARENT = "transparent"
BLURRED = "blurred"

_COLOUR_WORDS = "|".join(sorted(SHADES, key=len, reverse=True))
_ONE_COLOUR = rf"(?:(?:light|pale|pastel|bright|dark|deep)[ -]+)?(?:{_COLOUR_WORDS})\b"
_RAINBOW = ("red", "orange", "yellow", "green", "blue", "purple")
_BESIDE = frozenset(_TOLD["beside"]["words"].split())


def parse(words: str) -> tuple[str, tuple[Colour, ...]] | None:
    """The kind of background that words ask for and the colours in them; None for none known.

    Words for things that cannot be drawn ("Paris at night") make it None too: a night sky would
    not be what was asked for.
    """
    lowered = words.lower()
    shades = tuple(_shade(found) for found in re.findall(_ONE_COLOUR, lowered))
    if unknown_words(lowered):
        return None
    for kind, pattern in _TOLD["kinds"].items():
        if re.search(pattern, lowered):
            if kind == "gradient" and "rainbow" in lowered and len(shades) < 2:
                shades = tuple(SHADES[name] for name in _RAINBOW)
            return kind, shades
    if not shades:
        return None
    return ("gradient" if len(shades) > 1 else "plain"), shades


def unknown_words(words: str) -> list[str]:
    """The words that name nothing that can be drawn here and are no talk around it either."""
    rest = words.lower()
    for pattern in _TOLD["kinds"].values():
        rest = re.sub(rf"(?:{pattern})\w*", " ", rest)
    names = re.findall(r"[a-z]+(?:'[a-z]+)?", rest)
    return [name for name in names if name not in _BESIDE and name not in SHADES]


def draw(kind: str, shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    """A background of a kind that `parse` found: uint8, height x width x 3."""
    import cv2

    scale = min(1.0, _LARGEST_SIDE / max(size))
    width, height = (max(1, round(side * scale)) for side in size)
    ground = backdrop_scenes.Ground(width, height, shades, _TOLD["fades"])
    drawn = backdrop_scenes.DRAWN[kind](ground)
    # A little noise keeps smooth fades free of visible bands.
    if kind not in ("plain", "stripes", "dots", "checks"):
        drawn = drawn + np.random.default_rng(7).normal(0, 1.0, (height, width, 1))
    drawn = np.clip(drawn.round(), 0, 255).astype(np.uint8)
    return drawn if scale == 1 else cv2.resize(drawn, size, interpolation=cv2.INTER_CUBIC)


def _shade(words: str) -> Colour:
    shade = np.array(SHADES[re.split(r"[ -]+", words)[-1]], float)
    if re.match("light|pale|pastel", words):
        shade += 0.55 * (255 - shade)
    if re.match("dark|deep", words):
        shade *= 0.5
    red, green, blue = shade.round().astype(int).tolist()
    return red, green, blue
