"""Asking again where a fault may pass, and saying in a sentence where it does not."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from controlllm.toolbox import Context, ToolError

from .waiting import pause

#: How often something is asked, and the pause after the first time, in seconds.
ATTEMPTS = 3
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0


@dataclass(frozen=True)
class Answer:
    """The bytes of an answer and its media type, in small letters without parameters."""

    body: bytes
    media_type: str


@dataclass(frozen=True)
class Fault:
    """Why there is no answer: a sentence, whether it may pass, how many seconds to wait."""

    sentence: str
    passes: bool = False
    wait: float | None = None


def answered(
    once: Callable[[], Answer | Fault],
    context: Context,
    *,
    deadline: float = math.inf,
    error: type[ToolError] = ToolError,
) -> Answer:
    """The answer of a call that is made again where its fault may pass, and before `deadline` on
    the monotonic clock; else raises `error`."""
    wait = FIRST_PAUSE
    for attempt in range(1, ATTEMPTS + 1):
        found = once()
        # Raised out here, where no cause hangs on it: the engine would take a lost connection for
        # a reason to do all of this again.
        if isinstance(found, Answer):
            return found
        following = max(wait, found.wait or 0.0)
        is_late = following > LONGEST_PAUSE or time.monotonic() + following >= deadline
        if not found.passes or attempt == ATTEMPTS or is_late:
            raise error(found.sentence)
        context.progress(0.1, "Waiting to ask again")
        pause(following, context)
        wait *= 2
    raise AssertionError("the loop returns or raises")
