"""Pictures of videos as they are meant to be seen, and how they go back into a file.

A file may hold its pictures lying on a side, mirrored or squeezed, and say so; and it holds colours
in one of two ways, of which it does not always say which.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from controlllm.toolbox import ToolError

_HD_LINES = 720  # from so many lines on players take the colours of HD where nothing is said
_ITU709, _ITU601 = 1, 6  # the two ways' numbers in files
_UNSAID = 2
_LIMITED = 1  # colours from 16 to 235, as all players expect them


def pixel_shape(stream: Any) -> float:
    """How much wider than high a stored pixel of a stream is shown; 1.0 where nothing is said."""
    ratio = stream.sample_aspect_ratio
    shape = float(ratio) if ratio else 1.0
    return shape if 0.1 < shape < 10 and abs(shape - 1) > 0.005 else 1.0


def shown_size(frame: Any, shape: float = 1.0) -> tuple[int, int]:
    """Width and height at which a decoded frame is seen; it is only made larger, never smaller."""
    size = _square(frame, shape)
    return size[::-1] if _turning(frame)[0] else size


def upright(frame: Any, shape: float = 1.0) -> np.ndarray:
    """A decoded frame as uint8 RGB, height x width x 3, as it is meant to be seen.

    `shape` is that of its pixels, see `pixel_shape`.
    """
    width, height = _square(frame, shape)
    colours: dict[str, Any] = {}
    if frame.colorspace == _UNSAID and not frame.format.is_rgb and frame.height >= _HD_LINES:
        colours = {"src_colorspace": "ITU709", "dst_colorspace": "ITU709"}
    picture = frame.reformat(width, height, "rgb24", **colours).to_ndarray()
    turned, across, down = _turning(frame)
    if turned:
        picture = picture.swapaxes(0, 1)
    picture = picture[:: -1 if down else 1, :: -1 if across else 1]
    return np.ascontiguousarray(picture)


def _square(frame: Any, shape: float) -> tuple[int, int]:
    """The stored size with pixels as wide as high."""
    if shape >= 1:
        return round(frame.width * shape), frame.height
    return frame.width, round(frame.height / shape)


def _turning(frame: Any) -> tuple[bool, bool, bool]:
    """Whether rows become columns, and whether then left and right, top and bottom are swapped."""
    from av.sidedata.sidedata import Type

    data = frame.side_data.get(Type.DISPLAYMATRIX)
    if data is None:
        return False, False, False
    # x' = a x + c y, y' = b x + d y, with which a place in the file comes to its place on a screen.
    a, b, _, c, d = struct.unpack("=9i", bytes(data)[:36])[:5]
    if abs(b) + abs(c) > abs(a) + abs(d):
        return True, c < 0, b < 0
    return False, a < 0, d < 0


def tag_colours(stream: Any) -> None:
    """Say in a new file which colours `to_encode` gives its pictures."""
    context = stream.codec_context
    context.color_range = _LIMITED
    if stream.height >= _HD_LINES:
        context.colorspace = context.color_primaries = context.color_trc = _ITU709
    else:
        context.colorspace = _ITU601


def to_encode(picture: np.ndarray, size: tuple[int, int], tick: int, clock: int) -> Any:
    """A picture, uint8 RGB of any size, as a frame of `size` that is shown at a tick of a clock."""
    import av
    import cv2

    if picture.shape[1::-1] != size:
        way = cv2.INTER_AREA if picture.shape[1] > size[0] else cv2.INTER_CUBIC
        picture = cv2.resize(picture, size, interpolation=way)
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
    matrix = "ITU709" if size[1] >= _HD_LINES else "ITU601"
    frame = frame.reformat(format="yuv420p", src_colorspace=matrix, dst_colorspace=matrix)
    frame.pts, frame.time_base = tick, Fraction(1, clock)
    return frame


def lasting(
    frames: Iterable[tuple[float, np.ndarray]], seconds: float, clock: int
) -> Iterator[tuple[int, int, np.ndarray]]:
    """When each picture comes and how long it stays, in ticks of a clock: until the next,
    the last to the end.

    Raises ToolError where there is none.
    """
    waiting: tuple[int, np.ndarray] | None = None
    for time, picture in frames:
        tick = round(time * clock)
        if waiting is not None:
            yield waiting[0], max(tick - waiting[0], 1), waiting[1]
        waiting = tick, picture
    if waiting is None:
        raise ToolError("There are no pictures to make a video of.")
    yield waiting[0], max(round(seconds * clock) - waiting[0], 1), waiting[1]


def display_lengths(times: Iterable[int], end: int) -> dict[int, int]:
    """How long each picture is shown, by its time of display, in a stream's ticks.

    Where pictures last unequally and are stored out of order, a file does not say so itself.
    """
    places = sorted(times)
    following = [*places[1:], max(end, places[-1] + 1)] if places else []
    return {place: max(after - place, 1) for place, after in zip(places, following, strict=True)}
