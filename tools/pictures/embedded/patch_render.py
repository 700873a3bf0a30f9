"""From the displacements found at a small scale to the filled picture at its own size."""

from __future__ import annotations

import numpy as np

from tools.pictures.embedded.patch_levels import RADIUS, Level


def render(
    picture: np.ndarray, hole: np.ndarray, level: Level, nearest: np.ndarray, scale: float
) -> np.ndarray:
    """The picture with the level's colours or, where it is larger, its own displaced pixels."""
    import cv2

    inner = level.values[RADIUS:-RADIUS, RADIUS:-RADIUS, :3]
    filled = cv2.cvtColor(np.clip(inner, 0, 255).astype(np.uint8), cv2.COLOR_LAB2RGB)
    result = picture.copy()
    if scale == 1:
        result[hole] = filled[hole]
        return result
    copied = _copied(picture, hole, level, nearest)
    # The votes know the tone, the copies the detail.
    size = filled.shape[1::-1]
    seen = cv2.resize(copied, size, interpolation=cv2.INTER_AREA)
    tone = cv2.GaussianBlur(filled.astype(np.float32) - seen, (0, 0), 2)
    rows, columns = np.flatnonzero(hole.any(axis=1)), np.flatnonzero(hole.any(axis=0))
    part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    missing = hole[part]
    ratio_y, ratio_x = hole.shape[0] / size[1], hole.shape[1] / size[0]
    to_small = np.array(
        [
            [1 / ratio_x, 0, (columns[0] + 0.5) / ratio_x - 0.5],
            [0, 1 / ratio_y, (rows[0] + 0.5) / ratio_y - 0.5],
        ]
    )
    tone = cv2.warpAffine(
        tone,
        to_small,
        missing.shape[::-1],
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    new = np.clip(copied[part] + tone, 0, 255).astype(np.uint8)
    result[part][missing] = new[missing]
    return result


def _copied(picture: np.ndarray, hole: np.ndarray, level: Level, nearest: np.ndarray) -> np.ndarray:
    """The hole filled with full-size pixels, moved as the level's patches were."""
    height, width = hole.shape
    small_height, small_width = (side - 2 * RADIUS for side in level.hole.shape)
    ratio_y, ratio_x = height / small_height, width / small_width
    moves = np.zeros((level.hole.size, 2), np.int32)
    known = np.zeros(level.hole.size, bool)
    moves[level.targets, 0] = np.rint(
        (nearest // level.width - level.targets // level.width) * ratio_y
    )
    moves[level.targets, 1] = np.rint(
        (nearest % level.width - level.targets % level.width) * ratio_x
    )
    known[level.targets] = True
    result = picture.copy()
    for start in range(0, height, 256):  # bands, so that a large hole needs little memory
        y, x = np.nonzero(hole[start : start + 256])
        y = y + start
        at_y, at_x = (y + 0.5) / ratio_y - 0.5, (x + 0.5) / ratio_x - 0.5
        low_y, low_x = np.floor(at_y).astype(int), np.floor(at_x).astype(int)
        total = np.zeros((len(y), 3), np.float32)
        mass = np.full((len(y), 1), 1e-6, np.float32)
        for step_y in (0, 1):
            for step_x in (0, 1):
                row = np.clip(low_y + step_y, 0, small_height - 1) + RADIUS
                column = np.clip(low_x + step_x, 0, small_width - 1) + RADIUS
                centre = row * level.width + column
                weight = (1 - np.abs(at_y - low_y - step_y)) * (1 - np.abs(at_x - low_x - step_x))
                weight = (weight * known[centre] + 1e-9).astype(np.float32)[:, None]
                from_y = np.clip(y + moves[centre, 0], 0, height - 1)
                from_x = np.clip(x + moves[centre, 1], 0, width - 1)
                usable = weight * ~hole[from_y, from_x][:, None]
                total += picture[from_y, from_x] * usable
                mass += usable
        result[y, x] = np.clip(total / mass, 0, 255)
    return result
