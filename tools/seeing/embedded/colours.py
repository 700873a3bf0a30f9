"""Plain names for the colours in a picture or in a part of it."""

from __future__ import annotations

import numpy as np
import PIL.Image

from controlllm.resources import Box

NAMES = (
    "black", "grey", "white", "red", "orange", "yellow", "green", "turquoise", "blue", "purple",
    "pink", "brown", "beige",
)  # fmt: skip

#: Other words for the names above.
SYNONYMS = {
    "gray": "grey", "silver": "grey", "gold": "yellow", "golden": "yellow", "violet": "purple",
    "magenta": "pink", "cyan": "turquoise", "teal": "turquoise", "tan": "beige", "cream": "beige",
    "scarlet": "red", "crimson": "red", "navy": "blue", "maroon": "red", "lime": "green",
    "dark": "black", "ginger": "orange", "blond": "yellow", "blonde": "yellow",
}  # fmt: skip

#: Colours that light turns into each other, so that a person may call one by the other's name.
_NEIGHBOURS = {
    "red": {"pink": 0.3, "orange": 0.3, "brown": 0.3},
    "orange": {"red": 0.3, "yellow": 0.3, "brown": 0.5},
    "yellow": {"orange": 0.3, "beige": 0.3},
    "brown": {"orange": 0.5, "beige": 0.4, "red": 0.3, "black": 0.1},
    "beige": {"brown": 0.3, "white": 0.3, "yellow": 0.3},
    "blue": {"turquoise": 0.4, "purple": 0.3},
    "turquoise": {"blue": 0.4, "green": 0.4},
    "green": {"turquoise": 0.3},
    "purple": {"pink": 0.3, "blue": 0.3},
    "pink": {"purple": 0.3, "red": 0.3},
    "white": {"grey": 0.2, "beige": 0.3},
    "black": {"grey": 0.15},
    "grey": {"black": 0.2, "white": 0.2},
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


def shares(image: PIL.Image.Image, box: Box | None = None) -> dict[str, float]:
    """How much of the picture, or of the object in a box, each colour covers, most first.

    Of a box only the ellipse that fills it counts, and a colour that also surrounds the box
    counts less there: it is likely what is behind the object.
    """
    picture = image.convert("RGB")
    if box is None:
        small = np.asarray(picture.resize((96, 96)))
        return _shares(classify(small).ravel())
    width, height = box.right - box.left, box.bottom - box.top
    around = (
        round(box.left - width / 4),
        round(box.top - height / 4),
        round(box.right + width / 4),
        round(box.bottom + height / 4),
    )
    side = 96
    patch = picture.crop(around).resize((side, side), PIL.Image.Resampling.BILINEAR)
    names = classify(np.asarray(patch))
    down, across = np.mgrid[0:side, 0:side]
    inside_picture = (
        (across / side * (around[2] - around[0]) + around[0] >= 0)
        & (across / side * (around[2] - around[0]) + around[0] < picture.width)
        & (down / side * (around[3] - around[1]) + around[1] >= 0)
        & (down / side * (around[3] - around[1]) + around[1] < picture.height)
    )
    x, y = (across + 0.5) / side - 0.5, (down + 0.5) / side - 0.5
    object_part = (x**2 + y**2) * 9 < 0.8
    surround = (np.maximum(abs(x), abs(y)) > 0.37) & inside_picture
    own = _shares(names[object_part & inside_picture])
    behind = _shares(names[surround]) if surround.any() else {}
    weighed = {name: max(share - 0.8 * behind.get(name, 0.0), 0.0) for name, share in own.items()}
    if sum(weighed.values()) < 0.25:  # the object has the colours of what is around it
        weighed = own
    total = sum(weighed.values()) or 1.0
    return dict(sorted(((n, v / total) for n, v in weighed.items()), key=lambda item: -item[1]))


def _shares(names: np.ndarray) -> dict[str, float]:
    counts = np.bincount(names.ravel(), minlength=len(NAMES)) / max(names.size, 1)
    order = np.argsort(-counts)
    return {NAMES[index]: float(counts[index]) for index in order if counts[index] > 0}


def main_colours(image: PIL.Image.Image, box: Box | None = None) -> tuple[str, ...]:
    """One to three colours that a person would name, most first."""
    found = shares(image, box)
    first = next(iter(found.values()), 0.0)
    return tuple(name for name, share in found.items() if share > max(0.15, 0.5 * first))[:3]


def likeness(image: PIL.Image.Image, box: Box, colour: str) -> float:
    """How well a colour word fits the object in a box, 0..1."""
    colour = SYNONYMS.get(colour, colour)
    found = shares(image, box)
    near = _NEIGHBOURS.get(colour, {})
    return min(found.get(colour, 0.0) + sum(found.get(n, 0) * w for n, w in near.items()), 1.0)


def areas(image: PIL.Image.Image, colour: str, least: float = 0.004) -> tuple[Box, ...]:
    """Boxes around the connected areas of a colour, largest first, at most five.

    `least` is the share of the picture that an area must cover; the score is how much of the
    area's box has the colour.
    """
    from scipy import ndimage

    picture = image.convert("RGB")
    picture.thumbnail((256, 256))
    number = NAMES.index(SYNONYMS.get(colour, colour))
    mask = ndimage.binary_opening(classify(np.asarray(picture)) == number, iterations=1)
    groups, count = ndimage.label(mask)
    sizes = ndimage.sum_labels(mask, groups, range(1, count + 1))
    found = []
    for index in np.argsort(-np.asarray(sizes))[:5]:
        if sizes[index] < least * mask.size:
            break
        rows, columns = ndimage.find_objects((groups == index + 1).astype(int))[0]
        scale = image.width / picture.width
        filled = sizes[index] / ((rows.stop - rows.start) * (columns.stop - columns.start))
        found.append(
            Box(
                columns.start * scale,
                rows.start * scale,
                columns.stop * scale,
                rows.stop * scale,
                f"{colour} area",
                float(filled),
            )
        )
    return tuple(found)


def in_words(names: tuple[str, ...]) -> str:
    """ "black and white" for ("black", "white")."""
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " and " + names[-1]


def is_colour(word: str) -> bool:
    """Whether a word names a colour."""
    return word in NAMES or word in SYNONYMS
