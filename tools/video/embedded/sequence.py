"""Videos or pictures one after the other or beside each other, in one size.

A transition takes no time away: each video is seen from its first picture to its last. While one
ends, the first picture of the next shines through, and its own last picture does while that begins.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import PIL.Image

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context

from ...shared import video_files
from ...shared.pixels import rgb
from ...shared.sounds import kept, lasting
from ...shared.video_files import VideoFacts, even
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


_HIGHEST_RATE = 30.0


def side_by_side(
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


_SLIDE_RATE = 25
_FADE = 0.8  # seconds of a transition, at most a third of the time that a picture is shown
_LARGE, _USUAL, _SMALL = 1080, 720, 360
_LONG = 240.0  # seconds from which on pictures are written smaller, so that it does not take long


def frame_size(images: Sequence[PIL.Image.Image], shape: float, seconds: float) -> tuple[int, int]:
    """The size of a slideshow of a shape: HD where the pictures have so many pixels."""
    largest = max(max(image.size) for image in images)
    short = _LARGE if largest >= 1600 and seconds <= _LONG else _USUAL
    short = _SMALL if largest < 480 else short
    wide, high = (short * shape, short) if shape >= 1 else (short, short / shape)
    return even(min(wide, 3840)), even(min(high, 3840))


def slideshow(
    images: Sequence[PIL.Image.Image], size: tuple[int, int], each: float, fades: bool
) -> Iterator[tuple[float, np.ndarray]]:
    """The pictures of a slideshow with their seconds; each picture is shown for `each`, and half of
    each transition belongs to it."""
    import cv2

    count = round(each * len(images) * _SLIDE_RATE)
    half = min(_FADE, each / 3) / 2 if fades else 0.0
    slide, number = _slide(images[0], size), 0
    following = _slide(images[1], size) if len(images) > 1 else slide
    earlier = slide
    for place in range(max(count, 1)):
        time = place / _SLIDE_RATE
        if min(int(time / each + 1e-6), len(images) - 1) > number:
            number += 1
            earlier, slide = slide, following
            following = _slide(images[number + 1], size) if number + 1 < len(images) else slide
        within = time - number * each
        shown = slide
        if half and number and within < half:
            share = 0.5 + 0.5 * within / half
            shown = cv2.addWeighted(slide, share, earlier, 1 - share, 0)
        elif half and number + 1 < len(images) and each - within < half:
            share = 0.5 + 0.5 * (each - within) / half
            shown = cv2.addWeighted(slide, share, following, 1 - share, 0)
        yield time, shown


def _slide(image: PIL.Image.Image, size: tuple[int, int]) -> np.ndarray:
    return whole(rgb(image), size, blurred=True)
