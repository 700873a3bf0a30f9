"""Several videos set beside each other."""

from __future__ import annotations

from controlllm.resources import Text, Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared import comparing


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
    from ..shared import video_files

    if len(videos) < 2:
        raise ToolError("Comparing takes two or more videos; hand over another one.")
    seconds = [video_files.read_facts(video).seconds for video in videos]
    return comparing.told(comparing.lengths(seconds, context.files("videos"), "Video"))
