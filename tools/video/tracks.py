"""The sound of videos: taken out, louder or quieter, with music under it."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from controlllm.resources import Audio, Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Decibels, Kind, Passage, Passages, Percent
from controlllm.values.kinds import found_in

from ..shared import video_files
from ..shared.sounds import HOW_MUCH, LOUDER, QUIETER, kept, silence, with_between
from ..shared.time_phrases import part_of, parts_of
from ..shared.video_rewriting import sound_of, with_sound
from .embedded import formats, music

_PACKAGES = ("av", "cv2")
_USUAL_MUSIC = -18.0  # decibels under the voice
_USUAL_BEHIND = -14.0  # decibels that a video's own sound is under a voice over it
_MOST = 60.0
#: "To 40 %", where "by 40 %" is meant otherwise.
_AIM_WORDS = r"\bto(?= (?:about |only |just )?\d+(?:\.\d+)? ?(?:%|percent|per cent))"
_AIM = Kind("yes or no", lambda words: found_in(words, (_AIM_WORDS, True)))
_SPEECH = r"(?:voice|speech|narration|comment\w*|explanations?|talk|dubbing)"
_OVER_WORDS = (
    r"\bvoice[ -]?overs?\b|\bnarrat(?:ion|e|or)\b|\bcommentar(?:y|ies)\b",
    rf"\b(?:lay|put|place|add|set|mix|play|drop)\w* (?:\w+ ){{0,3}}?(?:my|this|his|her|our|the|a|"
    rf"your) (?:\w+ ){{0,2}}?{_SPEECH}\b(?! (?:quiet\w*|soft\w*|under|below|behind|in the back))",
)
_VOICE_OVER = Kind(
    "yes or no", lambda words: found_in(words, *((form, True) for form in _OVER_WORDS))
)
_SOFT = 0.02  # seconds in which sound goes away and comes back


@tool(
    domain="video-editing",
    examples=[
        "Take the sound out of the clip.",
        "I want my film without audio.",
        "Mute the video.",
        "Silence it between 0:10 and 0:14, I swear there.",
        "Remove the audio track of the recording.",
        "Nobody should hear the first five seconds of the video.",
        "Keep the pictures only, no noise.",
    ],
    packages=_PACKAGES,
)
def mute_video(video: Video, context: Context, passage: Passages = "") -> Video:
    """Take the sound out of a video, or out of a part of it; the pictures stay.

    Args:
        video: the video whose sound is taken out
        passage: from when to when it is silent, or several such passages; all of it where nothing
            is said
        returns: the video with the same pictures
    """
    facts = video_files.read_facts(video)
    if not facts.has_sound:
        raise ToolError("The video has no sound, so there is nothing to take out of it.")
    if not passage:
        return formats.without_sound(video, context)
    parts = parts_of(passage, facts.seconds)
    sound = sound_of(video, facts, context.part(0.0, 0.3))
    if sound is None:
        return formats.without_sound(video, context)
    soft = round(_SOFT * sound.rate)
    for part in parts:
        first, last = (min(round(time * sound.rate), sound.frames) for time in part)
        nothing = silence(last - first, sound.channels)
        sound = kept(with_between(sound, first, last, nothing, soft), sound.rate, context)
    return with_sound(video, facts, sound, context.part(0.3, 1.0), "Taking the sound out")


@tool(
    domain="video-editing",
    examples=[
        "Put this song quietly under my video.",
        "Add the music to the background of the clip.",
        "I'd like soft piano under the interview, one should still understand every word.",
        "Lay the track under the film, 20 dB below the voice.",
        "Underscore the holiday video with the MP3.",
        "Have the birds from the recording sing behind what is said.",
        "Background music for the presentation video, please.",
        "Lay my commentary over the film from 0:05 on, its own sound stays audible.",
    ],
    packages=(*_PACKAGES, "scipy", "pyloudnorm"),
)
def add_background_music(
    video: Video,
    audio: Audio,
    context: Context,
    level: Decibels = 0.0,
    passage: Passage = "",
    is_voice: Annotated[bool, _VOICE_OVER] = False,
) -> Video:
    """Put music or another sound under what is heard in a video, or a voice over it.

    Args:
        video: the video
        audio: the music
        level: decibels; how much louder than the voice
        passage: when it is heard
        is_voice: voice-over
        returns: the video with both sounds
    """
    facts = video_files.read_facts(video)
    start, end = part_of(passage, facts.seconds)
    heard = sound_of(video, facts, context.part(0.0, 0.2))
    if is_voice:
        voice = music.placed(audio, (start, end), facts.seconds, context)
        if heard is not None and music.is_heard(heard) and music.is_heard(voice):
            context.progress(0.3, "Listening to both")
            under = music.least_under(voice, heard, level or _USUAL_BEHIND)
            voice = kept(music.under(voice, heard, under, context), voice.rate, context)
        return with_sound(
            video, facts, voice, context.part(0.4, 1.0), "Laying the voice over the video"
        )
    background = music.fitted(audio, end - start, context)
    background = music.placed(background, (start, end), facts.seconds, context)
    if heard is not None and music.is_heard(heard):
        context.progress(0.3, "Listening to the video")
        both = music.under(heard, background, level or _USUAL_MUSIC, context)
        background = kept(both, heard.rate, context)
    elif level:
        quieter = np.float32(10 ** (min(level, 0.0) / 20))
        background = kept((block * quieter for block in background.blocks()), background.rate)
    return with_sound(
        video, facts, background, context.part(0.4, 1.0), "Putting the music under it"
    )


_LOUDER_OR_QUIETER = Choice(louder=LOUDER, quieter=QUIETER)


@tool(
    domain="video-editing",
    places="everywhere",
    examples=[
        "Make the sound of my clip louder.",
        "The film is too loud, turn it down by 6 dB.",
        "Double the volume of the video.",
        "Raise the audio of this recording by 30 %.",
        "I can hardly hear what they say in the video, turn it up.",
        "Half the volume, please, but leave the pictures alone.",
        "Lower the video's sound to 40 percent.",
    ],
    packages=(*_PACKAGES, "scipy"),
)
def change_video_volume(  # noqa: PLR0913
    video: Video,
    context: Context,
    level: Decibels = 0.0,
    is_aim: Annotated[bool, _AIM] = False,
    percent: Percent = 0.0,
    way: Annotated[str, _LOUDER_OR_QUIETER] = "",
    how_much: Annotated[str, HOW_MUCH] = "",
) -> Video:
    """Make the sound of a video louder or quieter; the pictures stay as they are.

    Args:
        video: the video whose sound is changed
        level: decibels; by how much, 6 where no amount is said
        is_aim: whether the percentage is what is left: to 40 %, not by 40 %
        percent: percent; by how much, or how loud of what it was
        way: louder or quieter
        how_much: slightly or strongly
        returns: the video with the same pictures
    """
    from ..sound.embedded import sound_effects

    if not (level or percent or way):
        raise ToolError(
            "Shall the video be louder or quieter? Say which, such as “6 dB louder” or “half as "
            "loud”."
        )
    decibels = sound_effects.change_asked(level, percent, is_aim, way, how_much)
    if abs(decibels) > _MOST:
        raise ToolError(f"{decibels:+.0f} dB is too much; name a change of at most {_MOST:.0f} dB.")
    facts = video_files.read_facts(video)
    sound = sound_of(video, facts, context.part(0.0, 0.3))
    if sound is None:
        raise ToolError(
            "The video has no sound that could be changed. Hand over one with sound, or a sound "
            "that it shall get."
        )
    changed = kept(sound_effects.amplify(sound, decibels), sound.rate, context)
    return with_sound(video, facts, changed, context.part(0.3, 1.0), "Changing the volume")
