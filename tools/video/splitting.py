"""Several stills of a video, and a video cut into several, each a file of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from controlllm.resources import Clip, ImageFiles, Member, Table, Video, VideoFiles
from controlllm.toolbox import Context, ToolError, tool
from controlllm.values import Choice, Passage

from ..shared import members, row_times, video_files
from ..shared.said_pieces import CUTS, EVERY, HOW_MANY, OF_EACH_SCENE, PIECES
from ..shared.time_phrases import part_of

_MOST, _MOST_PARTS = 1000, 100
_AT = Choice(scenes="scene scenes shots cuts jumps picture_jumps picture_changes glued")
_USUAL = 10
#: More stills than these are JPEGs.
_MOST_PNG = 100


@tool(
    domain="video-processing",
    examples=[
        "One still for every second of the video.",
        "Save a frame every 5 seconds as a picture.",
        "Give me ten stills spread over the clip, as single files.",
        "Extract 20 frames of the film as separate images.",
        "Take a screenshot every half minute.",
        "I need the frames from 0:10 to 0:20, one per second.",
        "Turn the walk into pictures, one a second.",
        "Pull out a photo each two seconds, every one a file of its own.",
        "One still of each scene.",
    ],
    packages=("av", "cv2"),
)
def video_stills(
    video: Video,
    context: Context,
    every: Annotated[float, EVERY] = 0.0,
    count: Annotated[int, HOW_MANY] = 0,
    part: Passage = "",
    scenes: Annotated[bool, OF_EACH_SCENE] = False,
) -> ImageFiles:
    """Take several stills out of a video, each a picture of its own: one of each scene, one every
    so many seconds, or some spread evenly.

    Args:
        video: the video to take the pictures from
        every: seconds; the time from one to the next
        count: how many, spread evenly; ten where nothing is said
        part: only from a passage of the video, such as 0:10 to 0:20
        scenes: one of each scene, the sharpest
        returns: the pictures, the first first
    """
    from .embedded import stills

    context.progress(0.0, "Reading the video")
    facts = video_files.read_facts(video)
    start, end = part_of(part, facts.seconds)
    if scenes and not every:
        times = stills.of_each_scene(video, (start, end), context)
        return _pictures(video, times, context)
    # No more than the video has frames.
    frames = max(round((end - start) * facts.frame_rate), 1)
    step = max(every, 1 / facts.frame_rate) if every > 0 else 0.0
    if step:
        many = max(int((end - start) / step - 1e-6) + 1, 1)
    else:
        many = min(count if count > 0 else _USUAL, frames)
    if many > _MOST:
        raise ToolError(
            f"That would be {many:,} stills, and at most {_MOST:,} are taken at once. Ask for "
            "fewer, or for a longer time from one to the next."
        )
    if step:
        times = [start + step * number for number in range(many)]
    else:
        times = [start + (number + 0.5) * (end - start) / many for number in range(many)]
    return _pictures(video, times, context)


def _pictures(video: Clip, times: Sequence[float], context: Context) -> tuple[Member, ...]:
    """The frames at the times, each a picture of its own."""
    made = []
    for number, (_, shown) in enumerate(video_files.frames_at(video, times), 1):
        context.progress((number - 1) / len(times), f"Still {number}")
        made.append(members.picture(str(number), shown, context, as_jpeg=len(times) > _MOST_PNG))
    if not made:
        raise ToolError("The video holds no picture there; name another passage.")
    return tuple(made)


@tool(
    domain="video-editing",
    examples=[
        "Split the video into three equal parts.",
        "Cut the film at 1:30 and 4:10 into separate clips.",
        "Make a clip of every two minutes.",
        "0:05 to 0:12 and 0:30 to 0:41 as two separate videos.",
        "The table says where each song of the concert begins; give me each as a video of its own.",
        "Chop this recording in half, two files.",
        "I need the training video in pieces of 60 seconds for the status.",
        "Three recordings were glued together; give me each scene as a clip of its own.",
        "Split it wherever the picture jumps to another scene.",
    ],
    packages=("av", "scipy", "cv2"),
)
def split_video(
    video: Video,
    context: Context,
    table: Table | None = None,
    times: Annotated[str, CUTS] = "",
    count: Annotated[int, PIECES] = 0,
    way: Annotated[str, _AT] = "",
) -> VideoFiles:
    """Split a video into several files: at given times, along the times in a table's rows, every
    few minutes, into equal parts, or where one scene changes to another.

    Args:
        video: the video to split
        table: rows with the times at which parts begin, and with their ends and names if there are
            any
        times: where to cut, such as 0:06 and 0:11, passages such as 0:05-0:12, or how long each is
        count: how many equal parts, where nothing else is said
        way: at the scenes
        returns: the parts
    """
    from .embedded import shots, timeline

    facts = video_files.read_facts(video)
    if way == "scenes" and not times and table is None:
        times = ",".join(map(str, shots.cuts(video, context)))
        if not times:
            raise ToolError("It is all one scene; name times at which it shall be cut.")
    parts = row_times.parts_of(facts.seconds, table, times, count, _MOST_PARTS, "at the scenes")
    made = []
    for done, (name, start, end) in enumerate(parts):
        part = context.part(done / len(parts), (done + 1) / len(parts))
        clip = timeline.assemble(video, [timeline.Passage(start, end)], part, name.capitalize())
        made.append(Member(name, "video", clip))
    return tuple(made)
