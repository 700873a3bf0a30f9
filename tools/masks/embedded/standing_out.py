"""What stands out in a picture as regions of a mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from controlllm.resources import Region


def regions(picture: np.ndarray, network: Any = None) -> tuple[Region, ...]:
    """What stands out where no object of a known kind is there."""
    import cv2

    from ...seeing.embedded import salience

    if min(picture.shape[:2]) < 16:
        return ()
    likely = salience.salience(picture, network)
    count, pieces, facts, _ = cv2.connectedComponentsWithStats((likely > 0.5).astype(np.uint8))
    found = []
    for piece in range(1, count):
        if 0.03 < facts[piece, cv2.CC_STAT_AREA] / likely.size < 0.9:
            pixels = pieces == piece
            found.append(Region(pixels, "object", round(float(likely[pixels].mean()), 3)))
    return tuple(found)
