"""Runs belong to the server; whoever watches sees what came before and what comes."""

from __future__ import annotations

import asyncio

from controlllm.core import events
from controlllm.ui.drawings.conversation import turn
from controlllm.ui.drawings.media import Media
from controlllm.ui.streams import Run, Runs
from controlllm.ui.view import TurnView
from tests.waiting import PATIENCE, settled, until

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


async def test_a_run_without_watchers_goes_on_and_who_watches_is_woken_by_each_event():
    told = Told()
    with told.run.watched() as changed:
        told.queue.put_nowait(events.AnswerToken("Half of "))
        await changed.wait()
    await until(lambda: "Half of" in told.run.view.answer)
    assert not told.run.cancelled.is_set()
    assert told.runs.name_of("session") == "name"
    version = told.run.version
    told.queue.put_nowait(events.AnswerFinished("Half of it"))
    await told.runs.have_ended(PATIENCE)
    assert told.run.ended and told.run.view.state == "answered" and told.run.version > version
    assert told.run.view.answer == "Half of it"
    assert told.runs.find("session", "name") is None and told.runs.name_of("session") == ""


async def test_a_run_may_stop_when_the_last_watcher_goes(monkeypatch):
    monkeypatch.setattr("controlllm.ui.streams._PATIENCE", 0.0)
    told = Told(is_left=lambda: True)
    with told.run.watched():
        with told.run.watched():
            pass
        await settled()
        assert not told.run.cancelled.is_set()
    await told.runs.have_ended(PATIENCE)
    assert told.run.view.state == "cancelled"


async def test_a_page_that_draws_between_two_looks_has_not_left(monkeypatch):
    left = []
    monkeypatch.setattr("controlllm.ui.streams._PATIENCE", 0.0)
    told = Told(is_left=lambda: not left.append(1))
    with told.run.watched():
        pass
    with told.run.watched():
        pass
    await told.runs.have_ended(PATIENCE)
    # Whoever has come since is waited for anew.
    assert left == [1]


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
    await runs.have_ended(PATIENCE)
    assert run.view.state == "failed" and run.view.fault
    assert "secret" not in turn(run.view, MEDIA, {})
