"""Enlarging pictures: Real-ESRGAN's small network, held to what the original shows.

The network (Wang et al., "Real-ESRGAN", 2021) draws sharp edges and no noise, but a little as in a
cartoon. So it is mixed with plain cubic scaling, and the mixture corrected until, made small
again, it gives the original back (Irani and Peleg, "Improving resolution by image registration",
1991).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...shared import networks

NETWORK = networks.shipped("enlarging")
#: How much the network counts beside cubic scaling.
_SHARE = 0.6
_ROUNDS = 3
_TILE = 192
#: The network looks 18 pixels far; the corrections after it a few more.
_MARGIN = 24


def enlarge(
    picture: np.ndarray,
    factor: int,
    progress: Callable[[float, str], None] = lambda fraction, words: None,
) -> np.ndarray:
    """The picture, uint8 grey or RGB, two to four times as high and wide.

    Tiles are done one after the other, so that memory stays small; `progress` is called before
    each with a fraction 0..1 and words, and may raise to stop.
    """
    rows, columns = picture.shape[:2]
    result = np.empty((rows * factor, columns * factor, *picture.shape[2:]), np.uint8)
    for top in range(0, rows, _TILE):
        for left in range(0, columns, _TILE):
            progress((top + _TILE * left / columns) / (rows + _TILE), "Enlarging the picture")
            y, x = max(top - _MARGIN, 0), max(left - _MARGIN, 0)
            part = picture[y : top + _TILE + _MARGIN, x : left + _TILE + _MARGIN]
            large = _tile(np.ascontiguousarray(part), factor)
            goal = result[top * factor : (top + _TILE) * factor,
                          left * factor : (left + _TILE) * factor]  # fmt: skip
            from_y, from_x = (top - y) * factor, (left - x) * factor
            goal[...] = large[from_y : from_y + goal.shape[0], from_x : from_x + goal.shape[1]]
    return result


def _tile(part: np.ndarray, factor: int) -> np.ndarray:
    import cv2

    low = part.astype(np.float32)
    shape, size = low.shape[1::-1], (low.shape[1] * factor, low.shape[0] * factor)
    colours = np.broadcast_to(low[..., None], (*low.shape, 3)) if low.ndim == 2 else low
    inputs = np.ascontiguousarray(colours.transpose(2, 0, 1)[None] / 255)
    drawn = (
        networks.session(NETWORK).run(["enlarged"], {"picture": inputs})[0][0].transpose(1, 2, 0)
        * 255
    )
    drawn = cv2.resize(drawn, size, interpolation=cv2.INTER_AREA)
    if low.ndim == 2:
        drawn = drawn.mean(axis=-1)
    plain = cv2.resize(low, size, interpolation=cv2.INTER_CUBIC)
    large = _SHARE * drawn + (1 - _SHARE) * plain
    # Nothing lighter or darker than what is near it: that keeps edges free of bright and dark rims.
    square = np.ones((3, 3), np.uint8)
    high, deep = cv2.dilate(low, square), cv2.erode(low, square)
    slack = 0.1 * (high - deep) + 1
    ceiling = cv2.resize(high + slack, size, interpolation=cv2.INTER_LINEAR)
    floor = cv2.resize(deep - slack, size, interpolation=cv2.INTER_LINEAR)
    for _ in range(_ROUNDS):
        missing = low - cv2.resize(large, shape, interpolation=cv2.INTER_AREA)
        large += cv2.resize(missing, size, interpolation=cv2.INTER_CUBIC)
        large = np.clip(large, floor, ceiling)
    return np.clip(large.round(), 0, 255).astype(np.uint8)
