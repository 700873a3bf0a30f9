"""Where a video changes from one scene to another, from frames sampled over its length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image

Sample = tuple[float, PIL.Image.Image]

_FEWEST, _MOST = 4, 48
#: A change of colours this large between two samples is a cut, and a smaller one is movement.
_CUT = 0.42
_STILL = 2.0  # mean difference in grey levels, of 255


@dataclass(frozen=True)
class Shot:
    """A stretch of a video without a cut: its seconds and the frames sampled in it."""

    start: float
    end: float
    frames: tuple[PIL.Image.Image, ...]

    def key_frames(self, count: int = 3) -> list[PIL.Image.Image]:
        """At most `count` frames, from the middle of as many equal parts."""
        count = min(count, len(self.frames))
        places = (np.arange(count) + 0.5) * len(self.frames) / count
        return [self.frames[int(place)] for place in places]


def sample_count(seconds: float) -> int:
    """How many frames to look at: two a second, but a bounded number."""
    return int(np.clip(round(2 * seconds), _FEWEST, _MOST))


def split(samples: Sequence[Sample], seconds: float) -> list[Shot]:
    """The shots of a video of this length, in order; a cut lies halfway between two samples."""
    colours = [_colours(image) for _, image in samples]
    starts = [0]
    for number in range(1, len(samples)):
        if difference(colours[number - 1], colours[number]) > _CUT:
            starts.append(number)
    shots = []
    for first, after in zip(starts, [*starts[1:], len(samples)], strict=True):
        start = 0.0 if first == 0 else (samples[first - 1][0] + samples[first][0]) / 2
        last = after == len(samples)
        end = seconds if last else (samples[after - 1][0] + samples[after][0]) / 2
        shots.append(Shot(start, end, tuple(image for _, image in samples[first:after])))
    return shots


def longest(shots: Sequence[Shot], count: int) -> list[Shot]:
    """The `count` longest shots, in the order of the video."""
    chosen = sorted(shots, key=lambda shot: shot.start - shot.end)[:count]
    return sorted(chosen, key=lambda shot: shot.start)


def stands_still(samples: Sequence[Sample]) -> bool:
    """Whether every sample shows the same picture."""
    small = [_small(image).astype(float).mean(axis=2) for _, image in samples]
    return all(float(np.abs(small[0] - other).mean()) < _STILL for other in small[1:])


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """How far apart two frames' colours are, 0..1 (the Hellinger distance)."""
    return float(np.sqrt(max(1 - np.sqrt(one * other).sum(), 0)))


def _small(image: PIL.Image.Image) -> np.ndarray:
    return np.asarray(image.convert("RGB").resize((64, 64), PIL.Image.Resampling.BOX))


def _colours(image: PIL.Image.Image) -> np.ndarray:
    """A histogram over four levels of each channel in four quarters, which sums to 1."""
    levels = _small(image) // 64
    codes = levels[..., 0] * 16 + levels[..., 1] * 4 + levels[..., 2]
    rows, columns = np.indices(codes.shape) // 32
    places = codes + 64 * (2 * rows + columns)
    counts = np.bincount(places.ravel(), minlength=256).astype(float)
    return counts / counts.sum()
