"""The sound of a video: read from one, and written into one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np

from controlllm.resources import Sound
from controlllm.resources.mixing_down import MonoMixer
from controlllm.toolbox import Context

from .sounds import faded, resampled, share_of, silence

RATE = 48_000


@dataclass(frozen=True)
class SoundPart:
    """Which sound of a video is wanted: from `begin` on the file's own clock, `longest` at most; it
    has `seconds` as far as is known."""

    rate: int
    channels: int
    begin: float
    seconds: float
    longest: float


def sound_blocks(
    track: Any, frames: Iterable[Any], part: SoundPart, context: Context
) -> Iterator[np.ndarray]:
    """The sound of the decoded frames of a track, frames x channels; no block where there is none.
    It is silent where it sets in later than it is wanted from."""
    import av

    layout = "mono" if track.channels == 1 and part.channels == 1 else "stereo"
    resampler = av.AudioResampler(format="fltp", layout=layout, rate=part.rate)
    mixer = MonoMixer()
    wanted, place = round(part.longest * part.rate), None
    for number, frame in enumerate(chain(frames, [None])):
        context.check()
        if frame is not None:
            if place is None:
                place = round(((frame.time or 0.0) - part.begin) * part.rate)
                yield np.zeros((min(max(place, 0), wanted), part.channels), np.float32)
            # Parts are counted afresh, so that gaps in the file cannot stop the conversion.
            frame.pts = None
        if place is None or place >= wanted:
            return
        if number % 500 == 0:
            context.progress(place / max(part.seconds * part.rate, 1), "Reading the sound")
        for piece in resampler.resample(frame):
            block = piece.to_ndarray().T[: wanted - place]
            if part.channels < block.shape[1]:
                block = mixer.mixed(block)[:, None]
            yield block[max(-place, 0) :]
            place += len(block)


class SoundTrack:
    """Encodes a sound bit by bit, so that sound and pictures lie side by side in the file."""

    def __init__(
        self,
        container: Any,
        sound: Sound,
        seconds: float,
        codec: str = "aac",
        bit_rate: int = 96_000,
    ) -> None:
        """`bit_rate` is that of one channel, in bits a second."""
        self.channels = sound.channels
        self.blocks = _fitted(sound, seconds)
        self.ready = np.zeros((0, self.channels), np.float32)
        self.container = container
        layout = "mono" if self.channels == 1 else "stereo"
        self.stream = container.add_stream(codec, rate=RATE, layout=layout)
        self.stream.bit_rate = bit_rate * self.channels
        self.done = 0

    def write_until(self, seconds: float) -> None:
        import av

        count = max(round(min(seconds, 1e9) * RATE) - self.done, 0)
        while count > 0 and (len(self.ready) or self._read()):
            part, self.ready = self.ready[:count], self.ready[count:]
            layout = self.stream.layout.name
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(part.T), "fltp", layout)
            frame.sample_rate, frame.pts = RATE, self.done
            frame.time_base = Fraction(1, RATE)
            self.container.mux(self.stream.encode(frame))
            self.done += len(part)
            count -= len(part)

    def _read(self) -> bool:
        self.ready = next(self.blocks, self.ready)
        return len(self.ready) > 0

    def close(self) -> None:
        self.write_until(math.inf)
        self.container.mux(self.stream.encode(None))


def _fitted(sound: Sound, seconds: float) -> Iterator[np.ndarray]:
    """The sound at 48 kHz, frames x channels, cut or padded to `seconds`, without clicks."""
    share = share_of(sound.rate, RATE)
    wanted, there = round(seconds * RATE), math.ceil(sound.frames * share)
    length = min(there, wanted)
    rise = min(round(0.01 * RATE), length // 2)
    fall = min(round((0.3 if there > wanted else 0.03) * RATE), length // 2)

    def cut() -> Iterator[np.ndarray]:
        left = length
        for block in resampled(sound, share):
            yield np.clip(block[:left], -1, 1)
            left -= min(len(block), left)
            if not left:
                return

    yield from faded(cut(), length, rise, fall)
    yield from silence(wanted - length, sound.channels)
