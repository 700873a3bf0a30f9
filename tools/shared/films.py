"""What is written as a video, and how."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from controlllm.resources import Sound


@dataclass(frozen=True)
class Film:
    """What is written as a video.

    `frames` are times in seconds, growing, with uint8 RGB pictures of any size; `size` is width and
    height in even pixels; `seconds` is how long the pictures last and the sound is cut or padded to
    it.
    """

    frames: Iterable[tuple[float, np.ndarray]]
    seconds: float
    size: tuple[int, int]
    sound: Sound | None = None


@dataclass(frozen=True)
class Coding:
    """How a video is written: the file's ending, the pictures' codec with its options, and the
    sound's with the bits a second of a channel. `quality` is the constant rate factor of the
    pictures, unless `bit_rate` in bits a second is given."""

    suffix: str = ".mp4"
    codec: str = "libx264"
    options: Mapping[str, str] = field(default_factory=lambda: {"preset": "veryfast"})
    sound: str = "aac"
    sound_rate: int = 96_000
    quality: int = 21
    bit_rate: int | None = None


MP4 = Coding()
