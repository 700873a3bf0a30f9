"""Changes at a part of a sound that was pointed at: the changed part put back into the whole."""

from __future__ import annotations

from controlllm.resources import Audio
from controlllm.toolbox import Context, ToolError, tool

from ..shared.parts import placed
from ..shared.sounds import brought_to, kept, seamed

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
    context: Context,
    changed: Audio | None = None,
    start: float = 0.0,
    end: float = 0.0,
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
    first, last = (round(time * audio.rate) for time in placed(start, end, audio.seconds, "sound"))
    context.progress(0.1, "Bringing the part to the recording's rate")
    part = None if changed is None else brought_to(changed, audio.rate, audio.channels, context)
    pieces = [(audio, 0, first), *([(part, 0, part.frames)] if part else [])]
    pieces.append((audio, last, audio.frames))
    pieces = [piece for piece in pieces if piece[2] > piece[1]]
    if not pieces:
        raise ToolError("The part is all of the sound: nothing is left without it.")
    context.progress(0.5, "Putting the part back")
    return kept(seamed(pieces, _SEAM), audio.rate, context)
