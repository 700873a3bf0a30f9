"""The colour a person would name for an object: shadows and highlights on it do not count."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import PIL.Image

from controlllm.resources import Box
from tools.seeing.embedded import class_regions, colours, foreground

#: Colours that light turns into each other on one and the same surface.
_FAMILIES = (
    ("brown", "orange", "beige"),
    ("yellow", "beige"),
    ("red", "pink"),
    ("blue", "turquoise"),
)
_PLAIN = ("black", "grey", "white")
#: Much of the object must have a colour before the colour is said without being asked for.
_SURE = 0.66


def named(image: PIL.Image.Image, box: Box) -> tuple[str, ...]:
    """One or two colours of the object in a box, most first."""
    found = without_shadows(shares(image, box))
    first = next(iter(found.values()), 0.0)
    return tuple(name for name, share in found.items() if share >= max(0.25, 0.5 * first))[:2]


def sure(image: PIL.Image.Image, box: Box) -> str:
    """The object's colour where one colour clearly covers it, else nothing."""
    name, share = next(iter(without_shadows(shares(image, box)).items()), ("", 0.0))
    return name if share >= _SURE else ""


def shares(image: PIL.Image.Image, box: Box) -> dict[str, float]:
    """How much of the object each colour covers, most first.

    Where the foreground network makes out the object its pixels are counted, and otherwise those
    in the middle of the box whose colour is not also that of its surroundings.
    """
    patch = class_regions.crop(image.convert("RGB"), box, 0.1)
    if min(patch.size) >= 24:
        patch.thumbnail((256, 256))
        pixels = np.ascontiguousarray(np.asarray(patch))
        seen = foreground.likelihood(pixels) > 0.6
        if 0.25 < seen.mean() < 0.9:
            return _counted(pixels[seen])
    return colours.shares(image, box)


def of_part(image: PIL.Image.Image, box: Box) -> tuple[str, ...]:
    """The main colours of a part of a surface, such as a piece of cloth: all in the box counts."""
    part = class_regions.crop(image.convert("RGB"), box, 0.0)
    part.thumbnail((128, 128))
    found = without_shadows(_counted(np.asarray(part).reshape(-1, 3)))
    first = next(iter(found.values()), 0.0)
    return tuple(name for name, share in found.items() if share >= max(0.25, 0.6 * first))[:2]


def without_shadows(found: Mapping[str, float]) -> dict[str, float]:
    """The shares once shades of one colour are put together and its shadows added to it.

    A coloured thing is dark where no light falls and white where it shines; a white thing is
    grey in the shade; a black thing is grey in the light.
    """
    left = dict(found)
    for family in _FAMILIES:
        inside = {name: left.get(name, 0.0) for name in family if left.get(name, 0.0) > 0}
        if len(inside) < 2:
            continue
        best = max(inside, key=lambda name: inside[name])
        if "beige" in family and best == "beige" and "yellow" in family:
            continue
        # A strong colour names the surface on which its paler shade is a highlight.
        total = sum(inside.values())
        for name in inside:
            left.pop(name)
        left[best] = total
    tinted = {name: share for name, share in left.items() if name not in _PLAIN}
    strongest = max(tinted, key=lambda name: tinted[name], default="")
    dark = left.get("black", 0.0) + left.get("grey", 0.0)
    if strongest and tinted[strongest] >= 0.3 and tinted[strongest] >= 0.6 * left.get("black", 0):
        # With much white beside it the thing has two colours, and the dark may be of either.
        if left.get("white", 0.0) < 0.5 * tinted[strongest]:
            left[strongest] += dark
        left.pop("black", None)
        left.pop("grey", None)
    elif left.get("grey", 0.0):
        white, black = left.get("white", 0.0), left.get("black", 0.0)
        grey = left["grey"]
        if white > 0.4 * grey and white > black:
            left["white"] = white + left.pop("grey")
        elif black > 0.6 * grey:
            left["black"] = black + left.pop("grey")
    total = sum(left.values()) or 1.0
    return dict(
        sorted(((n, share / total) for n, share in left.items()), key=lambda item: -item[1])
    )


def _counted(pixels: np.ndarray) -> dict[str, float]:
    names = colours.classify(pixels).ravel()
    counts = np.bincount(names, minlength=len(colours.NAMES)) / max(names.size, 1)
    return {
        colours.NAMES[index]: float(counts[index])
        for index in np.argsort(-counts)
        if counts[index] > 0
    }
