"""Videos one after the other, in one size, with cuts or soft transitions.

A transition takes no time away: each video is seen from its first picture to its last. While one
ends, the first picture of the next shines through, and its own last picture does while that begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context

from ...shared import video_files
from ...shared.sounds import kept, lasting
from ...shared.video_files import VideoFacts
from ...shared.video_rewriting import filled
from .canvas import whole

_HALF = 0.5  # seconds of a transition on each side of where videos meet
_STEP = 0.04
_SEAM = 0.006  # seconds of fading where sounds meet, so that no click is heard
_RATE, _CHANNELS = 48_000, 2


@dataclass(frozen=True)
class Part:
    """A video with what is known of it."""

    clip: Clip
    facts: VideoFacts

    def half(self) -> float:
        """How long a transition lasts in it at each of its ends."""
        return min(_HALF, self.facts.seconds / 2)


def frames(
    parts: Sequence[Part], size: tuple[int, int], soft: bool, context: Context
) -> Iterator[tuple[float, np.ndarray]]:
    """The pictures of all videos, with the seconds since the first one's start."""
    offset = 0.0
    before: np.ndarray | None = None
    for number, part in enumerate(parts):
        following = parts[number + 1] if soft and number + 1 < len(parts) else None
        after = None if following is None else _first(following, size, context)
        shown = video_files.read_frames(part.clip, context=context)
        moments = _moments(part, before is not None, after is not None)
        picture: np.ndarray | None = None
        for time, picture in filled(shown, moments, part.facts.seconds):
            picture = whole(picture, size)
            yield offset + time, _blended(picture, time, part, before, after)
        before = picture if soft else None
        offset += part.facts.seconds


def _first(part: Part, size: tuple[int, int], context: Context) -> np.ndarray:
    return whole(next(video_files.read_frames(part.clip, context=context))[1], size)


def _moments(part: Part, is_begun: bool, is_ended: bool) -> list[float]:
    """When there has to be a picture, so that a transition is smooth."""
    steps = np.arange(0.0, part.half(), _STEP)
    return [*(steps if is_begun else ()), *(part.facts.seconds - steps[::-1] if is_ended else ())]


def _blended(
    picture: np.ndarray,
    time: float,
    part: Part,
    before: np.ndarray | None,
    after: np.ndarray | None,
) -> np.ndarray:
    import cv2

    half = part.half()
    left = part.facts.seconds - time
    if before is not None and time < half:
        picture = cv2.addWeighted(picture, share := 0.5 + 0.5 * time / half, before, 1 - share, 0)
    if after is not None and left < half:
        picture = cv2.addWeighted(picture, share := 0.5 + 0.5 * left / half, after, 1 - share, 0)
    return picture


def sound(parts: Sequence[Part], soft: bool, context: Context) -> Sound | None:
    """The sounds one after the other, each as long as its pictures; a video without any is silent.

    None where no video has a sound.
    """
    if not any(part.facts.has_sound for part in parts):
        return None
    blocks = (
        _lasting(part, soft, context.part(number / len(parts), (number + 1) / len(parts)))
        for number, part in enumerate(parts)
    )
    return kept(chain.from_iterable(blocks), _RATE, context)


def _lasting(part: Part, soft: bool, context: Context) -> Iterator[np.ndarray]:
    wanted = round(part.facts.seconds * _RATE)
    found = None
    if part.facts.has_sound:
        length = part.facts.seconds
        found = video_files.read_sound(part.clip, _RATE, _CHANNELS, length, context=context)
    found = found or Sound(np.zeros((0, _CHANNELS), np.float32), _RATE)
    ramp = max(round((part.half() if soft else _SEAM) * _RATE), 1)
    return lasting(found, wanted, ramp)
