"""A part of a video as a picture that moves: an animated GIF or WebP."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from controlllm.resources import Clip
from controlllm.toolbox import Context

from ...shared import video_files
from ...shared.moving import Frame

_STEP = 0.1  # seconds between pictures: whole hundredths, as a GIF counts them
_LEARNT = 60  # pictures, at most, that the colours of a GIF are chosen from


def as_gif(
    video: Clip, span: tuple[float, float], size: tuple[int, int], context: Context
) -> bytes:
    """A GIF of a passage, with the 256 colours that suit it best."""
    import av

    length = span[1] - span[0]
    count = _count(length)
    palette = _palette(video, span, size, count, context.part(0.0, 0.4))
    graph, picture_in, palette_in, out = _painter(size, palette)
    target = io.BytesIO()
    with av.open(target, "w", format="gif", options={"loop": "0"}) as container:
        stream = container.add_stream("gif", rate=10)
        stream.width, stream.height, stream.pix_fmt = *size, "pal8"
        stream.codec_context.time_base = Fraction(1, 100)
        lengths = _lengths(length, count)
        palette_in.push(palette)
        palette_in.push(None)
        for tick, picture in _shown(video, span, size, context.part(0.4, 1.0)):
            picture_in.push(_frame(picture, tick))
            _mux(container, stream, out, lengths)
        picture_in.push(None)
        _mux(container, stream, out, lengths)
        for packet in stream.encode(None):
            packet.duration = lengths.get(packet.pts, packet.duration)
            container.mux(packet)
    del graph
    return target.getvalue()


def as_webp(
    video: Clip, span: tuple[float, float], size: tuple[int, int], context: Context
) -> bytes:
    """An animated WebP of a passage."""
    import PIL.Image

    length = span[1] - span[0]
    lengths = _lengths(length, _count(length))
    pictures, stays = [], []
    for tick, picture in _shown(video, span, size, context):
        pictures.append(PIL.Image.fromarray(picture))
        stays.append(10 * lengths[tick])
    target = io.BytesIO()
    pictures[0].save(
        target,
        "WEBP",
        save_all=True,
        append_images=pictures[1:],
        duration=stays,
        loop=0,
        quality=72,
        method=3,
    )
    return target.getvalue()


def as_video(frames: Sequence[Frame], context: Context) -> Clip:
    """A video of the frames of an animation; what is clear in them is white."""
    from ...shared.pixels import rgb
    from .canvas import resized

    width, height = frames[0][0].size
    size = video_files.even(max(width, 16)), video_files.even(max(height, 16))

    def shown() -> Iterator[tuple[float, np.ndarray]]:
        time = 0.0
        for picture, lasting in frames:
            yield time / 1000, resized(rgb(picture), size)
            time += lasting

    seconds = sum(lasting for _, lasting in frames) / 1000
    return video_files.write_video(
        video_files.Film(shown(), seconds, size), context, video_files.Coding(quality=18)
    )


def _count(length: float) -> int:
    return max(round(length / _STEP), 1)


def _lengths(length: float, count: int) -> dict[int, int]:
    """How long each picture stays, by its time, in hundredths; the last one to the end."""
    stays = {10 * number: 10 for number in range(count)}
    last = 10 * (count - 1)
    stays[last] = max(round(100 * length) - last, 2)
    return stays


def _shown(
    video: Clip, span: tuple[float, float], size: tuple[int, int], context: Context
) -> Iterator[tuple[int, np.ndarray]]:
    """The pictures at even times, with their hundredths of a second."""
    from .canvas import resized

    length = span[1] - span[0]
    count, number = _count(length), 0
    held: np.ndarray | None = None
    for time, picture in video_files.read_frames(video, *span, context):
        while held is not None and number < count and number * _STEP < time - 1e-3:
            yield 10 * number, held
            number += 1
            context.progress(number / count, "Making the animation")
        # What is passed over is not even made smaller.
        is_next = time <= number * _STEP + 1e-3
        if is_next or held is None or time < (number + 1) * _STEP:
            held = resized(picture, size)
    while held is not None and number < count:
        yield 10 * number, held
        number += 1


def _frame(picture: np.ndarray, tick: int) -> Any:
    import av

    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
    frame = frame.reformat(format="rgb32")
    frame.pts, frame.time_base = tick, Fraction(1, 100)
    return frame


def _palette(
    video: Clip, span: tuple[float, float], size: tuple[int, int], count: int, context: Context
) -> Any:
    """The colours for all of a passage, as a small picture."""
    import av

    graph = av.filter.Graph()
    source = _source(graph, *size)
    chooser = graph.add("palettegen", "reserve_transparent=1:stats_mode=full")
    out = graph.add("buffersink")
    source.link_to(chooser)
    chooser.link_to(out)
    graph.configure()
    every = -(-count // _LEARNT)
    for number, (tick, picture) in enumerate(_shown(video, span, size, context)):
        if number % every == 0:
            source.push(_frame(picture, tick))
    source.push(None)
    return out.pull()


def _painter(size: tuple[int, int], palette: Any) -> tuple[Any, Any, Any, Any]:
    import av

    graph = av.filter.Graph()
    pictures = _source(graph, *size)
    colours = _source(graph, palette.width, palette.height)
    painter = graph.add("paletteuse", "dither=bayer:bayer_scale=4:diff_mode=rectangle")
    out = graph.add("buffersink")
    pictures.link_to(painter, 0, 0)
    colours.link_to(painter, 0, 1)
    painter.link_to(out)
    graph.configure()
    return graph, pictures, colours, out


def _source(graph: Any, width: int, height: int) -> Any:
    return graph.add_buffer(width=width, height=height, format="bgra", time_base=Fraction(1, 100))


def _mux(container: Any, stream: Any, out: Any, lengths: dict[int, int]) -> None:
    import av

    while True:
        try:
            frame = out.pull()
        except (av.BlockingIOError, av.EOFError):
            return
        frame.time_base = Fraction(1, 100)
        for packet in stream.encode(frame):
            packet.duration = lengths.get(packet.pts, packet.duration)
            container.mux(packet)
