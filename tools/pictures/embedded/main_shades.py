"""The main colours of a picture, shades merged as a person would, and their names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import PIL.Image

from controlllm.toolbox import ToolError

_SIDE = 260
#: Shades closer than this, in steps of Lab, are one colour; in a palette they may be closer.
_ONE_COLOUR, _ONE_SHADE = 17.0, 9.0
_STEPS = 32

#: Names that people use for colours, by their codes.
_NAMES = {
    **{"black": "#000000", "near black": "#1c1c1e", "charcoal": "#36393d", "dark grey": "#555555"},
    **{"grey": "#808080", "silver": "#b4b6b8", "light grey": "#d6d6d6", "off-white": "#f3f1ea"},
    **{"white": "#ffffff", "cream": "#fff4d6", "beige": "#e3d3b4", "sand": "#cdb68c"},
    **{"tan": "#bf9b6f", "light brown": "#a67b50", "brown": "#84481b", "dark brown": "#42280f"},
    **{"rust": "#b34719", "terracotta": "#c06a50", "maroon": "#6b0f1a", "dark red": "#960d12"},
    **{"red": "#e01b1b", "bright red": "#ff0000", "coral": "#ff7f5c", "salmon": "#f5a08c"},
    **{"peach": "#ffd0ac", "orange": "#ff8c00", "dark orange": "#d9660b", "amber": "#ffae00"},
    **{"burnt orange": "#d2603a", "golden yellow": "#ffcc00", "warm grey": "#cabfb9"},
    **{"gold": "#d4a520", "yellow": "#ffe600", "pale yellow": "#fff3a0", "mustard": "#b8941f"},
    **{"olive": "#75752a", "dark olive": "#42431c", "lime": "#b5e61d", "bright green": "#00e000"},
    **{"green": "#1f9a34", "light green": "#98dc8f", "dark green": "#0d4a1c", "sage": "#9cab86"},
    **{"mint": "#b5f0d0", "teal": "#0f7f7f", "dark teal": "#0e4247", "turquoise": "#35d0c4"},
    **{"cyan": "#00e5ff", "light blue": "#a9d3f0", "sky blue": "#66b7ea", "blue": "#1f5fd6"},
    **{"bright blue": "#0000ff", "dark blue": "#102a80", "navy": "#0c1440"},
    **{"steel blue": "#4d7ba6"},
    **{"slate": "#5e6d7e", "dark slate blue": "#2f3d5a", "blue-grey": "#93a3b3"},
    **{"lavender": "#d4ccf2", "lilac": "#bf9bd6"},
    **{"violet": "#8a3fdc", "purple": "#7d1f8c", "dark purple": "#3c1053", "magenta": "#ff00ff"},
    **{"pink": "#ff85b8", "hot pink": "#ff2a91", "light pink": "#ffcfdd", "dusty pink": "#cf9a9f"},
    **{"mauve": "#957187", "plum": "#6a2a55", "burgundy": "#550d2b", "apricot": "#e6b68f"},
}  # fmt: skip


@dataclass(frozen=True)
class Shade:
    """A colour and how much of the picture, 0 to 1, it covers."""

    rgb: tuple[int, int, int]
    share: float

    @property
    def code(self) -> str:
        return "#{:02x}{:02x}{:02x}".format(*self.rgb)


def shades(image: PIL.Image.Image, count: int, finely: bool = False) -> list[Shade]:
    """At most so many main colours, most of the picture first; `finely` keeps their shades apart.

    Raises ToolError where all of the picture is clear.
    """
    pixels = _seen_pixels(image)
    places, codes, weights = _bins(pixels)
    lab = _lab(codes)
    labels = _grouped(lab, weights, count, _ONE_SHADE if finely else _ONE_COLOUR)
    found = []
    for number in range(int(labels.max()) + 1):
        own = np.isin(places, np.flatnonzero(labels == number))
        found.append(Shade(_of(pixels[own]), float(own.mean())))
    return sorted(found, key=lambda shade: -shade.share)


def name_of(colour: tuple[int, int, int]) -> str:
    """The name that comes closest to a colour."""
    names, lab = _named()
    place = _lab(np.array([colour], np.float32))[0]
    return names[int(np.square((lab - place) * (1.0, 1.25, 1.25)).sum(axis=1).argmin())]


@cache
def _named() -> tuple[list[str], np.ndarray]:
    codes = [[int(code[at : at + 2], 16) for at in (1, 3, 5)] for code in _NAMES.values()]
    return list(_NAMES), _lab(np.array(codes, np.float32))


def _seen_pixels(image: PIL.Image.Image) -> np.ndarray:
    """The colours of the pixels that are seen, of a picture made small without mixing colours."""
    step = max(1, round(max(image.size) / _SIDE))
    size = (max(1, image.width // step), max(1, image.height // step))
    small = image.convert("RGBA").resize(size, PIL.Image.Resampling.NEAREST)
    pixels = np.asarray(small).reshape(-1, 4)
    seen = pixels[pixels[:, 3] >= 128, :3]
    if not len(seen):
        raise ToolError("The picture is all clear: there are no colours in it.")
    return seen


def _bins(pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each pixel its bin; of each bin the mean colour and how many pixels it has."""
    coarse = (pixels // (256 // _STEPS)).astype(np.int64)
    keys = (coarse[:, 0] * _STEPS + coarse[:, 1]) * _STEPS + coarse[:, 2]
    _, places = np.unique(keys, return_inverse=True)
    places = places.ravel()
    weights = np.bincount(places).astype(np.float64)
    sums = [np.bincount(places, pixels[:, channel]) for channel in range(3)]
    return places, np.stack(sums, axis=1) / weights[:, None], weights


def _grouped(lab: np.ndarray, weights: np.ndarray, count: int, least: float) -> np.ndarray:
    """The number of each bin's group, of at most `count` groups at least `least` apart."""
    # More groups than wanted first, begun at what is most and farthest from those before it.
    start = [int(weights.argmax())]
    away = np.full(len(lab), np.inf)
    for _ in range(min(4 * count + 8, len(lab)) - 1):
        away = np.minimum(away, np.linalg.norm(lab - lab[start[-1]], axis=1))
        score = np.sqrt(weights) * away
        if score.max() <= 0:
            break
        start.append(int(score.argmax()))
    middles = lab[start]
    for _ in range(12):
        labels = np.linalg.norm(lab[:, None] - middles[None], axis=2).argmin(axis=1)
        middles = _middles(lab, weights, labels, middles)
    sizes = np.bincount(labels, weights, len(middles))
    return _merged(labels, middles, sizes, count, least)


def _middles(
    lab: np.ndarray, weights: np.ndarray, labels: np.ndarray, before: np.ndarray
) -> np.ndarray:
    sizes = np.bincount(labels, weights, len(before))
    sums = [np.bincount(labels, weights * lab[:, at], len(before)) for at in range(3)]
    middles = np.stack(sums, axis=1) / np.maximum(sizes, 1e-9)[:, None]
    return np.where(sizes[:, None] > 0, middles, before)


def _merged(
    labels: np.ndarray, middles: np.ndarray, sizes: np.ndarray, count: int, least: float
) -> np.ndarray:
    """Groups joined, the least loss first, until none are alike and there are few enough."""
    middles, sizes = middles.copy(), sizes.copy()
    alive = [at for at in range(len(middles)) if sizes[at] > 0]
    total = sizes.sum()
    while len(alive) > 1:
        place = middles[alive]
        apart = np.linalg.norm(place[:, None] - place[None], axis=2)
        np.fill_diagonal(apart, np.inf)
        if len(alive) > count:
            # A small strong colour is seen more than a second shade of the ground.
            smaller = np.minimum(sizes[alive][:, None], sizes[alive][None]) / total
            cost = apart * np.clip(smaller, 0.004, None) ** 0.4
        elif apart.min() < least:
            cost = apart
        else:
            break
        one, two = (alive[at] for at in np.unravel_index(cost.argmin(), cost.shape))
        whole = sizes[one] + sizes[two]
        middles[one] = (middles[one] * sizes[one] + middles[two] * sizes[two]) / whole
        sizes[one] = whole
        labels = np.where(labels == two, one, labels)
        alive.remove(two)
    return np.searchsorted(alive, labels)


def _of(pixels: np.ndarray) -> tuple[int, int, int]:
    """The colour of a group: the one that it mostly is, or its mean where there is none such."""
    colours, counts = np.unique(pixels, axis=0, return_counts=True)
    most = counts.argmax()
    chosen = colours[most] if counts[most] > 0.3 * len(pixels) else pixels.mean(axis=0).round()
    return int(chosen[0]), int(chosen[1]), int(chosen[2])


def _lab(colours: np.ndarray) -> np.ndarray:
    """RGB 0..255 as CIE Lab (D65), in which equal steps look equal."""
    values = np.asarray(colours, np.float64) / 255
    linear = np.where(values > 0.04045, ((values + 0.055) / 1.055) ** 2.4, values / 12.92)
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = linear @ to_xyz.T / (0.95047, 1.0, 1.08883)
    x, y, z = np.moveaxis(np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)
