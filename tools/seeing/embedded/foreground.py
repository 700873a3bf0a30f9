"""What stands out in a small patch, quickly: the selfie segmentation network of MediaPipe.

It was trained on people; on animals it works as well, on things with flat sides it often finds
nothing. See docs/models/selfie-segmentation.md.
"""

from __future__ import annotations

import numpy as np

from tools.seeing.embedded import networks

NETWORK = networks.shipped("foreground")
_SIDE = 256


def likelihood(picture: np.ndarray) -> np.ndarray:
    """How likely each pixel belongs to the foreground, 0..1.

    `picture` is uint8, height x width x 3, RGB; the result is float32, height x width.
    """
    import cv2

    height, width = picture.shape[:2]
    small = cv2.resize(picture, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    network = networks.session(NETWORK)
    name = network.get_inputs()[0].name
    found = network.run(None, {name: small[None].astype(np.float32) / 255})[0][0, :, :, 0]
    return np.clip(cv2.resize(found, (width, height), interpolation=cv2.INTER_LINEAR), 0, 1)
