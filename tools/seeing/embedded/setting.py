"""What a picture is set in: a room or the open air, sky, snow, grass, water or a street."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from . import colours, imagenet, things
from .scene import Scene

_SHORES = (975, 976, 977, 978)  # lakeside, promontory, sandbar, seashore
_ALP, _SKI = 970, 795
_LANDSCAPES = range(970, 981)
_ROOMS = imagenet.SCENERY & {424, 498, 582, 624, 762, 788}
_ON_WATER = frozenset({"surfboard", "boat"})
_ON_SNOW = frozenset({"skis", "snowboard"})
_ON_WHEELS = frozenset({"car", "truck", "motorcycle", "bicycle"})


def surroundings(scene: Scene) -> str:
    """ "on a street", "in the snow", "on grass", "at the water", or nothing."""
    if has_snow(scene):
        return "in the snow"
    if has_water(scene):
        return "at the water"
    place = room_or_open_air(scene)
    if place != "indoors" and _on_street(scene, place):
        return "on a street"
    return "on grass" if place != "indoors" and has_grass(scene) else ""


def room_or_open_air(scene: Scene) -> str:
    """ "outdoors" or "indoors" where several signs agree, else nothing."""
    labels = _labels(scene)
    never_indoors = labels & things.that_are("never indoors")
    outside = len(labels & things.that_are("outdoors")) + len(never_indoors)
    outside += bool(never_indoors) - len(labels & things.that_are("indoors"))
    outside += blue_sky(scene) + (colours.of_picture(scene.image).get("green", 0.0) > 0.3)
    outside += 2 * (_likely(scene, _LANDSCAPES) > 0.5) - (_likely(scene, _ROOMS) > 0.25)
    return "outdoors" if outside >= 2 else "indoors" if outside <= -2 else ""


def has_snow(scene: Scene) -> bool:
    """Whether white covers the ground and something that belongs in snow is seen."""
    lower = _names(scene)[32:]
    pale = _share(lower, "white", "grey", "blue")
    if _labels(scene) & _ON_SNOW:
        return pale > 0.4
    return _share(lower, "white") > 0.3 and pale > 0.6 and _likely(scene, (_ALP, _SKI)) > 0.4


def has_water(scene: Scene) -> bool:
    """Whether the picture is of a shore, or shows what floats on something blue or grey."""
    wet = _share(_names(scene)[26:], "blue", "turquoise", "grey", "green")
    return _likely(scene, _SHORES) > 0.5 or (bool(_labels(scene) & _ON_WATER) and wet > 0.5)


def has_grass(scene: Scene) -> bool:
    """Whether most of the lower part of the picture is green."""
    return _share(_names(scene)[40:], "green") > 0.55


def blue_sky(scene: Scene) -> bool:
    """Whether blue, as smooth or as bright as only the sky is, fills the top of the picture."""
    pixels = _small(scene)[:14].astype(np.float32)
    rough = np.abs(np.diff(pixels.mean(axis=-1), axis=1)).mean()
    blue = _share(_names(scene)[:14], "blue")
    if blue > 0.85:
        return bool(rough < 18 and pixels.mean() > 90) or bool(rough < 4)
    return bool(blue > 0.6 and rough < 9 and (rough < 3 or pixels.mean() > 110))


#: Parts of a landscape, by the words for them, and how each is recognised.
PARTS: dict[str, Callable[[Scene], bool]] = {
    "sky": blue_sky, "snow": has_snow, "water": has_water, "sea": has_water, "ocean": has_water,
    "lake": has_water, "grass": has_grass, "lawn": has_grass,
}  # fmt: skip


def _on_street(scene: Scene, place: str) -> bool:
    """Whether what stands on streets, or more than one vehicle in the open air, is seen."""
    wheels = sum(box.label in _ON_WHEELS for box in scene.objects)
    of_streets = _labels(scene) & things.that_are("of streets")
    return bool(of_streets) or (wheels >= 2 and place == "outdoors")


def _labels(scene: Scene) -> set[str]:
    return {box.label for box in scene.objects}


def _small(scene: Scene) -> np.ndarray:
    return np.asarray(scene.image.convert("RGB").resize((64, 64)))


def _names(scene: Scene) -> np.ndarray:
    return colours.classify(_small(scene))


def _share(names: np.ndarray, *wanted: str) -> float:
    return float(np.isin(names, [colours.NAMES.index(name) for name in wanted]).mean())


def _likely(scene: Scene, numbers: Iterable[int]) -> float:
    return float(scene.likely[list(numbers)].sum())
