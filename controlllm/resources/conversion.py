"""Rewriting sound as FLAC and video as MP4 (H.264), a piece at a time.

A container is opened from an open file, in the one format that its first bytes say, with every
protocol forbidden: nothing in a file can make the reader open another file or an address.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from controlllm.resources.mixing_down import MonoMixer, finite, stereo, stereo_gains

_LONG_SOUND_RATE = 16_000
_WIDEST = 1280
_BLOCK = 1 << 18  # frames
#: Peaks so little over full are cut off: nobody hears it.
_UNHEARD = 0.01
_AAC_RATES = (8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000)


@contextlib.contextmanager
def open_container(
    path: Path, format_name: str, options: dict[str, str] | None = None
) -> Iterator[Any]:
    """FFmpeg's view of a file in the given format; raises av.FFmpegError where it is not one."""
    import av

    with (
        path.open("rb") as file,
        av.open(
            file,
            format=format_name,
            options={"protocol_whitelist": "none", **(options or {})},
            metadata_errors="replace",
        ) as container,
    ):
        yield container


def picture_streams(container: Any) -> list[Any]:
    """The streams of moving pictures, without the cover picture of a song."""
    from av.stream import Disposition

    covers = Disposition.attached_pic | Disposition.timed_thumbnails
    return [stream for stream in container.streams.video if not stream.disposition & covers]


def decoded(packet: Any) -> list[Any]:
    """The frames of a packet; none where it is damaged, for the next may be whole."""
    import av

    try:
        return packet.decode()
    except av.FFmpegError:
        return []


@dataclass(frozen=True)
class SoundKept:
    """What became of a sound: its frames (None where it is too long), whether it was reduced to
    mono at 16 kHz, how much over full its peaks were, as a factor (1 where they were not), and how
    many kilobits a second it had (0 where nothing says so; of one that was reduced at most 64)."""

    frames: int | None
    is_reduced: bool = False
    peak: float = 1.0
    kilobits: int = 0


def convert_sound(
    source: Path, format_name: str, target: Path, most_seconds: float, most_samples: int
) -> SoundKept:
    """Write the sound of a file as 16-bit FLAC, mono or stereo.

    More than two channels are folded into two, each as loud as it was; what is louder than full
    then is turned down as a whole. Where mono or stereo at the original rate would have more than
    `most_samples` samples, it becomes mono at 16 kHz.
    """
    # A length in the header of a WAV file may be wrong; the file's own end is not.
    options = {"ignore_length": "1"} if format_name == "wav" else {}
    with open_container(source, format_name, options) as container:
        stream = container.streams.audio[0]
        rate, channels = stream.codec_context.sample_rate, min(stream.codec_context.channels, 2)
        claimed = (container.duration or 0) / 1_000_000
        kilobits = round((stream.bit_rate or container.bit_rate or 0) / 1000)
    if claimed > most_seconds and format_name != "wav":
        return SoundKept(None)
    reduced = claimed * rate * channels > most_samples
    louder = 1.0
    while True:
        if reduced:
            rate, channels = _LONG_SOUND_RATE, 1
        most = int(most_seconds * rate)
        if not reduced:
            most = min(most, most_samples // channels)
        frames, peak = _write_flac(
            _decoded(source, format_name, options, rate), target, rate, channels, most, louder
        )
        if frames is None and not reduced:
            reduced = True  # The header claimed less than there is.
        elif frames and peak > 1 + _UNHEARD and louder == 1:
            louder = peak  # Once more, turned down.
        else:
            return SoundKept(frames, reduced, louder, min(kilobits, 64) if reduced else kilobits)


def _write_flac(
    pieces: Iterator[tuple[np.ndarray, list[str]]],
    target: Path,
    rate: int,
    channels: int,
    most_frames: int,
    louder: float,
) -> tuple[int | None, float]:
    """How many frames were written, None where there are more than `most_frames`, and the peak
    that they had; they are written by so much quieter as `louder` says."""
    import soundfile

    frames, peak = 0, 0.0
    mixer = MonoMixer()
    with soundfile.SoundFile(target, "w", rate, channels, "PCM_16", format="FLAC") as file:
        for samples, names in pieces:
            samples = finite(samples)
            if samples.shape[1] > 2:
                samples = stereo(samples, stereo_gains(names))
            if samples.shape[1] > channels:
                samples = mixer.mixed(samples)[:, None]
            elif samples.shape[1] < channels:
                samples = np.repeat(samples, channels, axis=1)
            frames += len(samples)
            if frames > most_frames:
                return None, peak
            peak = max(peak, float(np.abs(samples).max(initial=0.0)))
            file.write(np.clip(samples / np.float32(louder), -1, 1))
    return frames, peak


def _decoded(
    source: Path, format_name: str, options: dict[str, str], rate: int
) -> Iterator[tuple[np.ndarray, list[str]]]:
    """The sound of a file in blocks, frames x channels, with the names of the channels."""
    import av

    with open_container(source, format_name, options) as container:
        resampler = av.AudioResampler("flt", None, rate)
        held: list[np.ndarray] = []
        names: list[str] = []
        for frame in itertools.chain(_sound_frames(container), [None]):
            for piece in resampler.resample(frame):
                names = [channel.name for channel in piece.layout.channels]
                held.append(piece.to_ndarray().reshape(-1, len(names)))
            if sum(map(len, held)) >= _BLOCK or (frame is None and held):
                yield np.concatenate(held), names
                held = []


def _sound_frames(container: Any) -> Iterator[Any]:
    import av

    stream = container.streams.audio[0]
    try:
        for packet in container.demux(stream):
            yield from decoded(packet)  # A damaged packet is a short gap, not the end.
    except av.FFmpegError:
        return  # Cut off: what came before is kept.


def convert_video(
    source: Path, format_name: str, target: Path, copy_pictures: bool, rotation: int
) -> None:
    """Write a video as MP4: H.264, at most 1280 pixels wide, upright, with AAC sound.

    With `copy_pictures` the stream of pictures is taken over as it is. `rotation` is the quarter
    turns that the file asks for, in degrees counterclockwise. A file that ends too early is
    written as far as it goes; raises av.FFmpegError where nothing of it can be.
    """
    import av

    with (
        open_container(source, format_name) as container,
        av.open(str(target), "w", format="mp4", options={"movflags": "faststart"}) as output,
    ):
        pictures = picture_streams(container)[0]
        sounds = [stream for stream in container.streams.audio[:1] if stream.codec_context]
        start = Fraction(container.start_time or 0, 1_000_000)
        writers: dict[int, Any] = {
            pictures.index: _Copier(output, pictures, start)
            if copy_pictures
            else _PictureEncoder(output, pictures, start, rotation)
        }
        for stream in sounds:
            copies = copy_pictures and stream.codec_context.name == "aac"
            writers[stream.index] = (
                _Copier(output, stream, start) if copies else _SoundEncoder(output, stream, start)
            )
        try:
            for packet in container.demux(pictures, *sounds):
                writers[packet.stream.index].write(packet)
        except av.FFmpegError:
            pass  # Cut off in the middle: what came before is written.
        for writer in writers.values():
            writer.close()


class _Copier:
    """Takes packets over as they are, moved so that the recording begins at zero."""

    def __init__(self, output: Any, stream: Any, start: Fraction) -> None:
        self._output = output
        self._stream = output.add_stream_from_template(stream)
        self._offset = round(start / stream.time_base)
        self._waiting: list[Any] = []

    def write(self, packet: Any) -> None:
        if packet.size == 0 or packet.is_corrupt:
            return
        if packet.dts is None:
            # Matroska does not say when its first packets are to be decoded, only later ones.
            self._waiting.append(packet)
            return
        self._release(packet.dts)
        self._mux(packet, packet.dts)

    def _release(self, before: int) -> None:
        for place, packet in enumerate(self._waiting):
            self._mux(packet, before - len(self._waiting) + place)
        self._waiting.clear()

    def _mux(self, packet: Any, decoded_at: int) -> None:
        shown_at = packet.pts if packet.pts is not None else decoded_at
        packet.dts = decoded_at - self._offset
        packet.pts = shown_at - self._offset
        packet.stream = self._stream
        self._output.mux(packet)

    def close(self) -> None:
        self._release(self._offset)


class _PictureEncoder:
    """Decodes pictures, turns and shrinks them, and encodes them with H.264."""

    def __init__(self, output: Any, stream: Any, start: Fraction, rotation: int) -> None:
        rate = stream.average_rate or stream.guessed_rate or Fraction(25)
        rate = min(rate, Fraction(60)).limit_denominator(10_000)
        width, height = stream.codec_context.width, stream.codec_context.height
        if rotation % 180:
            width, height = height, width
        scale = min(1.0, _WIDEST / width)
        self._size = tuple(max(2, round(side * scale / 2) * 2) for side in (width, height))
        self._turns = rotation // 90
        self._output = output
        self._step = 1 / rate
        self._start = start
        self._last = Fraction(-1)
        self._stream = output.add_stream(
            "libx264", rate=rate, options={"crf": "20", "preset": "veryfast"}
        )
        self._stream.width, self._stream.height = self._size
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, 90_000)

    def write(self, packet: Any) -> None:
        for frame in decoded(packet):
            time = None if frame.pts is None else frame.pts * frame.time_base - self._start
            if time is None:
                time = max(self._last, Fraction(0)) + (self._step if self._last >= 0 else 0)
            # Faster than 60 pictures a second nobody sees; going back in time no player can.
            if time >= 0 and (self._last < 0 or time - self._last > self._step / 2):
                self._last = time
                self._encode(frame, time)

    def _encode(self, frame: Any, time: Fraction) -> None:
        import av

        width, height = self._size
        if self._turns:
            turned = np.rot90(frame.to_ndarray(format="rgb24"), self._turns)
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(turned), format="rgb24")
        picture = frame.reformat(width, height, "yuv420p")
        picture.pts = round(time * 90_000)
        picture.time_base = Fraction(1, 90_000)
        picture.pict_type = av.video.frame.PictureType.NONE
        self._output.mux(self._stream.encode(picture))

    def close(self) -> None:
        self._output.mux(self._stream.encode(None))


class _SoundEncoder:
    """Decodes sound and encodes it with AAC, in step with the pictures."""

    def __init__(self, output: Any, stream: Any, start: Fraction) -> None:
        import av

        rate = stream.codec_context.sample_rate
        self._rate = rate if rate in _AAC_RATES else 48_000
        layout = "mono" if stream.codec_context.channels == 1 else "stereo"
        self._output = output
        self._start = start
        self._frames: int | None = None
        self._stream = output.add_stream("aac", rate=self._rate, layout=layout)
        self._resampler = av.AudioResampler("fltp", layout, self._rate)
        self._queue = av.AudioFifo()

    def write(self, packet: Any) -> None:
        for frame in decoded(packet):
            if self._frames is None:
                time = 0 if frame.pts is None else frame.pts * frame.time_base - self._start
                self._frames = max(round(time * self._rate), 0)
            frame.pts = None
            self._take(frame)

    def _take(self, frame: Any) -> None:
        for piece in self._resampler.resample(frame):
            piece.pts = None
            self._queue.write(piece)
        self._encode(self._queue.read_many(1024))

    def _encode(self, pieces: list[Any]) -> None:
        for piece in pieces:
            piece.pts = self._frames
            piece.time_base = Fraction(1, self._rate)
            self._frames = (self._frames or 0) + piece.samples
            self._output.mux(self._stream.encode(piece))

    def close(self) -> None:
        if self._frames is not None:
            self._take(None)
            rest = self._queue.read(0, True)
            self._encode([rest] if rest else [])
        self._output.mux(self._stream.encode(None))
