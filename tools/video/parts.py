"""Parts of a video: a changed one put back, and those cut out in which nothing is heard."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared import video_files
from ..shared.row_times import placed
from ..shared.said_pieces import PAUSE_LEFT, PAUSES_OVER, USUALLY_FROM, USUALLY_LEFT
from ..shared.video_rewriting import sound_of


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
        start: in seconds; where the part begins, below zero, counted from the end
        end: in seconds; where it ends, 0 is the end of the video, and below zero it is counted
            from there
        returns: the whole video with the changed part
    """
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


_LEAST_CUT = 0.2  # seconds; so little is not worth a jump of the picture


@tool(
    domain="video-editing",
    examples=[
        "Cut the silences out of the video.",
        "Take the long pauses out of my talk, it is a video.",
        "Jump cuts, please: drop every moment in which I say nothing.",
        "Remove the dead air from the screen recording.",
        "Shorten the gaps in the film where nobody speaks.",
        "Get rid of the silent parts of the clip.",
        "Skip the quiet stretches longer than two seconds in this vlog.",
    ],
    packages=("av", "cv2", "scipy"),
)
def cut_video_pauses(
    video: Video,
    context: Context,
    over: Annotated[float, PAUSES_OVER] = 0.0,
    left: Annotated[float, PAUSE_LEFT] = 0.0,
) -> Video:
    """Cut the pauses out of a video, picture and sound: the long stretches in which nothing is
    heard, also before it begins and after its end.

    Args:
        video: the video with pauses
        over: seconds; how long a pause lasts at least that is shortened
        left: seconds; how much of a pause is left
        returns: the shorter video
    """
    from ..sound.embedded.sound_effects import between_pauses
    from .embedded import timeline

    facts = video_files.read_facts(video)
    sound = sound_of(video, facts, context.part(0.0, 0.2))
    pause = left or USUALLY_LEFT
    parts = between_pauses(sound, pause, max(over or USUALLY_FROM, pause)) if sound else []
    if sound is None or not parts:
        raise ToolError(
            "Nothing is heard in the video, so there are no pauses in it; cut it by its times."
        )
    spans = [(first / sound.rate, min(last / sound.rate, facts.seconds)) for first, last in parts]
    gone = facts.seconds - sum(end - start for start, end in spans)
    if gone < _LEAST_CUT:
        context.remark("No pause in it is long enough to be cut.")
        return video
    context.remark(f"{gone:.1f} seconds in which nothing is heard are out.")
    passages = [timeline.Passage(start, end) for start, end in spans]
    return timeline.assemble(video, passages, context.part(0.2, 1.0), "Cutting the pauses")
