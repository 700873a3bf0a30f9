"""Any DAG runs as a DAG: inputs first, once each, at once where nothing forbids it."""

from __future__ import annotations

import asyncio
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.core.events import ActionFailed, ActionFinished, ActionStarted
from controlllm.engine.pool import Pool
from controlllm.toolbox import ToolError
from tests.engine.bench import Bench, action, only, plan_of


@st.composite
def dags(draw):
    """For each node the earlier nodes that it reads from, and which nodes fail."""
    count = draw(st.integers(1, 8))
    parents = [
        draw(st.sets(st.integers(0, node - 1), max_size=3)) if node else set()
        for node in range(count)
    ]
    return parents, draw(st.sets(st.integers(0, count - 1), max_size=2)), draw(st.booleans())


def plan_for(parents, in_one_subtask):
    """The plan of a DAG: one subtask with all nodes, or one subtask a node."""
    last = len(parents) - 1
    if in_one_subtask:
        names = [f"<GEN>-0-{node}" if node < last else "<GEN>-0" for node in range(last + 1)]
    else:
        names = [f"<GEN>-{node}" for node in range(last + 1)]
    actions = [
        action("join", names[node], text=f"n{node}", parts=[names[parent] for parent in sorted(of)])
        for node, of in enumerate(parents)
    ]
    if in_one_subtask:
        return plan_of([actions]), {node: f"0.0.{node}" for node in range(last + 1)}
    keys = {node: f"{node}.0.0" for node in range(last + 1)}
    return plan_of(*[[[item]] for item in actions]), keys


def ancestors(parents, node):
    found = set(parents[node])
    for parent in parents[node]:
        found |= ancestors(parents, parent)
    return found


def expected_text(parents, node):
    inside = [expected_text(parents, parent) for parent in sorted(parents[node])]
    return f"n{node}({','.join(inside)})"


@settings(max_examples=20, deadline=None)
@given(dags(), st.integers(1, 4))
def test_every_action_runs_once_after_its_inputs(dag, workers):
    parents, _, in_one_subtask = dag
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        plan, keys = plan_for(parents, in_one_subtask)
        events = bench.run(plan, engine=bench.engine(workers))
        assert sorted(bench.calls) == sorted(f"n{node}" for node in keys)
        places = {event.key: place for place, event in enumerate(events)
                  if isinstance(event, ActionFinished)}  # fmt: skip
        starts = {event.key: place for place, event in enumerate(events)
                  if isinstance(event, ActionStarted)}  # fmt: skip
        assert places.keys() == starts.keys() == set(keys.values())
        for node, of in enumerate(parents):
            assert all(places[keys[parent]] < starts[keys[node]] for parent in of)
        for event in only(events, ActionFinished):
            node = next(node for node, key in keys.items() if key == event.key)
            assert bench.read(event.resource) == expected_text(parents, node)
            assert event.resource.value == f"made-{event.key}"
        bench.store.close()


@settings(max_examples=20, deadline=None)
@given(dags())
def test_failure_reaches_only_what_depends_on_it(dag):
    parents, failing, in_one_subtask = dag
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))

        def fail(name, context):
            if int(name[1:]) in failing:
                raise ToolError(f"{name} does not work.")

        bench.before = fail
        plan, keys = plan_for(parents, in_one_subtask)
        events = bench.run(plan)
        lost = {node for node in keys if ancestors(parents, node) & failing}
        failed = {event.key: event.message for event in only(events, ActionFailed)}
        assert failed == {keys[node]: f"n{node} does not work." for node in failing - lost}
        finished = {event.key for event in only(events, ActionFinished)}
        assert finished == {keys[node] for node in keys if node not in lost | failing}
        bench.store.close()


def independent(count):
    return plan_of(*[[[action("join", f"<GEN>-{n}", text=f"n{n}")]] for n in range(count)])


@pytest.mark.parametrize("workers", [2, 4])
def test_independent_actions_overlap(bench, workers):
    barrier = threading.Barrier(workers)
    bench.before = lambda name, context: barrier.wait(timeout=60)
    events = bench.run(independent(workers), engine=bench.engine(workers))
    assert len(only(events, ActionFinished)) == workers


def test_no_more_run_at_once_than_there_are_workers_even_in_two_runs(bench):
    lock = threading.Lock()
    running = 0
    most = 0
    # Each waits for another one: there are ten, and two at a time.
    pair = threading.Barrier(2)

    def count(name, context):
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        pair.wait(timeout=60)
        with lock:
            running -= 1

    bench.before = count
    engine = bench.engine(workers=2)
    engine._pool = Pool(2, long=3600.0)  # none takes so long that another may join them
    other = plan_of(*[[[action("join", f"<GEN>-{n}", text=f"m{n}")]] for n in range(5)])

    async def drain(plan):
        events = engine.run(
            plan, {}, name_output=lambda s, media_type: s.key, cancelled=threading.Event()
        )
        return [event async for event in events]

    async def both():
        return await asyncio.gather(drain(independent(5)), drain(other))

    first, second = asyncio.run(both())
    assert len(only(first, ActionFinished)) == len(only(second, ActionFinished)) == 5
    assert most == 2


def test_empty_plan_has_no_events(bench):
    assert bench.run(plan_of()) == []
    assert bench.run(plan_of([])) == []
