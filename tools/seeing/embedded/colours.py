"""Plain names for the colours of pixels, of a whole picture, and of objects.

Of an object it is the colour that a person would name: shadows and highlights do not count.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import PIL.Image

from controlllm.resources import Box

from . import class_regions, salience

NAMES = (
    "black", "grey", "white", "red", "orange", "yellow", "green", "turquoise", "blue", "purple",
    "pink", "brown", "beige",
)  # fmt: skip

TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
#: Other words for the names above.
SYNONYMS: dict[str, str] = {
    word: name for name, words in TABLE["synonyms"].items() for word in words.split()
}
_HUES = ((12, "red"), (40, "orange"), (66, "yellow"), (178, "green"), (195, "turquoise"),
         (262, "blue"), (300, "purple"), (345, "pink"), (361, "red"))  # fmt: skip


def classify(pixels: np.ndarray) -> np.ndarray:
    """The index in `NAMES` of each pixel of an RGB array of shape (..., 3), 0..255."""
    values = pixels.astype(np.float32) / 255
    high, low = values.max(axis=-1), values.min(axis=-1)
    spread = high - low
    red, green, blue = np.moveaxis(values, -1, 0)
    safe = np.where(spread > 0, spread, 1)
    hue = np.select(
        [high == red, high == green],
        [(green - blue) / safe % 6, (blue - red) / safe + 2],
        (red - green) / safe + 4,
    )
    hue = np.where(spread > 0, hue * 60, 0)
    saturation = spread / np.where(high > 0, high, 1)
    number = {name: index for index, name in enumerate(NAMES)}
    result = np.select(
        [hue < limit for limit, _ in _HUES], [number[name] for _, name in _HUES], number["red"]
    )
    warm = (hue >= 8) & (hue < 50)
    result = np.where(warm & (high < 0.72) & (saturation < 0.85), number["brown"], result)
    pale = (hue < 70) & (saturation < 0.45) & (high >= 0.62)
    result = np.where(pale & ((hue < 50) | (saturation < 0.35)), number["beige"], result)
    result = np.where(
        ((hue < 12) | (hue >= 330)) & (high >= 0.75) & (saturation < 0.6) & (saturation > 0.2),
        number["pink"],
        result,
    )
    plain = (saturation < 0.14) | (spread < 0.05)
    result = np.where(plain, number["grey"], result)
    result = np.where((saturation < 0.2) & (high >= 0.75), number["white"], result)
    return np.where((high < 0.2) | (plain & (high < 0.25)), number["black"], result)


def shares(pixels: np.ndarray) -> dict[str, float]:
    """How much of an RGB array of shape (..., 3) each colour covers, most first."""
    names = classify(pixels).ravel()
    counts = np.bincount(names, minlength=len(NAMES)) / max(names.size, 1)
    return {NAMES[i]: float(counts[i]) for i in np.argsort(-counts) if counts[i] > 0}


def of_picture(image: PIL.Image.Image) -> dict[str, float]:
    """How much of a picture each colour covers, most first."""
    return shares(np.asarray(image.convert("RGB").resize((96, 96))))


def main_colours(image: PIL.Image.Image) -> tuple[str, ...]:
    """One to three colours of a picture that a person would name, most first."""
    found = of_picture(image)
    first = next(iter(found.values()), 0.0)
    return tuple(name for name, share in found.items() if share > max(0.15, 0.5 * first))[:3]


def areas(image: PIL.Image.Image, colour: str, least: float = 0.004) -> tuple[Box, ...]:
    """Boxes around the connected areas of a colour, largest first, at most five.

    `least` is the share of the picture that an area must cover; the score is how much of the
    area's box has the colour.
    """
    from scipy import ndimage

    picture = image.convert("RGB")
    picture.thumbnail((256, 256))
    scale = image.width / picture.width
    number = NAMES.index(SYNONYMS.get(colour, colour))
    mask = ndimage.binary_opening(classify(np.asarray(picture)) == number, iterations=1)
    groups, count = ndimage.label(mask)
    sizes = ndimage.sum_labels(mask, groups, range(1, count + 1))
    places = ndimage.find_objects(groups)
    found = []
    for index in np.argsort(-np.asarray(sizes))[:5]:
        if sizes[index] >= least * mask.size:
            rows, columns = places[index]
            sides = (columns.start, rows.start, columns.stop, rows.stop)
            filled = sizes[index] / ((sides[2] - sides[0]) * (sides[3] - sides[1]))
            left, top, right, bottom = (side * scale for side in sides)
            found.append(Box(left, top, right, bottom, f"{colour} area", float(filled)))
    return tuple(found)


def is_colour(word: str) -> bool:
    """Whether a word names a colour."""
    return word in NAMES or word in SYNONYMS


_FAMILIES = [words.split() for words in TABLE["surfaces"]["families"]]
_NEIGHBOURS: dict[str, dict[str, float]] = TABLE["neighbours"]
_GREYS = ("black", "grey", "white")
#: Much of the object must have a colour before the colour is said without being asked for.
_SURE = 0.66


def named(image: PIL.Image.Image, box: Box) -> tuple[str, ...]:
    """One or two colours of the object in a box, most first."""
    return _named(shares_in_box(image, box), 0.5)


def of_part(image: PIL.Image.Image, box: Box) -> tuple[str, ...]:
    """The main colours of a part of a surface, such as a piece of cloth: all in the box counts."""
    part = class_regions.crop(image.convert("RGB"), box, 0.0)
    part.thumbnail((128, 128))
    return _named(shares(np.asarray(part)), 0.6)


def _named(found: Mapping[str, float], beside_first: float) -> tuple[str, ...]:
    found = without_shadows(found)
    least = max(0.25, beside_first * next(iter(found.values()), 0.0))
    return tuple(name for name, share in found.items() if share >= least)[:2]


def sure_in_box(image: PIL.Image.Image, box: Box) -> str:
    """The object's colour where one colour clearly covers it, else nothing."""
    name, share = next(iter(without_shadows(shares_in_box(image, box)).items()), ("", 0.0))
    return name if share >= _SURE else ""


def likeness(image: PIL.Image.Image, box: Box, colour: str) -> float:
    """How well a colour word fits the object in a box, 0..1."""
    return _fits(shares_in_box(image, box), colour)


def likeness_in_middle(image: PIL.Image.Image, box: Box, colour: str) -> float:
    """How well a colour word fits the middle of a box that lies close around a thing, 0..1."""
    return _fits(shares(np.asarray(class_regions.crop(image.convert("RGB"), box, -0.25))), colour)


def _fits(found: Mapping[str, float], colour: str) -> float:
    colour = SYNONYMS.get(colour, colour)
    near = _NEIGHBOURS.get(colour, {})
    return min(found.get(colour, 0.0) + sum(found.get(n, 0) * w for n, w in near.items()), 1.0)


def shares_in_box(image: PIL.Image.Image, box: Box) -> dict[str, float]:
    """How much of the object in a box each colour covers, most first.

    Where the foreground network makes out the object its pixels are counted, and otherwise those
    in the middle of the box, where a colour that also surrounds the box counts less.
    """
    patch = class_regions.crop(image.convert("RGB"), box, 0.1)
    if min(patch.size) >= 24:
        patch.thumbnail((256, 256))
        pixels = np.ascontiguousarray(np.asarray(patch))
        seen = salience.foreground(pixels) > 0.6
        if 0.25 < seen.mean() < 0.9:
            return shares(pixels[seen])
    inner, outer = (
        np.asarray(class_regions.crop(image.convert("RGB"), box, margin).resize((96, 96)))
        for margin in (0.0, 0.25)
    )
    down, across = (np.mgrid[0:96, 0:96] + 0.5) / 96 - 0.5
    own = shares(inner[down**2 + across**2 < 0.2])
    behind = shares(outer[np.maximum(abs(down), abs(across)) > 0.37])
    weighed = {name: max(share - 0.8 * behind.get(name, 0.0), 0.0) for name, share in own.items()}
    if sum(weighed.values()) < 0.25:  # the object has the colours of what is around it
        return own
    return _in_order(weighed)


def without_shadows(found: Mapping[str, float]) -> dict[str, float]:
    """The shares_in_box once shades of one colour are put together and its shadows added to it.

    A coloured thing is dark where no light falls and white where it shines; a white thing is
    grey in the shade; a black thing is grey in the light.
    """
    left = {name: found.get(name, 0.0) for name in NAMES}
    for family in _FAMILIES:
        # A strong colour names the surface on which its paler shade is a highlight.
        best = max(family, key=lambda name: left[name])
        if (best, family[0]) != ("beige", "yellow"):
            left |= dict.fromkeys(family, 0.0) | {best: sum(left[name] for name in family)}
    strongest = max((name for name in left if name not in _GREYS), key=lambda name: left[name])
    black, grey, white = (left[name] for name in _GREYS)
    if left[strongest] >= max(0.3, 0.6 * black):
        # With much white beside it the thing has two colours, and the dark may be of either.
        if white < 0.5 * left[strongest]:
            left[strongest] += black + grey
        left |= {"black": 0.0, "grey": 0.0}
    elif white > max(0.4 * grey, black):
        left |= {"white": white + grey, "grey": 0.0}
    elif black > 0.6 * grey:
        left |= {"black": black + grey, "grey": 0.0}
    return _in_order(left)


def _in_order(found: Mapping[str, float]) -> dict[str, float]:
    """The shares_in_box of what is there, made to add up to 1, most first."""
    total = sum(found.values()) or 1.0
    ordered = sorted(found.items(), key=lambda item: -item[1])
    return {name: share / total for name, share in ordered if share > 0}
