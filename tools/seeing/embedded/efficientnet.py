"""EfficientNet-Lite2, an ImageNet classifier that also says where in the picture it sees a class.

The shipped model gives a score for each class in each cell of a coarse grid; their mean is the
usual classifier, and the grid itself a class activation map (Zhou et al., 2016).
"""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...shared import networks

SIDE = 256
CELL = 32
NETWORK = networks.shipped("efficientnet")


def _logits(picture: PIL.Image.Image, width: int, height: int) -> np.ndarray:
    frame = picture.convert("RGB").resize((width, height), PIL.Image.Resampling.BICUBIC)
    pixels = (np.asarray(frame, np.float32) - 127) / 128
    return networks.session(NETWORK).run(None, {"pixels": pixels.transpose(2, 0, 1)[None]})[0][0]


def probabilities(image: PIL.Image.Image) -> np.ndarray:
    """How likely each of the 1000 classes is for the picture as a whole, shape (1000,)."""
    return _softmax(_logits(image, SIDE, SIDE).mean(axis=(1, 2)))


def class_map(image: PIL.Image.Image, longest: int = 448) -> np.ndarray:
    """How likely each class is in each cell of a grid over the picture.

    Returns probabilities of shape (1000, rows, columns). A cell
    covers `CELL` pixels of the picture scaled so that its longer side is `longest`.
    """
    scale = longest / max(image.size)
    width, height = (max(round(side * scale / CELL), 2) * CELL for side in image.size)
    return _softmax(_logits(image, width, height))


def _softmax(values: np.ndarray) -> np.ndarray:
    weights = np.exp(values - values.max(axis=0))
    return weights / weights.sum(axis=0)
