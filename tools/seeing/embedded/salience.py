"""What stands out in a picture, whatever its kind: the network U²-Net-p, or the large U²-Net.

In a small patch the selfie segmentation network of MediaPipe is quicker. It was trained on people;
on animals it works as well, on things with flat sides it often finds nothing. See
docs/models/u2netp.md and docs/models/selfie-segmentation.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from controlllm.resources import Box

from ...shared import boxes, networks

NETWORK, QUICK = networks.shipped("salience"), networks.shipped("foreground")
_SIDE, _QUICK_SIDE = 320, 256
_MEAN = np.array((0.485, 0.456, 0.406), np.float32)
_DEVIATION = np.array((0.229, 0.224, 0.225), np.float32)


def salience(picture: np.ndarray, network: Any = None) -> np.ndarray:
    """How much each pixel belongs to what stands out, 0..1.

    `picture` is uint8, height x width x 3, RGB; the result is float32, height x width. `network` is
    a session of another network with the same input, in place of the one that ships.
    """
    small = _small(picture, _SIDE)
    values = (small / max(float(small.max()), 1.0) - _MEAN) / _DEVIATION
    seen_by = network or networks.session(NETWORK)
    return _likely(seen_by, values.transpose(2, 0, 1)[None], picture.shape)


def foreground(picture: np.ndarray) -> np.ndarray:
    """How likely each pixel belongs to the person, animal or thing in a patch: as of `salience`."""
    values = _small(picture, _QUICK_SIDE)[None] / 255
    return _likely(networks.session(QUICK), values, picture.shape)


def _small(picture: np.ndarray, side: int) -> np.ndarray:
    import cv2

    small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
    return small.astype(np.float32)


def _likely(network: Any, values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """What a network says of values, at the size of the picture: float32, height x width."""
    import cv2

    found = network.run(None, {network.get_inputs()[0].name: values})[0].squeeze()
    return np.clip(cv2.resize(found, shape[1::-1], interpolation=cv2.INTER_LINEAR), 0, 1)


def in_box(picture: np.ndarray, box: Box, network: Any = None) -> np.ndarray:
    """What stands out where only the part of a picture in a box is looked at; 0 around it."""
    part = boxes.pixels_in(box, picture.shape)
    found = np.zeros(picture.shape[:2], np.float32)
    found[part] = salience(np.ascontiguousarray(picture[part]), network)
    return found
