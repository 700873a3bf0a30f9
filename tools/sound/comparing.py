"""Several sounds set beside each other."""

from __future__ import annotations

from controlllm.resources import Audio, Text
from controlllm.toolbox import Context, ToolError, tool

from ..shared import comparing


@tool(
    domain="audio-perception",
    examples=[
        "Which of these recordings is the longest?",
        "How long are the three sounds altogether?",
        "Compare the lengths of my voice memos.",
        "What is the total running time of the songs?",
        "Which one of the takes is the shortest, and by how much?",
        "Add up the durations of all these audio files.",
        "Which audio file is the largest?",
        "Add up the lengths of both recordings.",
        "How long are they altogether?",
    ],
)
def compare_sounds(audios: list[Audio], context: Context) -> Text:
    """Compare several sounds: which is the longest or the shortest, how long they are all together,
    and how large their files are.

    Args:
        audios: the recordings that are compared
        returns: the longest, the shortest, the total, and the length of each
    """
    if len(audios) < 2:
        raise ToolError("Comparing takes two or more sounds; hand over another one.")
    seconds = [audio.seconds for audio in audios]
    return comparing.told(comparing.lengths(seconds, context.files("audios"), "Sound"))
