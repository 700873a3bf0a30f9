"""Runs as the page sees them: they belong to the server, go on whoever watches, can be stopped."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from controlllm.admission.following import Start, follow
from controlllm.core import events
from controlllm.resources import Resource
from controlllm.ui.differences import Differences
from controlllm.ui.drawings.announcing import announced
from controlllm.ui.drawings.conversation import turn_parts
from controlllm.ui.drawings.media import Media
from controlllm.ui.view import TurnView

_PAUSE = 0.08  # seconds between two drawings, so that a fast run does not flood the browser
_MOST_PER_SECOND = 100_000  # characters of drawings
_PATIENCE = 5.0  # seconds that a run waits for somebody to watch it again
_SIGN_OF_LIFE = 4.0  # seconds after which a page hears that a silent run is still watched
_MOST_EARLY_STOPS = 1000

After = Callable[[str, str, "Run"], Awaitable[None]]


class Run:
    """A run on the server, and how its turn looks now.

    What came before somebody began to watch is in that look, so nothing is missed or seen twice.

    Parameters
    ----------
    view: the turn before the run.
    known: the session's resources by their values.
    is_left: asked when nobody watches any more; whether the run then stops.
    """

    def __init__(
        self, view: TurnView, known: Mapping[str, Resource], is_left: Callable[[], bool]
    ) -> None:
        self.cancelled = threading.Event()
        self.view = view
        self.known = dict(known)
        self.ended = False
        self._is_left = is_left
        self._files = 0
        self._version = 0
        self._changed = asyncio.Event()
        self._watching = 0

    async def work(self, start: Start) -> None:
        """Take in what happens until the end; every fault becomes a sentence."""
        started = time.monotonic()
        try:
            await follow(start, self.cancelled, self._take, self._fail)
        finally:
            self.view = _closed(self.view, time.monotonic() - started)
            self.ended = True
            self._tell()

    def _fail(self, why: Exception | None) -> None:
        if why is not None:
            self._take(events.RequestFailed(str(why)))
            return
        self.view = _failed(self.view, "errors.ours")
        self._tell()

    def _take(self, event: events.Event) -> None:
        self.view = self.view.after(event)
        if isinstance(event, events.ActionFinished):
            self.known[event.resource.value] = event.resource
            self._files += 1
        self._tell()

    def _tell(self) -> None:
        self._version += 1
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def version(self) -> int:
        """How often it has changed."""
        return self._version

    @property
    def files(self) -> int:
        """How many files it has made."""
        return self._files

    @contextmanager
    def watched(self) -> Iterator[asyncio.Event]:
        """Watch it for a while: what is set as soon as it changes."""
        self._watching += 1
        try:
            yield self._changed
        finally:
            self._watching -= 1
            if not self._watching and not self.ended:
                asyncio.get_running_loop().call_later(_PATIENCE, self._look_whether_left)

    def _look_whether_left(self) -> None:
        if not self._watching and not self.ended and self._is_left():
            self.cancelled.set()

    async def drawings(self, media: Media) -> AsyncGenerator[dict[str, Any], None]:
        """The turn as it is now, and drawn anew as things happen, at most about twelve times a
        second.

        Each drawing holds what of the turn's HTML has changed (`Differences`), its `turn` number,
        `state`, whether it has come to a result (`met`), the sentence `now` for screen readers, and
        whether files have come (`files`). The last one says `ended`. While nothing happens one that
        holds nothing else comes now and then, so that whoever watches knows that the connection
        stands.
        """
        version = files = 0
        pause, differences = _PAUSE, Differences()
        self._watching += 1
        try:
            while True:
                if version == self._version:
                    waiting = self._changed.wait()
                    try:
                        await asyncio.wait_for(waiting, _SIGN_OF_LIFE)
                    except TimeoutError:
                        yield {"ended": False}
                        continue
                await asyncio.sleep(pause if self.view.stage else 0)
                has_files, files = self._files > files or self.ended, self._files
                version, view, ended = self._version, self.view, self.ended
                changes = differences.to(turn_parts(view, media, self.known), ended)
                pause = max(_PAUSE, _size(changes) / _MOST_PER_SECOND)
                yield {
                    "turn": view.number,
                    "state": view.state,
                    "met": view.is_met,
                    "now": announced(view),
                    **changes,
                    "files": has_files,
                    "ended": ended,
                }
                if ended:
                    return
        finally:
            self._watching -= 1
            if not self._watching and self._is_left():
                self.cancelled.set()


class Runs:
    """The runs in progress, each by its session and the name that a page gave it."""

    def __init__(self) -> None:
        self._runs: dict[tuple[str, str], Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        #: Those that were stopped before they had begun.
        self._stopped: dict[tuple[str, str], None] = {}
        #: Called when a run has begun, with its session.
        self.begun: Callable[[str], None] = lambda session_id: None
        #: Awaited when a run has ended, with its session, its name and itself.
        self.after: After | None = None

    def begin(self, session_id: str, name: str, run: Run, start: Start) -> Run:
        """Have a run do its work; it is known by its name until it has ended."""
        key = (session_id, name)
        if key in self._stopped:
            del self._stopped[key]
            run.cancelled.set()
        self._runs[key] = run
        self.begun(session_id)
        task = asyncio.create_task(self._work(key, run, start))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return run

    async def _work(self, key: tuple[str, str], run: Run, start: Start) -> None:
        try:
            await run.work(start)
        finally:
            self._runs.pop(key, None)
        if self.after is not None:
            await self.after(*key, run)

    def find(self, session_id: str, name: str) -> Run | None:
        """A run in progress, or None where there is none of this name."""
        return self._runs.get((session_id, name))

    def name_of(self, session_id: str) -> str:
        """The name of the run in progress of a session, or nothing."""
        return next((name for owner, name in reversed(self._runs) if owner == session_id), "")

    def stop(self, session_id: str, name: str) -> bool:
        """Stop a run, also one that still waits for its turn in the page's queue; False where no
        run of that name has begun yet."""
        run = self.find(session_id, name)
        if run is None:
            self._stopped[(session_id, name)] = None
            if len(self._stopped) > _MOST_EARLY_STOPS:
                del self._stopped[next(iter(self._stopped))]
            return False
        run.cancelled.set()
        return True

    def stop_all(self, session_id: str) -> None:
        """Stop every run of a session."""
        for (owner, _), run in list(self._runs.items()):
            if owner == session_id:
                run.cancelled.set()

    async def have_ended(self, seconds: float) -> None:
        """Wait until no run is in progress, but not longer than that."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)


def _size(changes: Mapping[str, Any]) -> int:
    """How many characters of a drawing are sent."""
    return len(changes.get("html", "")) + sum(len(item[3]) for item in changes.get("changed", ()))


def _closed(view: TurnView, seconds: float) -> TurnView:
    if view.state == "running":
        view = _failed(view, "errors.ended_early")
    return replace(view, seconds=seconds)


def _failed(view: TurnView, fault: str) -> TurnView:
    return replace(view.settled(), state="failed", fault=fault)
