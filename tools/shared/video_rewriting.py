"""Videos written anew with something changed: the pictures one by one, or the sound.

Frames are read as they are shown and keep their times, so that what is long or uneven stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError

from . import video_files
from .sound_track import RATE
from .video_files import VideoFacts

Frames = Iterable[tuple[float, np.ndarray]]

#: Encoders and players go no further.
_MOST_PIXELS = 4096 * 2304
_LONGEST_SIDE = 4096
_LEAST_GAP = 0.03  # seconds; a picture that comes so much later does not need one put before it
_QUALITY = 19


@dataclass(frozen=True)
class Change:
    """What is changed of a video.

    `picture` gives a changed picture, of the seconds at which it is shown and the picture, uint8
    RGB, into which it must not write; `size` is that of the changed pictures, in even pixels, where
    it is another. At the `moments`, growing seconds, there is a picture even where the video stands
    still, so that a change can set in then. `sound` gives the changed sound.
    """

    picture: Callable[[float, np.ndarray], np.ndarray]
    size: tuple[int, int] | None = None
    moments: Sequence[float] = ()
    sound: Callable[[Sound], Sound] | None = None


def rewritten(video: Clip, facts: VideoFacts, change: Change, context: Context, words: str) -> Clip:
    """A new video with each picture changed, and with its sound, perhaps changed."""
    sound = sound_of(video, facts, context.part(0.0, 0.1))
    if sound is not None and change.sound is not None:
        sound = change.sound(sound)
    frames = filled(video_files.read_frames(video, context=context), change.moments, facts.seconds)
    return video_files.write_video(
        video_files.Film(
            ((time, change.picture(time, picture)) for time, picture in frames),
            facts.seconds,
            change.size or even_size(facts.width, facts.height),
            sound,
        ),
        context.part(0.1 if facts.has_sound else 0.0, 1.0),
        video_files.Coding(quality=_QUALITY),
        words=words,
    )


def even_size(width: float, height: float) -> tuple[int, int]:
    """A size that can be written. Raises ToolError where it is too large."""
    if width * height > _MOST_PIXELS or max(width, height) > _LONGEST_SIDE:
        raise ToolError(
            f"The video would be {round(width)}x{round(height)} pixels; players show at most "
            "4096x2304. Ask for a smaller size."
        )
    return video_files.even(width), video_files.even(height)


def sound_of(video: Clip, facts: VideoFacts, context: Context) -> Sound | None:
    """All of a video's sound with its own channels; None where it has none."""
    if not facts.has_sound:
        return None
    sound = video_files.read_sound(video, RATE, None, facts.seconds, context=context)
    return sound if sound is not None and sound.frames else None


def with_sound(
    video: Clip, facts: VideoFacts, sound: Sound | None, context: Context, words: str
) -> Clip:
    """The video with another sound or none; its encoded pictures are taken over where they may
    be."""
    if facts.codec == "h264" and "mp4" in facts.container:
        return video_files.copy_with_sound(video, sound, facts.seconds, context, words)
    return video_files.write_video(
        video_files.Film(
            video_files.read_frames(video, context=context),
            facts.seconds,
            even_size(facts.width, facts.height),
            sound,
        ),
        context,
        video_files.Coding(quality=_QUALITY),
        words=words,
    )


def filled(
    frames: Frames, moments: Sequence[float], seconds: float
) -> Iterator[tuple[float, np.ndarray]]:
    """The frames, with the one that is shown at a moment once more there, where none comes soon."""
    left = iter(sorted(moments))
    moment = next(left, None)
    held: tuple[float, np.ndarray] | None = None
    for time, picture in _ending(frames, seconds):
        while held is not None and moment is not None and moment < time - _LEAST_GAP:
            if moment > held[0] + 1e-3:
                held = moment, held[1]
                yield held
            moment = next(left, None)
        if picture is None:
            return
        held = time, picture
        yield held


def _ending(frames: Frames, seconds: float) -> Iterator[tuple[float, np.ndarray | None]]:
    yield from frames
    yield seconds, None
