"""Looks of pictures: without colour, sepia, other light, more or less contrast and colour."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_USUAL = {
    "grey": 1.0,
    "sepia": 1.0,
    "brighter": 0.35,
    "darker": 0.35,
    "more_contrast": 0.35,
    "less_contrast": 0.35,
    "more_colour": 0.5,
    "less_colour": 0.5,
}
#: How red, green and blue of a sepia picture come from those of the picture, as in old prints.
_SEPIA = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]], np.float32)
_LEVELS = np.linspace(0, 1, 256)


def look(name: str, amount: float = 0.0) -> Callable[[np.ndarray], np.ndarray]:
    """What gives a picture, uint8 RGB, a look; `amount` is its strength, 1.0 for all of it, 0 for
    what is usual."""
    amount = amount or _USUAL[name]
    if name in ("grey", "less_colour"):
        return lambda picture: _coloured(picture, 1 - min(amount, 1.0))
    if name == "more_colour":
        return lambda picture: _coloured(picture, 1 + min(amount, 3.0))
    if name == "sepia":
        return lambda picture: _sepia(picture, min(amount, 1.0))
    levels = np.round(255 * np.clip(_curve(name, amount), 0, 1)).astype(np.uint8)
    return lambda picture: _looked_up(picture, levels)


def _curve(name: str, amount: float) -> np.ndarray:
    if name == "brighter":
        # Rises with the factor from black, but never burns what is white.
        return 1 - (1 - _LEVELS) ** (1 + amount)
    if name == "darker":
        return _LEVELS * (1 - min(amount, 1.0))
    if name == "less_contrast":
        return 0.5 + (_LEVELS - 0.5) * (1 - min(amount, 1.0))
    # An S that is steeper in the middle by the amount and keeps black and white where they are.
    steep = 1 + min(amount, 4.0)
    low = 0.5 * (2 * np.minimum(_LEVELS, 0.5)) ** steep
    high = 1 - 0.5 * (2 * np.minimum(1 - _LEVELS, 0.5)) ** steep
    return np.where(_LEVELS < 0.5, low, high)


def _looked_up(picture: np.ndarray, levels: np.ndarray) -> np.ndarray:
    import cv2

    return cv2.LUT(picture, levels)


def _coloured(picture: np.ndarray, share: float) -> np.ndarray:
    import cv2

    grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return cv2.addWeighted(picture, share, grey, 1 - share, 0) if share else grey


def _sepia(picture: np.ndarray, share: float) -> np.ndarray:
    import cv2

    return cv2.transform(picture, share * _SEPIA + (1 - share) * np.eye(3, dtype=np.float32))
