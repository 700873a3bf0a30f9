"""A sound taken apart into several, at times, at pauses, in equal parts, by its channels; and a
changed part of one put back."""

from __future__ import annotations

from itertools import chain, pairwise
from typing import Annotated

from controlllm.resources import Audio, AudioFiles, Sound, Table
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

from ..shared import members, row_times
from ..shared.row_times import placed
from ..shared.said_pieces import CUTS, PIECES
from ..shared.sounds import brought_to, kept, seamed
from .embedded import sound_effects

_MOST = 200
#: A pause lasts at least so long, in seconds; one that is looked for to have so many parts.
_PAUSE, _SHORT_PAUSE = 0.6, 0.2
#: Seconds of silence that are left before and behind what lies between pauses.
_LEFT = 0.25

_AT_PAUSES = Choice(
    pauses="pause silence silences silent gap gaps break breaks breath breaths quiet speaks"
)


@tool(
    domain="audio-editing",
    examples=[
        "Split the recording at 1:30 and 3:00.",
        "The chapters begin at 0:00, 0:06 and 0:11; give me each as a file.",
        "Cut the audio book into four equal parts.",
        "Cut the recording along the times in the table.",
        "Divide the lecture into files of ten minutes each.",
        "Make a new file wherever there is a pause.",
        "Break this long take up at the silences.",
        "0:05 to 0:12 and 0:30 to 0:41 as two separate clips.",
    ],
    packages=("scipy",),
)
def split_audio(
    audio: Audio,
    context: Context,
    table: Table | None = None,
    times: Annotated[str, CUTS] = "",
    count: Annotated[int, PIECES] = 0,
    way: Annotated[str, _AT_PAUSES] = "",
) -> AudioFiles:
    """Split a sound into several files: at given times, along the times in a table's rows, every
    few minutes, into equal parts, or at its pauses.

    Args:
        audio: the recording to split
        table: rows with the times at which parts begin, and with their ends and names if there are
            any
        times: where to cut, such as 0:06 and 0:11, passages such as 0:05-0:12, or how long each is
        count: how many equal parts, or at the pauses how many parts, cut at the longest of them
        way: at the pauses, each part without the silence around it
        returns: the parts
    """
    context.progress(0.0, "Looking where to cut")
    if way == "pauses" and not times and table is None:
        times = ",".join(
            f"{first}..{last}" for first, last in _between_pauses(audio, count, context)
        )
    pieces = row_times.parts_of(audio.seconds, table, times, count, _MOST, "at the pauses")
    made = []
    for done, (name, first, last) in enumerate(pieces):
        context.progress(done / len(pieces), name.capitalize())
        frames = round(first * audio.rate), round(last * audio.rate)
        part = kept(audio.blocks(*frames), audio.rate, context)
        made.append(members.sound(name, part, context))
    return tuple(made)


def _between_pauses(sound: Sound, count: int, context: Context) -> list[tuple[float, float]]:
    """What lies between the pauses, or between the longest of them where `count` parts are wanted,
    from when to when, with little of the silence around it."""
    found = sound_effects.stretches(sound)
    least = (_SHORT_PAUSE if count > 1 else _PAUSE) * sound.rate
    pauses = [(end, start) for (_, end), (start, _) in pairwise(found) if start - end >= least]
    if not pauses:
        raise ToolError(
            "There is no pause in the recording at which it could be cut. Name times instead."
        )
    if count > 1:
        if len(pauses) < count - 1:
            context.remark(f"There are pauses for {len(pauses) + 1} parts only, not for {count}.")
        longest = sorted(pauses, key=lambda pause: pause[0] - pause[1])
        pauses = sorted(longest[: count - 1])
    left = round(_LEFT * sound.rate)
    cuts = [(min(end + left, middle), max(start - left, middle))
            for end, start in pauses for middle in [(end + start) // 2]]  # fmt: skip
    begin, over = max(found[0][0] - left, 0), min(found[-1][1] + left, sound.frames)
    edges = [frame / sound.rate for frame in (begin, *chain.from_iterable(cuts), over)]
    return list(zip(edges[::2], edges[1::2], strict=True))


@tool(
    domain="audio-editing",
    examples=[
        "Left and right are two microphones: give me two files.",
        "Split the stereo recording into its two channels.",
        "Save each channel as a file of its own.",
        "Separate the left and the right side into two mono files.",
        "One speaker is on the left, one on the right, pull them apart.",
        "I need both tracks of this interview as separate recordings.",
        "Make two sounds out of the stereo file, one per channel.",
        "Export left channel and right channel separately.",
    ],
)
def split_channels(audio: Audio, context: Context) -> AudioFiles:
    """Split a stereo sound into its channels: the left and the right one, each a file of its own.

    Args:
        audio: the recording in stereo
        returns: two recordings in mono
    """
    if audio.channels < 2:
        raise ToolError(
            "The recording is mono: it has only one channel, so there is no left and right. Hand "
            "over a stereo recording."
        )
    made = []
    for place, name in enumerate(("left", "right")):
        context.progress(place / 2, f"The {name} channel")
        blocks = (block[:, place : place + 1] for block in audio.blocks())
        made.append(members.sound(name, kept(blocks, audio.rate, context), context))
    return tuple(made)


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
        start: in seconds; where the part begins, below zero, counted from the end
        end: in seconds; where it ends, 0 is the end of the recording, and below zero it is counted
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
