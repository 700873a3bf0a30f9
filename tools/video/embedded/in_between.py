"""Pictures between two frames of a video, so that slow motion does not stutter.

Both frames are moved towards each other along the optical flow between them and faded over. Where
the flow forth and back disagree, as at what appears behind a moving thing, nothing is moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from . import shots

_FLOW_SIDE = 480
_MOST = 7  # pictures between two frames
_FASTEST = 50.0  # pictures a second that are worth making

#: Makes the picture at each share, 0..1, of the way from a first to a second, all uint8 RGB.
Between = Callable[[np.ndarray, np.ndarray, Iterable[float]], Iterator[np.ndarray]]


def smoothed(
    frames: Iterable[tuple[float, np.ndarray]], rate: float, between: Between
) -> Iterator[tuple[float, np.ndarray]]:
    """The frames with others between them wherever they come more slowly than `rate` a second."""
    rate = min(max(rate, 24.0), _FASTEST)
    before: tuple[float, np.ndarray] | None = None
    for time, picture in frames:
        if before is not None:
            count = min(round((time - before[0]) * rate) - 1, _MOST)
            if count > 0 and not _cut_or_still(before[1], picture):
                shares = [(number + 1) / (count + 1) for number in range(count)]
                for share, made in zip(shares, between(before[1], picture, shares), strict=True):
                    yield before[0] + share * (time - before[0]), made
        yield time, picture
        before = (time, picture)


def between(first: np.ndarray, second: np.ndarray, shares: Iterable[float]) -> Iterator[np.ndarray]:
    """The picture at each share, 0..1, of the way from the first to the second, all uint8 RGB."""
    import cv2

    height, width = first.shape[:2]
    scale = min(_FLOW_SIDE / max(height, width), 1.0)
    size = (max(round(width * scale), 16), max(round(height * scale), 16))
    small = [
        cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
        for picture in (first, second)
    ]
    finder = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
    forth = finder.calc(small[0], small[1], None)
    back = finder.calc(small[1], small[0], None)
    # Where going forth and back does not lead home again, the flow is not to be trusted.
    doubt = np.linalg.norm(forth + _at(back, forth), axis=2)
    trust = np.clip(2.0 - doubt / (1.0 + 0.1 * np.linalg.norm(forth, axis=2)), 0, 1)
    trust = cv2.GaussianBlur(trust.astype(np.float32), (0, 0), 2.0)[..., None]
    stretch = np.array([width / size[0], height / size[1]], np.float32)
    forth = cv2.resize(forth * trust, (width, height)) * stretch
    back = cv2.resize(back * _at(trust, back).reshape(*trust.shape), (width, height)) * stretch
    for share in shares:
        yield cv2.addWeighted(
            _at(first, -share * forth), 1 - share, _at(second, (share - 1) * back), share, 0
        )


def _at(values: np.ndarray, flow: np.ndarray) -> np.ndarray:
    """The values where the flow leads."""
    import cv2

    rows, columns = np.indices(flow.shape[:2], np.float32)
    return cv2.remap(
        values,
        columns + flow[..., 0],
        rows + flow[..., 1],
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )


def _cut_or_still(first: np.ndarray, second: np.ndarray) -> bool:
    """Whether there is nothing to move: another scene, or the same picture."""
    import cv2

    one, two = (
        cv2.resize(picture, (32, 32), interpolation=cv2.INTER_AREA).astype(np.float32)
        for picture in (first, second)
    )
    is_still = float(np.abs(one - two).mean()) < 0.15
    return is_still or shots.difference(shots.colours(first), shots.colours(second)) > shots.CUT
