"""Runs belong to the server; whoever watches sees what came before and what comes."""

from __future__ import annotations

import asyncio

from controlllm.core import events
from controlllm.ui.drawings.media import Media
from controlllm.ui.streams import Run, Runs
from controlllm.ui.view import TurnView
from tests.waiting import PATIENCE, until

MEDIA = Media("handle", lambda value: None)


class Told:
    """A run whose events come when the test says so."""

    def __init__(self, runs=None, is_left=lambda: False):
        self.queue: asyncio.Queue = asyncio.Queue()
        self.run = Run(TurnView(0), {}, is_left)
        self.runs = runs or Runs()
        self.began = 0
        self.runs.begin("session", "name", self.run, self.start)

    async def start(self, cancelled):
        self.began += 1
        yield events.RequestReceived(0, "Do it")
        while True:
            while self.queue.empty():
                if cancelled.is_set():
                    yield events.RequestCancelled()
                    return
                await asyncio.sleep(0.01)
            event = self.queue.get_nowait()
            yield event
            if isinstance(event, events.TERMINAL):
                return


async def last_of(drawings):
    return [drawing async for drawing in drawings][-1]


async def test_one_who_comes_late_sees_all_and_a_run_without_watchers_goes_on():
    told = Told()
    first = told.run.drawings(MEDIA)
    assert "Do it" in (await anext(first))["html"]
    await first.aclose()
    told.queue.put_nowait(events.AnswerToken("Half of "))
    await until(told.queue.empty)
    assert not told.run.cancelled.is_set()
    assert told.runs.name_of("session") == "name"
    late = told.run.drawings(MEDIA)
    assert "Half of" in (await anext(late))["html"]
    told.queue.put_nowait(events.AnswerFinished("Half of it"))
    ended = await last_of(late)
    assert ended["ended"] and ended["state"] == "answered" and "Half of it" in ended["html"]
    await told.runs.have_ended(PATIENCE)
    assert told.runs.find("session", "name") is None and told.runs.name_of("session") == ""


async def test_a_run_may_stop_when_the_last_watcher_goes():
    told = Told(is_left=lambda: True)
    first, second = told.run.drawings(MEDIA), told.run.drawings(MEDIA)
    await anext(first), await anext(second)
    await first.aclose()
    assert not told.run.cancelled.is_set()
    await second.aclose()
    await told.runs.have_ended(PATIENCE)
    assert told.run.view.state == "cancelled"


async def test_stopping_before_and_after_it_has_begun():
    runs = Runs()
    assert not runs.stop("session", "name")
    told = Told(runs)
    await runs.have_ended(PATIENCE)
    assert told.run.view.state == "cancelled"
    told = Told(runs)
    await until(lambda: told.began)
    assert runs.stop("session", "name")
    assert not runs.stop("other", "name")
    await runs.have_ended(PATIENCE)
    assert told.run.view.state == "cancelled"


async def test_a_fault_is_a_sentence():
    async def broken(cancelled):
        yield events.RequestReceived(0, "Do it")
        raise KeyError("/secret")

    runs = Runs()
    run = runs.begin("session", "name", Run(TurnView(0), {}, lambda: False), broken)
    ended = await last_of(run.drawings(MEDIA))
    assert ended["state"] == "failed" and "secret" not in ended["html"]
