"""Runs as the page sees them: they belong to the server, go on whoever watches, can be stopped; and
who watches a conversation hears that something in it has changed."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from controlllm.admission.jobs import Job
from controlllm.admission.shared import Start, follow
from controlllm.core import events
from controlllm.resources import Resource
from controlllm.store import Store
from controlllm.ui.view import TurnView

_PATIENCE = 5.0  # seconds that a run waits for somebody to watch it again


class Run(Job):
    """A run on the server, and how its turn looks now.

    What came before somebody began to watch is in that look, so nothing is missed or seen twice.

    Parameters
    ----------
    owner, name: the conversation, and what a page calls the run.
    view: the turn before the run.
    known: the session's resources by their values.
    is_left: asked when nobody watches any more; whether the run then stops.
    """

    def __init__(
        self,
        owner: str,
        name: str,
        view: TurnView,
        known: Mapping[str, Resource],
        is_left: Callable[[], bool],
    ) -> None:
        super().__init__(owner, name)
        self.view = view
        self.known = dict(known)
        self._is_left = is_left
        self._files = 0
        self._watching = 0
        #: How often somebody has begun to watch.
        self._visits = 0

    async def work(self, start: Start) -> None:
        """Take in what happens until the end; every fault becomes a sentence."""
        started = time.monotonic()
        try:
            await follow(start, self.cancelled, self._take, self._fail)
        finally:
            self.view = _closed(self.view, time.monotonic() - started)

    def _fail(self, why: Exception | None) -> None:
        if why is not None:
            self._take(events.RequestFailed(str(why)))
            return
        self.view = _failed(self.view, "errors.ours")
        self.tell()

    def _take(self, event: events.Event) -> None:
        self.view = self.view.after(event)
        if isinstance(event, events.ActionFinished):
            self.known[event.resource.value] = event.resource
            self._files += 1
        self.tell()

    @property
    def files(self) -> int:
        """How many files it has made."""
        return self._files

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """Watch it for a while: what is set as soon as it changes."""
        self._watching += 1
        self._visits += 1
        try:
            yield self.changed
        finally:
            self._watching -= 1
            if not self._watching and not self.ended:
                loop = asyncio.get_running_loop()
                loop.call_later(_PATIENCE, self._look_whether_left, self._visits)

    def _look_whether_left(self, visits: int) -> None:
        # A page that draws does not watch meanwhile; it has watched since then.
        if self._visits == visits and not self._watching and not self.ended and self._is_left():
            self.cancelled.set()


def _closed(view: TurnView, seconds: float) -> TurnView:
    if view.state == "running":
        view = _failed(view, "errors.ended_early")
    return replace(view, seconds=seconds)


def _failed(view: TurnView, fault: str) -> TurnView:
    return replace(view.settled(), state="failed", fault=fault)


class Live:
    """Wakes whoever watches a conversation; lives on the event loop.

    Parameters
    ----------
    run_of: the name of a conversation's run in progress, or nothing.
    """

    def __init__(self, store: Store, run_of: Callable[[str], str]) -> None:
        self._store = store
        self._run_of = run_of
        self._watching: dict[str, set[asyncio.Event]] = {}
        #: Set when the program is about to end: nothing that waits begins any more.
        self.leaving = threading.Event()

    def mark(self, session_id: str) -> str:
        """What stands for a conversation as it is now. Looks into the store."""
        found = self._store.titles([session_id])
        return f"{found[0][2]:.6f} {self._run_of(session_id)}" if found else ""

    def tell(self, session_id: str) -> None:
        """Something in a conversation may have changed."""
        for changed in self._watching.get(session_id, ()):
            changed.set()

    @contextmanager
    def watched(self, session_id: str) -> Iterator[asyncio.Event]:
        """Watch a conversation for a while: what is set each time that something in it may have
        changed."""
        changed = asyncio.Event()
        self._watching.setdefault(session_id, set()).add(changed)
        try:
            yield changed
        finally:
            self._watching[session_id].discard(changed)
            if not self._watching[session_id]:
                del self._watching[session_id]
