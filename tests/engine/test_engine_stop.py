"""Progress is told while tools work, and a run that is stopped ends at once."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from itertools import count
from types import SimpleNamespace

import pytest

from controlllm.core.events import ActionProgress, ActionStarted
from controlllm.engine.pool import Pool
from controlllm.toolbox import Cancelled
from tests.engine.bench import action, kinds, only, plan_of

ONE = plan_of([[action("join", "<GEN>-0", text="a")]])


def start(bench, cancelled, plan=ONE, engine=None):
    engine = engine or bench.engine()
    return engine.run(plan, {}, name_output=lambda step, media_type: step.key, cancelled=cancelled)


def watched(bench, cancelled, on_progress, engine=None):
    """All events of a run; something is done at each that tells of progress."""

    async def watch():
        events = []
        async for event in start(bench, cancelled, engine=engine):
            events.append(event)
            if isinstance(event, ActionProgress):
                on_progress()
        return events

    return asyncio.run(watch())


def test_progress_is_told_while_the_tool_works(bench):
    seen = threading.Event()

    def work(name, context):
        context.progress(0.25, "a quarter")
        assert seen.wait(60)

    bench.before = work

    events = watched(bench, threading.Event(), seen.set)
    assert kinds(events) == ["ActionStarted", "ActionProgress", "ActionFinished"]
    assert events[1] == ActionProgress("0.0.0", 0.25, "a quarter")


def test_progress_that_comes_too_fast_is_left_out(bench, monkeypatch):
    now = count()
    # Each look at the clock finds it a thousandth of a second later, however long the work takes.
    clock = SimpleNamespace(monotonic=lambda: next(now) / 1000, perf_counter=time.perf_counter)
    monkeypatch.setattr("controlllm.engine.work.time", clock)

    def work(name, context):
        for step in range(10_000):
            context.progress(step / 10_000)
        context.progress(float("nan"))

    bench.before = work
    events = only(bench.run(ONE), ActionProgress)
    # Ten seconds in steps of a tenth of a second.
    assert 99 <= len(events) <= 101
    assert [event.fraction for event in events] == sorted(event.fraction for event in events)


def test_tool_is_told_to_stop(bench):
    cancelled, stopped = threading.Event(), threading.Event()

    def work(name, context):
        try:
            while True:
                context.progress(0.5)
                time.sleep(0.005)
        except Cancelled:
            stopped.set()
            raise

    bench.before = work

    assert kinds(watched(bench, cancelled, cancelled.set)) == ["ActionStarted", "ActionProgress"]
    assert stopped.wait(60)


def test_tool_that_does_not_stop_keeps_nobody_waiting(bench):
    cancelled, leave, left = threading.Event(), threading.Event(), threading.Event()

    def work(name, context):
        if name == "a":
            context.progress(0.5)
            leave.wait(60)
            left.set()

    bench.before = work
    engine = bench.engine(workers=1)

    assert kinds(watched(bench, cancelled, cancelled.set, engine)) == [
        "ActionStarted",
        "ActionProgress",
    ]
    assert not left.is_set()
    other = plan_of([[action("join", "<GEN>-0", text="b")]])
    assert kinds(bench.run(other, engine=engine)) == ["ActionStarted", "ActionFinished"]
    leave.set()
    assert left.wait(60)
    late = kinds(bench.run(ONE, engine=engine))  # what came too late was not kept
    assert late == ["ActionStarted", "ActionProgress", "ActionFinished"]


def test_nothing_starts_once_stopped(bench):
    cancelled = threading.Event()
    cancelled.set()
    assert bench.run(ONE, cancelled=cancelled) == []
    chain = plan_of(
        [[action("join", "<GEN>-0-1", text="a"),
          action("join", "<GEN>-0", text="b", parts=["<GEN>-0-1"])]],
    )  # fmt: skip
    cancelled.clear()

    bench.before = lambda name, context: cancelled.set()
    bench.run(chain, cancelled=cancelled)
    assert bench.calls == ["a"]


@pytest.mark.parametrize("way", ["close", "task"])
def test_closing_the_events_stops_the_tools(bench, way):
    cancelled = threading.Event()
    bench.before = lambda name, context: cancelled.wait(60)

    async def close():
        events = start(bench, cancelled)
        assert isinstance(await anext(events), ActionStarted)
        await events.aclose()

    async def cancel_task():
        started = asyncio.Event()

        async def read():
            async for _ in start(bench, cancelled):
                started.set()

        task = asyncio.create_task(read())
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(close() if way == "close" else cancel_task())
    assert cancelled.is_set()


def test_run_that_ends_by_itself_does_not_stop_others(bench):
    cancelled = threading.Event()
    bench.run(ONE, cancelled=cancelled)
    assert not cancelled.is_set()


def test_work_folders_are_removed(bench):
    folders = []

    def work(name, context):
        (context.folder / "scrap").write_text(name)
        folders.append(context.folder)

    bench.before = work
    bench.run(plan_of(*[[[action("join", f"<GEN>-{n}", text=f"n{n}")]] for n in range(3)]))
    assert len(set(folders)) == 3
    assert not any(folder.exists() for folder in folders)
    assert all(folder.is_relative_to(bench.store._files.folder) for folder in folders)


def test_program_ends_though_a_tool_hangs():
    code = (
        "import threading; from controlllm.engine.pool import Pool; began = threading.Event(); "
        "Pool(1).submit(lambda: (began.set(), threading.Event().wait())); began.wait()"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=120).returncode == 0


def test_pool_goes_on_after_a_job_that_raises(caplog):
    pool, done = Pool(1), threading.Event()

    def broken():
        raise RuntimeError

    pool.submit(broken)
    pool.submit(done.set)
    assert done.wait(60)


def test_pool_gives_back_only_what_has_not_begun():
    pool, began, leave = Pool(1), threading.Event(), threading.Event()
    first = pool.submit(lambda: (began.set(), leave.wait(60)))
    second = pool.submit(lambda: pytest.fail("was withdrawn"))
    assert began.wait(60)
    assert not pool.withdraw(first)
    assert pool.withdraw(second)
    assert not pool.withdraw(second)
    pool.abandon(first)
    done = threading.Event()
    pool.submit(done.set)
    assert done.wait(60)
    leave.set()
    with pytest.raises(ValueError):
        Pool(0)


#: Jobs take no longer than this, in seconds, so that none is joined by one beyond the workers.
NEVER = 3600.0


def order_of(pool: Pool, jobs: list[tuple[str, str, float]]) -> list[str]:
    """The order in which a pool of one runs jobs (name, owner, urgency) that wait together."""
    began, leave, done = threading.Event(), threading.Event(), threading.Event()
    ran: list[str] = []
    pool.submit(lambda: (began.set(), leave.wait(60)), "first")
    assert began.wait(60)
    for name, owner, urgency in jobs:
        pool.submit(lambda name=name: ran.append(name), owner, urgency)
    pool.submit(done.set, "last", -1.0)
    leave.set()
    assert done.wait(60)
    while len(ran) < len(jobs):
        time.sleep(0.01)
    return ran


def test_pool_gives_owners_turns_and_takes_the_most_urgent_of_each():
    jobs = [(f"a{number}", "a", float(number)) for number in range(3)]
    jobs += [("b0", "b", 0.0), ("b1", "b", 5.0), ("c0", "c", 0.0)]
    assert order_of(Pool(1, long=NEVER), jobs) == ["a2", "b1", "c0", "a1", "b0", "a0"]


def test_one_with_many_jobs_does_not_take_every_worker():
    pool, begun = Pool(2, long=NEVER), threading.Semaphore(0)
    running: list[str] = []
    leaves = []
    for owner in ("many", "many", "many", "one", "one"):
        leaves.append(leave := threading.Event())
        pool.submit(
            lambda owner=owner, leave=leave: (
                running.append(owner), begun.release(), leave.wait(60)
            ),
            owner,
        )  # fmt: skip
    for _ in range(2):
        assert begun.acquire(timeout=60)
    assert running == ["many", "many"]
    # One worker alone comes free, so the order in which jobs begin is the order of their turns.
    leaves[0].set()
    assert begun.acquire(timeout=60)
    assert running == ["many", "many", "one"]
    for leave in leaves:
        leave.set()
    for _ in range(2):
        assert begun.acquire(timeout=60)
    assert sorted(running[3:]) == ["many", "one"]


def test_jobs_that_hang_do_not_keep_others_waiting():
    pool, leave = Pool(2, long=0.05), threading.Event()
    began = {owner: threading.Event() for owner in "abc"}
    late = threading.Event()
    for owner in "ab":
        pool.submit(lambda owner=owner: (began[owner].set(), leave.wait(60)), owner)
    assert began["a"].wait(60) and began["b"].wait(60)
    pool.submit(late.set, "a")
    pool.submit(began["c"].set, "c")
    assert began["c"].wait(60)
    assert not late.is_set()  # it has one at work
    leave.set()
    assert late.wait(60)


def test_jobs_that_hang_are_not_joined_by_more_than_twice_the_workers():
    pool, leave = Pool(1, long=0.0), threading.Event()
    running, third = threading.Semaphore(0), threading.Event()
    for owner in "ab":
        pool.submit(lambda: (running.release(), leave.wait(60)), owner)
        assert running.acquire(timeout=60)
    pool.submit(third.set, "c")
    # Whether it may begin was decided when it came.
    assert pool.counts() == (1, 2) and not third.is_set()
    leave.set()
    assert third.wait(60)
