"""Runs belong to the server; whoever watches sees what came before and what comes."""

from __future__ import annotations

from controlllm.admission.jobs import Jobs
from controlllm.core import events
from controlllm.ui.drawings.conversation import turn
from controlllm.ui.drawings.media import Media
from controlllm.ui.streams import Run
from controlllm.ui.view import TurnView
from tests.ui.person import Told
from tests.waiting import PATIENCE, settled, until

MEDIA = Media("handle", lambda value: None)


async def test_a_run_without_watchers_goes_on_and_who_watches_is_woken_by_each_event():
    told = Told()
    with told.run.watched() as changed:
        told.queue.put_nowait(events.AnswerToken("Half of "))
        await changed.wait()
    await until(lambda: "Half of" in told.run.view.answer)
    assert not told.run.cancelled.is_set()
    assert told.jobs.find(Run, "session", "name") is told.run
    version = told.run.version
    told.queue.put_nowait(events.AnswerFinished("Half of it"))
    await told.jobs.have_ended(PATIENCE)
    assert told.run.ended and told.run.view.state == "answered" and told.run.version > version
    assert told.run.view.answer == "Half of it"
    assert told.jobs.find(Run, "session", "name") is None and not told.jobs.of(Run)


async def test_a_run_may_stop_when_the_last_watcher_goes(monkeypatch):
    monkeypatch.setattr("controlllm.ui.streams._PATIENCE", 0.0)
    told = Told(is_left=lambda: True)
    with told.run.watched():
        with told.run.watched():
            pass
        await settled()
        assert not told.run.cancelled.is_set()
    await told.jobs.have_ended(PATIENCE)
    assert told.run.view.state == "cancelled"


async def test_a_page_that_draws_between_two_looks_has_not_left(monkeypatch):
    left = []
    monkeypatch.setattr("controlllm.ui.streams._PATIENCE", 0.0)
    told = Told(is_left=lambda: not left.append(1))
    with told.run.watched():
        pass
    with told.run.watched():
        pass
    await told.jobs.have_ended(PATIENCE)
    # Whoever has come since is waited for anew.
    assert left == [1]


async def test_stopping_before_and_after_it_has_begun():
    for has_begun in (False, True):
        told = Told()
        if has_begun:
            await until(lambda told=told: told.began)
        told.jobs.forget(Run, "other")
        assert not told.run.cancelled.is_set()
        told.jobs.forget(Run, "session")
        await told.jobs.have_ended(PATIENCE)
        assert told.run.view.state == "cancelled"


async def test_a_fault_is_a_sentence():
    async def broken(cancelled):
        yield events.RequestReceived(0, "Do it")
        raise KeyError("/secret")

    jobs, run = Jobs(), Run("session", "name", TurnView(0), {}, lambda: False)
    jobs.begin(run, run.work(broken))
    await jobs.have_ended(PATIENCE)
    assert run.view.state == "failed" and run.view.fault
    assert "secret" not in turn(run.view, MEDIA, {})
