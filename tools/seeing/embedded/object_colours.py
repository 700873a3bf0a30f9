"""The colour a person would name for an object: shadows and highlights on it do not count."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import PIL.Image

from controlllm.resources import Box

from . import class_regions, colours, salience

_FAMILIES = [words.split() for words in colours.TABLE["surfaces"]["families"]]
_NEIGHBOURS: dict[str, dict[str, float]] = colours.TABLE["neighbours"]
_PLAIN = ("black", "grey", "white")
#: Much of the object must have a colour before the colour is said without being asked for.
_SURE = 0.66


def named(image: PIL.Image.Image, box: Box) -> tuple[str, ...]:
    """One or two colours of the object in a box, most first."""
    return _named(shares(image, box), 0.5)


def of_part(image: PIL.Image.Image, box: Box) -> tuple[str, ...]:
    """The main colours of a part of a surface, such as a piece of cloth: all in the box counts."""
    part = class_regions.crop(image.convert("RGB"), box, 0.0)
    part.thumbnail((128, 128))
    return _named(colours.shares(np.asarray(part)), 0.6)


def _named(found: Mapping[str, float], beside_first: float) -> tuple[str, ...]:
    found = without_shadows(found)
    least = max(0.25, beside_first * next(iter(found.values()), 0.0))
    return tuple(name for name, share in found.items() if share >= least)[:2]


def sure(image: PIL.Image.Image, box: Box) -> str:
    """The object's colour where one colour clearly covers it, else nothing."""
    name, share = next(iter(without_shadows(shares(image, box)).items()), ("", 0.0))
    return name if share >= _SURE else ""


def likeness(image: PIL.Image.Image, box: Box, colour: str) -> float:
    """How well a colour word fits the object in a box, 0..1."""
    colour = colours.SYNONYMS.get(colour, colour)
    found = shares(image, box)
    near = _NEIGHBOURS.get(colour, {})
    return min(found.get(colour, 0.0) + sum(found.get(n, 0) * w for n, w in near.items()), 1.0)


def shares(image: PIL.Image.Image, box: Box) -> dict[str, float]:
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
            return colours.shares(pixels[seen])
    inner, outer = (
        np.asarray(class_regions.crop(image.convert("RGB"), box, margin).resize((96, 96)))
        for margin in (0.0, 0.25)
    )
    down, across = (np.mgrid[0:96, 0:96] + 0.5) / 96 - 0.5
    own = colours.shares(inner[down**2 + across**2 < 0.2])
    behind = colours.shares(outer[np.maximum(abs(down), abs(across)) > 0.37])
    weighed = {name: max(share - 0.8 * behind.get(name, 0.0), 0.0) for name, share in own.items()}
    if sum(weighed.values()) < 0.25:  # the object has the colours of what is around it
        return own
    return _in_order(weighed)


def without_shadows(found: Mapping[str, float]) -> dict[str, float]:
    """The shares once shades of one colour are put together and its shadows added to it.

    A coloured thing is dark where no light falls and white where it shines; a white thing is
    grey in the shade; a black thing is grey in the light.
    """
    left = {name: found.get(name, 0.0) for name in colours.NAMES}
    for family in _FAMILIES:
        # A strong colour names the surface on which its paler shade is a highlight.
        best = max(family, key=lambda name: left[name])
        if (best, family[0]) != ("beige", "yellow"):
            left |= dict.fromkeys(family, 0.0) | {best: sum(left[name] for name in family)}
    strongest = max((name for name in left if name not in _PLAIN), key=lambda name: left[name])
    black, grey, white = (left[name] for name in _PLAIN)
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
    """The shares of what is there, made to add up to 1, most first."""
    total = sum(found.values()) or 1.0
    ordered = sorted(found.items(), key=lambda item: -item[1])
    return {name: share / total for name, share in ordered if share > 0}
