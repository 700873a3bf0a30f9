"""Reading and writing video files with FFmpeg's libraries (PyAV).

Everything that comes out is upright, has even sides and plays in a browser: H.264 with 4:2:0 colour
and AAC sound in an MP4 whose index lies at the front.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image

from controlllm.resources import Clip, Sound
from controlllm.toolbox import Context, ToolError

from .films import MP4, Coding, Film
from .shown_pictures import (
    display_lengths,
    lasting,
    pixel_shape,
    shown_size,
    tag_colours,
    to_encode,
    upright,
)
from .sound_track import RATE, SoundPart, SoundTrack, sound_blocks
from .sounds import kept

#: Playlists and the like can name other files and addresses, so only real containers are opened.
_OPENING = {
    "protocol_whitelist": "file",
    "format_whitelist": "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,flv,ogg,asf,gif",
}
_CLOCK = 90_000  # ticks a second: the finest common clock of video files
_JUMP = 2.5  # seconds ahead from which seeking costs less than decoding on


@dataclass(frozen=True)
class VideoFacts:
    """What is known of a video file without decoding it; sizes are those of the upright picture."""

    width: int
    height: int
    seconds: float
    frame_rate: float
    has_sound: bool
    codec: str
    container: str
    pixel_format: str


@contextmanager
def opened(clip: Clip) -> Iterator[Any]:
    """The file as a PyAV container with at least one picture stream.

    Raises ToolError where it is no video or cannot be read, also while it is being read.
    """
    import av

    try:
        container = av.open(str(Path(clip.path).resolve()), options=_OPENING)
    except (OSError, ValueError) as error:  # FFmpegError is an OSError or a ValueError
        raise _unreadable() from error
    with container:
        if not container.streams.video:
            raise ToolError("The file has no moving pictures in it; hand over a video.")
        container.streams.video[0].thread_type = "AUTO"
        try:
            yield container
        except av.FFmpegError as error:
            raise _unreadable() from error


def _unreadable() -> ToolError:
    # Not by the file's name: in a run it is the one that the store gave it.
    return ToolError(
        "The video could not be read; it may be damaged or cut off. Hand over another copy, best "
        "as MP4."
    )


def read_facts(clip: Clip) -> VideoFacts:
    """Size, length, frame rate, sound and codec of a video.

    Raises ToolError where the file is no video or not a single picture of it can be decoded.
    """
    with opened(clip) as container:
        stream = container.streams.video[0]
        first = next(_decodable(container, stream), None)
        if first is None:
            raise ToolError("The video holds no picture; hand over another one.")
        width, height = shown_size(first, pixel_shape(stream))
        rate = float(stream.average_rate or stream.guessed_rate or 25)
        return VideoFacts(
            width,
            height,
            _picture_seconds(clip, stream, rate),
            rate,
            bool(container.streams.audio),
            stream.codec_context.name,
            container.format.name,
            str(first.format.name),
        )


def _picture_seconds(clip: Clip, stream: Any, rate: float) -> float:
    """How long the pictures last, from the header, else by counting through the file."""
    if stream.duration:
        return float(stream.duration * stream.time_base)
    with opened(clip) as container:
        packets = container.demux(container.streams.video[0])
        times = [(packet.pts, packet.duration or 0) for packet in packets if packet.pts is not None]
    if not times:
        return 1 / rate
    first, (last, length) = min(times)[0], max(times)
    shown = float((last + length - first) * stream.time_base)
    return max(shown + (0 if length else 1 / rate), 1 / rate)


def read_frames(
    clip: Clip,
    start: float = 0.0,
    end: float = math.inf,
    context: Context | None = None,
    spacing: float = 0.0,
) -> Iterator[tuple[float, np.ndarray]]:
    """The frames shown from `start` to `end`: seconds since `start`, and pixels as of `upright`.

    The first is at 0. A damaged frame is left out, and one that comes less than `spacing` seconds
    after the one before; ToolError where nothing can be decoded at all.
    """
    # Where a file's index misleads, the second try reads from its beginning.
    for seeking in (True, False):
        wanted = None
        for time, frame, shape in _stream(clip, start, end, context or Context(), seeking):
            if wanted is None:
                if seeking and start > 0 and time > start + 0.5:
                    break
                time = start
            elif time - start < wanted - 1e-6:
                continue
            wanted = time - start + spacing
            yield time - start, upright(frame, shape)
        if wanted is not None:
            return
    raise ToolError("The video holds no picture; hand over another one.")


def _stream(
    clip: Clip, start: float, end: float, context: Context, seeking: bool
) -> Iterator[tuple[float, Any, float]]:
    """Decoded frames from the one that is shown at `start`, with their own times and the shape of
    their pixels."""
    with opened(clip) as container:
        stream = container.streams.video[0]
        origin, shape = _start(container), pixel_shape(stream)
        if seeking and start > _JUMP:
            container.seek(max(int((origin + start) / stream.time_base), 0), stream=stream)
        held: tuple[float, Any, float] | None = None
        last = -math.inf
        for frame in _decodable(container, stream):
            context.check()
            time = (frame.time if frame.time is not None else origin) - origin
            # Times of damaged files may stand still or run back; a video's must not.
            if time <= last:
                continue
            last = time
            if time <= start + 1e-4:
                held = (time, frame, shape)
                continue
            if held is not None:
                yield held
                held = None
            if time >= end - 1e-4:
                return
            yield time, frame, shape
        if held is not None:
            yield held


def _start(container: Any) -> float:
    """The time of the pictures' start on the file's own clock, in seconds."""
    stream = container.streams.video[0]
    return float((stream.start_time or 0) * stream.time_base)


def sample_frames(clip: Clip, count: int) -> Iterator[tuple[float, PIL.Image.Image]]:
    """At most `count` frames spread evenly over the video, with their seconds; see `frames_at`."""
    facts = read_facts(clip)
    return frames_at(clip, [(number + 0.5) * facts.seconds / count for number in range(count)])


def frames_at(clip: Clip, times: Iterable[float]) -> Iterator[tuple[float, PIL.Image.Image]]:
    """The frames shown at some growing times, in seconds, with their own seconds.

    Jumps to the key frame before a wanted time that is far ahead, so that a long video costs
    little more than a short one; a frame that comes out twice is given once.
    """
    with opened(clip) as container:
        stream = container.streams.video[0]
        start, shape = _start(container), pixel_shape(stream)
        frames: Iterator[Any] = iter(())
        current = following = None
        given = -1.0
        for seconds in times:
            if current is None or seconds - current[0] > _JUMP:
                container.seek(max(int((start + seconds) / stream.time_base), 0), stream=stream)
                frames = _decodable(container, stream)
                current = following = None
            while following is None or following[0] <= seconds or current is None:
                current = following or current
                frame = next(frames, None)
                following = None if frame is None else ((frame.time or 0.0) - start, frame)
                if following is None:
                    break
            if current is not None and current[0] > given:
                given = current[0]
                yield max(given, 0.0), PIL.Image.fromarray(upright(current[1], shape))


def _decodable(container: Any, stream: Any) -> Iterator[Any]:
    """The frames of a stream from here on; damaged ones are left out."""
    import av

    for packet in container.demux(stream):
        try:
            yield from packet.decode()
        except av.InvalidDataError:
            continue


def read_sound(
    clip: Clip,
    rate: int | None = 16_000,
    channels: int | None = 1,
    longest: float = 600.0,
    start: float = 0.0,
    context: Context | None = None,
) -> Sound | None:
    """At most `longest` seconds of the sound track in mono or stereo, None where there is none.

    Begins `start` seconds after the pictures, and is silent where the sound sets in later. Without
    a rate or a number of channels it keeps its own; more than two become stereo.
    """
    context = context or Context()
    with opened(clip) as container:
        if not container.streams.audio:
            return None
        track = container.streams.audio[0]
        rate = rate or (track.rate if 8_000 <= track.rate <= 96_000 else RATE)
        channels = min(channels or track.channels, 2)
        begin = _start(container) + start
        if start > _JUMP:
            container.seek(max(int((begin - 0.5) / track.time_base), 0), stream=track)
        seconds = min((container.duration or math.inf) / 1_000_000, longest)
        part = SoundPart(rate, channels, begin, seconds, longest)
        blocks = sound_blocks(track, _decodable(container, track), part, context)
        first = next(blocks, None)
        return None if first is None else kept(chain([first], blocks), rate, context)


def even(length: float) -> int:
    """The nearest even number of pixels, at least 16: what 4:2:0 colour and encoders can take."""
    return max(round(length / 2) * 2, 16)


def fit(width: int, height: int, longest: int) -> tuple[int, int]:
    """Even sides with the same proportions, the longer one at most `longest`."""
    scale = min(longest / max(width, height), 1.0)
    return even(width * scale), even(height * scale)


@contextmanager
def new_file(context: Context, suffix: str = ".mp4") -> Iterator[tuple[Any, Path]]:
    """A video to write in the run's folder; it is taken away where writing does not end well."""
    import av

    path = context.folder / f"{uuid.uuid4().hex}{suffix}"
    options = {} if suffix == ".webm" else {"movflags": "+faststart"}
    try:
        with av.open(str(path), "w", options=options) as container:
            yield container, path
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def write_video(
    film: Film, context: Context, coding: Coding = MP4, words: str = "Writing the video"
) -> Clip:
    """Encode a film, as H.264 if nothing else is said, in a new file of the run's folder."""
    seconds, size = film.seconds, film.size
    with new_file(context, coding.suffix) as (container, path):
        stream = container.add_stream(coding.codec, rate=30)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = Fraction(1, _CLOCK)
        tag_colours(stream)
        rate = {"crf": str(coding.quality)}
        if coding.bit_rate is not None:
            stream.bit_rate = coding.bit_rate
            rate = {"maxrate": str(coding.bit_rate), "bufsize": str(2 * coding.bit_rate)}
        stream.options = {**coding.options, **rate}
        track = None
        if film.sound is not None:
            track = SoundTrack(container, film.sound, seconds, coding.sound, coding.sound_rate)
        lengths: dict[int, int] = {}

        def mux(packets: list[Any]) -> None:
            # The encoder does not hand lengths through, and the last decides how long the file is.
            for packet in packets:
                packet.duration = lengths.pop(packet.pts, packet.duration)
                container.mux(packet)

        for tick, length, picture in lasting(film.frames, seconds, _CLOCK):
            time = tick / _CLOCK
            context.progress(min(time / max(seconds, 1e-6), 1.0), words)
            lengths[tick] = length
            mux(stream.encode(to_encode(picture, size, tick, _CLOCK)))
            if track is not None:
                track.write_until(time)
        mux(stream.encode(None))
        if track is not None:
            track.close()
    return Clip(path)


def copy_with_sound(
    clip: Clip,
    sound: Sound | None,
    seconds: float,
    context: Context,
    words: str = "Writing the video",
    suffix: str = ".mp4",
) -> Clip:
    """A new file with the same encoded pictures and another sound, cut or padded to `seconds`, or
    without sound."""
    with opened(clip) as source, new_file(context, suffix) as (container, path):
        origin = source.streams.video[0]
        stream = container.add_stream_from_template(origin)
        stream.time_base = origin.time_base
        track = None if sound is None else SoundTrack(container, sound, seconds)
        start = origin.start_time or 0
        with opened(clip) as again:
            packets = again.demux(again.streams.video[0])
            times = [packet.pts - start for packet in packets if packet.pts is not None]
        lengths = display_lengths(times, round(seconds / origin.time_base))
        for packet in source.demux(origin):
            if packet.dts is None or packet.pts is None:
                continue
            packet.pts -= start
            packet.dts -= start
            packet.duration = lengths.get(packet.pts, packet.duration)
            time = float(packet.dts * origin.time_base)
            context.progress(min(time / max(seconds, 1e-6), 1.0), words)
            packet.stream = stream
            container.mux(packet)
            if track is not None:
                track.write_until(time)
        if track is not None:
            track.close()
    return Clip(path)
