"""A tool of one's own that takes its time, so that there is something to watch and to stop."""

import os
import time
from pathlib import Path

from controlllm.resources import Text
from controlllm.toolbox import Context, tool

#: Ten minutes: longer than a page needs to be loaded again where the machine is busy.
HERD = 6000
#: A file for the number of the last one.
NOTES = os.environ.get("SHEEP", "")


@tool(
    domain="general",
    examples=[
        "Count sheep until I fall asleep.",
        "Count some sheep for me.",
        "Please count sheep slowly.",
        "I cannot sleep, count sheep.",
        "Count sheep for the text goodnight.",
    ],
)
def count_sheep(text: Text, context: Context | None = None) -> Text:
    """Count sheep slowly, one after another, until the person falls asleep.

    Args:
        text: what the person says before sleeping
    """
    for number in range(HERD):
        time.sleep(0.1)
        if NOTES:
            Path(NOTES).write_text(str(number + 1))
        if context is not None:
            context.progress(number / HERD, f"sheep {number + 1}")
    return f"{HERD} sheep"
