"""Silence taken out of a sound or put into it, and passages of it cut or covered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated

import numpy as np

from controlllm.resources import BLOCK, Audio, Limits, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Passage, Seconds, passage_within

from ..shared.cut_words import kept_passages
from ..shared.pauses import PAUSE_LEFT, PAUSES_OVER, USUALLY_FROM, USUALLY_LEFT
from ..shared.sounds import expect_sound, finite, kept
from .places import SOFT_ENDS, TIME_WITHIN, WHERE_TO_TRIM, without_soft_ends

_SEAM = 0.006
_SOFT = 1.5  # seconds of a soft start or ending, at most a quarter of what is kept
_USUAL_SILENCE, _LONGEST_SILENCE = 1.0, 3600.0
#: How loud a beep is, of 1: to be heard beside a voice and no fright.
_BEEP = 0.25


@tool(
    domain="audio-editing",
    places="cuts",
    examples=[
        "Remove the silence at the end of the recording.",
        "Trim the dead air at the beginning.",
        "Cut the silence off both ends.",
        "Take the long pauses out of my lecture.",
        "There are ten quiet seconds before I start talking, lose them.",
        "Shorten the gaps between the sentences.",
        "Trim the silence from this voice memo.",
    ],
    packages=("scipy",),
)
def trim_silence(
    audio: Audio,
    where: Annotated[str, WHERE_TO_TRIM] = "",
    over: Annotated[float, PAUSES_OVER] = 0.0,
    left: Annotated[float, PAUSE_LEFT] = 0.0,
    context: Context | None = None,
) -> Audio:
    """Cut the quiet stretches away in which nothing is heard: before a recording begins, after its
    end, or its long pauses.

    Args:
        audio: the recording to trim
        where: only at the start, only at the end, at both, which is usual, pauses inside, or
            everywhere
        over: how many seconds a pause lasts at least that is shortened
        left: how many seconds of a pause are left
    returns: the recording without that silence
    """
    from .embedded import sound_effects

    context = context or Context()
    expect_sound(audio)
    sound = finite(audio)
    context.progress(0.0, "Looking for silence")
    if not any(block.any() for block in sound.blocks()):
        raise ToolError("There is nothing but silence in the recording; hand over another one.")
    if where in ("inside", "everywhere") or (not where and (over or left)):
        pause = left or USUALLY_LEFT
        blocks = sound_effects.without_pauses(
            sound, pause, max(over or USUALLY_FROM, pause), is_trimmed=where != "inside"
        )
    else:
        only = where if where in ("start", "end") else ""
        blocks = sound_effects.without_silence(sound, only)
    made = kept(blocks, sound.rate, context)
    context.progress(1.0, "Trimmed")
    return made


@tool(
    domain="audio-editing",
    places="cuts",
    examples=[
        "Keep only the first ten seconds of the song.",
        "Cut out the part from 0:30 to 1:15.",
        "Remove everything after two minutes.",
        "Give me seconds 5 to 9 as a clip of its own.",
        "Drop the last 20 seconds of the recording.",
        "I only need the middle third of this audio.",
        "Take a 30 second ringtone from 1:05 on.",
        "Snip off the first 3 seconds.",
        "A ringtone from where the guitar comes in, 20 seconds, with a soft ending.",
        "Only the part where she talks about the weather.",
    ],
    packages=("scipy",),
)
def cut_audio(
    audio: Audio,
    prompt: Text,
    soft: Annotated[str, SOFT_ENDS] = "",
    context: Context | None = None,
) -> Audio:
    """Cut a sound: keep or take out a passage that is told by its times, such as the first ten
    seconds or from 0:30 to 1:15, by what is said in it, or from where the sound sets in; with a
    soft start or ending where asked.

    Args:
        audio: the recording to cut
        prompt: which passage to keep or to take out, by its times
        soft: which ends of what is kept rise from silence or fade into it: start, end or both
    returns: what is kept of the recording
    """
    from .embedded import meant_passages, sound_effects

    context = context or Context()
    expect_sound(audio)
    sound = finite(audio)
    words = without_soft_ends(prompt) if soft else prompt
    spans = kept_passages(
        meant_passages.with_onset(words, sound, context),
        sound.seconds,
        what="recording",
        find=lambda meant: meant_passages.found_passages(sound, meant, context),
    )
    context.progress(0.0, "Cutting")
    made = kept(sound_effects.passages(sound, spans, _SEAM), sound.rate, context)
    if not made.frames:
        raise ToolError("The passage lasts no time; name a longer one.")
    if made.frames == sound.frames and not soft:
        context.remark("The passage is all of the recording, so nothing was cut.")
    if soft:
        count = round(min(_SOFT, made.seconds / 4) * made.rate)
        rise, fall = (count if soft in (end, "both") else 0 for end in ("start", "end"))
        faded = sound_effects.faded(made.blocks(), made.frames, rise, fall)
        made = kept(faded, made.rate, context)
    context.progress(1.0, "Cut")
    return made


@tool(
    domain="audio-editing",
    places="cuts",
    examples=[
        "Add two seconds of silence at the start.",
        "Put a pause of 3 seconds after the first 10 seconds.",
        "Insert silence at 1:20 for five seconds.",
        "I need half a second of quiet at the end of the jingle.",
        "Pad the recording with 4 seconds of nothing at the end.",
        "Leave a gap of one second before the voice begins.",
        "Make a break of 2 s in the middle of the sound at 0:08.",
    ],
)
def insert_silence(
    audio: Audio,
    at: Annotated[float, TIME_WITHIN] = 0.0,
    seconds: Seconds = 0.0,
    where: Annotated[
        str,
        Choice(
            start="beginning before front intro lead_in",
            end="ending after behind",
            middle="halfway half_way",
            both=(
                "both_ends both_sides start_and_end start_and_the_end start_and_at_the_end "
                "beginning_and_end beginning_and_the_end before_and_after end_and_start"
            ),
        ),
    ] = "",
    context: Context | None = None,
) -> Audio:
    """Put silence into a sound: at its start, at its end or at a time, for some seconds.

    Args:
        audio: the recording that gets the silence
        at: the time in the recording at which the silence begins
        seconds: how long the silence lasts, one second where no time is named
        where: at the start, the middle, the end or both ends; at the end where nothing is said
    returns: the recording with the silence in it
    """
    from .embedded import sound_effects

    context = context or Context()
    expect_sound(audio)
    sound = finite(audio)
    length = abs(seconds) or _USUAL_SILENCE
    count = round(length * sound.rate)
    if length > _LONGEST_SILENCE or sound.size + 2 * count * sound.channels > Limits.max_samples:
        raise ToolError(
            f"{length:,.0f} seconds of silence would make the sound too long; ask for less."
        )
    if at > sound.seconds + 0.05:
        raise ToolError(
            f"The recording lasts only {sound.seconds:.1f} seconds, so there is nothing at "
            f"{at:g} seconds; name an earlier time."
        )
    place = {"start": 0, "middle": sound.frames // 2}.get(where, sound.frames)
    if at > 0:
        place = min(round(at * sound.rate), sound.frames)
    context.progress(0.0, "Putting silence in")
    silence = [_silence(count, sound.channels)]
    if where == "both" and not at:
        pieces = chain(_silence(count, sound.channels), sound.blocks(), *silence)
    else:
        seam = max(round(_SEAM * sound.rate), 1)
        before = sound_effects.faded(
            sound.blocks(0, place), place, 0, min(seam, place) if place < sound.frames else 0
        )
        rest = sound.frames - place
        after = sound_effects.faded(
            sound.blocks(place, sound.frames), rest, min(seam, rest) if place else 0, 0
        )
        pieces = chain(before, *silence, after)
    made = kept(pieces, sound.rate, context)
    context.progress(1.0, "Done")
    return made


@tool(
    domain="audio-editing",
    places="everywhere",
    examples=[
        "Put a beep over the name from 1.0 to 1.4 seconds.",
        "Bleep out the swear word at 0:12 to 0:13.",
        "Mute the recording between 20 and 25 seconds.",
        "Blank out the phone number, that is second 8 to 11.",
        "Silence the cough from 0:41 to 0:42, the length must stay.",
        "Censor seconds 3 to 4 of my voice message.",
        "There is an address in the last five seconds, cover it with a tone.",
    ],
)
def cover_passage(
    audio: Audio,
    passage: Passage = "",
    how: Annotated[
        str,
        Choice(
            silence="silent mute muted muting blank blanked quiet nothing",
            beep="beep beeps beeped bleep bleeped tone censor censored tv",
        ),
    ] = "",
    context: Context | None = None,
) -> Audio:
    """Cover a passage of a sound with a beep or with silence, such as a name or a swear word, so
    that it cannot be heard; everything else and the length stay.

    Args:
        audio: the recording with something that nobody is to hear
        passage: from when to when it is covered
        how: with a beep, which is usual, or with silence
    returns: the recording with the passage covered
    """
    from .embedded import plain_tones

    context = context or Context()
    expect_sound(audio)
    sound = finite(audio)
    if not passage:
        raise ToolError("From when to when shall it be covered? Say the times, such as 0:12–0:14.")
    try:
        first, last = passage_within(passage, sound.seconds)
    except ValueError:
        raise ToolError(
            f"The recording lasts {sound.seconds:.1f} seconds, and the passage lies outside of it; "
            "name times within."
        ) from None
    start, end = round(first * sound.rate), round(last * sound.rate)
    context.progress(0.0, "Covering the passage")
    if how == "silence":
        cover = _silence(end - start, sound.channels)
    else:
        cover = plain_tones.beep(end - start, sound.rate, sound.channels, _BEEP)
    pieces = chain(sound.blocks(0, start), cover, sound.blocks(end, sound.frames))
    made = kept(pieces, sound.rate, context)
    context.progress(1.0, "Covered")
    return made


def _silence(count: int, channels: int) -> Iterator[np.ndarray]:
    for first in range(0, count, BLOCK):
        yield np.zeros((min(BLOCK, count - first), channels), np.float32)
