"""Runs for programs: read by many, slowly or not at all, from any event on."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

import pytest

from controlllm.admission import jobs as at_work
from controlllm.admission.jobs import Jobs
from controlllm.api import outcomes as works
from controlllm.api.outcomes import Work
from controlllm.core import events
from controlllm.settings.quotas import LimitReached
from tests.waiting import PATIENCE


def begun(happening, **options):
    """A work of what an asynchronous generator tells, which gets the flag that it is stopped."""
    jobs, work = Jobs(), Work("session", **options)
    return jobs, jobs.begin(work, work.work(happening))


async def three(cancelled):
    for number in range(3):
        yield events.Notice(str(number))
        await asyncio.sleep(0)
    yield events.AnswerFinished("done")


async def endless(cancelled):
    while not cancelled.is_set():
        yield events.Notice("on")
        await asyncio.sleep(0.01)
    yield events.RequestCancelled()


async def read(work, first=0):
    return [json.loads(line) async for line in work.read(first) if line]


async def test_everybody_reads_everything_whenever_they_come():
    jobs, work = begun(three)
    early, late = await asyncio.gather(read(work), read(work, 2))
    again = await read(work)
    assert [event["number"] for event in early] == [0, 1, 2, 3]
    assert late == early[2:] and again == early
    assert early[-1]["event"] == "AnswerFinished" and {e["run"] for e in early} == {work.name}
    assert await read(work, 99) == []
    await jobs.have_ended(PATIENCE)
    assert jobs.known(Work, "session", work.name) is work
    assert jobs.known(Work, "another session", work.name) is None


async def test_who_reads_slowly_holds_up_nobody():
    _, work = begun(three)
    async with aclosing(work.read()) as slow:
        await anext(slow)
        assert isinstance(await work.until_ended(), events.AnswerFinished)
        assert len([line async for line in slow]) == 3


async def test_it_goes_on_when_nobody_reads_unless_it_was_asked_not_to():
    _, goes_on = begun(endless)
    _, stops = begun(endless, stops_when_left=True)
    for work in (goes_on, stops):
        async with aclosing(work.read()) as lines:
            await anext(lines)
    assert isinstance(await stops.until_ended(), events.RequestCancelled)
    assert goes_on.end is None
    goes_on.cancelled.set()
    assert isinstance(await goes_on.until_ended(), events.RequestCancelled)


async def test_a_sign_of_life_comes_while_nothing_happens(monkeypatch):
    monkeypatch.setattr(works, "SIGN_OF_LIFE", 0.01)

    goes_on = asyncio.Event()

    async def silent(cancelled):
        await goes_on.wait()
        yield events.AnswerFinished("at last")

    _, work = begun(silent)
    lines = []
    async for line in work.read():
        lines.append(line)
        goes_on.set()
    assert lines[0] == "" and "at last" in lines[-1]


@pytest.mark.parametrize(
    ("fault", "said"),
    [(LimitReached("visitor_requests", "Too many."), "Too many."), (RuntimeError("x"), "our side")],
)
async def test_every_fault_ends_in_a_sentence(fault, said):
    async def faulty(cancelled):
        yield events.Notice("begins")
        raise fault

    _, work = begun(faulty)
    end = await work.until_ended()
    assert isinstance(end, events.RequestFailed) and said in end.message


async def test_what_never_ends_well_ends_all_the_same():
    async def cut_off(cancelled):
        yield events.Notice("and then nothing")

    _, work = begun(cut_off)
    assert isinstance(await work.until_ended(), events.RequestFailed)


async def test_of_endless_progress_no_more_is_kept_than_fits(monkeypatch):
    monkeypatch.setattr(works, "_MOST_EVENTS", 10)

    async def busy(cancelled):
        for number in range(1000):
            yield events.ActionProgress("0.0.0", number / 1000)
        yield events.AnswerFinished("done")

    _, work = begun(busy)
    await work.until_ended()
    assert len(work.lines) == 11 and "AnswerFinished" in work.lines[-1]


async def test_only_the_last_that_ended_are_remembered(monkeypatch):
    monkeypatch.setattr(at_work, "_MOST_ENDED", 3)
    jobs, made = Jobs(), [Work("session") for _ in range(5)]
    for work in made:
        jobs.begin(work, work.work(three))
        await work.until_ended()
    await jobs.have_ended(PATIENCE)
    assert [jobs.known(Work, "session", work.name) for work in made] == [None, None, *made[2:]]
    jobs.forget(Work, "session")
    assert jobs.known(Work, "session", made[-1].name) is None
