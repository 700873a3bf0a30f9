"""The sound track of a video at its own rate, start to end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from controlllm.resources import Clip, Sound
from tools.shared import video_files

_RATES = range(8_000, 96_001)


def read(
    clip: Clip, longest: float, progress: Callable[[float, str], None] = lambda done, words: None
) -> Sound | None:
    """The first `longest` seconds of the sound, mono or stereo, None where there is none.

    Starts where the pictures start, and is silent where the sound sets in later.
    """
    import av

    with video_files.opened(clip) as container:
        if not container.streams.audio:
            return None
        stream = container.streams.audio[0]
        rate = stream.rate if stream.rate in _RATES else 48_000
        channels = 1 if stream.channels == 1 else 2
        resampler = av.AudioResampler(
            format="fltp", layout="mono" if channels == 1 else "stereo", rate=rate
        )
        pictures = container.streams.video[0]
        start = float((pictures.start_time or 0) * pictures.time_base)
        whole = (container.duration or 0) / 1_000_000 or longest
        parts: list[np.ndarray] = []
        early = total = 0
        for number, frame in enumerate(_decodable(container, stream)):
            if number % 500 == 0:
                progress(min(total / rate / whole, 1.0), "Reading the sound of the video")
            if not parts:
                shift = round(((frame.time or 0.0) - start) * rate)
                early = max(-shift, 0)
                total = min(max(shift, 0), round(longest * rate))
                parts.append(np.zeros((channels, total), np.float32))
            # Parts are counted afresh, so that gaps in the file cannot stop the conversion.
            frame.pts = None
            for part in resampler.resample(frame):
                parts.append(part.to_ndarray())
                total += parts[-1].shape[1]
            if total >= longest * rate + early:
                break
        if parts:
            parts.extend(part.to_ndarray() for part in resampler.resample(None))
    if not parts:
        return None
    samples = np.concatenate(parts, axis=1)[:, early : early + round(longest * rate)]
    return Sound(np.ascontiguousarray(samples.T, np.float32), rate)


def _decodable(container: Any, stream: Any) -> Iterator[Any]:
    """The frames of the sound; damaged ones are left out."""
    import av

    for packet in container.demux(stream):
        try:
            yield from packet.decode()
        except av.InvalidDataError:
            continue
