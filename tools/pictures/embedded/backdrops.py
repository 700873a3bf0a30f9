"""Backgrounds that words ask for: plain colours, gradients, patterns, skies and simple scenes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import PIL.Image
import PIL.ImageColor
import PIL.ImageOps

from controlllm.layout import ASSETS
from controlllm.values.colours import find_colours, names_of_colours

from ...shared.function_words import FUNCTION_WORDS

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
_SCENES = ASSETS / "backdrops"
#: Where the middle of a scene is cut from when its sides do not fit: suns and horizons are there.
_CUT_AT = (0.6, 0.6)
#: Scenes that can be had in another colour than their own.
_COLOURED = frozenset({"blue sky", "brick wall"})
TRANSPARENT = "transparent"
BLURRED = "blurred"

#: All names of colours: those of `SHADES` and whatever else is called one.
NAMES = (*SHADES, *(name for name in names_of_colours() if name not in SHADES))
_COLOUR_WORDS = "|".join(sorted(NAMES, key=len, reverse=True))
_CODE = re.compile(r"#[0-9a-f]{6}\b")
_ONE_COLOUR = (
    rf"{_CODE.pattern}|(?:(?:light|pale|pastel|bright|dark|deep)[ -]+)?\b(?:{_COLOUR_WORDS})\b"
)
_RAINBOW = ("red", "orange", "yellow", "green", "blue", "purple")
#: What denies is no talk: "light grey, not white".
_DENYING = frozenset("no not without except none nothing never nor neither unlike but".split())
_BESIDE = frozenset(_TOLD["beside"]["words"].split()) | {
    word for word in FUNCTION_WORDS - _DENYING if not word.endswith("n't")
}


#: What is before the words for a background, and what is no longer to be one.
_BEFORE_GROUND = re.compile(
    r"^.*\b(?:on(?:to)?|in front of|before|against|behind (?:it|her|him|them)|"
    r"(?:background|backdrop|bg|it|them) (?:in)?to|needs?|wants?|requires?|gets?|try|made|becomes?|"
    r"(?:replace|exchange|swap|change)\b.*? (?:by|with|for|to))\s+(?=\S)"
)
_NO_LONGER = re.compile(
    r"\binstead of\b.*?(?=,|[.;]|\bi(?:['’]d| want| would)\b|\b(?:put|give|use|make|have)\b|$)|"
    rf",? not (?:too |so |very )?(?:{_COLOUR_WORDS})\b|"
    r"[,.;] ?(?:now )?(?:it|this)(?:['’]?s| is| was| looks?)\b(?! to\b)[^,.;]*"
)
#: Whose background it is, and which files are meant: "plain white behind the mug".
_WHOSE = re.compile(
    r"\b(?:behind|around|of|for|on|in) (?:the|my|our|his|her|this|that|me|us|him|it|them|"
    r"(?:\w+)['’]s|(?=\w+\.(?:jpe?g|png|webp|tiff?|heic)\b))\b"
    r"[^,;!?]*?(?:\.\w{3,4}\b|(?=[,.;:!?]|->|$))"
)
#: What only tells how it is, or what is to go, before the new background is said.
_TELLS = re.compile(r"\b(?:get rid|remov\w+|tak\w+|was|is|looks?|said)\b")
#: Where it is said what else matters beside the background.
_NEXT = re.compile(
    r"\s*(?:[,;.()?!]|->|→|\band (?=(?:give|put|make|use|have)\b)|"
    r"\b(?:for|so|but|like|while|because)\b|"
    r"\bwith (?=(?:the|my) [\w ]+ (?:cut|kept|left|in front)\b))\s*"
)


def read(words: str) -> tuple[str, tuple[Colour, ...], str] | None:
    """The kind of background that words ask for, the colours in them, and what else they say that
    is not drawn; None where what is said first is no background that is known here."""
    lowered = _NO_LONGER.sub("", words.lower()).strip()
    # Whose background it is says nothing of the new one, unless it does: "in front of it".
    wholes = [lowered, _WHOSE.sub(" ", lowered)]
    grounds = [ground for whole in wholes for ground in (whole, _BEFORE_GROUND.sub("", whole))]
    for ground in grounds:
        if found := parse(ground):
            return *found, ""
    return next(filter(None, map(_read_in_part, grounds)), None)


def _read_in_part(ground: str) -> tuple[str, tuple[Colour, ...], str] | None:
    """As `read`, where more is said than what the background is: before it what is there now,
    behind it what else matters."""
    parts = [part for part in _NEXT.split(ground) if part]
    while parts:
        first, *parts = parts
        denied = re.search(r"\b(?:no|nothing|not)\b|n't\b", first)
        found = None if denied else parse(_BEFORE_GROUND.sub("", first))
        if not found and not _TELLS.search(first):
            return None
        if found:
            break
    else:
        return None
    kind, shades = found
    unread = []
    for part in parts:
        more = parse(part)
        if more is None:
            unread.append(part)
        shades = shades or (more[1] if more else ())
    shades = tuple(map(_shade, _CODE.findall(ground))) or shades
    return kind, shades, ", ".join(unread)


def parse(words: str) -> tuple[str, tuple[Colour, ...]] | None:
    """The kind of background that words ask for and the colours in them; None for none known.

    Words for things that cannot be drawn ("Paris at night") make it None too: a night sky would
    not be what was asked for.
    """
    lowered = words.lower()
    # Whoever gives a code means it, whatever they call the colour.
    named = _CODE.findall(lowered) or re.findall(_ONE_COLOUR, lowered)
    shades = tuple(map(_shade, named))
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
    rest = re.sub(_ONE_COLOUR, " ", words.lower())
    for pattern in _TOLD["kinds"].values():
        rest = re.sub(rf"(?:{pattern})\w*", " ", rest)
    names = re.findall(r"[a-z]+(?:'[a-z]+)?", rest)
    return [name for name in names if name not in _BESIDE and name not in SHADES]


def draw(kind: str, shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    """A background of a kind that `parse` found: uint8, height x width x 3.

    `shades` are the colours that were asked for, `size` is width and height in pixels.
    """
    drawn = DRAWN[kind](shades, size) if kind in DRAWN else _scene(kind, shades, size)
    # A little noise keeps smooth fades free of visible bands.
    if kind not in ("plain", "stripes", "dots", "checks"):
        drawn = drawn + np.random.default_rng(7).normal(0, 1.0, (*drawn.shape[:2], 1))
    return np.clip(drawn.round(), 0, 255).astype(np.uint8)


def _scene(kind: str, shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    with PIL.Image.open(_SCENES / f"{kind.replace(' ', '-')}.webp") as picture:
        scene = PIL.ImageOps.fit(picture.convert("RGB"), size, centering=_CUT_AT)
    if not shades or kind not in _COLOURED:
        return np.asarray(scene, np.float32)
    # What has the scene's own colour takes the other one; clouds and mortar keep theirs.
    hues = np.asarray(scene.convert("HSV"), np.float32)
    share = np.minimum(hues[..., 1] / np.median(hues[..., 1]), 1)[..., None]
    tone = (hues[..., 2] / np.median(hues[..., 2]))[..., None]
    return scene + share * (np.array(shades[0], np.float32) * tone - scene)


def _plain(shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    return np.broadcast_to(np.array(shades[0], np.float32), (size[1], size[0], 3))


def _gradient(shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    stops = np.array(shades or ((250, 180, 150), (120, 110, 210)), np.float32)
    if len(stops) == 1:
        stops = np.stack([stops[0] + 0.7 * (255 - stops[0]), stops[0]])
    places, down = np.linspace(0, 1, len(stops)), np.linspace(0, 1, size[1])
    column = np.stack([np.interp(down, places, stops[:, part]) for part in range(3)], axis=-1)
    return np.repeat(column[:, None], size[0], axis=1)


def _places(size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """How far across and down each pixel lies, in shares of the height."""
    down, across = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    return (across + 0.5) / size[1], (down + 0.5) / size[1]


def _studio(shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    """A lit paper roll: brightest behind the subject, the floor a little lighter than the wall."""
    across, down = _places(size)
    wide = size[0] / size[1]
    off = (across - wide / 2) / max(wide, 0.8)
    glow = np.exp(-((np.hypot(off, (down - 0.42) / 1.1) / 0.42) ** 2))
    light = 0.62 + 0.5 * glow + 0.1 / (1 + np.exp(-(down - 0.82) * 30))
    base = np.array(shades[0] if shades else (176, 180, 188), np.float32)
    return np.minimum(base * light[..., None], 252)


def _pattern(share: np.ndarray, shades: tuple[Colour, ...]) -> np.ndarray:
    """Two colours: the second one where `share` is 1."""
    if len(shades) == 1:
        light = np.dot(shades[0], (0.299, 0.587, 0.114)) > 200
        shades = ((196, 200, 208) if light else (250, 250, 250), *shades)
    ground, figure = shades[:2] or ((246, 240, 228), (226, 138, 120))
    return np.array(ground) + share[..., None] * (np.array(figure, np.float32) - ground)


def _stripes(shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    across, down = _places(size)
    wave = np.abs(((across + down) / 0.16) % 1 - 0.5) - 0.25
    return _pattern(np.clip(wave * 0.16 * size[1] + 0.5, 0, 1), shades)


def _dots(shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    cell = 0.12
    across, down = _places(size)
    x = (across + (np.floor(down / cell) % 2) * cell / 2) % cell - cell / 2
    far = np.hypot(x, down % cell - cell / 2)
    return _pattern(np.clip((0.03 - far) * size[1] + 0.5, 0, 1), shades)


def _checks(shades: tuple[Colour, ...], size: tuple[int, int]) -> np.ndarray:
    across, down = _places(size)
    return _pattern((np.floor(across / 0.1) + np.floor(down / 0.1)) % 2, shades)


#: Every kind that is drawn and no picture, as float values 0..255.
DRAWN: Mapping[str, Callable[[tuple[Colour, ...], tuple[int, int]], np.ndarray]] = {
    "plain": _plain,
    "gradient": _gradient,
    "studio": _studio,
    "stripes": _stripes,
    "dots": _dots,
    "checks": _checks,
}


def _shade(words: str) -> Colour:
    last = re.split(r"[ -]+", words)[-1]
    if last not in SHADES or (words in NAMES and words not in SHADES):
        code = next(find_colours(words)).value
        return PIL.ImageColor.getrgb(code)[:3]
    shade = np.array(SHADES[last], float)
    if re.match("light|pale|pastel", words):
        shade += 0.55 * (255 - shade)
    if re.match("dark|deep", words):
        shade *= 0.5
    red, green, blue = shade.round().astype(int).tolist()
    return red, green, blue
