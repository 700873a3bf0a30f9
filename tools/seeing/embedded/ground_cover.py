"""What a picture is set in: sky, snow, grass, water or a street, where signs agree on it."""

from __future__ import annotations

import numpy as np

from tools.seeing.embedded import colours, efficientnet
from tools.seeing.embedded.scene import Scene

_SHORES = (975, 976, 977, 978)  # lakeside, promontory, sandbar, seashore
_ALP, _SKI = 970, 795
_ON_WATER = frozenset({"surfboard", "boat"})
_ON_SNOW = frozenset({"skis", "snowboard"})
_ON_STREETS = frozenset({"traffic light", "stop sign", "parking meter", "fire hydrant", "bus"})
_ON_WHEELS = frozenset({"car", "truck", "motorcycle", "bicycle"})


def surroundings(scene: Scene) -> str:
    """ "on a street", "in the snow", "on grass", "at the water", or nothing."""
    if has_snow(scene):
        return "in the snow"
    if has_water(scene):
        return "at the water"
    if on_street(scene):
        return "on a street"
    if scene.setting != "indoors" and has_grass(scene):
        return "on grass"
    return ""


def has_snow(scene: Scene) -> bool:
    """Whether white covers the ground and something that belongs in snow is seen."""
    lower = _names(scene)[32:]
    pale = float(np.isin(lower, _numbers("white", "grey", "blue")).mean())
    white = float(np.isin(lower, _numbers("white")).mean())
    if {box.label for box in scene.objects} & _ON_SNOW:
        return pale > 0.4
    return white > 0.3 and pale > 0.6 and _likely(scene, (_ALP, _SKI)) > 0.4


def has_water(scene: Scene) -> bool:
    """Whether the picture is of a shore, or shows what floats on something blue or grey."""
    if _likely(scene, _SHORES) > 0.5:
        return True
    lower = _names(scene)[26:]
    wet = float(np.isin(lower, _numbers("blue", "turquoise", "grey", "green")).mean())
    return bool({box.label for box in scene.objects} & _ON_WATER) and wet > 0.5


def on_street(scene: Scene) -> bool:
    """Whether what stands or drives on streets is seen, indoors excepted."""
    labels = [box.label for box in scene.objects]
    if scene.setting == "indoors":
        return False
    wheels = sum(label in _ON_WHEELS for label in labels)
    return bool(set(labels) & _ON_STREETS) or (wheels >= 2 and scene.setting == "outdoors")


def has_grass(scene: Scene) -> bool:
    """Whether most of the lower part of the picture is green."""
    lower = _names(scene)[40:]
    return float(np.isin(lower, _numbers("green")).mean()) > 0.55


def blue_sky(scene: Scene) -> bool:
    """Whether blue, as smooth or as bright as only the sky is, fills the top of the picture."""
    pixels = np.asarray(scene.image.convert("RGB").resize((64, 64)), np.float32)[:14]
    rough = np.abs(np.diff(pixels.mean(axis=-1), axis=1)).mean()
    blue = float(np.isin(_names(scene)[:14], _numbers("blue")).mean())
    if blue > 0.85:
        return bool(rough < 18 and pixels.mean() > 90) or bool(rough < 4)
    return bool(blue > 0.6 and rough < 9 and (rough < 3 or pixels.mean() > 110))


def _names(scene: Scene) -> np.ndarray:
    return colours.classify(np.asarray(scene.image.convert("RGB").resize((64, 64))))


def _numbers(*names: str) -> list[int]:
    return [colours.NAMES.index(name) for name in names]


def _likely(scene: Scene, numbers: tuple[int, ...]) -> float:
    return float(efficientnet.probabilities(scene.image)[list(numbers)].sum())
