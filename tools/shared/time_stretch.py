"""Changing how fast a sound runs without changing its pitch, and its pitch without its speed.

The work is Signalsmith Stretch's (the pip package ``python-stretch``). All channels are stretched
alike, which keeps the places of a stereo picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from controlllm.resources import Sound
from controlllm.toolbox import Context

from .sounds import kept, resampled, share_of

Progress = Callable[[float, str], None]

_PIECE, _LAP = 60.0, 0.25  # seconds that are stretched at once, and that pieces share
#: Seconds: with longer windows fast speech loses words, with rarer ones tones grow weaker.
_WINDOW, _EVERY = 0.06, 0.01


def change_tempo(
    sound: Sound,
    factor: float,
    progress: Progress = lambda fraction, words: None,
    words: str = "Changing the speed",
) -> Iterator[np.ndarray]:
    """The sound played `factor` times as fast at the same pitch, in blocks, frames x channels.

    Raises ValueError where the factor is not above 0.
    """
    from python_stretch.Signalsmith import Stretch

    if factor <= 0:
        raise ValueError(f"The factor is {factor}, expected more than 0.")
    if abs(factor - 1) < 1e-3 or not sound.frames:
        yield from sound.blocks()
        return
    rate, length = sound.rate, max(round(sound.frames / factor), 1)
    step, lap = round(_PIECE * rate), round(_LAP * rate)
    before = np.zeros((0, sound.channels), np.float32)  # the end of one piece, for the next
    for start in range(0, sound.frames, step):
        progress(start / sound.frames, words)
        first, after = max(start - lap, 0), min(start + step, sound.frames)
        stretch = Stretch(0)  # the seed: equal sounds give equal results
        stretch.configure(sound.channels, round(_WINDOW * rate), max(round(_EVERY * rate), 1))
        stretch.setTimeFactor(factor)
        piece = sound.part(first, after).T.astype(np.float32)
        begin = round(first / factor)
        made = np.array(stretch.process(np.ascontiguousarray(piece))).T[: length - begin]
        if after == sound.frames:
            made = np.pad(made, ((0, length - begin - len(made)), (0, 0)))
        rise = np.linspace(0, 1, len(before), dtype=np.float32)[:, None][: len(made)]
        made[: len(rise)] = rise * made[: len(rise)] + (1 - rise) * before[: len(rise)]
        # What the next piece begins with is held back until it is there.
        held = len(made) if after == sound.frames else round((after - lap) / factor) - begin
        yield made[:held]
        before = made[held : round(after / factor) - begin]


def change_pitch(
    sound: Sound, semitones: float, context: Context, progress: Progress
) -> Iterator[np.ndarray]:
    """The sound higher (or lower, below 0) by semitones, as long as before, in blocks."""
    ratio = 2 ** (semitones / 12)
    longer = change_tempo(sound, 1 / ratio, progress, "Changing the pitch")
    left = sound.frames
    for block in change_speed(kept(longer, sound.rate, context), ratio):
        yield block[:left]
        left = max(left - len(block), 0)
    yield np.zeros((left, sound.channels), np.float32)


def change_speed(sound: Sound, factor: float) -> Iterator[np.ndarray]:
    """The sound as a tape plays it that runs `factor` times as fast: higher and shorter."""
    return resampled(sound, Fraction(1 / factor).limit_denominator(400))


def at_rate(samples: np.ndarray, rate: int, wanted: int) -> np.ndarray:
    """The samples of a sound at another sampling rate."""
    if not len(samples):
        return samples
    return np.concatenate([*resampled(Sound(samples, rate), share_of(rate, wanted))])
