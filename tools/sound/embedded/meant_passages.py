"""Where in a recording something is said."""

from __future__ import annotations

from controlllm.resources import Sound
from controlllm.toolbox import Context, ToolError

from ...shared.meant_parts import Meant
from ...shared.time_phrases import Span, in_words
from ...speech.embedded.said_passages import said_passages


def found_passages(sound: Sound, meant: Meant, context: Context) -> list[Span]:
    """The passages of a recording that are meant, with a remark which seconds they are.

    Raises ToolError where their words are not heard.
    """
    spans = said_passages(sound, meant.thing, context.part(0.0, 0.5))
    if not spans:
        raise ToolError(
            f"I hear nothing of “{meant.thing}” in the words of the recording, so I do not know "
            "which passage is meant. Name it by its times, such as “from 0:05 to 0:12”."
        )
    told = " and ".join(f"from {in_words(start)} to {in_words(end)}" for start, end in spans)
    context.remark(f"I heard “{meant.thing}” {told} of the recording.")
    return spans
