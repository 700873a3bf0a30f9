"""Foreign tools the whole way: described, kept, loaded, planned, run in worker processes."""

from __future__ import annotations

import os

import pytest

from controlllm.core.events import ActionFinished
from controlllm.core.plans import Request
from controlllm.engine import Engine, Limits, WorkerProcesses
from controlllm.runs.planners import embedded_planner
from controlllm.sources.gradio.describing import described as described_app
from controlllm.sources.keeping import keep
from controlllm.sources.loading import load_toolbox
from controlllm.sources.source import Adding
from tests.engine.bench import Bench, only
from tests.sources.injections import INJECTIONS


@pytest.fixture(scope="module")
def world(town, copy_shop, tmp_path_factory):
    """A bench, the planner over all tools, and an engine that calls in worker processes."""
    bench = Bench(tmp_path_factory.mktemp("home"))
    keep(town, bench.store.folder)
    keep(described_app(copy_shop, "shop", Adding(is_local=True, reads=True)), bench.store.folder)
    toolbox = load_toolbox([], bench.store.folder)
    workers = WorkerProcesses(toolbox, bench.store, Limits(loads_ahead=False))
    yield bench, embedded_planner(toolbox), Engine(toolbox, bench.store, 2, attempt=workers)
    workers.close()
    bench.store.close()


@pytest.mark.long
def test_what_one_tool_of_a_server_finds_another_takes(world):
    bench, planner, engine = world
    request = Request("Tell me the next departures from the station Old Mill")
    plan, _ = planner.plan(request)
    tools = [action.tool for action in plan.solutions[0][0].actions]
    assert tools == ["town_find_station", "town_station_departures"]
    done = only(bench.run(plan, engine=engine), ActionFinished)
    assert len(done) == 2 and "S2 10:15" in bench.read(done[-1].resource)


@pytest.mark.long
def test_the_program_of_a_server_runs_below_a_worker(world):
    bench, planner, engine = world
    plan, _ = planner.plan(Request("Tell what the server's program finds in its environment"))
    assert [action.tool for action in plan.solutions[0][0].actions] == ["town_server_environment"]
    (done,) = only(bench.run(plan, engine=engine), ActionFinished)
    found = bench.read(done.resource)
    assert '"PATH"' in found
    assert not [name for name in os.environ if name.startswith("OMP") and name in found]


@pytest.mark.long
def test_a_planted_result_starts_nothing(world):
    """What a note says is shown, and the plan that was made stays what it is."""
    bench, planner, engine = world
    note = bench.keep("\n".join(INJECTIONS), "note.txt")
    request = Request("Shout the words of note.txt", (note,), ("note.txt",))
    plan, _ = planner.plan(request)
    events = bench.run(plan, [note], engine=engine)
    called = {event.tool for event in events if hasattr(event, "tool")}
    assert called and called <= {
        action.tool
        for item in plan.solutions.values()
        for solution in item
        for action in solution.actions
    }
    assert not called & {"town_delete_notes", "town_order_book", "town_write_note"}
