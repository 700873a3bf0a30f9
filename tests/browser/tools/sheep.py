"""A tool of one's own that takes its time, so that there is something to watch and to stop."""

import time

from controlllm.resources import Text
from controlllm.toolbox import Context, tool


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
    for number in range(200):
        time.sleep(0.1)
        if context is not None:
            context.progress(number / 200, f"sheep {number + 1}")
    return "200 sheep"
