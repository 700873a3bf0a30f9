"""Photos that lie apart on a plain ground, such as several on one scan."""

from __future__ import annotations

import numpy as np
import PIL.Image

#: The picture is looked at so large.
_SIDE = 600
#: What differs from the ground by so many levels is of a photo, and so much of the edge is ground.
_OFF, _EDGE = 18, 0.9
#: A photo takes at least so much of the picture, and fills so much of its box.
_SMALLEST, _FULL = 0.02, 0.88

Corners = tuple[int, int, int, int]


def find(image: PIL.Image.Image) -> list[Corners]:
    """Where photos lie, from the upper left on; none where the picture is no plain ground with two
    or more photos on it and nothing else that is large."""
    from scipy import ndimage

    scale = min(_SIDE / max(image.size), 1.0)
    size = [max(round(side * scale), 1) for side in image.size]
    small = image.convert("RGB").resize(size, PIL.Image.Resampling.BOX)
    pixels = np.asarray(small).astype(np.int16)
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    ground = np.median(rim, axis=0)
    if (np.abs(rim - ground).max(axis=1) < _OFF).mean() < _EDGE:
        return []
    stands_out = np.abs(pixels - ground).max(axis=2) >= _OFF
    # What is as light as the ground inside a photo is of the photo; specks are not.
    filled = ndimage.binary_fill_holes(ndimage.binary_closing(stands_out, iterations=2))
    numbered, _ = ndimage.label(ndimage.binary_opening(filled, iterations=2))
    found = []
    for number, place in enumerate(ndimage.find_objects(numbered), 1):
        part = numbered[place] == number
        if part.size < _SMALLEST * filled.size:
            continue
        if part.mean() < _FULL:
            return []
        down, across = place
        box = (across.start / scale, down.start / scale, across.stop / scale, down.stop / scale)
        left, top, right, bottom = (round(side) for side in box)
        found.append((left, top, min(right, image.width), min(bottom, image.height)))
    return _in_rows(found) if len(found) > 1 else []


def _in_rows(boxes: list[Corners]) -> list[Corners]:
    """Row by row, each from the left."""
    rows: list[list[Corners]] = []
    for box in sorted(boxes, key=lambda own: own[1]):
        if rows and box[1] < (rows[-1][0][1] + rows[-1][0][3]) / 2:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [box for row in rows for box in sorted(row)]
