"""Eyes that a flash has made red: bright red, small, round spots within faces."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import PIL.Image

from ...seeing.embedded import faces
from ...shared.pixels import rgb, with_alpha_of

Area = tuple[int, int, int, int]

#: How much more red than green and blue a pupil is in its middle, and at its rim.
_RED, _REDDISH = 1.85, 1.4
_LEAST_RED = 70
#: How wide a red pupil is, of the width of its face; without a face, of the picture's shorter side.
_OF_FACE, _OF_PICTURE = (0.015, 0.16), (0.012, 0.3)
_ROUND = 0.5
#: How much skin is around an eye where no face was found that says that it is one.
_SKIN = 0.3
_LIKELY_FACE = 0.4


class Spot(NamedTuple):
    """A round spot, in pixels of the picture."""

    x: float
    y: float
    width: float


def removed(image: PIL.Image.Image) -> PIL.Image.Image | None:
    """The picture with dark pupils in place of red ones; None where no red eye is found."""
    picture = rgb(image)
    spots = find(picture)
    if not spots:
        return None
    for spot in spots:
        _darken(picture, spot)
    return with_alpha_of(PIL.Image.fromarray(picture), image)


def find(picture: np.ndarray) -> list[Spot]:
    """The red pupils in an RGB array: those in faces, or else whatever looks like one in skin."""
    height, width = picture.shape[:2]
    found: list[Spot] = []
    for box in faces.find(PIL.Image.fromarray(picture), _LIKELY_FACE):
        wide, tall = box.right - box.left, box.bottom - box.top
        # The box ends above the brows; the mouth and its red lips are below the middle.
        upper = (box.left, box.top - 0.1 * tall, box.right, box.top + 0.58 * tall)
        area = _inside(upper, (width, height))
        least, most = (max(share * wide, 2.0) for share in _OF_FACE)
        eyes = _likeliest(_spots(picture, area, least, most), wide)
        found += [eye for eye in eyes if len(eyes) > 1 or _in_skin(picture, eye)]
    if found:
        return found
    side = min(width, height)
    least, most = max(_OF_PICTURE[0] * side, 4.0), _OF_PICTURE[1] * side
    spots = _spots(picture, (0, 0, width, height), least, most)
    return [spot for spot in spots if _in_skin(picture, spot)]


def _inside(area: tuple[float, float, float, float], size: tuple[int, int]) -> Area:
    left, top, right, bottom = area
    return (
        max(int(left), 0),
        max(int(top), 0),
        min(int(np.ceil(right)), size[0]),
        min(int(np.ceil(bottom)), size[1]),
    )


def _redness(picture: np.ndarray) -> np.ndarray:
    """How many times more red each pixel is than green or blue."""
    values = picture.astype(np.float32)
    return values[..., 0] / (np.maximum(values[..., 1], values[..., 2]) + 8)


def _spots(picture: np.ndarray, area: Area, least: float, most: float) -> list[Spot]:
    """The red round spots of an area whose width lies between two."""
    from scipy import ndimage

    left, top, right, bottom = area
    if right <= left or bottom <= top:
        return []
    part = picture[top:bottom, left:right]
    red = (_redness(part) > _RED) & (part[..., 0] >= _LEAST_RED)
    groups, _ = ndimage.label(ndimage.binary_fill_holes(red), np.ones((3, 3)))
    found = []
    for number, (rows, columns) in enumerate(ndimage.find_objects(groups), 1):
        tall, wide = rows.stop - rows.start, columns.stop - columns.start
        filled = (groups[rows, columns] == number).mean()
        size = max(tall, wide)
        # A lid may cover half of a pupil; a full square is no eye, but small ones are.
        is_round = min(tall, wide) >= _ROUND * size and filled > _ROUND
        if not is_round or not least <= size <= most or (filled > 0.93 and size > 8):
            continue
        x = left + (columns.start + columns.stop) / 2
        y = top + (rows.start + rows.stop) / 2
        if _stands_out(picture, Spot(x, y, size)):
            found.append(Spot(x, y, size))
    return found


def _ring(
    shape: tuple[int, ...], spot: Spot, inner: float, outer: float
) -> tuple[tuple, np.ndarray]:
    """A part of a picture around a spot, and which of its pixels are so many radii from it."""
    reach = outer * spot.width / 2 + 1
    left, top, right, bottom = _inside(
        (spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach), (shape[1], shape[0])
    )
    down, across = np.mgrid[top:bottom, left:right] + 0.5
    away = np.hypot(across - spot.x, down - spot.y) / (spot.width / 2)
    return np.s_[top:bottom, left:right], (away >= inner) & (away <= outer)


def _stands_out(picture: np.ndarray, spot: Spot) -> bool:
    """Whether what is around a spot is hardly red: a spot of a red dress is no eye."""
    part, ring = _ring(picture.shape, spot, 1.5, 2.5)
    around = _redness(picture[part])[ring]
    return not len(around) or float((around > 0.9 * _RED).mean()) < 0.15


def _in_skin(picture: np.ndarray, spot: Spot) -> bool:
    """Whether there is much skin around a spot."""
    part, ring = _ring(picture.shape, spot, 1.5, 6.0)
    red, green, blue = np.moveaxis(picture[part][ring].astype(np.float32), -1, 0)
    total = red + green + blue + 1
    skin = (red > 45) & (red > green) & (green > 0.85 * blue)
    skin &= (red / total > 0.36) & (red / total < 0.56) & (green / total > 0.25)
    return len(red) > 0 and float(skin.mean()) > _SKIN


def _likeliest(spots: list[Spot], wide: float) -> list[Spot]:
    """Of the spots in a face its two eyes: the pair that lies best, or else the largest spot."""
    pairs = []
    for index, one in enumerate(spots):
        for other in spots[index + 1 :]:
            across, down = abs(one.x - other.x), abs(one.y - other.y)
            alike = min(one.width, other.width) / max(one.width, other.width)
            if 0.2 * wide < np.hypot(across, down) < 0.8 * wide and alike > 0.4:
                pairs.append((alike - down / wide, one, other))
    if pairs:
        return list(max(pairs)[1:])
    return sorted(spots, key=lambda spot: -spot.width)[:1]


def _darken(picture: np.ndarray, spot: Spot) -> None:
    """Turn the red of a pupil into the grey that it has without it; its glint stays."""
    from scipy import ndimage

    part, near = _ring(picture.shape, spot, 0.0, 1.45)
    values = picture[part].astype(np.float32)
    redness = _redness(picture[part])
    own = near & (redness > _REDDISH)
    own = ndimage.binary_closing(own, iterations=2) | own
    soft = ndimage.gaussian_filter(own.astype(np.float32), max(0.5, 0.06 * spot.width))
    soft = np.maximum(soft, own) * np.clip((redness - 1.05) / 0.3, 0, 1)
    # Green and blue tell how light the pupil is without the flash that came back red.
    grey = np.minimum(values[..., 1], values[..., 2])[..., None] * np.array(
        [0.9, 0.88, 0.9], np.float32
    )
    changed = values + (grey - values) * soft[..., None]
    picture[part] = np.clip(changed.round(), 0, 255).astype(np.uint8)
