"""Putting a new video together from passages of another one: cut, faster, slower, backwards.

Frames and sound stream from the file to the encoder. So that slow motion does not stutter, there
are pictures between two frames: both are moved towards each other along the optical flow between
them and faded over. Where the flow forth and back disagree, as at what appears behind a moving
thing, nothing is moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError

from ...shared import time_stretch, video_files
from ...shared.sounds import backwards, kept, lasting
from ...shared.time_phrases import in_words
from ...shared.video_files import VideoFacts
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


#: Encoding more at once would take too long.
LONGEST_RESULT = 3600.0
#: Sound that is faster or slower than this is only noise and is left out.
SOUND_FACTORS = (0.24, 4.1)

_RATE, _CHANNELS = 48_000, 2
_HIGHEST_RATE = 30.0  # pictures a second of what is made faster, unless it had more before
_BACKWARDS_MEMORY = 384 * 1024 * 1024
_SEAM = 0.006  # seconds of fading where passages of sound meet


@dataclass(frozen=True)
class Passage:
    """From `start` to `end` of a video, `factor` times as fast, perhaps backwards; of the `source`,
    where it is not the video that the others are of."""

    start: float
    end: float
    factor: float = 1.0
    backwards: bool = False
    source: Clip | None = None

    @property
    def seconds(self) -> float:
        """How long it lasts when played."""
        return (self.end - self.start) / self.factor


def assemble(
    clip: Clip,
    passages: Sequence[Passage],
    context: Context,
    words: str,
    between: Between = between,
) -> Clip:
    """A new video of the passages, one after the other, with their sound.

    `between` makes the pictures that slow motion needs. Raises ToolError where the result would be
    longer than an hour.
    """
    facts = video_files.read_facts(clip)
    seconds = sum(passage.seconds for passage in passages)
    if seconds > LONGEST_RESULT:
        raise ToolError(
            f"The new video would last {in_words(seconds)}; at most an hour can be made at once. "
            "Choose a shorter passage or a higher speed."
        )
    sounds = (facts, *(video_files.read_facts(it.source) for it in passages if it.source))
    has_sound = any(it.has_sound for it in sounds)
    sound = _sound(clip, passages, context.part(0.0, 0.15)) if has_sound else None
    return video_files.write_video(
        video_files.Film(
            _frames(clip, facts, passages, context, between),
            seconds,
            (video_files.even(facts.width), video_files.even(facts.height)),
            sound,
        ),
        context.part(0.15, 1.0),
        video_files.Coding(quality=19),
        words=words,
    )


def _frames(
    clip: Clip,
    facts: VideoFacts,
    passages: Sequence[Passage],
    context: Context,
    between: Between,
) -> Iterator[tuple[float, np.ndarray]]:
    offset = 0.0
    whole = (clip, facts)
    for passage in passages:
        clip, facts = whole
        if passage.source is not None:
            clip, facts = passage.source, video_files.read_facts(passage.source)
        # Frames that come faster than they can be shown are not even converted.
        fastest = max(facts.frame_rate, _HIGHEST_RATE)
        spacing = passage.factor / fastest if passage.factor > 1 else 0.0
        if passage.backwards:
            frames = _backwards(clip, facts, passage, context, spacing)
        else:
            frames = video_files.read_frames(clip, passage.start, passage.end, context, spacing)
        timed = ((offset + time / passage.factor, picture) for time, picture in frames)
        if passage.factor < 0.9:
            yield from smoothed(timed, facts.frame_rate, between)
        else:
            yield from timed
        offset += passage.seconds


def _backwards(
    clip: Clip, facts: VideoFacts, passage: Passage, context: Context, spacing: float
) -> Iterator[tuple[float, np.ndarray]]:
    """The frames of a passage from its last to its first, with seconds since its end.

    Pieces that fit into memory are decoded one after the other, the last piece first.
    """
    held = max(int(_BACKWARDS_MEMORY / (3 * facts.width * facts.height)), 8)
    piece = held / max(facts.frame_rate, 1.0)
    end = shown_until = passage.end
    while end > passage.start + 1e-6:
        start = max(end - piece, passage.start)
        pieces = list(video_files.read_frames(clip, start, end, context, spacing))
        while pieces:
            time, picture = pieces.pop()  # so that its memory is free again
            yield passage.end - shown_until, picture
            shown_until = start + time
        end = start


def _sound(clip: Clip, passages: Sequence[Passage], context: Context) -> Sound | None:
    sounds: list[Sound | None] = []
    for number, passage in enumerate(passages):
        stage = context.part(number / len(passages), (number + 1) / len(passages))
        found = None
        if SOUND_FACTORS[0] <= passage.factor <= SOUND_FACTORS[1]:
            length = passage.end - passage.start
            found = video_files.read_sound(
                passage.source or clip,
                _RATE,
                _CHANNELS,
                length,
                passage.start,
                stage.part(0.0, 0.3),
            )
        if found is not None and found.frames:
            if passage.backwards:
                found = kept(backwards(found), _RATE, context)
            report = stage.part(0.3, 1.0).progress
            if passage.factor != 1:
                made = time_stretch.change_tempo(found, passage.factor, report, "Fitting the sound")
                found = kept(made, _RATE, context)
        sounds.append(found)
    if all(sound is None for sound in sounds):
        return None
    none = Sound(np.zeros((0, _CHANNELS), np.float32), _RATE)
    blocks = (
        lasting(sound or none, round(passage.seconds * _RATE), round(_SEAM * _RATE))
        for passage, sound in zip(passages, sounds, strict=True)
    )
    return kept(chain.from_iterable(blocks), _RATE, context)
