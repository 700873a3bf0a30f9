"""The line in which requests wait: fair between visitors, bounded for each and for all."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from controlllm.core.events import Event, RequestCancelled, Waiting
from controlllm.settings.quotas import LimitReached, Quotas

#: How often somebody who waits is told the place and looked after, in seconds.
_LOOK_AGAIN = 0.2
_HOUR = 3600.0


class Line:
    """Lets so many requests run at once; lives on the event loop.

    The next one is of the visitor who has the fewest running, among equals the one who has waited
    longest; none has more than a few. So whoever asks much waits behind those who ask little.
    `tell` is called with the name of a limit that was reached.
    """

    def __init__(self, quotas: Quotas, tell: Callable[[str], None] = lambda limit: None) -> None:
        self.tell = tell
        self._quotas = quotas
        self._waiting: list[_Ticket] = []
        self._running: Counter[str] = Counter()
        self._worked: dict[str, deque[tuple[float, float]]] = {}

    def counts(self) -> tuple[int, int]:
        """How many requests wait, and how many run."""
        return len(self._waiting), self._running.total()

    async def through(
        self, events: AsyncGenerator[Event, None], owner: str, cancelled: threading.Event
    ) -> AsyncGenerator[Event, None]:
        """The events of a request, begun when it is its turn; before that its place in the line.

        Raises LimitReached where the visitor, or everybody together, has too many requests.
        """
        try:
            ticket = self._join(owner)
        except LimitReached as reached:
            self.tell(reached.limit)
            raise
        try:
            async with aclosing(self._wait(ticket, cancelled)) as places:
                async for event in places:
                    yield event
            if not ticket.turn.is_set():
                yield RequestCancelled("Stopped before it began.")
                return
            async with aclosing(events):
                async for event in events:
                    yield event
        finally:
            self._leave(ticket)

    def _join(self, owner: str) -> _Ticket:
        own = self._running[owner] + sum(item.owner == owner for item in self._waiting)
        if own >= self._quotas.visitor_requests:
            raise LimitReached(
                "visitor_requests",
                f"You have {own} requests at work or waiting, as many as you may have at once. Ask "
                "again when one of them is done.",
            )
        if len(self._waiting) >= self._quotas.all_requests:
            raise LimitReached(
                "all_requests",
                "Too many people are waiting just now. Ask again in a few minutes.",
            )
        self._check_work(owner)
        ticket = _Ticket(owner)
        self._waiting.append(ticket)
        self._call_next()
        return ticket

    async def _wait(
        self, ticket: _Ticket, cancelled: threading.Event
    ) -> AsyncGenerator[Event, None]:
        told = 0
        while not ticket.turn.is_set() and not cancelled.is_set():
            place = self._order().index(ticket) + 1
            if place != told:
                told = place
                yield Waiting(place)
            try:
                async with asyncio.timeout(_LOOK_AGAIN):
                    await ticket.turn.wait()
            except TimeoutError:
                continue

    def _order(self) -> list[_Ticket]:
        """Those who wait, in the order of their turns as far as it can be told now."""
        before: Counter[str] = Counter(self._running)
        ranked = []
        for place, ticket in enumerate(self._waiting):
            ranked.append((before[ticket.owner], place, ticket))
            before[ticket.owner] += 1
        return [ticket for _, _, ticket in sorted(ranked, key=lambda item: item[:2])]

    def _call_next(self) -> None:
        while self._waiting and self._running.total() < self._quotas.requests_at_once:
            ticket = self._order()[0]
            if self._running[ticket.owner] >= self._quotas.visitor_at_once:
                return
            self._waiting.remove(ticket)
            self._running[ticket.owner] += 1
            ticket.began = time.monotonic()
            ticket.turn.set()

    def _leave(self, ticket: _Ticket) -> None:
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        elif ticket.turn.is_set():
            self._running[ticket.owner] -= 1
            if not self._running[ticket.owner]:
                del self._running[ticket.owner]
            if self._quotas.visitor_seconds:
                now = time.monotonic()
                self._worked.setdefault(ticket.owner, deque()).append((now, now - ticket.began))
        self._call_next()

    def _check_work(self, owner: str) -> None:
        """Raise LimitReached where a visitor has had all the work that an hour has for one."""
        most, now = self._quotas.visitor_seconds, time.monotonic()
        for name in list(self._worked):
            done = self._worked[name]
            while done and done[0][0] < now - _HOUR:
                done.popleft()
            if not done:
                del self._worked[name]
        done = self._worked.get(owner, deque())
        if most and sum(seconds for _, seconds in done) >= most:
            minutes = max(1, round((done[0][0] + _HOUR - now) / 60))
            raise LimitReached(
                "visitor_seconds",
                f"You have used the {most / 60:.0f} minutes of work that everybody may have in an "
                f"hour here. Ask again in {minutes} minute{'s' * (minutes > 1)}.",
            )


class _Ticket:
    """Somebody's place in the line."""

    def __init__(self, owner: str) -> None:
        self.owner = owner
        self.turn = asyncio.Event()
        self.began = 0.0
