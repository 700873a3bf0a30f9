"""Plain names for the colours of pixels, and for those of a whole picture."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import PIL.Image

from controlllm.resources import Box

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
