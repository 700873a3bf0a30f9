"""The one registry of what is at work on a server."""

from __future__ import annotations

import asyncio

from controlllm.admission.jobs import Job, Jobs
from tests.waiting import PATIENCE


class Kept(Job):
    is_kept = True


async def held(until):
    await until.wait()


async def test_a_job_is_known_while_it_works_and_afterwards_only_where_it_is_kept():
    jobs, until = Jobs(), asyncio.Event()
    passing, kept = Job("ann", "a"), Kept("ann", "a")
    for job in (passing, kept):
        jobs.begin(job, held(until))
    assert jobs.find(Job, "ann", "a") is passing and jobs.find(Kept, "ann", "a") is kept
    assert jobs.of(Kept) == jobs.of(Kept, "ann") == [kept] and not jobs.of(Kept, "ben")
    until.set()
    await jobs.have_ended(PATIENCE)
    assert passing.ended and kept.ended and not jobs.of(Job)
    assert jobs.known(Job, "ann", "a") is None and jobs.known(Kept, "ann", "a") is kept
    jobs.forget(Kept, "ann")
    assert jobs.known(Kept, "ann", "a") is None


async def test_the_next_of_the_same_name_is_found_while_the_former_still_ends():
    jobs, first, second = Jobs(), asyncio.Event(), asyncio.Event()
    former, told = jobs.begin(Kept(name="a"), held(first)), []

    async def after():
        told.append(jobs.find(Kept, "", "a"))

    latter = jobs.begin(Kept(name="a"), held(second), after)
    first.set()
    while not former.ended:
        await former.moved(PATIENCE)
    assert jobs.find(Kept, "", "a") is latter and jobs.all_known(Kept) == [latter]
    second.set()
    await jobs.have_ended(PATIENCE)
    assert told == [None]


async def test_a_fault_ends_a_job_all_the_same():
    jobs = Jobs()

    async def breaks():
        raise ZeroDivisionError

    job = jobs.begin(Job(), breaks())
    version = job.version
    assert await job.moved(PATIENCE) and job.ended and job.version > version
    assert not jobs.of(Job)


async def test_whoever_waits_for_a_change_is_woken_by_it_or_goes_on():
    job = Job()
    assert not await job.moved(0.0)
    waiting = asyncio.create_task(job.moved(PATIENCE))
    await asyncio.sleep(0)
    job.tell()
    assert await waiting
