"""Soft edges for cut-out objects: how much of each pixel is object, and the object's own colour.

The soft edge follows the picture by a guided filter (He, Sun and Tang, 2013); the object's colours
along it are freed of the old background by blur fusion (Forte, "Approximate fast foreground colour
estimation", 2021).
"""

from __future__ import annotations

import numpy as np

from ...shared.pixels import at_most

#: Larger pictures get their soft edge from a copy of this size; the edge is smooth anyway.
_WORKING_SIDE = 1600
_ROWS = 256


def soft_edge(picture: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """How much of each pixel belongs to the object of a mask: float32, 0..1.

    `picture` is uint8, height x width x 3; `mask` is bool, height x width. Away from the mask's
    border nothing changes.
    """
    import cv2

    height, width = mask.shape
    small = at_most(picture, _WORKING_SIDE)
    part = at_most(mask.astype(np.float32), _WORKING_SIDE)
    reach = max(2, round(0.008 * max(part.shape)))
    # The mask's stair steps are rounded first, or the filter would copy them.
    smooth = cv2.GaussianBlur(part, (0, 0), max(0.7, reach / 4))
    alpha = guided(small.astype(np.float32) / 255, smooth, reach, 1e-3)
    alpha = np.clip((alpha - 0.12) / 0.76, 0, 1)
    inner = _distance(part > 0.5) > 1.5 * reach
    outer = _distance(part <= 0.5) > 1.5 * reach
    alpha = np.where(inner, 1, np.where(outer, 0, alpha)).astype(np.float32)
    if alpha.shape != mask.shape:
        alpha = cv2.resize(alpha, (width, height), interpolation=cv2.INTER_LINEAR)
    return alpha


def own_colours(picture: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """The picture with the old background's colours taken out of the object's soft edge: uint8."""
    import cv2

    height, width = alpha.shape
    if max(height, width) > _WORKING_SIDE:  # colours spread along an edge hold no fine detail
        front = own_colours(at_most(picture, _WORKING_SIDE), at_most(alpha, _WORKING_SIDE))
        front = cv2.resize(front, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.where(alpha[..., None] > 0.995, picture, front)
    current = picture.astype(np.float32)
    original = current
    share = alpha[..., None]
    for reach in (max(3, round(0.02 * max(alpha.shape))), max(2, round(0.003 * max(alpha.shape)))):
        size = (2 * reach + 1, 2 * reach + 1)
        front = cv2.blur(current * share, size) / (cv2.blur(alpha, size)[..., None] + 1e-4)
        back = cv2.blur(original * (1 - share), size)
        back /= cv2.blur(1 - alpha, size)[..., None] + 1e-4
        current = front + share * (original - share * front - (1 - share) * back)
        current = np.clip(current, 0, 255)
    sure = share > 0.995
    return np.where(sure, picture, current.round().astype(np.uint8))


def blended(front: np.ndarray, back: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Two pictures in one, `share` of each pixel from the front: uint8, height x width x 3.

    A few rows at a time, since whole photos with fractions take gigabytes.
    """
    result = np.empty((*share.shape, 3), np.uint8)
    for start in range(0, len(share), _ROWS):
        rows = slice(start, start + _ROWS)
        part = share[rows, :, None]
        result[rows] = np.clip((front[rows] * part + back[rows] * (1 - part)).round(), 0, 255)
    return result


def _distance(inside: np.ndarray) -> np.ndarray:
    """How far each pixel inside lies from the nearest one outside; far where there is none."""
    import cv2

    if inside.all():
        return np.full(inside.shape, 1e6, np.float32)
    return cv2.distanceTransform(inside.astype(np.uint8), cv2.DIST_L2, 3)


def guided(guide: np.ndarray, values: np.ndarray, reach: int, smoothness: float) -> np.ndarray:
    """The guided filter (He, Sun and Tang, 2013): values, height x width, that follow a picture.

    `guide` is the picture, float32, height x width x 3, 0..1; `reach` in pixels.
    """
    import cv2

    size = (2 * reach + 1, 2 * reach + 1)
    mean_guide = cv2.blur(guide, size)
    mean_values = cv2.blur(values, size)
    spread = np.empty((*values.shape, 3, 3), np.float32)
    for row in range(3):
        for column in range(row, 3):
            both = cv2.blur(guide[..., row] * guide[..., column], size)
            both -= mean_guide[..., row] * mean_guide[..., column]
            spread[..., row, column] = spread[..., column, row] = both
    spread[..., range(3), range(3)] += smoothness
    shared = cv2.blur(guide * values[..., None], size) - mean_guide * mean_values[..., None]
    slope = np.linalg.solve(spread, shared[..., None])[..., 0].astype(np.float32)
    offset = mean_values - (slope * mean_guide).sum(axis=-1)
    return (cv2.blur(slope, size) * guide).sum(axis=-1) + cv2.blur(offset, size)
