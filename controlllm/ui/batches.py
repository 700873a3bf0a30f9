"""Batches at work: they belong to the server, go on whoever watches, and can be stopped."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from starlette.concurrency import run_in_threadpool

from controlllm.admission.jobs import Job
from controlllm.admission.shared import Shared
from controlllm.core.events import TERMINAL, ActionFailed, ActionStarted, Event
from controlllm.core.session import Session
from controlllm.recipes import batch as batches
from controlllm.recipes.batch import Batch, Item
from controlllm.recipes.running import came_to, run_turn
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import StoreError
from controlllm.ui.texts import say

_log = logging.getLogger(__name__)
#: Between two drawings, in seconds: a browser that watches is never flooded.
_PAUSE = 0.25
_SIGN_OF_LIFE = 4.0
#: How long is waited where everybody's line is full, in seconds.
_TRY_AGAIN = 2.0
#: Files done before it is said how long the rest takes.
_FEWEST = 2


@dataclass(frozen=True)
class Standing:
    """How far a batch is, as it is told where it was begun; `after` is the number of the turn after
    which that was."""

    id: str
    name: str
    after: int
    items: Sequence[Item]
    at_work: bool = False
    remaining: float | None = None


class Work(Job):
    """A batch at work, and what has changed since somebody looked."""

    def __init__(self, batch: Batch, items: Iterable[Item], lanes: int) -> None:
        super().__init__(name=batch.id)
        self.batch = batch
        self.items = {item.number: item for item in items}
        self.lanes = lanes
        self.doing: dict[int, str] = {}
        self.problem = ""
        self.stopping = False
        #: The program ends: all of this goes on when it runs again.
        self.left = False
        self._pending = deque(
            number for number, item in self.items.items() if item.state in batches.UNDONE
        )
        self._runs: set[threading.Event] = set()
        self._begun = time.monotonic()
        self._done = 0
        self._versions: dict[int, int] = {}

    def next(self) -> int | None:
        """The number of the next file, unless the work stops."""
        return self._pending.popleft() if self._pending and not self.stopping else None

    @property
    def files(self) -> list[Item]:
        """All files, in the order in which they came."""
        return [self.items[number] for number in sorted(self.items)]

    @property
    def is_waiting(self) -> bool:
        """Whether there are files that nobody works on yet."""
        return bool(self._pending)

    def add(self, items: Iterable[Item]) -> None:
        """Files that have come, or are to be tried again."""
        for item in items:
            if item.state in batches.UNDONE and item.number not in (*self._pending, *self.doing):
                self._pending.append(item.number)
            self.set(item)

    def stop(self) -> None:
        """End what runs and begin nothing more."""
        self.stopping = True
        for cancelled in self._runs:
            cancelled.set()
        self.tell()

    def begin(self, number: int) -> threading.Event:
        """Note that a file is worked on; what is returned, once set, ends that."""
        cancelled = threading.Event()
        self._runs.add(cancelled)
        self.doing[number] = ""
        self.set(replace(self.items[number], state="working", reason=""))
        return cancelled

    def end(self, number: int, cancelled: threading.Event, item: Item) -> None:
        """Note how the work on a file ended."""
        self._runs.discard(cancelled)
        self.doing.pop(number, None)
        self._done += item.state in ("done", "failed")
        self.set(item)

    def say(self, number: int, words: str) -> None:
        """What is done with a file now."""
        if self.doing.get(number) != words:
            self.doing[number] = words
            self._mark(number)

    def set(self, item: Item) -> None:
        """Put what is known of a file into the table."""
        self.items[item.number] = item
        self._mark(item.number)

    def _mark(self, number: int) -> None:
        self._versions[number] = self.version + 1
        self.tell()

    @property
    def remaining(self) -> float | None:
        """About how many seconds are left, told from those that have passed."""
        if self._done < _FEWEST:
            return None
        left = sum(item.state in batches.UNDONE for item in self.items.values())
        return (time.monotonic() - self._begun) / self._done * left

    @property
    def standing(self) -> Standing:
        """How it stands, as long as it is at work and just after."""
        batch, left = self.batch, None if self.ended else self.remaining
        return Standing(batch.id, batch.recipe.name, batch.after, self.files, not self.ended, left)

    async def changes(self) -> AsyncGenerator[tuple[list[Item], bool], None]:
        """The files that have changed since the last time, at first all, since some may have ended
        before somebody who has begun the work comes to watch it; and whether this is the end. Now
        and then none as a sign of life."""
        seen = -1
        while True:
            ended, version = self.ended, self.version
            changed = [
                item
                for item in self.files
                if seen < 0 or self._versions.get(item.number, seen) > seen
            ]
            seen = version
            yield changed, ended
            if ended:
                return
            if version == self.version and not await self.moved(_SIGN_OF_LIFE):
                continue
            await asyncio.sleep(_PAUSE)


class Batches:
    """The batches at work. One leaves room for what its owner asks beside it, and waits in the same
    line as everybody."""

    def __init__(self, assistant: Assistant, shared: Shared, quotas: Quotas) -> None:
        self._assistant = assistant
        self._line, self._jobs = shared.line, shared.jobs
        self._lanes = max(1, min(quotas.visitor_at_once, quotas.visitor_requests) - 1)
        #: Why batches ended before they were done, by their ids.
        self._problems: dict[str, str] = {}
        #: How many files of a batch have come, and of how many, while they come.
        self.coming: dict[str, tuple[int, int]] = {}
        #: Called with the conversation that a batch was begun from, as work on it begins and ends.
        self.tell: Callable[[str], None] = lambda _: None

    def of(self, owner: str) -> list[Work]:
        """All work on somebody's batches, that which began last first."""
        works = reversed(self._jobs.of(Work))
        return [work for work in works if work.batch.owner == owner]

    def problem(self, id: str) -> str:
        """Why a batch ended before it was done; empty where nothing was wrong."""
        work = self.find(id)
        return work.problem if work is not None else self._problems.get(id, "")

    def find(self, id: str) -> Work | None:
        """The work on a batch; None where nothing runs."""
        return self._jobs.find(Work, "", id)

    def begun_in(self, session_id: str) -> list[Standing]:
        """How the batches stand that were begun from a conversation, the oldest first."""
        store, found = self._assistant.store, []
        works = {work.name: work for work in self._jobs.of(Work)}
        owner = store.owners.owner_of(session_id)
        for id, own, after in batches.begun_in(store.shelf, owner, session_id) if owner else ():
            work = works.get(id)
            if work is not None:
                found.append(work.standing)
                continue
            try:
                session = store.load(own)
            except (KeyError, StoreError):
                continue
            items = batches.states_of(session, is_at_work=False)
            found.append(Standing(id, session.title, after, items))
        return found

    def begin(self, batch: Batch, session: Session, settings: Settings, restarts: int = 0) -> Work:
        """Do what is left to do of a batch; where it is at work, what has come in addition."""
        work = self.find(batch.id)
        items = batches.items_of(batch, session, is_at_work=True)
        if work is not None and not work.stopping:
            known = work.items
            work.add(
                item
                for item in items
                if item.number not in known or known[item.number].state == "pointing"
            )
            return work
        before, work = work, Work(batch, items, self._lanes)
        self._problems.pop(batch.id, None)

        async def after() -> None:
            self.tell(work.batch.begun_in)

        self._jobs.begin(work, self._work(work, before, settings, restarts), after)
        self.tell(batch.begun_in)
        return work

    def again(self, batch: Batch, session: Session, settings: Settings, numbers: list[int]) -> None:
        """Do once more what failed, see `batches.try_again`."""
        work = self.begin(batch, session, settings)
        items = batches.items_of(batch, session, is_at_work=True)
        work.add(item for item in items if item.number in numbers)

    def stop(self, id: str) -> None:
        """Stop a batch; what was begun is kept as far as it is."""
        work = self.find(id)
        if work is not None:
            work.stop()

    def go_on(self, session: Session) -> bool:
        """Go on with what the program's end interrupted; False where the conversation is none of
        a batch."""
        assistant = self._assistant
        found = batches.of_session(assistant.store.shelf, session.id, assistant.toolbox)
        if found is not None and self.find(found.id) is None:
            self.begin(found, session, assistant.settings, session.turns[0].restarts + 1)
        return found is not None

    async def _work(
        self, work: Work, before: Work | None, settings: Settings, restarts: int
    ) -> None:
        mark = settings.mark
        try:
            if before is not None:
                async for _ in before.changes():
                    pass
            while True:
                await self._keep_state(work, "running", mark, restarts)
                async with asyncio.TaskGroup() as lanes:
                    for _ in range(work.lanes):
                        lanes.create_task(self._lane(work, settings))
                if work.left:
                    break
                await self._keep_state(work, "cancelled" if work.stopping else "answered", mark, 0)
                # Something may have come while that was kept.
                if work.stopping or not work.is_waiting:
                    break
        except* (StoreError, KeyError) as errors:
            first = errors.exceptions[0]
            work.problem = str(first) if isinstance(first, StoreError) else ""
        except* Exception:
            _log.exception("A batch ended with an unexpected error.")
            work.problem = say("batch.went_wrong")
        finally:
            if work.problem:
                self._problems[work.batch.id] = work.problem

    async def _keep_state(self, work: Work, state: str, mark: str, restarts: int) -> None:
        def change(session: Session) -> Session:
            first = replace(session.turns[0], state=state, settings=mark, restarts=restarts)
            return session.with_turn(first)

        await run_in_threadpool(self._assistant.store.update, work.batch.session, change)

    async def _lane(self, work: Work, settings: Settings) -> None:
        while (number := work.next()) is not None:
            cancelled = work.begin(number)
            began = time.monotonic()
            try:
                events = await self._run(work, number, settings, cancelled)
            except LimitReached as reached:
                work.problem = str(reached)
                work.stop()
                events = []
            await self._note(work, number, cancelled, events, time.monotonic() - began)

    async def _run(
        self, work: Work, number: int, settings: Settings, cancelled: threading.Event
    ) -> list[Event]:
        """Run one file when it is the owner's turn; what failed, and the end."""
        batch = work.batch
        while True:
            events: list[Event] = []
            begun = run_turn(self._assistant, batch.session, number, settings, cancelled)
            through = self._line.through(begun, batch.owner, cancelled)
            try:
                async with aclosing(through):
                    async for event in through:
                        if isinstance(event, ActionStarted):
                            work.say(number, event.tool)
                        if isinstance(event, (ActionFailed, *TERMINAL)):
                            events.append(event)
                return events
            except LimitReached as reached:
                if reached.limit not in ("visitor_requests", "all_requests"):
                    raise
                await asyncio.sleep(_TRY_AGAIN)
                if cancelled.is_set():
                    return []

    async def _note(
        self,
        work: Work,
        number: int,
        cancelled: threading.Event,
        events: list[Event],
        seconds: float,
    ) -> None:
        """Keep what came of a file."""
        store = self._assistant.store
        session = await run_in_threadpool(store.load, work.batch.session)
        turn = session.turns[number]
        if turn.state == "running":
            # Its end was not kept: the program is about to leave.
            work.left = work.stopping = True
        elif turn.state in ("answered", "failed"):
            ran = came_to(session, number, events)
            if ran.problem:
                await run_in_threadpool(batches.set_failed, store, work.batch, number, ran.problem)
            work.batch = replace(
                work.batch, seconds={**work.batch.seconds, number: round(seconds, 3)}
            )
            await run_in_threadpool(batches.keep, store.shelf, work.batch, False)
            session = await run_in_threadpool(store.load, work.batch.session)
        items = batches.items_of(work.batch, session, is_at_work=not work.stopping)
        work.end(number, cancelled, items[number - 1])
