"""What stands out in a picture, whatever its kind: the network U²-Net-p, or the large U²-Net.

See docs/models/u2netp.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from controlllm.resources import Box
from tools.seeing.embedded import networks
from tools.shared import boxes

NETWORK = networks.shipped("salience")
_SIDE = 320
_MEAN = np.array((0.485, 0.456, 0.406), np.float32)
_DEVIATION = np.array((0.229, 0.224, 0.225), np.float32)


def salience(picture: np.ndarray, network: Any = None) -> np.ndarray:
    """How much each pixel belongs to what stands out, 0..1.

    `picture` is uint8, height x width x 3, RGB; the result is float32, height x width. `network` is
    a session of another network with the same input, in place of the one that ships.
    """
    import cv2

    height, width = picture.shape[:2]
    small = cv2.resize(picture, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    values = (small / max(float(small.max()), 1.0) - _MEAN) / _DEVIATION
    network = network or networks.session(NETWORK)
    name = network.get_inputs()[0].name
    found = network.run(None, {name: values.transpose(2, 0, 1)[None]})[0][0, 0]
    return np.clip(cv2.resize(found, (width, height), interpolation=cv2.INTER_LINEAR), 0, 1)


def in_box(picture: np.ndarray, box: Box, network: Any = None) -> np.ndarray:
    """What stands out where only the part of a picture in a box is looked at; 0 around it."""
    part = boxes.pixels_in(box, picture.shape)
    found = np.zeros(picture.shape[:2], np.float32)
    found[part] = salience(np.ascontiguousarray(picture[part]), network)
    return found
