"""Reads the events of runs as they pass and shows them to all who look on."""

from __future__ import annotations

import contextlib
import logging
import secrets
from collections.abc import AsyncGenerator, Iterator
from typing import Protocol

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
