"""A tool that takes as long as it is told, to measure what an engine adds to that."""

import hashlib
import time

from controlllm.resources import Text
from controlllm.toolbox import tool


@tool(domain="general", examples=["Wait."])
def waits(text: Text, parts: list[Text] | None = None) -> Text:
    """Wait the seconds that stand behind the colon of a text; its name and its parts' digest."""
    name, _, seconds = text.partition(":")
    time.sleep(float(seconds))
    read = hashlib.sha256("".join(parts or ()).encode()).hexdigest()[:16]
    return f"{name} {read}"
