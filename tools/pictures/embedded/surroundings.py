"""What else is in a picture beside the object that is to be removed."""

from __future__ import annotations

import numpy as np
import PIL.Image

from ...seeing.embedded import detection, salience


def other_objects(image: PIL.Image.Image, picture: np.ndarray, hole: np.ndarray) -> np.ndarray:
    """The pixels of objects that are not in the hole: bool, height x width.

    Copied into the hole they would make a second dog where one dog was to go. `picture` is the
    image as uint8, height x width x 3; `hole` is bool, height x width.
    """
    found = np.zeros(hole.shape, bool)
    if min(hole.shape) < 32:
        return found
    for box in detection.detect(image):
        left, top = max(int(box.left), 0), max(int(box.top), 0)
        part = np.s_[top : max(int(box.bottom), 0), left : max(int(box.right), 0)]
        if found[part].size < 64 or hole[part].mean() > 0.5:
            continue
        likely = salience.salience(np.ascontiguousarray(picture[part])) > 0.5
        found[part] |= likely if likely.mean() > 0.2 else True
    return found & ~hole
