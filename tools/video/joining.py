"""One video of several videos or of several pictures."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Audio, Image, Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Ratio, Seconds, ratio_of

from ..shared import video_files
from ..shared.said_pieces import HOW_OFTEN
from ..shared.time_phrases import in_words
from ..shared.video_rewriting import even_size
from .embedded import music, sequence

_PACKAGES = ("av", "cv2")
_LONGEST = 3600.0
#: So many videos are shown at once, and their long side together has so many pixels.
_MOST_AT_ONCE, _LARGEST = 6, 3840
_USUAL = 4.0  # seconds for a picture
_SHORTEST, _LONGEST_SHOWN = 0.2, 600.0


_SOFT_CHANGE = Choice(
    fade="dissolve dissolves cross-fade cross-fades cross_fading crossfade crossfades soft "
    "softly smooth smoothly fades fading blend blends soft_transition "
    "crossover crossovers melt melts gentle gently",
)


@tool(
    domain="video-editing",
    examples=[
        "Put the two clips together into one film.",
        "Merge all of these videos.",
        "Append the second recording to the first.",
        "Join the three films with a soft transition.",
        "Make one video out of my holiday clips, with cross-fades.",
        "Stitch these MP4 files together.",
        "Add the outro clip after the main video.",
    ],
    packages=_PACKAGES,
)
def join_videos(
    videos: list[Video],
    context: Context,
    transition: Annotated[str, _SOFT_CHANGE] = "",
    times: Annotated[int, HOW_OFTEN] = 1,
) -> Video:
    """Join two or more videos one after the other into one, with a cut or a soft transition.

    Args:
        videos: the videos in their order; those of another shape than the first get bars
        transition: a fade, where each shall dissolve into the next; else it is a hard cut
        times: how often they are shown, one after the other
        returns: one video, as long as all of them together
    """
    if len(videos) < 2 and times < 2:
        raise ToolError("There is only one video; hand over at least two to join.")
    parts = [sequence.Part(video, video_files.read_facts(video)) for video in videos]
    parts *= max(times, 1)
    seconds = sum(part.facts.seconds for part in parts)
    if seconds > _LONGEST:
        raise ToolError(
            f"The videos last {in_words(seconds)} together; at most an hour can be joined at once. "
            "Join fewer of them."
        )
    size = even_size(parts[0].facts.width, parts[0].facts.height)
    sound = sequence.sound(parts, bool(transition), context.part(0.0, 0.2))
    return video_files.write_video(
        video_files.Film(
            sequence.frames(parts, size, bool(transition), context), seconds, size, sound
        ),
        context.part(0.2, 1.0),
        video_files.Coding(quality=19),
        words="Joining the videos",
    )


_DIRECTION = Choice(
    vertical="one_above_the_other above_each_other above_one_another on_top_of_each_other "
    "on_top_of_one_another above stacked underneath vertically below"
)


@tool(
    domain="video-editing",
    examples=[
        "Show the two videos next to each other in one.",
        "Both runs side by side, starting at the same moment.",
        "Put the old and the new clip beside each other for comparison.",
        "Split screen: left the teacher, right the slides.",
        "One film above the other in a single video.",
        "Make a before and after video, left and right.",
        "Play the three camera angles at once in a row.",
    ],
    packages=_PACKAGES,
)
def put_videos_side_by_side(
    videos: list[Video],
    context: Context,
    direction: Annotated[str, _DIRECTION] = "",
) -> Video:
    """Show two or more videos at once in one, side by side or one above the other, all from the
    same moment on; heard is the first that has a sound.

    Args:
        videos: the videos from left to right, or from top to bottom
        direction: vertical puts one above the other; side by side where nothing is said
        returns: one video, as long as the longest of them
    """
    if not 2 <= len(videos) <= _MOST_AT_ONCE:
        raise ToolError(f"Two to {_MOST_AT_ONCE} videos can be shown at once, not {len(videos)}.")
    facts = [video_files.read_facts(video) for video in videos]
    seconds = max(one.seconds for one in facts)
    if seconds > _LONGEST:
        raise ToolError(f"They last {in_words(seconds)}; at most an hour can be shown. Cut them.")
    is_below = direction == "vertical"
    width, height = even_size(facts[0].width, facts[0].height)
    shrink = min(1.0, _LARGEST / ((height if is_below else width) * len(videos)))
    width, height = even_size(round(width * shrink), round(height * shrink))
    whole = (width, height * len(videos)) if is_below else (width * len(videos), height)
    heard = [video for video, one in zip(videos, facts, strict=True) if one.has_sound]
    sound = video_files.read_sound(heard[0], None, None, seconds) if heard else None
    return video_files.write_video(
        video_files.Film(
            sequence.side_by_side(videos, (width, height), is_below, context), seconds, whole, sound
        ),
        context,
        video_files.Coding(quality=19),
        words="Putting the videos side by side",
    )


_SLIDE_CHANGE = Choice(
    cut="hard_cut hard_cuts cuts without_transition without_transitions no_transition "
    "no_transitions",
    fade="fades soft softly cross-fade crossfade cross-fades crossfades dissolve "
    "blend blends blending",
)


@tool(
    domain="video-generation",
    examples=[
        "Make a slideshow of these photos.",
        "Turn the holiday pictures into a film with the song.",
        "Show each picture for 3 seconds, one after the other, as a video.",
        "A slide show of my photos with music for the party, please.",
        "Create an MP4 that goes through these images with fades.",
        "Photo film for grandma's birthday out of these pictures.",
        "Put all the images into one video, five seconds each.",
        "I want an upright slideshow for my story.",
    ],
    packages=_PACKAGES,
)
def make_slideshow(
    images: list[Image],
    context: Context,
    audio: Audio | None = None,
    seconds: Seconds = 0.0,
    transition: Annotated[str, _SLIDE_CHANGE] = "",
    shape: Ratio = "",
) -> Video:
    """Make a slideshow video of several pictures, each shown for a time with soft transitions, with
    music if there is any.

    Args:
        images: the pictures in their order; each is seen whole
        audio: the music, which begins again where it is shorter
        seconds: seconds; how long each picture is shown, four or what fits the music where
            nothing is said
        transition: a fade from one to the next, which is so where nothing is said, or a cut
        shape: the video's shape; wide (16:9) where nothing is said
        returns: the video
    """
    each = abs(seconds) or _USUAL
    if audio is not None and not seconds and 2.0 <= audio.seconds / len(images) <= 8.0:
        each = audio.seconds / len(images)
    if not _SHORTEST <= each <= _LONGEST_SHOWN:
        raise ToolError(
            f"A picture can be shown for {_SHORTEST:g} seconds to ten minutes, not for {each:g} "
            "seconds. Name another time."
        )
    total = each * len(images)
    if total > _LONGEST:
        raise ToolError(
            f"{len(images)} pictures for {each:g} seconds each are longer than an hour. Show them "
            "for a shorter time, or fewer of them."
        )
    size = sequence.frame_size(images, ratio_of(shape or "16:9"), total)
    sound = None if audio is None else music.fitted(audio, total, context)
    return video_files.write_video(
        video_files.Film(
            sequence.slideshow(images, size, each, transition != "cut"), total, size, sound
        ),
        context,
        video_files.Coding(quality=20),
        words="Making the slideshow",
    )
