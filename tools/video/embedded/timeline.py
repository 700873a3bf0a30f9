"""Putting a new video together from passages of another one: cut, faster, slower, backwards.

Frames stream from the file to the encoder; only the sound of the result is held whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError
from tools.shared import time_stretch, video_files
from tools.video.embedded import in_between
from tools.video.embedded.time_phrases import in_words

#: Encoding more at once would take too long, and its sound too much memory.
LONGEST_RESULT = 3600.0
#: Sound that is faster or slower than this is only noise and is left out.
SOUND_FACTORS = (0.24, 4.1)

_RATE = 48_000
_STEREO_UP_TO = 600.0  # seconds; longer sound is kept in mono to save memory
_HIGHEST_RATE = 30.0  # pictures a second of what is made faster, unless it had more before
_SEEK_FROM = 2.5  # seconds: less than this is decoded faster than found
_BACKWARDS_MEMORY = 384 * 1024 * 1024
_SEAM = 0.006  # seconds of fading where passages of sound meet


@dataclass(frozen=True)
class Passage:
    """From `start` to `end` of a video, `factor` times as fast, perhaps backwards."""

    start: float
    end: float
    factor: float = 1.0
    backwards: bool = False

    @property
    def seconds(self) -> float:
        """How long it lasts when played."""
        return (self.end - self.start) / self.factor


def assemble(clip: Clip, passages: Sequence[Passage], context: Context, words: str) -> Clip:
    """A new video of the passages, one after the other, with their sound.

    Raises ToolError where the result would be longer than an hour.
    """
    facts = video_files.read_facts(clip)
    seconds = sum(passage.seconds for passage in passages)
    if seconds > LONGEST_RESULT:
        raise ToolError(
            f"The new video would last {in_words(seconds)}; at most an hour can be made at once. "
            "Choose a shorter passage or a higher speed."
        )
    sound = _sound(clip, passages, seconds, context.part(0.0, 0.15)) if facts.has_sound else None
    return video_files.write_video(
        _frames(clip, facts, passages, context),
        seconds,
        (video_files.even(facts.width), video_files.even(facts.height)),
        context.part(0.15, 1.0),
        sound=sound,
        quality=19,
        words=words,
    )


def _frames(
    clip: Clip, facts: video_files.VideoFacts, passages: Sequence[Passage], context: Context
) -> Iterator[tuple[float, np.ndarray]]:
    offset = 0.0
    for passage in passages:
        if passage.backwards:
            frames = backwards_frames(clip, facts, passage, context)
        else:
            # Frames that come faster than they can be shown are not even converted.
            fastest = max(facts.frame_rate, _HIGHEST_RATE)
            spacing = passage.factor / fastest if passage.factor > 1 else 0.0
            frames = frames_between(clip, passage.start, passage.end, context, spacing)
        timed = ((offset + time / passage.factor, picture) for time, picture in frames)
        if passage.factor < 0.9:
            yield from in_between.smoothed(timed, facts.frame_rate)
        else:
            yield from timed
        offset += passage.seconds


def frames_between(
    clip: Clip, start: float, end: float, context: Context, spacing: float = 0.0
) -> Iterator[tuple[float, np.ndarray]]:
    """The frames shown from `start` to `end`, with seconds since `start`; the first is at 0.

    Frames that come less than `spacing` seconds after the one before are left out.
    """
    # Where a file's index misleads, the second try reads from its beginning.
    for seeking in (True, False):
        given, wanted = False, 0.0
        for time, frame in _stream(clip, start, end, context, seeking):
            if not given and seeking and start > 0 and time > start + 0.5:
                break
            if given and time - start < wanted - 1e-6:
                continue
            shown = max(time - start, 0.0) if given else 0.0
            wanted = max(shown, 0.0) + spacing
            given = True
            yield shown, video_files.upright(frame)
        if given:
            return


def _stream(
    clip: Clip, start: float, end: float, context: Context, seeking: bool
) -> Iterator[tuple[float, Any]]:
    """Decoded frames from the one that is shown at `start`, with their own times."""
    with video_files.opened(clip) as container:
        stream = container.streams.video[0]
        origin = float((stream.start_time or 0) * stream.time_base)
        if seeking and start > _SEEK_FROM:
            container.seek(max(int((origin + start) / stream.time_base), 0), stream=stream)
        held: tuple[float, Any] | None = None
        last = -1.0
        for frame in decodable(container):
            context.check()
            time = (frame.time if frame.time is not None else origin) - origin
            if time <= last and last >= 0:
                continue
            last = time
            if time <= start + 1e-4:
                held = (time, frame)
                continue
            if held is not None:
                yield held
                held = None
            if time >= end - 1e-4:
                return
            yield time, frame
        if held is not None:
            yield held


def decodable(container: Any) -> Iterator[Any]:
    """The frames from here on; damaged ones are left out."""
    import av

    for packet in container.demux(container.streams.video[0]):
        try:
            yield from packet.decode()
        except av.InvalidDataError:
            continue


def backwards_frames(
    clip: Clip, facts: video_files.VideoFacts, passage: Passage, context: Context
) -> Iterator[tuple[float, np.ndarray]]:
    """The frames of a passage from its last to its first, with seconds since its end.

    Pieces that fit into memory are decoded one after the other, the last piece first.
    """
    rate = max(facts.frame_rate, 1.0)
    held = max(int(_BACKWARDS_MEMORY / (3 * facts.width * facts.height)), 8)
    piece = held / rate
    fastest = max(facts.frame_rate, _HIGHEST_RATE)
    spacing = passage.factor / fastest if passage.factor > 1 else 0.0
    end = passage.end
    shown_until = passage.end
    while end > passage.start + 1e-6:
        start = max(end - piece, passage.start)
        pieces = list(frames_between(clip, start, end, context, spacing))
        for number in range(len(pieces) - 1, -1, -1):
            time, picture = pieces[number]
            yield passage.end - shown_until, picture
            shown_until = start + time
            pieces[number] = (time, picture[:0])  # its memory is free again
        end = start


def _sound(
    clip: Clip, passages: Sequence[Passage], seconds: float, context: Context
) -> Sound | None:
    low, high = SOUND_FACTORS
    channels = 2 if seconds <= _STEREO_UP_TO else 1
    parts = []
    heard = False
    for number, passage in enumerate(passages):
        context.progress(number / len(passages), "Reading the sound")
        wanted = round(passage.seconds * _RATE)
        if not low <= passage.factor <= high:
            parts.append(np.zeros((wanted, channels), np.float32))
            continue
        samples = sound_between(clip, passage.start, passage.end, channels, context)
        if samples is None:
            parts.append(np.zeros((wanted, channels), np.float32))
            continue
        heard = True
        if passage.backwards:
            samples = samples[::-1]
        if passage.factor != 1:
            stage = context.part(number / len(passages), (number + 1) / len(passages))
            samples = time_stretch.change_tempo(
                samples, _RATE, passage.factor, stage.progress, "Fitting the sound"
            )
        parts.append(_seamless(_exactly(samples, wanted)))
    if not heard:
        return None
    return Sound(np.concatenate(parts), _RATE)


def _exactly(samples: np.ndarray, count: int) -> np.ndarray:
    if len(samples) >= count:
        return samples[:count]
    return np.concatenate([samples, np.zeros((count - len(samples), samples.shape[1]), np.float32)])


def _seamless(samples: np.ndarray) -> np.ndarray:
    """The sound faded at both ends for a moment, so that no click is heard where it is joined."""
    length = min(round(_SEAM * _RATE), len(samples) // 2)
    samples = np.array(samples, np.float32)
    if length:
        ramp = np.linspace(0, 1, length, dtype=np.float32)[:, None]
        samples[:length] *= ramp
        samples[-length:] *= ramp[::-1]
    return samples


def sound_between(
    clip: Clip, start: float, end: float, channels: int, context: Context
) -> np.ndarray | None:
    """The sound of a passage at 48 kHz, shape (samples, channels), None where there is none.

    Silent where the file has no sound at that time; only the passage is read.
    """
    import av

    wanted = round((end - start) * _RATE)
    result = np.zeros((wanted, channels), np.float32)
    found = False
    with video_files.opened(clip) as container:
        if not container.streams.audio:
            return None
        track = container.streams.audio[0]
        pictures = container.streams.video[0]
        origin = float((pictures.start_time or 0) * pictures.time_base)
        if start > _SEEK_FROM:
            container.seek(max(int((origin + start - 0.5) / track.time_base), 0), stream=track)
        layout = "mono" if channels == 1 else "stereo"
        resampler = av.AudioResampler(format="fltp", layout=layout, rate=_RATE)
        place: int | None = None
        for frame in _sound_frames(container, track):
            context.check()
            if place is None:
                place = round(((frame.time or 0.0) - origin - start) * _RATE)
            # Parts are counted afresh, so that gaps in the file cannot stop the conversion.
            frame.pts = None
            for part in resampler.resample(frame):
                place = _place(part.to_ndarray(), result, place)
                found = True
            if place >= wanted:
                break
        if place is not None and place < wanted:
            for part in resampler.resample(None):
                place = _place(part.to_ndarray(), result, place)
    return result if found else None


def _sound_frames(container: Any, track: Any) -> Iterator[Any]:
    import av

    for packet in container.demux(track):
        try:
            yield from packet.decode()
        except av.InvalidDataError:
            continue


def _place(part: np.ndarray, result: np.ndarray, place: int) -> int:
    """Lay a part, channels x samples, into the result; the place after it."""
    start, end = max(place, 0), min(place + part.shape[1], len(result))
    if end > start:
        result[start:end] = part[:, start - place : end - place].T
    return place + part.shape[1]
