"""Tools that take as long as their names say, to measure what an engine adds to that."""

import hashlib
import time

from controlllm.resources import Text
from controlllm.toolbox import ToolDefinition, tool

#: How long the tools take, in milliseconds.
LENGTHS = (0, 10, 20, 30, 40, 50, 60, 70)


def _waiting(milliseconds: int) -> ToolDefinition:
    def waits(text: Text, parts: list[Text] | None = None) -> Text:
        """Wait a while; the text and a digest of the parts."""
        time.sleep(milliseconds / 1000)
        read = hashlib.sha256("".join(parts or ()).encode()).hexdigest()[:16]
        return f"{text} {read}"

    waits.__name__ = f"waits_{milliseconds}"
    return tool(domain="general", examples=["Wait."])(waits)


for _length in LENGTHS:
    globals()[f"waits_{_length}"] = _waiting(_length)
