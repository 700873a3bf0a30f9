"""From the displacements found at a small scale to the filled picture at its own size."""

from __future__ import annotations

import numpy as np

from .patch_levels import RADIUS, Level, moves_of

_BAND = 256


def render(picture: np.ndarray, hole: np.ndarray, level: Level, nearest: np.ndarray) -> np.ndarray:
    """The picture with the level's colours or, where it is larger, its own displaced pixels."""
    import cv2

    inner = level.values[RADIUS:-RADIUS, RADIUS:-RADIUS, :3]
    filled = cv2.cvtColor(np.clip(inner, 0, 255).astype(np.uint8), cv2.COLOR_LAB2RGB)
    result = picture.copy()
    if filled.shape == picture.shape:
        result[hole] = filled[hole]
        return result
    copied = _copied(picture, hole, level, nearest)
    # The votes know the tone, the copies the detail.
    seen = cv2.resize(copied, filled.shape[1::-1], interpolation=cv2.INTER_AREA)
    tone = cv2.GaussianBlur(filled.astype(np.float32) - seen, (0, 0), 2)
    for start in range(0, len(hole), _BAND):  # bands, so that a large picture needs little memory
        band = np.s_[start : start + _BAND]
        height = len(hole[band])
        to_small = np.diag([level.inner[1] / hole.shape[1], level.inner[0] / len(hole)])
        offset = to_small @ [0.5, start + 0.5] - 0.5
        part = cv2.warpAffine(
            tone,
            np.column_stack([to_small, offset]),
            (hole.shape[1], height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        new = np.clip(copied[band] + part, 0, 255).astype(np.uint8)
        result[band][hole[band]] = new[hole[band]]
    return result


def _copied(picture: np.ndarray, hole: np.ndarray, level: Level, nearest: np.ndarray) -> np.ndarray:
    """The hole filled with full-size pixels, moved as the level's patches were."""
    size = np.array(hole.shape)[:, None]
    moves, ratio = moves_of(level, nearest, hole.shape)
    result = picture.copy()
    for start in range(0, len(hole), _BAND):
        place = np.stack(np.nonzero(hole[start : start + _BAND])) + [[start], [0]]
        at = (place + 0.5) / ratio[:, None] - 0.5
        low = np.floor(at).astype(int)
        total = np.zeros((place.shape[1], 3), np.float32)
        mass = np.full((place.shape[1], 1), 1e-6, np.float32)
        for corner in ([[0], [0]], [[0], [1]], [[1], [0]], [[1], [1]]):
            y, x = np.clip(low + corner, 0, np.array(level.inner)[:, None] - 1)
            origin = tuple(np.clip(place + moves[:, y, x], 0, size - 1))
            weight = np.prod(1 - np.abs(at - low - corner), axis=0) + 1e-9
            usable = (weight * ~hole[origin]).astype(np.float32)[:, None]
            total += picture[origin] * usable
            mass += usable
        result[tuple(place)] = np.clip(total / mass, 0, 255)
    return result
