"""Sounds that tools are handed, worked on in pieces.

Each is finite, within -1..1 and not empty, in one channel or two: the engine sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain

import numpy as np

from controlllm.resources import BLOCK, Sound, gathered
from controlllm.resources.mixing_down import MonoMixer
from controlllm.toolbox import Context
from controlllm.values import Choice, Kind
from controlllm.values.kinds import found_in
from controlllm.values.plain import HIDDEN

_SEEK = 20.0  # seconds before the end of a piece in which it is parted


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


def powers(sound: Sound, size: int) -> np.ndarray:
    """The mean of the squared values of every `size` frames, the last of them filled up with
    silence."""
    step = size * (BLOCK // size + 1)
    parts = []
    for first in range(0, sound.frames, step):
        block = np.square(sound.part(first, first + step), dtype=np.float64)
        block = np.pad(block, ((0, -len(block) % size), (0, 0)))
        parts.append(block.reshape(len(block) // size, -1).mean(axis=1))
    return np.concatenate(parts)


def mono(sound: Sound) -> Iterator[np.ndarray]:
    """The channels made one, in blocks, frames x 1."""
    mixer = MonoMixer()
    for block in sound.blocks():
        yield mixer.mixed(block)[:, None]


CHANNELS = Choice(
    mono="monaural monophonic single_channel one_channel",
    stereo="two_channel two_channels stereophonic 2.0",
)


#: What people say of a sound that is to be louder, and of one that is to be quieter.
LOUDER = (
    "up raise raised boost boosted increase amplify stronger higher hardly_hear barely_hear "
    "cannot_hear can't_hear too_quiet so_quiet very_quiet is_quiet too_soft so_softly too_softly"
)
QUIETER = (
    "quiet more_quiet quiet_it softer down lower lowered reduce reduced decrease less_loud "
    "too_loud so_loud very_loud is_loud"
)
_SLIGHTLY = (
    r"\b(?:slightly|somewhat|an? (?:little |tiny )?(?:bit|little|touch|tad|notch))\b(?! of\b)"
)
#: Which way may have been read already: "far too loud".
_STRONGLY = rf"\b(?:considerably|(?:much|a lot|far|way)(?= (?:too|more|less|{HIDDEN})))"
HOW_MUCH = Kind(
    "slightly or strongly",
    lambda words: found_in(words, (_SLIGHTLY, "slightly"), (_STRONGLY, "strongly")),
    "slightly|strongly",
)


def with_channels(sound: Sound, channels: str, context: Context) -> Sound:
    """The sound in mono or in stereo, of which both channels are heard; as it is where neither is
    said."""
    if channels == "mono" and sound.channels > 1:
        return kept(mono(sound), sound.rate, context)
    return brought_to(sound, sound.rate, 2, context) if channels == "stereo" else sound


def brought_to(sound: Sound, rate: int, channels: int = 1, context: Context | None = None) -> Sound:
    """The sound at a sampling rate, in so many channels; as it is where it has them."""
    if sound.channels != channels:
        blocks = (np.repeat(block, channels, axis=1) for block in mono(sound))
        sound = kept(blocks, sound.rate, context)
    if sound.rate != rate:
        sound = kept(resampled(sound, share_of(sound.rate, rate)), rate, context)
    return sound


def silence(frames: int, channels: int) -> Iterator[np.ndarray]:
    """Silence, in blocks."""
    for first in range(0, frames, BLOCK):
        yield np.zeros((min(BLOCK, frames - first), channels), np.float32)


def faded(blocks: Iterable[np.ndarray], frames: int, rise: int, fall: int) -> Iterator[np.ndarray]:
    """Blocks of `frames` in all, rising from silence in the first of them and falling into it in
    the last, like a half of a cosine."""
    done = 0
    for block in blocks:
        places = np.arange(done, done + len(block))[:, None]
        done += len(block)
        block = block.astype(np.float32)
        for length, place in ((rise, places), (fall, frames - 1 - places)):
            if length and place.min(initial=length) < length:
                share = np.minimum(place, length) / length
                block *= (0.5 - 0.5 * np.cos(np.pi * share)).astype(np.float32)
        yield block


def seamed(pieces: Sequence[tuple[Sound, int, int]], seam: float) -> Iterator[np.ndarray]:
    """Parts of sounds, from a frame to before another, one after the other; where two meet, both
    fade for `seam` seconds."""
    for number, (sound, first, last) in enumerate(pieces):
        count = min(max(round(seam * sound.rate), 1), max(last - first, 0))
        inner = (count if number else 0, count if number + 1 < len(pieces) else 0)
        yield from faded(sound.blocks(first, last), last - first, *inner)


def with_between(
    sound: Sound, first: int, last: int, put: Iterable[np.ndarray], seam: int = 0
) -> Iterator[np.ndarray]:
    """The sound with something else in place of what lies from one frame to before another, where
    what is before and after it fades over so many frames."""
    rest = sound.frames - last
    before = faded(sound.blocks(0, first), first, 0, min(seam, first) if rest else 0)
    after = faded(sound.blocks(last), rest, min(seam, rest) if first else 0, 0)
    return chain(before, put, after)


def lasting(sound: Sound, frames: int, edge: int) -> Iterator[np.ndarray]:
    """The sound cut or filled up with silence to so many frames, both ends faded over `edge` of
    them, so that no click is heard where it is joined."""

    def blocks() -> Iterator[np.ndarray]:
        for block, first in zip(
            silence(frames, sound.channels), range(0, frames, BLOCK), strict=True
        ):
            found = sound.part(first, first + len(block))
            block[: len(found)] = found
            yield block

    return faded(blocks(), frames, edge, edge)


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
