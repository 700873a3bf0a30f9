"""Videos shown at once, beside or below each other, each with its last picture where it ends."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

import numpy as np

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...shared import video_files
from .canvas import whole

_HIGHEST_RATE = 30.0


def frames(
    clips: Sequence[Clip], size: tuple[int, int], is_below: bool, context: Context
) -> Iterator[tuple[float, np.ndarray]]:
    """The pictures of all videos in one, each in a part of this size, with their seconds."""
    facts = [video_files.read_facts(clip) for clip in clips]
    rate = min(max(one.frame_rate for one in facts), _HIGHEST_RATE)
    shown = [_held(clip, size, context) for clip in clips]
    for player in shown:
        next(player)
    for number in range(round(max(one.seconds for one in facts) * rate)):
        parts = [player.send(number / rate) for player in shown]
        yield number / rate, np.concatenate(parts, axis=0 if is_below else 1)


def _held(
    clip: Clip, size: tuple[int, int], context: Context
) -> Generator[np.ndarray, float, None]:
    """Is sent growing times and gives the picture that a video shows then, or its last one."""
    read = video_files.read_frames(clip, context=context)
    _, picture = next(read)
    following = next(read, None)
    shown = whole(picture, size)
    time = yield shown
    while True:
        is_changed = False
        while following is not None and following[0] <= time + 1e-6:
            picture, following, is_changed = following[1], next(read, None), True
        shown = whole(picture, size) if is_changed else shown
        time = yield shown
