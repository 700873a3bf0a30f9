"""Where a video changes from one scene to another, from frames sampled over its length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import PIL.Image

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...seeing.embedded.scene import Scene
from ...shared import video_files

Sample = tuple[float, PIL.Image.Image]

_FEWEST, _MOST = 4, 48
#: A change of colours this large between two samples is a cut, and a smaller one is movement.
CUT = 0.42
_STILL = 2.0  # mean difference in grey levels, of 255
_SAME_PICTURE = 1.5
_LARGEST = 1280


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


def sampled(clip: Clip, context: Context, words: str) -> tuple[float, list[Sample]]:
    """How long a video lasts, and frames over its length; `words` tell what for."""
    seconds = video_files.read_facts(clip).seconds
    count = sample_count(seconds)
    samples: list[Sample] = []
    for sample in video_files.sample_frames(clip, count):
        samples.append(sample)
        context.progress(len(samples) / count, words)
    return seconds, samples


def split(samples: Sequence[Sample], seconds: float) -> list[Shot]:
    """The shots of a video of this length, in order; a cut lies halfway between two samples."""
    shares = [colours(np.asarray(image.convert("RGB"))) for _, image in samples]
    starts = [0]
    for number in range(1, len(samples)):
        if difference(shares[number - 1], shares[number]) > CUT:
            starts.append(number)
    shots = []
    for first, after in zip(starts, [*starts[1:], len(samples)], strict=True):
        start = 0.0 if first == 0 else (samples[first - 1][0] + samples[first][0]) / 2
        last = after == len(samples)
        end = seconds if last else (samples[after - 1][0] + samples[after][0]) / 2
        shots.append(Shot(start, end, tuple(image for _, image in samples[first:after])))
    return shots


def cuts(clip: Clip, context: Context) -> list[float]:
    """The seconds at which one scene changes to another, to a frame."""
    seconds, samples = sampled(clip, context, "Looking for the scenes")
    return [
        exactly(clip, shot.start, seconds / len(samples)) for shot in split(samples, seconds)[1:]
    ]


def exactly(clip: Clip, about: float, within: float) -> float:
    """When the picture changes most, at most `within` seconds before or after a time."""
    step = 1 / max(video_files.read_facts(clip).frame_rate, 1)
    count = int(2 * within / step) + 2
    times = [max(about - within + number * step, 0.0) for number in range(count)]
    near = [(time, colours(np.asarray(image.convert("RGB"))))
            for time, image in video_files.frames_at(clip, times)]  # fmt: skip
    pairs = list(zip(near, near[1:], strict=False))
    return max(pairs, key=lambda pair: difference(pair[0][1], pair[1][1]))[1][0] if pairs else about


def longest(shots: Sequence[Shot], count: int) -> list[Shot]:
    """The `count` longest shots, in the order of the video."""
    chosen = sorted(shots, key=lambda shot: shot.start - shot.end)[:count]
    return sorted(chosen, key=lambda shot: shot.start)


def stands_still(samples: Sequence[Sample]) -> bool:
    """Whether every sample shows the same picture."""
    return all(is_same(samples[0][1], image, _STILL) for _, image in samples[1:])


def is_same(one: PIL.Image.Image, other: PIL.Image.Image, most: float) -> bool:
    """Whether two frames differ by less than `most` of 255 grey levels in the mean."""
    first, second = (
        np.asarray(image.convert("L").resize((48, 48)), np.float32) for image in (one, other)
    )
    return float(np.abs(first - second).mean()) < most


def looks(samples: Iterable[Sample]) -> Iterator[tuple[float, Scene]]:
    """Seconds and scenes of frames; the same scene again where the picture stands still."""
    scene: Scene | None = None
    for time, frame in samples:
        frame.thumbnail((_LARGEST, _LARGEST))
        if scene is None or not is_same(scene.image, frame, _SAME_PICTURE):
            scene = Scene(frame)
        yield time, scene


def difference(one: np.ndarray, other: np.ndarray) -> float:
    """How far apart two frames' colours are, 0..1 (the Hellinger distance)."""
    return float(np.sqrt(max(1 - np.sqrt(one * other).sum(), 0)))


def colours(picture: np.ndarray) -> np.ndarray:
    """A histogram of a uint8 RGB picture over four levels of each channel in four quarters, which
    sums to 1."""
    import cv2

    levels = cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA) // 64
    codes = levels[..., 0] * 16 + levels[..., 1] * 4 + levels[..., 2]
    rows, columns = np.indices(codes.shape) // 32
    places = codes + 64 * (2 * rows + columns)
    return np.bincount(places.ravel(), minlength=256) / places.size
