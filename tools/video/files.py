"""Videos as other files, as pictures that move or stand, and what is known of their files."""

from __future__ import annotations

from typing import Annotated, cast

import PIL.Image

from controlllm.resources import Filed, Image, Text, Video
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, FileSize, Kind, Passage, Seconds, Size, size_in_pixels
from controlllm.values.kinds import found_in

from ..shared import comparing, video_files
from ..shared.sounds import CHANNELS
from ..shared.time_phrases import in_words, part_of
from .embedded import formats

_PACKAGES = ("av", "cv2")
_USUAL_WIDTH = 480
_LONGEST_ANIMATION = 60.0
_MOST_ANIMATED = 40_000_000  # pixels of all pictures together at the usual rate, in a second
_MOST_ON_SHEET = 60
_FRAMES = (
    r"\b(?!1 )(\d{1,4}) (?:frames?|stills?|pictures?|images?|thumbnails?|screenshots?)\b",
    lambda match: int(match[1]),
)
_COUNT = Kind("a number of frames", lambda words: found_in(words, _FRAMES))


_VIDEO_FORMATS = Choice(
    mp4="mpeg4 mpeg-4 m4v h264 h.264 .mp4",
    webm="web_m vp9 .webm",
    mov="quicktime quick_time .mov imovie",
)


@tool(
    domain="video-processing",
    sets_form=("format", "limit"),
    examples=[
        "Save the clip as WebM.",
        "I need the film as an MP4.",
        "Get this recording under 10 MB so that I can mail it.",
        "Convert the footage to MOV for iMovie.",
        "Compress the video to 8 megabytes for Discord.",
        "The file is too big, it may have at most 25 MB.",
        "Another format, please: the web needs .webm.",
    ],
    packages=_PACKAGES,
)
def convert_video(
    video: Video,
    context: Context,
    format: Annotated[str, _VIDEO_FORMATS] = "",
    limit: FileSize = 0.0,
    channels: Annotated[str, CHANNELS] = "",
) -> Video:
    """Save a video in another format (MP4, WebM, MOV), or so that its file stays under a size in
    megabytes.

    Args:
        video: the video to save anew
        format: the new format; MP4 where neither a format nor a size is said
        limit: bytes; the most that the file may take
        channels: whether its sound is mono or stereo; as it is where nothing is said
        returns: the same video in another file
    """
    facts = video_files.read_facts(video)
    there = formats.kind_of(video, facts)
    if channels:
        video = formats.in_channels(video, facts, channels, context.part(0.0, 0.2))
        facts, there = video_files.read_facts(video), formats.kind_of(video, facts)
    kind = format or (there if limit and there in formats.CODINGS else "mp4")
    if limit and (kind != there or video.path.stat().st_size > limit):
        # Where only the packing has to change, nothing is lost.
        if kind != there and video.path.stat().st_size <= limit:
            made = formats.converted(video, kind, context)
            if made.path.stat().st_size <= limit:
                return made
        return formats.within(video, kind, limit, context)
    return video if limit else formats.converted(video, kind, context)


_BOOMERANG = Choice(boomerang="boomerang back_and_forth forth_and_back ping-pong forward_and_back")


@tool(
    domain="video-processing",
    examples=[
        "Make a GIF of the clip.",
        "I want seconds 2 to 5 as an animated GIF.",
        "Turn the funny part at the start, the first three seconds, into a GIF.",
        "Animated WebP of this video, 320 pixels wide.",
        "A small gif of the film for the chat, please.",
        "Loop the last two seconds as a GIF.",
        "Convert the screen recording to a GIF for the readme.",
        "A gif of the waves, 5 seconds is enough.",
    ],
    packages=_PACKAGES,
)
def video_to_gif(  # noqa: PLR0913
    video: Video,
    context: Context,
    passage: Passage = "",
    size: Size = "",
    seconds: Seconds = 0.0,
    format: Annotated[str, Choice(gif="gifs", webp="web_p .webp")] = "",
    way: Annotated[str, _BOOMERANG] = "",
) -> Image:
    """Make an animated GIF or WebP from a video or a part of it, on request forward and then back.

    Args:
        video: the video
        passage: which part of it; all of it where nothing is said, up to a minute
        size: how large the picture is; 480 pixels wide where nothing is said
        seconds: seconds; how long it is where no part is said: so much of the beginning
        format: GIF or WebP; a GIF where nothing is said
        way: boomerang, where it goes forward and then backwards
        returns: the animation
    """
    from .embedded import animated, timeline

    facts = video_files.read_facts(video)
    span = part_of(passage, facts.seconds)
    if 0 < seconds < facts.seconds and not passage:
        span = (0.0, seconds)
        context.remark(f"It shows the first {seconds:g} seconds; another part can be named.")
    length = (span[1] - span[0]) * (2 if way == "boomerang" else 1)
    if length > _LONGEST_ANIMATION:
        raise ToolError(
            f"An animation of {in_words(length)} would be far too large; at most a minute can be "
            "made. Say which part, such as “from 0:05 to 0:10”."
        )
    shown = facts.width, facts.height
    try:
        width, height, _ = size_in_pixels(size or f"{min(_USUAL_WIDTH, facts.width)}x", shown)
    except ValueError:
        raise ToolError(f"“{size}” is no size; say one such as 320 wide or 50 %.") from None
    if width * height * length > _MOST_ANIMATED or max(width, height) > 4000:
        raise ToolError(
            f"An animation of {width}x{height} pixels and {in_words(length)} would be far too "
            "large. Ask for a smaller size or a shorter part."
        )
    if way == "boomerang":
        passages = [timeline.Passage(*span), timeline.Passage(*span, backwards=True)]
        video = timeline.assemble(video, passages, context.part(0.0, 0.3), "Playing it back")
        span = (0.0, length)
    make = animated.as_webp if format == "webp" else animated.as_gif
    content = make(video, span, (width, height), context)
    return cast("PIL.Image.Image", Filed(content, f"image/{format or 'gif'}"))


@tool(
    domain="video-processing",
    examples=[
        "Make a contact sheet of the film.",
        "Show me 20 frames of the recording on one page.",
        "An overview picture of what happens in the clip.",
        "I'd like a storyboard with stills from all over the video.",
        "Thumbnails of the whole video in a grid, with times.",
        "Give me a summary sheet of frames.",
    ],
    packages=_PACKAGES,
)
def video_contact_sheet(video: Video, context: Context, count: Annotated[int, _COUNT] = 0) -> Image:
    """Show frames from all over a video in one picture, with their times.

    Args:
        video: the video
        count: how many frames; twelve where nothing is said
        returns: the frames in rows, each with its time
    """
    from .embedded import stills

    count = count or 12
    if not 1 <= count <= _MOST_ON_SHEET:
        raise ToolError(
            f"A sheet holds 1 to {_MOST_ON_SHEET} frames, not {count}. Ask for another number."
        )
    facts = video_files.read_facts(video)
    count = max(min(count, round(facts.seconds * facts.frame_rate)), 1)
    times = tuple((number + 0.5) * facts.seconds / count for number in range(count))
    return stills.contact_sheet(video, times, 0, context)


@tool(
    domain="video-processing",
    examples=[
        "What resolution does this video have?",
        "How many frames a second is the clip?",
        "Tell me the codec and the length of the film.",
        "Technical details of the recording, please.",
        "Which format is this video file in and how large is it?",
        "Does the clip have a stereo sound track?",
        "Properties of the MP4.",
    ],
    packages=_PACKAGES,
)
def video_information(video: Video, context: Context) -> Text:
    """Tell the facts of a video's file: how long it is, width and height, frames a second, codecs,
    size.

    Args:
        video: the video
        returns: one fact a line
    """
    context.progress(0.0, "Reading the video")
    return formats.told(video)


@tool(
    domain="video-processing",
    examples=[
        "Which of these clips is the longest?",
        "How long are the films altogether?",
        "Compare the lengths of the videos.",
        "What is the total running time of all my clips?",
        "Which one of the three recordings is the shortest film?",
        "Add up how long these videos are.",
        "Which video file is the largest?",
        "How much film is that in all, in minutes?",
    ],
    packages=("av",),
)
def compare_videos(videos: list[Video], context: Context) -> Text:
    """Compare several videos: which is the longest or the shortest, how long they are all together,
    and how large their files are.

    Args:
        videos: the videos that are compared
        returns: the longest, the shortest, the total, and the length of each
    """
    if len(videos) < 2:
        raise ToolError("Comparing takes two or more videos; hand over another one.")
    seconds = [video_files.read_facts(video).seconds for video in videos]
    return comparing.told(comparing.lengths(seconds, context.files("videos"), "Video"))
