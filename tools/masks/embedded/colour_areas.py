"""Areas of even colour."""

from __future__ import annotations

import numpy as np

from ...shared.pixels import at_most

_WORKING_SIDE = 480
#: How far colours may change within an area, and into how many areas a picture falls at most.
_EVENNESS, _MOST = 400, 400


def divided(picture: np.ndarray) -> np.ndarray:
    """The area that each pixel belongs to: int, height x width, from 0 up.

    `picture` is uint8, height x width x 3, RGB. Felzenszwalb and Huttenlocher, "Efficient
    Graph-Based Image Segmentation", 2004, on smoothed colours in CIE Lab.
    """
    import cv2
    from skimage.segmentation import felzenszwalb

    height, width = picture.shape[:2]
    small = at_most(picture, _WORKING_SIDE)
    smooth = cv2.cvtColor(cv2.bilateralFilter(small, 9, 40, 5), cv2.COLOR_RGB2LAB)
    areas = felzenszwalb(
        smooth.astype(np.float32) / 255,
        scale=_EVENNESS,
        sigma=0.5,
        min_size=max(small.shape[0] * small.shape[1] // _MOST, 4),
    )
    full = cv2.resize(areas.astype(np.float32), (width, height), interpolation=cv2.INTER_NEAREST)
    return full.astype(int)
