"""How loud a sound is: brought to an even loudness, louder or quieter, faded in and out."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Audio, Sound
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Decibels, Flag, Percent

from ..shared.said_ends import LASTS, RISES_FOR, WHERE_TO_FADE
from ..shared.sounds import HOW_MUCH, LOUDER, QUIETER, faded, kept, peak
from .embedded import sound_effects
from .places import EQUALLY_LOUD

_USUAL_LOUDNESS = -16.0
#: What is named above this is meant as the level of the peaks: no sound is so loud on average.
_PEAKS_FROM = -6.0
_LOWEST, _NEAR_ENOUGH, _TRIES = -70.0, 0.2, 4
_MOST_LOUDER, _MOST_QUIETER = 40.0, -90.0
_USUAL_FADE = 2.0
_SILENT = 10 ** (-80 / 20)


@tool(
    domain="audio-editing",
    places="everywhere",
    examples=[
        "Bring my podcast to -16 LUFS.",
        "Make the volume even over the whole interview file.",
        "Normalise this recording so it's as loud as other podcasts.",
        "The spec says -14 LUFS for streaming, can you get it there?",
        "Normalize the audio to -23 LUFS for broadcast.",
        "Level the loudness of the audiobook chapter.",
        "Get this track to a standard loudness without distortion.",
        "Both parts should sound equally loud.",
    ],
    packages=("pyloudnorm", "scipy"),
)
def normalize_loudness(
    audio: Audio,
    context: Context,
    level: Decibels = 0.0,
    throughout: Annotated[bool, EQUALLY_LOUD] = False,
) -> Audio:
    """Bring a sound to an even loudness, such as -16 LUFS for a podcast, without clipping.

    Args:
        audio: the recording to level
        level: LUFS; the loudness to reach, -16 where none is named; from -6 up, such as -1 dB,
            the level of the loudest peak
        throughout: whether quiet parts become as loud as loud ones
    returns: the recording at that loudness
    """
    sound = _heard(audio)
    if throughout:
        sound = kept(sound_effects.leveled(sound), sound.rate, context)
    target = -abs(level) if level else _USUAL_LOUDNESS
    if target < _LOWEST:
        raise ToolError(
            f"{target:g} LUFS is not to be heard; ask for something like -16 (podcasts), -14 "
            "(music) or -23 (broadcast)."
        )
    context.progress(0.0, "Measuring how loud it is")
    if target > _PEAKS_FROM:
        return _times(sound, 10 ** (target / 20) / peak(sound), context)
    now = sound_effects.loudness(sound)
    if now <= _LOWEST:
        # Too faint to be measured: first as loud as it goes.
        sound = _times(sound, sound_effects.CEILING / peak(sound), context)
        now = sound_effects.loudness(sound)
    gain = target - now
    made = sound
    for number in range(_TRIES):
        context.progress((number + 0.5) / (_TRIES + 1), "Changing the level")
        made = kept(sound_effects.amplify(sound, gain), sound.rate, context)
        missing = target - sound_effects.loudness(made)
        # Held down where it would be cut off, it comes out a little too quiet.
        if abs(missing) <= _NEAR_ENOUGH:
            break
        gain = min(gain + missing, _MOST_LOUDER + gain)
    return made


_TO_PEAK = Flag(
    *("as loud as possible", "as loud as it goes", "as loud as it can", "below the max"),
    *("below the maximum", "peaks at the max", "to the maximum", "without clipping"),
    *("full volume", "just before it clips", "below clipping", "normalise the peaks"),
    *("normalize the peaks", "peaks just below"),
)
_OF_ALL = Flag(
    *("down to", "up to", "volume to", "level to", "loudness to", "it to", "reduce to"),
    *("to about", "sound to", "music to", "voice to", "recording to", "to half", "to a"),
)
_WAYS = Choice(louder=LOUDER, quieter=QUIETER, silent="silence silenced mute muted")


@tool(
    domain="audio-editing",
    places="everywhere",
    examples=[
        "Make this recording louder.",
        "Turn the music down by 6 dB.",
        "The voice memo is far too quiet, boost it.",
        "Lower the volume to 50 percent.",
        "Raise the level by 10 decibels.",
        "Make the song half as loud.",
        "Can you make this sound softer?",
        "I want it twice as loud.",
    ],
    packages=("scipy",),
)
def change_volume(  # noqa: PLR0913
    audio: Audio,
    context: Context,
    level: Decibels = 0.0,
    percent: Percent = 0.0,
    to_peak: Annotated[bool, _TO_PEAK] = False,
    of_all: Annotated[bool, _OF_ALL] = False,
    way: Annotated[str, _WAYS] = "",
    how_much: Annotated[str, HOW_MUCH] = "",
) -> Audio:
    """Make a sound louder or quieter, by decibels or by a percentage.

    Args:
        audio: the recording to change
        level: decibels; by how much, 6 where no amount is named
        percent: percent; by what share, or to what share where neither louder nor quieter is said
        to_peak: as loud as it goes without being cut off
        of_all: whether the share is what shall be left, as in "down to 30 %"
        way: louder, quieter or silent
        how_much: slightly or strongly
    returns: the recording louder or quieter; its peaks are held down before they are cut off
    """
    sound = _heard(audio)
    if way == "silent" and not level:
        return _times(sound, 0.0, context)
    if to_peak and not (level or percent) and way != "quieter":
        return _times(sound, sound_effects.CEILING / peak(sound), context)
    decibels = sound_effects.change_asked(level, percent, of_all, way, how_much)
    decibels = min(max(decibels, _MOST_QUIETER), _MOST_LOUDER)
    context.progress(0.0, "Changing the volume")
    if decibels <= 0:
        return _times(sound, 10 ** (decibels / 20), context)
    return kept(sound_effects.amplify(sound, decibels), sound.rate, context)


@tool(
    domain="audio-editing",
    places="everywhere",
    examples=[
        "Fade the song out over the last five seconds.",
        "Let the music fade in at the start.",
        "Add a 3 second fade to both ends.",
        "Make the ending of this track fade away softly.",
        "Fade in and out, please.",
        "The recording starts too abruptly, ease it in over 2 seconds.",
        "Gently fade the jingle to silence at the end.",
    ],
)
def fade_audio(
    audio: Audio,
    context: Context,
    rise: Annotated[float, RISES_FOR] = 0.0,
    seconds: Annotated[float, LASTS] = 0.0,
    where: Annotated[str, WHERE_TO_FADE] = "",
) -> Audio:
    """Fade a sound in at its start, out at its end, or both, over some seconds.

    Args:
        audio: the recording to fade
        rise: seconds; how long it fades in, where that is not as long as it fades out
        seconds: seconds; how long the fade takes, 2 where no time is named
        where: at the start, at the end, or at both, which is usual
    returns: the recording with its fades, as long as before
    """
    both = bool(rise) or where not in ("start", "end")
    longest = audio.frames // 2 if both else audio.frames
    usual = abs(seconds) or _USUAL_FADE
    first, last = (
        max(min(round(length * audio.rate), longest), 1) if both or where == end else 0
        for length, end in ((abs(rise) or usual, "start"), (usual, "end"))
    )
    context.progress(0.0, "Fading")
    return kept(faded(audio.blocks(), audio.frames, first, last), audio.rate, context)


def _heard(audio: Sound) -> Sound:
    """The sound, where there is something to be heard in it."""
    if peak(audio) < _SILENT:
        raise ToolError(
            "The recording is silent, so that it can be made neither louder nor quieter. Hand over "
            "another one."
        )
    return audio


def _times(sound: Sound, factor: float, context: Context) -> Sound:
    blocks = ((block * factor).astype("float32") for block in sound.blocks())
    return kept(blocks, sound.rate, context)
