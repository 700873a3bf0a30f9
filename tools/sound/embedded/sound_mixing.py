"""Several sounds made one: laid over each other, or one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from controlllm.resources import BLOCK, Sound
from controlllm.toolbox import Context

from ...shared.sounds import faded, kept
from . import sound_effects

_BACKGROUND = -14.0  # loudness units under what is in front
ECHO_OUT = 2.0  # seconds that a background goes on after what is in front
_FALL = 2.0  # seconds in which it becomes silent


def overlaid(sounds: Sequence[Sound]) -> Iterator[np.ndarray]:
    """All at once, as long as the longest."""
    longest = max(sound.frames for sound in sounds)
    for first in range(0, longest, BLOCK):
        block = np.zeros((min(BLOCK, longest - first), sounds[0].channels), np.float32)
        for sound in sounds:
            part = sound.part(first, first + BLOCK)
            block[: len(part)] += part
        yield block


def in_background(
    sounds: Sequence[Sound], front: int, after: float, context: Context
) -> Iterator[np.ndarray]:
    """One sound in front, the others quiet behind it, ending softly so many seconds after it."""
    leading = sounds[front]
    end = leading.frames + round(after * leading.rate)
    loud = sound_effects.loudness(leading)
    parts = []
    for number, sound in enumerate(sounds):
        if number != front:
            change = min(loud + _BACKGROUND - sound_effects.loudness(sound), 0.0)
            louder = np.float32(10 ** (change / 20))
            frames = min(sound.frames, end)
            is_cut = sound.frames > leading.frames
            fall = min(round(_FALL * sound.rate), frames) if is_cut else 0
            quiet = (block * louder for block in sound.blocks(0, frames))
            shorter = faded(quiet, frames, 0, fall)
            sound = kept(shorter, sound.rate, context)
        parts.append(sound)
    return overlaid(parts)


def in_turn(sounds: Sequence[Sound], crossfade: float, pause: float) -> Iterator[np.ndarray]:
    """One after the other, each faded into the next, or with a pause between."""
    rate = sounds[0].rate
    if not pause:
        pieces = [(sound, 0, sound.frames) for sound in sounds]
        return sound_effects.joined(pieces, round(crossfade * rate))
    gap = np.zeros((round(pause * rate), sounds[0].channels), np.float32)
    blocks = chain.from_iterable(chain([gap], sound.blocks()) for sound in sounds[1:])
    return chain(sounds[0].blocks(), blocks)
