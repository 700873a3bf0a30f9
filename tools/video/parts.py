"""Changes at a part of a video that was pointed at: the changed part put back into the whole."""

from __future__ import annotations

from controlllm.resources import Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared.parts import placed


@tool(
    domain="video-editing",
    places="back",
    examples=[
        "Put the changed passage back into the video.",
        "Replace the clip's seconds three to five with the slow version.",
        "Insert the edited scene where it came from.",
        "Keep the change only in the marked part of the film.",
        "Leave the marked passage out of the video.",
        "Paste the new version over that stretch of the film.",
    ],
    packages=("av", "cv2"),
)
def put_passage_back(
    video: Video,
    context: Context,
    changed: Video | None = None,
    start: float = 0.0,
    end: float = 0.0,
) -> Video:
    """Put a changed part of a video back: before it and after it everything is as it was. Without a
    changed part, what was there is left out.

    Args:
        video: the whole video
        changed: the changed part; it may be longer or shorter than what was there
        start: where the part begins, in seconds; below zero, counted from the end
        end: where it ends, in seconds; 0 is the end of the video, and below zero it is counted
            from there
        returns: the whole video with the changed part
    """
    from ..shared import video_files
    from .embedded.timeline import Passage, assemble

    facts = video_files.read_facts(video)
    first, last = placed(start, end, facts.seconds, "video")
    passages = [Passage(0.0, first), Passage(last, facts.seconds)]
    if changed is not None:
        length = video_files.read_facts(changed).seconds
        passages.insert(1, Passage(0.0, length, source=changed))
    passages = [passage for passage in passages if passage.seconds > 1e-3]
    if not passages:
        raise ToolError("The part is all of the video: nothing is left without it.")
    return assemble(video, passages, context, "Putting the part back")
