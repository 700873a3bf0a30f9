"""Requests at work for programs: they belong to the server and go on whoever reads of them."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncGenerator

from controlllm.admission.following import Start, follow
from controlllm.admission.jobs import Job
from controlllm.core import events
from controlllm.settings.quotas import LimitReached

#: After so many seconds without an event whoever reads hears that the connection stands.
SIGN_OF_LIFE = 4.0
#: Of more events than this those are left out that only say how far something is.
_MOST_EVENTS = 10_000
_MAY_BE_LEFT_OUT = (events.ActionProgress, events.AnswerToken, events.Waiting)
_MOST_WORDS = 5_000_000


class Work(Job):
    """A request at work and all that has happened so far, a line of JSON for each event.

    Parameters
    ----------
    owner: the id of the conversation.
    stops_when_left: whether it is stopped as soon as nobody reads any more.
    turn: the number of the request, where it is known before it begins.
    """

    is_kept = True

    def __init__(self, owner: str, stops_when_left: bool = False, turn: int | None = None) -> None:
        super().__init__(owner, secrets.token_hex(8))
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

    async def work(self, start: Start) -> None:
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
        self.tell()

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
                if not await self.moved(SIGN_OF_LIFE):
                    yield ""
        finally:
            self._readers -= 1
            if not self._readers and self._stops_when_left:
                self.cancelled.set()

    async def begun(self) -> None:
        """Wait for the first event; raises LimitReached where it may not be begun now."""
        while not self.lines:
            await self.changed.wait()
        if self.refusal is not None:
            raise self.refusal

    async def until_ended(self) -> events.Event:
        """Wait for the end."""
        async for _ in self.read():
            pass
        assert self.end is not None
        return self.end
