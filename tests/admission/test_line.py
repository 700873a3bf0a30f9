"""The line in which requests wait: whose turn it is, who is refused, what is told."""

from __future__ import annotations

import asyncio
import threading
from types import SimpleNamespace

import pytest

from controlllm.admission.line import Line
from controlllm.core import events
from controlllm.settings.quotas import LimitReached, Quotas
from tests.waiting import PATIENCE, settled, until


class Work:
    """Requests that run until they are let go."""

    def __init__(self, **quotas):
        self.reached = []
        self.line = Line(Quotas(**quotas), self.reached.append)
        self.begun = []
        self.tasks = []
        self.gates = {}

    async def ask(self, owner, name):
        self.gates[name] = asyncio.Event()
        told, cancelled = [], threading.Event()

        async def run():
            self.begun.append(name)
            yield events.RequestReceived(0, name)
            await self.gates[name].wait()
            yield events.AnswerFinished(name)

        async def read():
            async for event in self.line.through(run(), owner, cancelled):
                told.append(event)

        task = asyncio.create_task(read())
        self.tasks.append(task)
        await settled()
        return told, cancelled, task

    async def finish(self, name):
        self.gates[name].set()
        await settled()


async def test_who_asks_much_waits_behind_who_asks_little():
    work = Work(requests_at_once=2)
    for number in range(6):
        await work.ask("much", f"much {number}")
    told, _, _ = await work.ask("little", "little")
    assert work.begun == ["much 0", "much 1"]
    assert told == [events.Waiting(1)]
    await work.finish("much 1")
    assert work.begun == ["much 0", "much 1", "little"]
    assert work.line.counts() == (4, 2)
    for name in ("little", "much 0", "much 2", "much 3", "much 4", "much 5"):
        await work.finish(name)
    await asyncio.gather(*work.tasks)
    assert work.line.counts() == (0, 0)
    assert isinstance(told[-1], events.AnswerFinished)


async def test_the_place_in_the_line_is_told_as_it_changes():
    work = Work(requests_at_once=1)
    await work.ask("a", "a")
    await work.ask("b", "b")
    told, _, _ = await work.ask("c", "c")
    assert told == [events.Waiting(2)]
    await work.finish("a")
    await until(lambda: len(told) > 1)
    assert told == [events.Waiting(2), events.Waiting(1)]
    for name in "bc":
        await work.finish(name)
    await asyncio.gather(*work.tasks)


async def test_one_visitor_cannot_fill_the_line_and_reads_why():
    work = Work(requests_at_once=1, visitor_requests=3)
    for number in range(3):
        await work.ask("much", f"much {number}")
    _, _, refused = await work.ask("much", "one more")
    with pytest.raises(LimitReached, match="You have 3 requests at work or waiting") as reached:
        await refused
    assert reached.value.limit == "visitor_requests"
    assert work.reached == ["visitor_requests"]
    told, _, _ = await work.ask("another", "another")
    assert told == [events.Waiting(1)]
    for task in work.tasks[:3]:
        task.cancel()
    await settled()
    assert "another" in work.begun
    work.tasks[-1].cancel()
    await asyncio.gather(*work.tasks, return_exceptions=True)
    assert work.line.counts() == (0, 0)


async def test_a_full_line_takes_nobody_more():
    work = Work(requests_at_once=1, all_requests=2)
    for name in "abc":
        await work.ask(name, name)
    _, _, refused = await work.ask("d", "d")
    with pytest.raises(LimitReached, match="Too many people are waiting"):
        await refused
    for task in work.tasks:
        task.cancel()
    await asyncio.gather(*work.tasks, return_exceptions=True)


async def test_one_visitor_does_not_take_every_place():
    work = Work(requests_at_once=4, visitor_at_once=2)
    for number in range(4):
        await work.ask("much", f"much {number}")
    assert work.begun == ["much 0", "much 1"]
    told, _, _ = await work.ask("another", "another")
    assert work.begun[-1] == "another"
    assert told == [events.RequestReceived(0, "another")]
    for name in ("much 0", "much 1", "another", "much 2", "much 3"):
        await work.finish(name)
    await asyncio.gather(*work.tasks)


async def test_who_stops_while_waiting_never_begins():
    work = Work(requests_at_once=1)
    await work.ask("a", "a")
    told, cancelled, task = await work.ask("b", "b")
    cancelled.set()
    await asyncio.wait_for(task, PATIENCE)
    assert told[-1] == events.RequestCancelled("Stopped before it began.")
    await work.finish("a")
    assert work.begun == ["a"]
    await asyncio.gather(*work.tasks)


async def test_work_of_an_hour_is_bounded_where_that_is_set(monkeypatch):
    work = Work(visitor_seconds=60.0)
    clock = [1000.0]
    monkeypatch.setattr(
        "controlllm.admission.line.time", SimpleNamespace(monotonic=lambda: clock[0])
    )
    await work.ask("a", "long")
    clock[0] += 61
    await work.finish("long")
    _, _, refused = await work.ask("a", "again")
    with pytest.raises(LimitReached, match="used the 1 minutes of work.*in 60 minutes"):
        await refused
    await work.ask("b", "somebody else's")
    clock[0] += 3601
    await work.ask("a", "later")
    assert work.begun == ["long", "somebody else's", "later"]
    for name in work.begun[1:]:
        await work.finish(name)
    await asyncio.gather(*work.tasks, return_exceptions=True)
