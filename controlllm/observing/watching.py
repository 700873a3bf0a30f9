"""Reads the events of runs as they pass and shows them to all who look on: the stages of a run,
what became of it, and a line of the log for every one that ends."""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Protocol

from controlllm.core import events
from controlllm.core.events import Event
from controlllm.observing.logs import current_run

_log = logging.getLogger(__name__)


class Onlooker(Protocol):
    """Looks on at one run."""

    def saw(self, event: Event) -> None:
        """Called with each event."""

    def ended(self) -> None:
        """Called once, after the last event or when nobody wants more of them."""


class Watcher(Protocol):
    """Looks on at all runs."""

    def begin(self, run: str) -> Onlooker:
        """Called when a run begins, with its id."""


class Watching:
    """Passes a run's events on unchanged; each run gets an id, which logs and traces name.

    What goes wrong in a watcher is logged and harms no run.
    """

    def __init__(self, *watchers: Watcher) -> None:
        self._watchers = watchers

    async def __call__(self, events: AsyncGenerator[Event, None]) -> AsyncGenerator[Event, None]:
        run = secrets.token_hex(8)
        current_run.set(run)
        onlookers: list[Onlooker] = []
        for watcher in self._watchers:
            with _unharmed():
                onlookers.append(watcher.begin(run))
        try:
            async with contextlib.aclosing(events):
                async for event in events:
                    for onlooker in onlookers:
                        with _unharmed():
                            onlooker.saw(event)
                    yield event
        finally:
            for onlooker in onlookers:
                with _unharmed():
                    onlooker.ended()


@contextlib.contextmanager
def _unharmed() -> Iterator[None]:
    try:
        yield
    except Exception:
        _log.exception("Something that looks on at runs failed.")


#: In the order in which a run goes through them; one that is run again leaves some out.
STAGES = ("understand", "search", "run", "answer")


def stage_after(stage: str, event: events.Event) -> str:
    """The stage that a run is in after an event; empty when it has ended."""
    match event:
        case events.RequestReceived():
            return "understand"
        case events.SubtasksReady():
            return "search"
        case (
            events.PlanReady()
            | events.SolutionSwitched()
            | events.ActionStarted()
            | events.ActionFinished()
        ):
            return "run"
        case events.AnswerToken():
            return "answer"
        case events.AnswerFinished() | events.RequestFailed() | events.RequestCancelled():
            return ""
        case _:
            return stage


def outcome_of(event: events.Event) -> str:
    """What became of a run with its last event: ``answered``, ``failed`` or ``stopped``; empty
    where the event is not the last."""
    match event:
        case events.AnswerFinished():
            return "answered"
        case events.RequestFailed():
            return "failed"
        case events.RequestCancelled():
            return "stopped"
        case _:
            return ""


class Notes:
    """Writes runs into the log."""

    def begin(self, run: str) -> _Note:
        return _Note()


class _Note:
    def __init__(self) -> None:
        self._began = time.monotonic()
        self._actions = 0
        self._outcome = "left"

    def saw(self, event: events.Event) -> None:
        if isinstance(event, events.ActionFinished):
            self._actions += 1
        elif isinstance(event, events.ActionFailed):
            _log.info("An action failed.", extra={"tool": event.tool})
        self._outcome = outcome_of(event) or self._outcome

    def ended(self) -> None:
        seconds = round(time.monotonic() - self._began, 3)
        told = {"outcome": self._outcome, "seconds": seconds, "actions": self._actions}
        _log.info("A run ended.", extra=told)
