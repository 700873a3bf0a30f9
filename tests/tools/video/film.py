"""Small films whose places, moments and sounds are known, for the tests of whole videos."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np

from controlllm.resources import Clip, Sound
from tests.tools.made_videos import make_video
from tools.shared import video_files

RED, GREEN, BLUE, GREY = (220, 30, 30), (30, 200, 30), (30, 30, 220), (128, 128, 128)
LEFT_UPPER, RIGHT_UPPER, LEFT_LOWER, RIGHT_LOWER = (0.1, 0.1), (0.9, 0.1), (0.1, 0.9), (0.9, 0.9)


def quarters(width: int = 320, height: int = 180) -> np.ndarray:
    """Red, green, blue and grey quarters, from left to right and from top to bottom."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[: height // 2, : width // 2], picture[: height // 2, width // 2 :] = RED, GREEN
    picture[height // 2 :, : width // 2], picture[height // 2 :, width // 2 :] = BLUE, GREY
    return picture


def flash(count: int = 50, at: int = 25, width: int = 160, height: int = 90) -> list[np.ndarray]:
    """Dark frames, white from number `at` on for five frames."""
    frames = [np.full((height, width, 3), 20, np.uint8) for _ in range(count)]
    for number in range(at, min(at + 5, count)):
        frames[number][:] = 245
    return frames


def beep(seconds: float = 2.0, at: float = 1.0, channels: int = 1, rate: int = 48_000) -> Sound:
    """Silence with a tone of a fifth of a second."""
    times = np.arange(round(seconds * rate)) / rate
    wave = 0.4 * np.sin(2 * np.pi * 880 * times) * ((times >= at) & (times < at + 0.2))
    return Sound(np.repeat(wave[:, None], channels, axis=1).astype(np.float32), rate)


def film(folder: Path, name: str = "film.mp4", **how: object) -> Clip:
    """Two seconds of quarters, which stand still, with a beep after one."""
    sound, rate = how.pop("sound", beep()), int(how.pop("rate", 10))  # type: ignore[call-overload]
    codec = "libvpx" if name.endswith("webm") else "libx264"
    picture = quarters(*how.pop("size", (320, 180)))  # type: ignore[misc]
    shown = [picture] * (2 * rate)
    return make_video(folder / name, shown, rate=rate, codec=codec, sound=sound)  # type: ignore[arg-type]


def flashing(folder: Path, name: str = "flash.mp4") -> Clip:
    """Two seconds, dark, with a flash and a beep after one."""
    return make_video(folder / name, flash(), sound=beep())


def frames(clip: Clip) -> list[tuple[float, np.ndarray]]:
    return list(video_files.read_frames(clip))


def frame(clip: Clip, seconds: float = 0.5) -> np.ndarray:
    return next(video_files.read_frames(clip, seconds))[1]


def colour(picture: np.ndarray, place: tuple[float, float]) -> np.ndarray:
    """The colour at a place, as shares of width and height."""
    height, width = picture.shape[:2]
    return picture[int(place[1] * height), int(place[0] * width)].astype(int)


def is_like(found: np.ndarray, wanted: tuple[int, int, int], most: int = 18) -> bool:
    return bool(np.abs(found - np.array(wanted)).max() <= most)


def size(clip: Clip) -> tuple[int, int]:
    facts = video_files.read_facts(clip)
    return facts.width, facts.height


def seconds(clip: Clip) -> float:
    """How long a video lasts, as a player says: from the longest of its streams."""
    with av.open(str(clip.path)) as container:
        return float(container.duration or 0) / 1_000_000


def flash_at(clip: Clip) -> float:
    """When a video is first bright."""
    return next(time for time, picture in frames(clip) if picture.mean() > 128)


def heard(clip: Clip) -> Sound:
    sound = video_files.read_sound(clip, 48_000, None)
    assert sound is not None
    return sound


def beep_at(clip: Clip) -> float:
    """When a video is first loud."""
    sound = heard(clip)
    return float(np.argmax(np.abs(sound.samples).max(axis=1) > 0.1)) / sound.rate


def loud(sound: Sound, start: float, end: float) -> float:
    """How loud a part of a sound is, in decibels."""
    part = sound.part(round(start * sound.rate), round(end * sound.rate))
    return 10 * float(np.log10(np.square(part.astype(np.float64)).mean() + 1e-12))


def is_in_step(clip: Clip) -> bool:
    """Whether flash and beep come together."""
    return abs(flash_at(clip) - beep_at(clip)) <= 0.045
