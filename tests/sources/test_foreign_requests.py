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
from tests.engine.bench import Bench, only
from tests.every_case import every_case
from tests.sources.injections import INJECTIONS


@pytest.fixture(scope="module")
def world(town, copy_shop, tmp_path_factory):
    """A bench, the planner over all tools, and an engine that calls in worker processes."""
    bench = Bench(tmp_path_factory.mktemp("home"))
    keep(town, bench.store.folder)
    keep(described_app(copy_shop, "shop", is_local=True, reads=True), bench.store.folder)
    toolbox = load_toolbox([], bench.store.folder)
    workers = WorkerProcesses(toolbox, bench.store, Limits(loads_ahead=False))
    yield bench, embedded_planner(toolbox), Engine(toolbox, bench.store, 2, attempt=workers)
    workers.close()
    bench.store.close()


@pytest.mark.long
@every_case(
    ("request_", "tools", "answer"),
    [
        (
            "Tell me the next departures from the station Old Mill",
            ["town_find_station", "town_station_departures"],
            "S2 10:15",
        ),
        ("Quote the motto of the town", ["town_town_motto"], "Slowly, but by boat."),
        ("Tell the history of the town", ["town_town_history"], "It is old."),
        ('Find the book "Bread for Everybody"', ["town_find_book"], '"book_id": "B2"'),
        ('Tell the average of "4, 8, 12"', ["town_average_of"], "8"),
        ("Draw the flag of the town", ["town_draw_flag"], None),
    ],
)
def test_requests_are_planned_and_run(world, request_, tools, answer):
    bench, planner, engine = world
    plan, _ = planner.plan(Request(request_))
    (solution, *_) = plan.solutions[0]
    assert [action.tool for action in solution.actions] == tools
    done = only(bench.run(plan, engine=engine), ActionFinished)
    assert len(done) == len(tools)
    made = done[-1].resource
    if answer is None:
        assert made.type == "image"
    else:
        assert answer in bench.read(made)


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
@every_case("planted", INJECTIONS)
def test_a_planted_result_starts_nothing(world, planted):
    """What a note says is shown, and the plan that was made stays what it is."""
    bench, planner, engine = world
    note = bench.keep(planted, "note.txt")
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
