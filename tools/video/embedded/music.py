"""Music that goes with a video: as long as it, and quiet where something else is to be heard."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np

from controlllm.resources import Sound
from controlllm.toolbox import Context

from ...shared.sound_track import RATE
from ...shared.sounds import brought_to, faded, kept, peak, powers, silence
from ...shared.time_phrases import Span
from ...sound.embedded.sound_effects import loudness

_ENDING = 2.0  # seconds in which music ends that would go on
_OVERLAP = 1.0  # seconds in which it begins again where it is too short
_PAUSE = 6.0  # decibels that it comes up while nothing else is heard
_WINDOW = 0.05  # seconds at a time that are looked at for what is heard
_AHEAD, _AFTER = 0.3, 0.9  # seconds before and after what is heard in which it stays quiet
_TURNING = 0.5  # seconds in which it becomes quieter and louder
_QUIET = 24.0  # decibels under the loudness of what is heard, from which on nothing is
_SILENT = -65.0
_SEAM = 0.02  # seconds in which a sound ends that is cut off
_CEILING = 0.97


def fitted(sound: Sound, seconds: float, context: Context, fade: float = _ENDING) -> Sound:
    """Music at the rate of videos, in one or two channels, begun again or cut to a length, ending
    softly."""
    sound = brought_to(sound, RATE, sound.channels, context)
    wanted = round(seconds * RATE)
    if sound.frames < RATE // 2:
        sound = Sound(np.resize(sound.samples, (RATE, sound.channels)), RATE)
    looped = kept(_looped(sound, wanted), RATE, context)
    fall = min(round(fade * RATE), wanted // 2)
    return kept(faded(looped.blocks(), looped.frames, 0, fall), RATE, context)


def placed(sound: Sound, span: Span, seconds: float, context: Context) -> Sound:
    """A sound at the rate of videos from one time to another at most, in silence of so many
    seconds."""
    sound = brought_to(sound, RATE, sound.channels, context)
    first, end, whole = (round(time * RATE) for time in (*span, seconds))
    if (first, sound.frames) == (0, whole):
        return sound
    frames = min(sound.frames, end - first, whole - first)
    soft = round(_SEAM * RATE) if frames < sound.frames else 0
    blocks = chain(
        silence(first, sound.channels),
        faded(sound.blocks(0, frames), frames, 0, soft),
        silence(whole - first - frames, sound.channels),
    )
    return kept(blocks, RATE, context)


def least_under(heard: Sound, behind: Sound, level: float) -> float:
    """How many decibels what lies behind is under what is heard: so many, or as many more as keep
    it from becoming louder than it was, in pauses too."""
    return min(level, loudness(behind) - loudness(heard) - _PAUSE)


def _looped(sound: Sound, wanted: int) -> Iterator[np.ndarray]:
    """A sound over and over, each time faded into the next, up to a number of frames."""
    overlap = min(round(_OVERLAP * RATE), sound.frames // 4)
    step = sound.frames - overlap
    rise = np.linspace(0, 1, overlap, dtype=np.float32)[:, None]
    done = 0
    is_first = True
    while done < wanted:
        is_last = done + sound.frames >= wanted
        begin = 0 if is_first else overlap
        for block in sound.blocks(begin, sound.frames if is_last else step):
            yield block[: max(wanted - done, 0)]
            done += len(block)
        if not is_last and overlap:
            seam = sound.part(step, sound.frames) * np.sqrt(1 - rise)
            seam = seam + sound.part(0, overlap) * np.sqrt(rise)
            yield seam[: max(wanted - done, 0)]
            done += overlap
        is_first = False


def under(heard: Sound, music: Sound, level: float, context: Context) -> Iterator[np.ndarray]:
    """What is heard, as loud as it was, with music under it: `level` decibels quieter while
    something is heard, and a little louder in pauses."""
    loud = loudness(heard)
    change = 10 ** ((loud + level - loudness(music)) / 20)
    gains = change * _gains(heard, loud)
    places = (np.arange(len(gains)) + 0.5) * _WINDOW * RATE
    channels = max(heard.channels, music.channels)
    done = 0
    for block in heard.blocks():
        context.check()
        block = _widened(block, channels)
        behind = np.zeros_like(block)
        part = _widened(music.part(done, done + len(block)), channels)
        behind[: len(part)] = part
        gain = np.interp(done + np.arange(len(block)), places, gains).astype(np.float32)
        behind *= gain[:, None]
        # What is in front stays as it is: where both were too much, the music gives way.
        room = np.maximum(_CEILING - np.abs(block), 0)
        yield block + np.clip(behind, -room, room)
        done += len(block)


def _widened(block: np.ndarray, channels: int) -> np.ndarray:
    return np.repeat(block, 2, axis=1) if block.shape[1] < channels else block


def _gains(heard: Sound, loud: float) -> np.ndarray:
    """How much louder than its least the music is, for each window."""
    from scipy import ndimage

    levels = 10 * np.log10(powers(heard, round(_WINDOW * RATE)) + 1e-12)
    is_heard = levels > max(loud - _QUIET, _SILENT)
    ahead, after = math.ceil(_AHEAD / _WINDOW), math.ceil(_AFTER / _WINDOW)
    # Widened to both sides alike, then moved so that it reaches less far ahead than after.
    reach = ahead + after
    wide = ndimage.maximum_filter1d(
        is_heard.astype(np.float32), reach + 1, origin=(after - ahead) // 2, mode="constant"
    )
    smooth = ndimage.uniform_filter1d(wide, max(round(_TURNING / _WINDOW), 1), mode="nearest")
    return 10 ** (_PAUSE * (1 - smooth) / 20)


def is_heard(sound: Sound) -> bool:
    """Whether there is anything to hear in a sound."""
    return peak(sound) > 0.002
