"""Sounds that tools are handed, worked on in pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

import numpy as np

from controlllm.resources import BLOCK, LongSound, Sound, gathered
from controlllm.resources.mixing_down import MonoMixer
from controlllm.toolbox import Context, ToolError

_SEEK = 20.0  # seconds before the end of a piece in which it is parted


def expect_sound(sound: Sound) -> None:
    """Raise ToolError where a sound holds nothing to work on."""
    if not sound.size:
        raise ToolError("The sound is empty: there is no sound in it. Hand over another one.")


def finite(sound: Sound) -> Sound:
    """The sound with every value a number; one that lies in a file always is."""
    if isinstance(sound, LongSound):
        return sound
    return Sound(np.nan_to_num(sound.samples.astype(np.float32), posinf=1, neginf=-1), sound.rate)


def kept(blocks: Iterable[np.ndarray], rate: int, context: Context | None = None) -> Sound:
    """Blocks, frames x channels, as one sound; a long one lies in the run's folder."""
    return gathered(blocks, rate, lambda: (context or Context()).folder)


def peak(sound: Sound) -> float:
    """The largest value, whatever its sign."""
    return max((float(np.abs(block).max(initial=0.0)) for block in sound.blocks()), default=0.0)


def power(sound: Sound) -> float:
    """The mean of the squared values."""
    total = sum(float(np.square(block, dtype=np.float64).sum()) for block in sound.blocks())
    return total / max(sound.size, 1)


def mono(sound: Sound) -> Iterator[np.ndarray]:
    """The channels made one, in blocks, frames x 1."""
    mixer = MonoMixer()
    for block in sound.blocks():
        yield np.nan_to_num(mixer.mixed(block))[:, None]


def backwards(sound: Sound) -> Iterator[np.ndarray]:
    """The sound from its end to its beginning, in blocks."""
    for end in range(sound.frames, 0, -BLOCK):
        yield sound.part(end - BLOCK, end)[::-1]


def piecewise(
    sound: Sound, change: Callable[[np.ndarray], np.ndarray], margin: int, frames: int = 0
) -> Iterator[np.ndarray]:
    """A sound changed a piece at a time by what looks at most `margin` frames to either side."""
    frames = frames or BLOCK
    for first in range(0, sound.frames, frames):
        begin = max(first - margin, 0)
        made = change(sound.part(begin, first + frames + margin))
        yield made[first - begin :][:frames]


def share_of(rate: int, wanted: int) -> Fraction:
    """What the number of frames is multiplied with where a sound gets another sampling rate."""
    return Fraction(wanted, rate).limit_denominator(2000)


def resampled(sound: Sound, share: Fraction) -> Iterator[np.ndarray]:
    """The sound with `share` times as many frames, in blocks; nothing is above half their rate."""
    from scipy import signal

    if share == 1 or not sound.frames:
        yield from sound.blocks()
        return
    up, down = share.numerator, share.denominator
    # As far as the filter of `resample_poly` reaches; places that are whole in both rates.
    margin = down * (10 * max(up, down) // (up * down) + 2)
    step = down * max(BLOCK // down, 1)
    for first in range(0, sound.frames, step):
        begin = max(first - margin, 0)
        given = sound.part(begin, first + step + margin).astype(np.float32, copy=False)
        made = signal.resample_poly(given, up, down, axis=0)[(first - begin) * up // down :]
        is_last = first + step >= sound.frames
        yield made[: None if is_last else step * up // down].astype(np.float32, copy=False)


def carried(
    sound: Sound, reach: int, add: Callable[[np.ndarray, np.ndarray], None]
) -> Iterator[np.ndarray]:
    """What goes on after the sound: `add` adds what comes of a block to a place for it, which is
    `reach` frames longer than the block."""
    over = np.zeros((reach, sound.channels), np.float32)
    for block in sound.blocks():
        made = np.zeros((len(block) + reach, sound.channels), np.float32)
        made[:reach] = over
        add(block, made)
        yield made[: len(block)]
        over = made[len(block) :]
    yield over


def parted(sound: Sound, seconds: float) -> Iterator[tuple[int, np.ndarray]]:
    """Mono pieces of at most `seconds`, parted where it is quietest, each with its first frame."""
    length, seek = round(seconds * sound.rate), round(_SEEK * sound.rate)
    window = sound.rate // 5
    mixer = MonoMixer()
    first = 0
    while sound.frames - first > length:
        piece = mixer.mixed(sound.part(first, first + length))
        end = piece[length - seek :]
        loudness = np.square(end[: len(end) // window * window]).reshape(-1, window).sum(axis=1)
        cut = length - seek + int(loudness.argmin()) * window + window // 2
        yield first, piece[:cut]
        first += cut
    yield first, mixer.mixed(sound.part(first, sound.frames))
