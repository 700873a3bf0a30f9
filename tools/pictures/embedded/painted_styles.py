"""Pictures painted anew by a network: in pencil, watercolour and oil.

The network knows 26 manners (Dumoulin, Shlens and Kudlur, "A Learned Representation for Artistic
Style", ICLR 2017) and mixes of them. It takes the colours of its paintings with it, so only its
strokes are kept: the lightness of what it paints, with the picture's own colours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...shared import networks

NETWORK = networks.shipped("painting")
#: The longer side that is painted: at less, strokes are too wide for a face of a few dozen pixels.
_SIDES = (800, 1000)
_SMALLEST = 32


@dataclass(frozen=True)
class Painting:
    """How a look is painted.

    Parameters
    ----------
    manners: of the network's 26, by number, each with its share; the shares sum to one.
    colour: how strong the picture's own colours are; 0 for none.
    likeness: how far the lightness is brought back to that of the picture, 0..1.
    contrast: of the lightness, about the middle grey.
    lift: lighter by so much, of 255.
    """

    manners: Mapping[str, float]
    colour: float
    likeness: float
    contrast: float
    lift: float


def paint(picture: np.ndarray, painting: Painting) -> np.ndarray:
    """The picture (uint8 RGB, height x width x 3) painted anew, at the same size."""
    import cv2

    height, width = picture.shape[:2]
    longest = max(height, width)
    scale = float(np.clip(longest, *_SIDES)) / longest
    shape = (max(1, round(width * scale)), max(1, round(height * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    worked = cv2.resize(picture, shape, interpolation=way)
    own = cv2.cvtColor(worked, cv2.COLOR_RGB2LAB).astype(np.float32)[..., 0]
    light = cv2.cvtColor(_strokes(worked, painting.manners), cv2.COLOR_RGB2LAB)[..., 0]
    light = light.astype(np.float32)
    alike = (light - light.mean()) * own.std() / max(float(light.std()), 1.0) + own.mean()
    light += painting.likeness * (alike - light)
    light = (light - 128) * painting.contrast + 128 + painting.lift
    # Within a stroke there is one colour: fine differences go, borders stay.
    calm = cv2.bilateralFilter(worked, 0, 40, 8)
    colours = cv2.cvtColor(calm, cv2.COLOR_RGB2LAB).astype(np.float32)[..., 1:]
    values = np.dstack([light, 128 + painting.colour * (colours - 128)])
    painted = np.clip(values, 0, 255).round().astype(np.uint8)
    painted = cv2.cvtColor(painted, cv2.COLOR_LAB2RGB)
    return cv2.resize(painted, (width, height), interpolation=cv2.INTER_CUBIC)


def _strokes(picture: np.ndarray, manners: Mapping[str, float]) -> np.ndarray:
    """What the network paints: uint8, of the picture's size."""
    height, width = picture.shape[:2]
    # The network makes the picture a quarter as large on its way.
    margins = [(0, max(_SMALLEST, side + -side % 4) - side) for side in (height, width)]
    padded = np.pad(picture, (*margins, (0, 0)), mode="symmetric").astype(np.float32) / 255
    shares = np.zeros(26, np.float32)
    shares[[int(number) for number in manners]] = list(manners.values())
    inputs = {
        "image": np.ascontiguousarray(padded.transpose(2, 0, 1)[None]),
        "style_weights": shares,
    }
    painted = networks.session(NETWORK).run(None, inputs)[0][0].transpose(1, 2, 0)[:height, :width]
    return (np.clip(painted, 0, 1) * 255).round().astype(np.uint8)
