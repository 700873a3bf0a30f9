"""What every tool asks of a text that it is given: some words, and not too many."""

from __future__ import annotations

import re

from controlllm.toolbox import ToolError

#: The most characters that a tool reads at once.
LONGEST = 400_000


def check_text(text: str, work: str) -> None:
    """Raise ToolError where a text has no words or is too long; `work` is what was to be done."""
    if not re.search(r"\w", text):
        raise ToolError(f"There is no text to {work}; give me some words.")
    check_length(text)


def check_length(text: str) -> None:
    """Raise ToolError where a text is too long to be read at once."""
    if len(text) > LONGEST:
        raise ToolError(
            f"The text has {len(text):,} characters and I read at most {LONGEST:,} at once; "
            "give me a part of it."
        )
