"""Requests at work for programs: they belong to the server and go on whoever reads of them."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections import OrderedDict
from collections.abc import AsyncGenerator

from controlllm.admission.following import Start, follow
from controlllm.core import events
from controlllm.settings.quotas import LimitReached

#: After so many seconds without an event whoever reads hears that the connection stands.
SIGN_OF_LIFE = 4.0
#: Of more events than this those are left out that only say how far something is.
_MOST_EVENTS = 10_000
_MAY_BE_LEFT_OUT = (events.ActionProgress, events.AnswerToken, events.Waiting)
#: So many that have ended can still be read from the beginning.
_MOST_ENDED = 100
_MOST_WORDS = 5_000_000


class Work:
    """A request at work and all that has happened so far, a line of JSON for each event.

    Parameters
    ----------
    session: the id of the conversation.
    stops_when_left: whether it is stopped as soon as nobody reads any more.
    turn: the number of the request, where it is known before it begins.
    """

    def __init__(
        self, session: str, stops_when_left: bool = False, turn: int | None = None
    ) -> None:
        self.name = secrets.token_hex(8)
        self.session = session
        self.cancelled = threading.Event()
        self.lines: list[str] = []
        self.turn = turn
        #: What it came to; None as long as it is at work.
        self.end: events.Event | None = None
        self.made: dict[str, events.ActionFinished] = {}
        self.failures: list[events.ActionFailed] = []
        #: What kept it from being begun at all.
        self.refusal: LimitReached | None = None
        self._stops_when_left = stops_when_left
        self._readers = 0
        self._length = 0
        self._changed = asyncio.Event()

    async def run(self, start: Start) -> None:
        """Take in what happens until the end; every fault becomes a sentence."""
        try:
            await follow(start, self.cancelled, self._take, self._fail)
        finally:
            if self.end is None:
                self._take(events.RequestFailed("This ended before there was an answer."))

    def _fail(self, why: Exception | None) -> None:
        self.refusal = why if isinstance(why, LimitReached) else None
        said = "Something went wrong on our side. Try it again, please."
        self._take(events.RequestFailed(said if why is None else str(why)))

    def _take(self, event: events.Event) -> None:
        if isinstance(event, events.RequestReceived):
            self.turn = event.turn
        elif isinstance(event, events.ActionFinished):
            self.made[event.key] = event
        elif isinstance(event, events.ActionFailed):
            self.failures.append(event)
        is_full = len(self.lines) >= _MOST_EVENTS or self._length >= _MOST_WORDS
        if not (is_full and isinstance(event, _MAY_BE_LEFT_OUT)):
            told = {"run": self.name, "number": len(self.lines), **event.to_json()}
            self.lines.append(json.dumps(told, ensure_ascii=False))
            self._length += len(self.lines[-1])
        if isinstance(event, events.TERMINAL):
            self.end = event
        self._changed.set()
        self._changed = asyncio.Event()

    async def read(self, first: int = 0) -> AsyncGenerator[str, None]:
        """The lines from a number on, as they come, until the end; an empty one is a sign of life.

        Whoever reads slowly holds up nobody.
        """
        self._readers += 1
        try:
            while True:
                while first < len(self.lines):
                    first += 1
                    yield self.lines[first - 1]
                if self.end is not None:
                    return
                try:
                    async with asyncio.timeout(SIGN_OF_LIFE):
                        await self._changed.wait()
                except TimeoutError:
                    yield ""
        finally:
            self._readers -= 1
            if not self._readers and self._stops_when_left:
                self.cancelled.set()

    async def begun(self) -> None:
        """Wait for the first event; raises LimitReached where it may not be begun now."""
        while not self.lines:
            await self._changed.wait()
        if self.refusal is not None:
            raise self.refusal

    async def ended(self) -> events.Event:
        """Wait for the end."""
        async for _ in self.read():
            pass
        assert self.end is not None
        return self.end


class Works:
    """What is at work, and what has ended lately, by its name."""

    def __init__(self) -> None:
        self._works: dict[str, Work] = {}
        self._ended: OrderedDict[str, Work] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Work, start: Start) -> Work:
        """Have a request done."""
        self._works[work.name] = work
        task = asyncio.create_task(self._run(work, start))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return work

    async def _run(self, work: Work, start: Start) -> None:
        try:
            await work.run(start)
        finally:
            del self._works[work.name]
            self._ended[work.name] = work
            while len(self._ended) > _MOST_ENDED:
                self._ended.popitem(last=False)

    def find(self, session: str, name: str) -> Work:
        """The work of this name in a conversation; raises KeyError where there is none."""
        found = self._works.get(name) or self._ended[name]
        if found.session != session:
            raise KeyError(name)
        return found

    def of(self, session: str) -> list[Work]:
        """What is at work in a conversation."""
        return [work for work in self._works.values() if work.session == session]

    def forget(self, session: str) -> None:
        """Stop all of a conversation, and forget what it came to."""
        for work in self.of(session):
            work.cancelled.set()
        for name in [name for name, work in self._ended.items() if work.session == session]:
            del self._ended[name]

    async def have_ended(self, seconds: float) -> None:
        """Stop all, and wait for their ends, but not longer than that."""
        for work in self._works.values():
            work.cancelled.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
