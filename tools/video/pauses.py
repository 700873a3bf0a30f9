"""Videos without the stretches in which nothing is heard."""

from __future__ import annotations

from typing import Annotated

from controlllm.resources import Video
from controlllm.toolbox import Context, ToolError, tool

from ..shared.pauses import PAUSE_LEFT, PAUSES_OVER, USUALLY_FROM, USUALLY_LEFT

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
        over: how many seconds a pause lasts at least that is shortened
        left: how many seconds of a pause are left
        returns: the shorter video
    """
    from ..shared import video_files
    from ..shared.video_rewriting import sound_of
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
