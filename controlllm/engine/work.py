"""What becomes of one tool call: a result that is known, or attempts until one ends it."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from controlllm.engine.attempt import Asked, Attempt, Call, Failed, Made
from controlllm.resources import Resource
from controlllm.store import Store, StoreError

_log = logging.getLogger(__name__)

#: The shortest time between two reports of one action, in seconds; what comes faster is left out.
REPORT_INTERVAL = 0.1


@dataclass(frozen=True)
class Started:
    """The tool began to work."""


@dataclass(frozen=True)
class Progress:
    """How far the tool is, 0..1, with a few words."""

    fraction: float
    words: str


@dataclass(frozen=True)
class Done:
    """The result, without a name; `cached` where it was known."""

    resource: Resource
    seconds: float
    cached: bool


class Durations:
    """How long tools take here, learned as they run; an unknown one counts a second."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}

    def learn(self, tool: str, seconds: float) -> None:
        """Note how long a call took; what is newer counts more."""
        self._seconds[tool] = 0.7 * self._seconds.get(tool, seconds) + 0.3 * seconds

    def of(self, tool: str) -> float:
        """The seconds that a call of this tool takes."""
        return self._seconds.get(tool, 1.0)


Message = Started | Progress | Done | Failed | Asked


@dataclass(frozen=True)
class Worker:
    """Carries out calls.

    Parameters
    ----------
    attempt: makes one attempt at a call, here or in another process.
    retries: how often a call is made again after a failure that may pass.
    pause: the seconds before that.
    """

    store: Store
    attempt: Attempt
    retries: int
    pause: float
    durations: Durations = field(default_factory=Durations)

    def carry_out(
        self, call: Call, cancelled: threading.Event, post: Callable[[Message], None]
    ) -> None:
        """Make a call and post what happens, `Done`, `Failed` or `Asked` at the end.

        Nothing is posted once the run was stopped.
        """

        def post_if_wanted(message: Message) -> None:
            if not cancelled.is_set():
                post(message)

        try:
            known = self.store.cached(call.key) if call.is_kept else None
            if known is not None:
                post_if_wanted(Done(known, 0.0, True))
            elif not cancelled.is_set():
                post_if_wanted(Started())
                post_if_wanted(self._outcome(call, cancelled, _throttled(post_if_wanted)))
        except StoreError as error:
            post_if_wanted(Failed(str(error), is_final=True))
        except BaseException:  # a thread has nobody else to tell
            _log.exception("A call could not be carried out.", extra={"tool": call.tool.name})
            post_if_wanted(Failed(f"{call.tool.name} stopped with an unexpected error."))

    def _outcome(
        self, call: Call, cancelled: threading.Event, report: Callable[[float, str], None]
    ) -> Message:
        began = time.perf_counter()
        outcome = self.attempt(call, cancelled, report)
        for _ in range(self.retries):
            if not (isinstance(outcome, Failed) and outcome.may_pass):
                break
            _log.warning("A call is made again.", extra={"tool": call.tool.name})
            report(0.0, f"Trying again. {outcome.message}")
            if cancelled.wait(self.pause):
                return Failed(f"{call.tool.name} stopped before it was done.")
            outcome = self.attempt(call, cancelled, report)
        if not isinstance(outcome, Made):
            return replace(outcome, may_pass=False) if isinstance(outcome, Failed) else outcome
        if call.is_kept and outcome.is_sure:
            self.store.remember(call.key, outcome.resource)
        seconds = time.perf_counter() - began
        self.durations.learn(call.tool.name, seconds)
        return Done(outcome.resource, seconds, False)


def _throttled(post: Callable[[Message], None]) -> Callable[[float, str], None]:
    last = -math.inf

    def report(fraction: float, words: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_INTERVAL and math.isfinite(fraction):
            last = now
            post(Progress(float(fraction), str(words)))

    return report
