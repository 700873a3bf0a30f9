"""A sound taken apart into several: at times, at pauses, in equal parts, by its channels."""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated

from controlllm.resources import Audio, AudioFiles, Sound, Table
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice

from ..shared import members, row_times
from ..shared.said_pieces import CUTS, PIECES
from ..shared.sounds import expect_sound, finite, kept

_MOST = 200
#: A pause lasts at least so long, in seconds, and no piece is shorter than the least.
_PAUSE, _LEAST = 0.6, 0.05

#: A piece's name and where it lies, in frames.
_Piece = tuple[str, int, int]


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
    table: Table | None = None,
    times: Annotated[str, CUTS] = "",
    count: Annotated[int, PIECES] = 0,
    way: Annotated[
        str,
        Choice(pauses="pause silence silences silent gaps breaks breath breaths quiet speaks"),
    ] = "",
    context: Context | None = None,
) -> AudioFiles:
    """Split a sound into several files: at given times, along the times in a table's rows, every
    few minutes, into equal parts, or at its pauses.

    Args:
        audio: the recording to split
        table: rows with the times at which parts begin, and with their ends and names if there are
            any
        times: where to cut, such as 0:06 and 0:11, passages such as 0:05-0:12, or how long each is
        count: how many equal parts, where nothing else is said
        way: at the pauses
        returns: the parts
    """
    context = context or Context()
    expect_sound(audio)
    sound = finite(audio)
    context.progress(0.0, "Looking where to cut")
    pieces = _pieces(sound, table, times, count, way)
    if len(pieces) > _MOST:
        raise ToolError(
            f"That would be {len(pieces):,} files, and at most {_MOST} are made at once. Ask for "
            "longer parts."
        )
    made = []
    for done, (name, first, last) in enumerate(pieces):
        context.progress(done / len(pieces), name.capitalize())
        part = kept(sound.blocks(first, last), sound.rate, context)
        made.append(members.sound(name, part, context))
    return tuple(made)


def _pieces(sound: Sound, table: str | None, times: str, count: int, way: str) -> list[_Piece]:
    if table is not None:
        return _of_rows(sound, row_times.rows_of(table))
    if way == "pauses" and not times:
        return _numbered(sound, _at_pauses(sound))
    if ".." in times:
        spans = [part.split("..") for part in times.split(",") if ".." in part]
        rows = [row_times.Row(f"part {number}", float(first), float(last))
                for number, (first, last) in enumerate(spans, 1)]  # fmt: skip
        return _of_rows(sound, rows)
    if times.startswith("every"):
        step = float(times.removeprefix("every"))
        if step < _LEAST:
            raise ToolError("The parts would last no time. Ask for longer ones.")
        if sound.seconds / step > 10 * _MOST:
            raise ToolError(f"These are too many parts; at most {_MOST} are made at once.")
        return _numbered(sound, [step * n for n in range(1, int(sound.seconds / step) + 1)])
    if times:
        return _numbered(sound, [float(part) for part in times.split(",")])
    if count > 1:
        return _numbered(sound, [sound.seconds * n / count for n in range(1, count)])
    raise ToolError(
        "It is not said where to cut. Name times, such as “at 1:30 and 3:00”, a number of equal "
        "parts, or say “at the pauses”."
    )


def _numbered(sound: Sound, cuts: list[float]) -> list[_Piece]:
    """The pieces between some times in seconds, from the start to the end."""
    inside = sorted({time for time in cuts if 0 < time < sound.seconds - _LEAST})
    if not inside:
        raise ToolError(
            f"The recording lasts {sound.seconds:.1f} seconds, and none of the places to cut lies "
            "within it. Name times within it."
        )
    edges = [0, *(round(time * sound.rate) for time in inside), sound.frames]
    return [
        (f"part {number}", *span)
        for number, span in enumerate(pairwise(edges), 1)
        if span[1] > span[0]
    ]


def _of_rows(sound: Sound, rows: list[row_times.Row]) -> list[_Piece]:
    """The pieces that rows tell, each to its end or where the next begins."""
    found = []
    for place, row in enumerate(rows):
        following = rows[place + 1].start if place + 1 < len(rows) else sound.seconds
        end = min(row.end if row.end is not None else following, sound.seconds)
        span = round(row.start * sound.rate), round(end * sound.rate)
        if span[1] - span[0] >= _LEAST * sound.rate:
            found.append((row.name, *span))
    if not found:
        raise ToolError(
            f"The recording lasts {sound.seconds:.1f} seconds, and nothing of it lies between the "
            "times. Check the times."
        )
    return found


def _at_pauses(sound: Sound) -> list[float]:
    """The middles of the pauses."""
    from .embedded import sound_effects

    found = [
        (end + start) / 2 / sound.rate
        for (_, end), (start, _) in pairwise(sound_effects.stretches(sound))
        if start - end >= _PAUSE * sound.rate
    ]
    if not found:
        raise ToolError(
            "There is no pause in the recording at which it could be cut. Name times instead."
        )
    return found


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
def split_channels(audio: Audio, context: Context | None = None) -> AudioFiles:
    """Split a stereo sound into its channels: the left and the right one, each a file of its own.

    Args:
        audio: the recording in stereo
        returns: two recordings in mono
    """
    context = context or Context()
    expect_sound(audio)
    sound = finite(audio)
    if sound.channels < 2:
        raise ToolError(
            "The recording is mono: it has only one channel, so there is no left and right. Hand "
            "over a stereo recording."
        )
    made = []
    for place, name in enumerate(("left", "right")):
        context.progress(place / 2, f"The {name} channel")
        blocks = (block[:, place : place + 1] for block in sound.blocks())
        made.append(members.sound(name, kept(blocks, sound.rate, context), context))
    return tuple(made)
