"""Changes at a part of a sound that was pointed at: the changed part put back into the whole."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from controlllm.resources import Audio, Sound
from controlllm.toolbox import Context, ToolError, tool

from ..shared.parts import placed
from ..shared.sounds import expect_sound, finite, kept, mono, resampled, share_of

#: Seconds of fading where what was there and what is put there meet.
_SEAM = 0.006


@tool(
    domain="audio-editing",
    places="back",
    examples=[
        "Put the changed part back into the recording.",
        "Replace seconds three to five with the louder version.",
        "Insert the edited passage where it came from.",
        "Keep the change only in the marked part of the sound.",
        "Leave the marked part out of the recording.",
        "Paste the new version over that stretch of the song.",
    ],
    packages=("scipy",),
)
def put_part_back(
    audio: Audio,
    changed: Audio | None = None,
    start: float = 0.0,
    end: float = 0.0,
    context: Context | None = None,
) -> Audio:
    """Put a changed part of a sound back: before it and after it everything is as it was. Without a
    changed part, what was there is left out.

    Args:
        audio: the whole recording
        changed: the changed part; it may be longer or shorter than what was there
        start: where the part begins, in seconds; below zero, counted from the end
        end: where it ends, in seconds; 0 is the end of the recording, and below zero it is counted
            from there
    """
    context = context or Context()
    for sound in (audio, changed):
        if sound is not None:
            expect_sound(sound)
    first, last = (round(time * audio.rate) for time in placed(start, end, audio.seconds, "sound"))
    context.progress(0.1, "Bringing the part to the recording's rate")
    part = None if changed is None else _alike(finite(changed), audio, context)
    pieces = [(audio, 0, first), *([(part, 0, part.frames)] if part else [])]
    pieces.append((audio, last, audio.frames))
    pieces = [piece for piece in pieces if piece[2] > piece[1]]
    if not pieces:
        raise ToolError("The part is all of the sound: nothing is left without it.")
    context.progress(0.5, "Putting the part back")
    made = kept(_joined(pieces), audio.rate, context)
    context.progress(1.0, "Put back")
    return made


def _alike(part: Sound, whole: Sound, context: Context) -> Sound:
    """A part with the rate and the channels of the whole."""
    if part.channels != whole.channels:
        blocks = (np.repeat(block, whole.channels, axis=1) for block in mono(part))
        part = kept(blocks, part.rate, context)
    if part.rate != whole.rate:
        part = kept(resampled(part, share_of(part.rate, whole.rate)), whole.rate, context)
    return part


def _joined(pieces: list[tuple[Sound, int, int]]) -> Iterator[np.ndarray]:
    """Pieces of sounds one after the other; where two meet, both fade for a moment."""
    for number, (sound, first, last) in enumerate(pieces):
        seam = min(max(round(_SEAM * sound.rate), 1), (last - first) // 2)
        done = 0
        for block in sound.blocks(first, last):
            places = np.arange(done, done + len(block))[:, None]
            done += len(block)
            block = block.astype(np.float32)
            if number and seam:
                block *= np.clip((places + 0.5) / seam, 0, 1).astype(np.float32)
            if number + 1 < len(pieces) and seam:
                left = last - first - places - 0.5
                block *= np.clip(left / seam, 0, 1).astype(np.float32)
            yield block
