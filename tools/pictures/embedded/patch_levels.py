"""A picture with a hole at several scales, the patches in it, and the picture filled by them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

RADIUS = 3
SIDE = 2 * RADIUS + 1
OFFSETS = [(dy, dx) for dy in range(-RADIUS, RADIUS + 1) for dx in range(-RADIUS, RADIUS + 1)]
#: How much a patch from the other end of the picture must be better, in Lab steps per pixel: what
#: lies at the same height is more often the same thing, at the same distance from the camera.
_DISTANCE_WEIGHT = (9.0, 2.5)


@dataclass
class Level:
    """A picture at one scale, padded by the patch radius, and what is missing in it."""

    values: np.ndarray  # float32, height x width x 5: Lab colours, and how busy it is around
    hole: np.ndarray  # bool
    targets: np.ndarray  # flat indices of patch centres that touch the hole
    sources: np.ndarray  # flat indices of patch centres that are known throughout
    is_source: np.ndarray  # bool, flat

    @property
    def width(self) -> int:
        return self.hole.shape[1]

    @property
    def inner(self) -> tuple[int, int]:
        """Height and width without the padding."""
        return self.hole.shape[0] - 2 * RADIUS, self.width - 2 * RADIUS


def pyramid_of(picture: np.ndarray, hole: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Ever smaller copies, coarsest first, until the hole is about two patches thick."""
    import cv2

    levels = [(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB).astype(np.float32), hole)]
    while True:
        colours, missing = levels[-1]
        padded = np.pad(missing, 1, constant_values=False).astype(np.uint8)
        thickness = 2 * cv2.distanceTransform(padded, cv2.DIST_L2, 5).max()
        if thickness <= 1.5 * SIDE or min(missing.shape) < 6 * SIDE:
            return levels[::-1]
        shape = (round(missing.shape[1] / 1.6), round(missing.shape[0] / 1.6))
        known = (~missing).astype(np.float32)
        weight = cv2.resize(known, shape, interpolation=cv2.INTER_AREA)
        total = cv2.resize(colours * known[..., None], shape, interpolation=cv2.INTER_AREA)
        smaller = total / np.maximum(weight, 1e-3)[..., None]
        levels.append((smaller, weight < 0.6))


def level_of(colours: np.ndarray, hole: np.ndarray, unwanted: np.ndarray) -> Level:
    import cv2

    size = hole.shape[::-1]
    unwanted = cv2.resize(unwanted.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.3
    unwanted = np.pad(unwanted, RADIUS, mode="edge")
    values = np.concatenate([colours, _texture(colours, ~hole)], axis=-1)
    values = np.pad(values, ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), mode="edge")
    hole = np.pad(hole, RADIUS, mode="edge")
    touched = cv2.dilate(hole.astype(np.uint8), np.ones((SIDE, SIDE), np.uint8)).astype(bool)
    inside = np.zeros_like(hole)
    inside[RADIUS:-RADIUS, RADIUS:-RADIUS] = True
    whole = inside.copy()
    whole[: 2 * RADIUS] = whole[-2 * RADIUS :] = False
    whole[:, : 2 * RADIUS] = whole[:, -2 * RADIUS :] = False
    is_source = (whole & ~touched).ravel()
    near_unwanted = cv2.dilate(unwanted.astype(np.uint8), np.ones((5, 5), np.uint8)).astype(bool)
    preferred = is_source & ~near_unwanted.ravel()
    if preferred.sum() >= 0.2 * (inside & touched).sum() and preferred.sum() >= 200:
        is_source = preferred
    return Level(
        np.ascontiguousarray(values, np.float32),
        hole,
        np.flatnonzero(inside & touched),
        np.flatnonzero(is_source),
        is_source,
    )


def _texture(colours: np.ndarray, known: np.ndarray) -> np.ndarray:
    """How busy the known neighbourhood is across and down: height x width x 2.

    It is voted for like the colours: taken anew from a filled hole it would only keep up the
    smoothness that the averaging of votes has made.
    """
    import cv2

    light = cv2.GaussianBlur(colours[..., 0], (0, 0), 0.5)
    sure = cv2.erode(known.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.float32)
    window = (4 * RADIUS + 1, 4 * RADIUS + 1)
    mass = np.maximum(cv2.blur(sure, window), 1e-3)
    across = np.abs(cv2.Sobel(light, cv2.CV_32F, 1, 0, ksize=1)) * sure
    down = np.abs(cv2.Sobel(light, cv2.CV_32F, 0, 1, ksize=1)) * sure
    return np.stack([cv2.blur(across, window) / mass, cv2.blur(down, window) / mass], axis=-1)


def patches(level: Level, centres: np.ndarray) -> np.ndarray:
    """The colours of the patches around flat `centres`: count x (49 * 3)."""
    flat = level.values.reshape(-1, level.values.shape[-1])
    return flat[centres[:, None] + shifts_in(level), :3].reshape(len(centres), -1)


def shifts_in(level: Level) -> np.ndarray:
    return np.array([dy * level.width + dx for dy, dx in OFFSETS])


def places_of(level: Level, centres: np.ndarray) -> np.ndarray:
    """Where patches lie, weighted so that squared distances add to those of their colours."""
    down, across = (weight * SIDE for weight in _DISTANCE_WEIGHT)
    height, width = level.hole.shape
    y, x = centres // width / height, centres % width / width
    return np.stack([y * down, x * across], axis=1).astype(np.float32)


def mirror_padding(level: Level) -> None:
    """Make the padding follow its nearest pixel inside."""
    inner = level.values[RADIUS:-RADIUS, RADIUS:-RADIUS]
    level.values[...] = np.pad(inner, ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), mode="edge")


def moves_of(
    level: Level, nearest: np.ndarray, size: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """How far what lies at each pixel was moved, in pixels of a picture of another size.

    `nearest` is the match of each target. Gives int, 2 x height x width, down and across, for each
    pixel of the level (those beside the hole as the closest in it), and the ratio of the sizes.
    """
    from scipy import ndimage

    ratio = np.array(size) / level.inner
    moves = np.zeros((2, level.hole.size), np.int64)
    steps = np.stack(np.divmod(nearest, level.width)) - np.divmod(level.targets, level.width)
    moves[:, level.targets] = np.rint(steps * ratio[:, None])
    untouched = np.ones(level.hole.size, bool)
    untouched[level.targets] = False
    closest = ndimage.distance_transform_edt(
        untouched.reshape(level.hole.shape), return_distances=False, return_indices=True
    )
    dense = moves.reshape(2, *level.hole.shape)[:, closest[0], closest[1]]
    return dense[:, RADIUS:-RADIUS, RADIUS:-RADIUS], ratio


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
