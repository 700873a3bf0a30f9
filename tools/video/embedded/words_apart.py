"""Words beside a video's pictures: on a strip below or above them, on a card before or behind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...shared import apart, video_files
from ...shared.sounds import kept
from ...shared.video_files import VideoFacts
from ...shared.video_rewriting import even_size, rewritten, sound_of
from .canvas import resized

_WORDS = "Writing beside the video"
_QUALITY = 19
#: So often a card is written, so that a player can begin anywhere in it.
_STEP = 0.2


def with_strip(
    video: Clip, facts: VideoFacts, words: str, look: tuple[str, str], value: str, context: Context
) -> Clip:
    """A video with a strip of words below it, or above; `look` is the place and the colour of the
    letters."""
    place, colour = look
    size = even_size(facts.width, facts.height)
    band = np.asarray(apart.strip(size, words, colour, apart.Apart.of(value).ground))
    whole = even_size(size[0], size[1] + len(band))

    def change(time: float, picture: np.ndarray) -> np.ndarray:
        shown = resized(picture, size)
        return np.vstack((band, shown) if "top" in place else (shown, band))

    return rewritten(video, facts, change, context, size=whole, words=_WORDS)


def with_card(
    video: Clip, facts: VideoFacts, words: str, colour: str, value: str, context: Context
) -> Clip:
    """A video with a silent card of words before it, or behind it."""
    told = apart.Apart.of(value)
    size = even_size(facts.width, facts.height)
    card = np.asarray(apart.card(size, words, colour, told.ground))
    begins = 0.0 if told.way == "before" else facts.seconds
    offset = told.seconds - begins if told.way == "before" else 0.0

    def frames() -> Iterator[tuple[float, np.ndarray]]:
        times = np.arange(0.0, told.seconds - _STEP / 2, _STEP)
        own = ((begins + float(time), card) for time in times)
        shown = video_files.read_frames(video, context=context)
        rest = ((offset + time, resized(picture, size)) for time, picture in shown)
        yield from chain(own, rest) if told.way == "before" else chain(rest, own)

    sound = sound_of(video, facts, context.part(0.0, 0.1))
    if sound is not None and told.way == "before":
        silent = np.zeros((round(told.seconds * sound.rate), sound.channels), np.float32)
        sound = kept(chain((silent,), sound.blocks()), sound.rate, context)
    return video_files.write_video(
        frames(),
        facts.seconds + told.seconds,
        size,
        context.part(0.1, 1.0),
        sound=sound,
        quality=_QUALITY,
        words=_WORDS,
    )
