"""Results are kept in groups, behind the back of what reads them, and before anybody is told."""

from __future__ import annotations

import asyncio
import random
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.core.events import ActionFailed, ActionFinished, ActionStarted
from controlllm.engine import Engine
from controlllm.resources import Text
from controlllm.store.errors import DiskFull
from controlllm.toolbox import Toolbox, tool
from tests.engine.bench import Bench, action, kinds, only, plan_of
from tests.engine.test_engine_dags import ancestors, dags, expected_text, plan_for

FULL = "The disk is full."
CHAIN = plan_of(
    [[action("join", "<GEN>-0-1", text="a"),
      action("join", "<GEN>-0", text="b", parts=["<GEN>-0-1"])]],
)  # fmt: skip


@pytest.fixture
def gate(bench, monkeypatch):
    """Results are kept only while this is set."""
    opened = threading.Event()
    settle = bench.store.settle

    def gated(results):
        made = list(results)
        assert opened.wait(60)
        settle(made)

    monkeypatch.setattr(bench.store, "settle", gated)
    yield opened
    opened.set()


def test_what_reads_a_result_begins_before_it_is_kept_and_nobody_hears_of_it(bench, gate):
    second_began, told = threading.Event(), []
    bench.before = lambda name, context: second_began.set() if name == "b" else None

    async def watch():
        events = bench.engine().run(
            CHAIN, {}, name_output=lambda step, media_type: step.key, cancelled=threading.Event()
        )
        async for event in events:
            told.append(event)
            if isinstance(event, ActionStarted) and event.key == "0.0.0":
                waiting = asyncio.to_thread(lambda: second_began.wait(60) and gate.set())
                tasks.append(asyncio.create_task(waiting))
            if not gate.is_set():
                assert not isinstance(event, ActionFinished)

    tasks: list[asyncio.Task] = []
    asyncio.run(watch())
    assert kinds(told) == ["ActionStarted", "ActionFinished"] * 2
    assert [event.key for event in told] == ["0.0.0", "0.0.0", "0.0.1", "0.0.1"]


def test_what_acts_outside_waits_until_what_it_reads_is_kept(bench, gate):
    kept_when_sent = []

    @tool(domain="general", examples=["Send it."], acts_outside=True)
    def send(text: Text) -> Text:
        """Send a letter."""
        kept_when_sent.append(gate.is_set())
        return f"sent {text}"

    toolbox = Toolbox.of([*bench.definitions, send])
    threading.Timer(0.3, gate.set).start()
    plan = plan_of(
        [[action("join", "<GEN>-0-1", text="a"),
          action("send", "<GEN>-0", text="<GEN>-0-1")]],
    )  # fmt: skip
    engine = Engine(toolbox, bench.store)
    events = bench.run(plan, engine=engine, occasion="session/0", may_act=True)
    assert [event.tool for event in only(events, ActionFinished)] == ["join", "send"]
    assert kept_when_sent == [True]


def test_what_comes_meanwhile_is_kept_together(bench, gate, monkeypatch):
    groups = []
    gated = bench.store.settle

    def counted(results):
        made = list(results)
        groups.append(len(made))
        gated(made)

    monkeypatch.setattr(bench.store, "settle", counted)
    bench.before = lambda name, context: gate.set() if name == "n5" else None
    plan = plan_of(*[[[action("join", f"<GEN>-{node}", text=f"n{node}")]] for node in range(6)])
    events = bench.run(plan, engine=bench.engine(1))
    assert len(only(events, ActionFinished)) == 6
    assert sum(groups) == 6 and len(groups) < 6
    assert bench.run(plan) and len(bench.calls) == 6


def test_a_result_that_cannot_be_kept_takes_back_what_was_begun_with_it(bench, gate, monkeypatch):
    settle = bench.store.settle
    second_began = threading.Event()
    bench.before = lambda name, context: second_began.set() if name == "b" else None
    gate.set()

    def full(results):
        made = list(results)
        texts = {bench.read(resource) for _, resource in made}
        if "a()" in texts:
            assert second_began.wait(60)
            raise DiskFull(FULL)
        settle(made)

    monkeypatch.setattr(bench.store, "settle", full)
    plan = plan_of(
        [list(CHAIN.solutions[0][0].actions)],
        [[action("join", "<GEN>-1", text="c", parts=["<GEN>-0"])]],
        [[action("join", "<GEN>-2", text="d")]],
    )
    events = bench.run(plan)
    (failed,) = only(events, ActionFailed)
    assert failed.key == "0.0.0" and failed.message == FULL
    assert "Part 2 needs the result" in failed.next
    assert [event.key for event in only(events, ActionFinished)] == ["2.0.0"]
    assert not [event for event in only(events, ActionStarted) if event.key in ("0.0.1", "1.0.0")]


@settings(max_examples=20, deadline=None)
@given(dags(), st.integers(1, 4), st.integers(0, 2**16))
def test_every_run_ends_whatever_cannot_be_kept(dag, workers, seed):
    parents, lost, in_one_subtask = dag
    # A call that was taken back may end, and write, after the run has ended.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        bench, draw = Bench(Path(folder)), random.Random(seed)
        plan, keys = plan_for(parents, in_one_subtask)
        settle = bench.store.settle
        kept = set()
        bad = {expected_text(parents, node) for node in lost}

        def sometimes(results):
            made = list(results)
            if draw.random() < 0.3:
                threading.Event().wait(0.005)
            if any(bench.read(resource) in bad for _, resource in made):
                raise DiskFull(FULL)
            settle(made)
            kept.update(resource.digest for _, resource in made)

        bench.store.settle = sometimes
        events = bench.run(plan, engine=bench.engine(workers))
        finished = {event.key: event for event in only(events, ActionFinished)}
        failed = {event.key for event in only(events, ActionFailed)}
        assert all(event.resource.digest in kept for event in finished.values())
        for node, key in keys.items():
            above = ancestors(parents, node)
            assert (key in finished) == (not (above | {node}) & lost)
            assert (key in failed) == (node in lost and not above & lost)
        bench.store.close()
