"""Silence taken out of a sound or put into it, and passages of it cut or covered."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from controlllm.resources import Audio, Limits, Text
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Seconds

from ..shared.cut_words import kept_passages
from ..shared.said_pieces import PAUSE_LEFT, PAUSES_OVER, USUALLY_FROM, USUALLY_LEFT
from ..shared.sounds import faded, kept, silence, with_between
from ..shared.time_phrases import parts_of
from .embedded import meant_passages, plain_tones, sound_effects
from .places import COVERED, SOFT_ENDS, TIME_WITHIN, WHERE_TO_TRIM, without_soft_ends

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
    context: Context,
    where: Annotated[str, WHERE_TO_TRIM] = "",
    over: Annotated[float, PAUSES_OVER] = 0.0,
    left: Annotated[float, PAUSE_LEFT] = 0.0,
) -> Audio:
    """Cut the quiet stretches away in which nothing is heard: before a recording begins, after its
    end, or its long pauses.

    Args:
        audio: the recording to trim
        where: only at the start, only at the end, at both, which is usual, pauses inside, or
            everywhere
        over: seconds; how long a pause lasts at least that is shortened
        left: seconds; how much of a pause is left
    returns: the recording without that silence
    """
    context.progress(0.0, "Looking for silence")
    if not any(block.any() for block in audio.blocks()):
        raise ToolError("There is nothing but silence in the recording; hand over another one.")
    if where in ("inside", "everywhere") or (not where and (over or left)):
        pause = left or USUALLY_LEFT
        blocks = sound_effects.without_pauses(
            audio, pause, max(over or USUALLY_FROM, pause), is_trimmed=where != "inside"
        )
    else:
        only = where if where in ("start", "end") else ""
        blocks = sound_effects.without_silence(audio, only)
    return kept(blocks, audio.rate, context)


@tool(
    domain="audio-editing",
    places="cuts",
    sets_form=("prompt",),
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
    context: Context,
    soft: Annotated[str, SOFT_ENDS] = "",
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
    words = without_soft_ends(prompt) if soft else prompt
    spans = kept_passages(
        meant_passages.with_onset(words, audio, context),
        audio.seconds,
        what="recording",
        find=lambda meant: meant_passages.found_passages(audio, meant, context),
    )
    context.progress(0.0, "Cutting")
    made = kept(sound_effects.passages(audio, spans, _SEAM), audio.rate, context)
    if not made.frames:
        raise ToolError("The passage lasts no time; name a longer one.")
    if made.frames == audio.frames and not soft:
        context.remark("The passage is all of the recording, so nothing was cut.")
    if soft:
        count = round(min(_SOFT, made.seconds / 4) * made.rate)
        rise, fall = (count if soft in (end, "both") else 0 for end in ("start", "end"))
        made = kept(faded(made.blocks(), made.frames, rise, fall), made.rate, context)
    return made


_PLACES = Choice(
    start="beginning before front in_front ahead ahead_of intro lead_in later delayed too_early",
    end="ending after behind",
    middle="halfway half_way",
    both=(
        "both_ends both_sides start_and_end start_and_the_end start_and_at_the_end "
        "beginning_and_end beginning_and_the_end before_and_after end_and_start"
    ),
)


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
    context: Context,
    at: Annotated[float, TIME_WITHIN] = 0.0,
    seconds: Seconds = 0.0,
    where: Annotated[str, _PLACES] = "",
) -> Audio:
    """Put silence into a sound: at its start, at its end or at a time, for some seconds.

    Args:
        audio: the recording that gets the silence
        at: seconds; the time in the recording at which the silence begins
        seconds: seconds; how long the silence lasts, one where no time is named
        where: at the start, the middle, the end or both ends; at the end where nothing is said
    returns: the recording with the silence in it
    """
    length = abs(seconds) or _USUAL_SILENCE
    count = round(length * audio.rate)
    if length > _LONGEST_SILENCE or audio.size + 2 * count * audio.channels > Limits.max_samples:
        raise ToolError(
            f"{length:,.0f} seconds of silence would make the sound too long; ask for less."
        )
    if at > audio.seconds + 0.05:
        raise ToolError(
            f"The recording lasts only {audio.seconds:.1f} seconds, so there is nothing at "
            f"{at:g} seconds; name an earlier time."
        )
    place = {"start": 0, "middle": audio.frames // 2}.get(where, audio.frames)
    if at > 0:
        place = min(round(at * audio.rate), audio.frames)
    context.progress(0.0, "Putting silence in")
    put = silence(count, audio.channels)
    seam = max(round(_SEAM * audio.rate), 1)
    made = with_between(audio, place, place, put, seam)
    if where == "both" and not at:
        made = chain(silence(count, audio.channels), made)
    return kept(made, audio.rate, context)


_COVERS = Choice(
    silence="silent mute muted muting blank blanked quiet",
    beep="beep beeps beeped bleep bleeped tone censor censored tv",
)


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
    context: Context,
    passage: Annotated[str, COVERED] = "",
    how: Annotated[str, _COVERS] = "",
) -> Audio:
    """Cover a passage of a sound with a beep or with silence, such as a name or a swear word, so
    that it cannot be heard; everything else and the length stay.

    Args:
        audio: the recording
        passage: from when to when it is covered, or several such passages; a second from the time
            at which a word comes
        how: with a beep, which is usual, or with silence
    returns: the recording with the passage covered
    """
    if not passage:
        raise ToolError("From when to when shall it be covered? Say the times, such as 0:12–0:14.")
    made = audio
    for first, last in parts_of(passage, audio.seconds, "recording"):
        start, end = round(first * audio.rate), round(last * audio.rate)
        context.progress(first / audio.seconds, "Covering the passage")
        if how == "silence":
            cover = silence(end - start, audio.channels)
        else:
            cover = plain_tones.beep(end - start, audio.rate, audio.channels, _BEEP)
        made = kept(with_between(made, start, end, cover), audio.rate, context)
    return made
