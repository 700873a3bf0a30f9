"""Holistically-nested edge detection (Xie and Tu, ICCV 2015): outlines of objects."""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...shared import networks

#: The longer side the network works at; it was trained on pictures of 481 x 321 pixels.
SIDE = 512
_SMALLEST = 32
NETWORK = networks.shipped("hed")


def edge_probability(picture: np.ndarray) -> np.ndarray:
    """How likely each pixel lies on an outline: float32 in 0..1, height x width.

    `picture` is uint8 RGB. Large pictures are looked at with a longer side of 512 pixels, and the
    answer is of that smaller size.
    """
    height, width = picture.shape[:2]
    scale = min(SIDE / max(height, width), 1.0)
    # The fourth pooling leaves nothing of a picture of a few pixels, so those are enlarged.
    scale = max(scale, _SMALLEST / min(height, width))
    if scale != 1:
        # A long, thin picture can need both; then its longer side is held to twice the usual.
        size = [min(max(round(side * scale), _SMALLEST), 2 * SIDE) for side in (width, height)]
        resized = PIL.Image.fromarray(picture).resize(size, PIL.Image.Resampling.LANCZOS)
        picture = np.asarray(resized)
    inputs = picture.astype(np.float32).transpose(2, 0, 1)[None]
    return networks.session(NETWORK).run(["edges"], {"image": inputs})[0][0, 0]
