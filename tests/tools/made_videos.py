"""Videos and sounds that the tests make: pans over scikit-image's pictures, tones and noise."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from controlllm.resources import Clip, Sound


def tone(seconds: float, rate: int = 16_000, channels: int = 1, level: float = 0.4) -> Sound:
    """A steady tone of 440 Hz."""
    times = np.arange(round(seconds * rate)) / rate
    wave = level * np.sin(2 * np.pi * 440 * times)
    return Sound(np.repeat(wave[:, None], channels, axis=1).astype(np.float32), rate)


def pan(picture: np.ndarray, count: int, width: int, height: int) -> Iterator[np.ndarray]:
    """Frames of a camera moving from the upper left to the lower right of a picture."""
    for number in range(count):
        done = number / max(count - 1, 1)
        left = round(done * (picture.shape[1] - width))
        top = round(done * (picture.shape[0] - height))
        yield picture[top : top + height, left : left + width]


def make_video(
    path: Path,
    frames: Sequence[np.ndarray],
    *,
    rate: int = 25,
    codec: str = "libx264",
    sound: Sound | None = None,
    times: Sequence[int] | None = None,
) -> Clip:
    """Write frames, and a sound, to a file whose name says the container.

    `times` are the frames' times in thousandths of a second, for an uneven frame rate.
    """
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        if codec.startswith("libvpx"):
            # What a test is given may be written in a hurry.
            stream.options = {"deadline": "realtime", "cpu-used": "8"}
        base = Fraction(1, 1000) if times else Fraction(1, rate)
        stream.codec_context.time_base = base
        track = None
        if sound is not None:
            name = "libopus" if path.suffix == ".webm" else "aac"
            layout = {1: "mono", 2: "stereo", 6: "5.1"}[sound.channels]
            track = container.add_stream(name, rate=48_000, layout=layout)
        for number, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            frame.pts = times[number] if times else number
            frame.time_base = base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
        if track is not None:
            samples = np.ascontiguousarray(sound.samples.T)
            frame = av.AudioFrame.from_ndarray(samples, "fltp", track.layout.name)
            frame.sample_rate = sound.rate
            resampler = av.AudioResampler("fltp", track.layout.name, 48_000, frame_size=960)
            for part in [*resampler.resample(frame), *resampler.resample(None)]:
                container.mux(track.encode(part))
            container.mux(track.encode(None))
    return Clip(path)


def turned(clip: Clip, path: Path) -> Clip:
    """A copy that says it is to be shown turned clockwise by 90 degrees, as phones write."""
    data = bytearray(clip.path.read_bytes())
    # In the first track's header, forty bytes after its version, lies a 3 x 3 matrix.
    place = data.find(b"tkhd") + 44
    one = 1 << 16
    matrix = struct.pack(">9i", 0, one, 0, -one, 0, 0, 0, 0, 1 << 30)
    data[place : place + len(matrix)] = matrix
    path.write_bytes(data)
    return Clip(path)


def streams(clip: Clip) -> dict[str, tuple[str, float]]:
    """Kind to codec and length in seconds, for each stream of a file."""
    with av.open(str(clip.path)) as container:
        return {
            stream.type: (
                stream.codec_context.name,
                float((stream.duration or 0) * stream.time_base),
            )
            for stream in container.streams
        }


def picture_packets(clip: Clip) -> list[bytes]:
    """The encoded pictures of a file, in their stored order."""
    with av.open(str(clip.path)) as container:
        packets = container.demux(container.streams.video[0])
        return [bytes(packet) for packet in packets if packet.size]
