"""Where a part of a recording lies."""

from __future__ import annotations

from controlllm.toolbox import ToolError


def placed(start: float, end: float, seconds: float, what: str) -> tuple[float, float]:
    """From when to when a part lies, in seconds from the beginning; times below zero, and an end of
    zero, count from the end. Raises ToolError where there is no such part."""
    first = start + seconds if start < 0 else start
    last = end + seconds if end <= 0 else end
    if not 0 <= first < min(last, seconds):
        raise ToolError(
            f"The {what} is {seconds:.1f} seconds long: there is no part from {first:.1f} to "
            f"{last:.1f} seconds in it. Choose one that lies inside."
        )
    return first, min(last, seconds)
