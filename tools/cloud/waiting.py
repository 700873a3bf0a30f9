"""Asking others: again where a fault may pass, and so that a stop by the person is noticed."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from typing import TypeVar

from controlllm.network.retry_after import retry_after
from controlllm.network.waiting import LOOK_SECONDS
from controlllm.toolbox import Context, ToolError

_T = TypeVar("_T")

#: How often something is asked, and the pause after the first time, in seconds.
ATTEMPTS = 3
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 20.0
#: Refusals that may pass, besides all faults of a server's own but one.
_PASSES = (408, 409, 425)


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


def refusal(who: str, status: int, headers: Mapping[str, str], said: str = "") -> Fault:
    """What a refusal comes to that no program has its own meaning for; `said` is what it says."""
    wait = retry_after(headers)
    if status == 429:
        asks = "Wait a little" if wait is None else f"It asks to wait {wait:.0f} seconds; wait"
        return Fault(f"{who} has had too many requests. {asks} and ask again.", True, wait)
    if status >= 500 or status in _PASSES:
        told = f"{who} has a fault of its own ({status}). Try again in a while."
        return Fault(told, status != 501, wait)
    if status == 413:
        return Fault(f"This is too much for {who[0].lower()}{who[1:]}. Give it a smaller part.")
    if 300 <= status < 400:
        return Fault(f"{who} has moved elsewhere. Check its address in the settings.")
    return Fault(f"{who} refused the request ({status}){f': “{said}”' if said else '.'}")


def unreached(who: str) -> Fault:
    """Nobody answers at an address."""
    return Fault(
        f"{who} could not be reached. Check its address in the settings, and that it is running.",
        passes=True,
    )


def wait_for(work: Callable[[], _T], context: Context) -> _T:
    """What a function returns that runs in a thread of its own; where the person stops the run,
    Cancelled is raised while the thread may still be at it."""
    future: Future[_T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    context.check()
    threading.Thread(target=run, name="waiting for the cloud", daemon=True).start()
    while not wait([future], LOOK_SECONDS).done:
        context.check()
    return future.result()


def pause(seconds: float, context: Context) -> None:
    """Wait a while; raises Cancelled as soon as the person stops the run."""
    until = time.monotonic() + seconds
    context.check()
    while (left := until - time.monotonic()) > 0:
        time.sleep(min(left, LOOK_SECONDS))
        context.check()
