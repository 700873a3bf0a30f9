"""What later steps need is loaded ahead, where it is known and worth the while."""

from __future__ import annotations

import threading

import pytest

from controlllm.core.plans import Literal
from controlllm.engine import Engine, Limits
from controlllm.engine.attempt import AttemptHere, Made
from controlllm.engine.preparation import LEAST, LoadingNotes, Preparations
from controlllm.engine.scheduler import details_of
from tests.engine.bench import action, plan_of
from tests.engine.residence import BUDGET, HEAVY, call_of, outcomes, workers
from tests.every_case import every_case
from tests.waiting import wait_until

NAME = "holds_1/0"
NOTE = {"modules": ["json"], "loads": []}


@pytest.mark.long
def test_a_worker_that_rests_loads_what_was_learnt_before_the_program_began_anew(tmp_path):
    with workers(BUDGET, tmp_path, HEAVY, loads_ahead=True) as (toolbox, _, processes):
        calls = [call_of(toolbox, "holds_1", {"text": Literal("a")})]
        processes.prepare(calls)  # nothing is known yet
        assert processes._preparations._at_work == {}
        assert isinstance(outcomes(processes, calls)[0], Made)
    with workers(BUDGET, tmp_path, HEAVY, loads_ahead=True) as (toolbox, _, processes):
        calls = [call_of(toolbox, "holds_1", {"text": Literal("b")})]
        wait_until(processes.is_ready)
        processes.prepare(calls)
        wait_until(lambda: [item for item in processes._idle if NAME in item.warm])
        (prepared,) = (item for item in processes._idle if NAME in item.warm)
        assert isinstance(outcomes(processes, calls)[0], Made)
        assert processes._idle[-1] is prepared
        assert LoadingNotes(tmp_path / "loading_notes.json")._known[NAME]["seconds"] > 0


def test_nothing_is_loaded_ahead_where_that_is_not_wanted(tmp_path):
    LoadingNotes(tmp_path / "loading_notes.json").learn(NAME, NOTE)
    quick = "tests.engine.quick_worker"
    with workers(BUDGET, tmp_path, HEAVY, module=quick) as (toolbox, _, processes):
        processes.prepare([call_of(toolbox, "holds_1", {"text": Literal("a")})])
        assert processes._preparations._at_work == {}


@every_case(("said", "means"), [("yes", True), (" No", False), ("", None)])
def test_whether_to_load_ahead_is_a_setting(said, means):
    found = Limits.from_environment({"CONTROLLLM_LOAD_AHEAD": said}).loads_ahead
    assert found == (Limits().loads_ahead if means is None else means)
    with pytest.raises(ValueError, match="CONTROLLLM_LOAD_AHEAD"):
        Limits.from_environment({"CONTROLLLM_LOAD_AHEAD": "perhaps"})


def test_what_takes_no_time_is_not_loaded_ahead(tmp_path):
    notes = LoadingNotes(tmp_path / "loading_notes.json")
    assert notes.worth_following(NAME) is None
    notes.learn(NAME, NOTE)
    assert notes.worth_following(NAME)["modules"] == ["json"]
    notes.took(NAME, LEAST / 2)
    assert LoadingNotes(tmp_path / "loading_notes.json").worth_following(NAME) is None
    notes.learn(NAME, {"modules": ["csv"], "loads": []})
    assert notes.worth_following(NAME)["modules"] == ["json", "csv"]


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_call_waits_for_what_is_loaded_for_it_unless_it_is_stopped(tmp_path, is_stopped):
    took, leave, returned = threading.Event(), threading.Event(), []

    class Slow:
        warm: set[str] = set()

        def tell(self, content):
            took.set()

        def lines(self, seconds):
            if leave.wait(seconds):
                yield {"prepared": 1.0, "warm": [NAME]}

    notes = LoadingNotes(tmp_path / "loading_notes.json")
    notes.learn(NAME, NOTE)
    preparations = Preparations(notes, Slow, lambda process, fine: returned.append(fine))
    preparations.begin([NAME, NAME])
    assert took.wait(60)
    cancelled = threading.Event()
    if is_stopped:
        cancelled.set()
        assert not preparations.has_ended(NAME, cancelled)
    threading.Timer(0.1, leave.set).start()
    assert preparations.has_ended(NAME, threading.Event()) and returned == [True]
    assert preparations.has_ended("holds_2/0", cancelled)
    preparations.close()


def test_a_worker_that_is_lost_while_it_loads_harms_nobody(tmp_path):
    class Lost:
        warm: set[str] = set()

        def tell(self, content):
            raise OSError

        def lines(self, seconds):
            yield {}

    returned = []
    notes = LoadingNotes(tmp_path / "loading_notes.json")
    notes.learn(NAME, NOTE)
    preparations = Preparations(notes, Lost, lambda process, fine: returned.append(fine))
    preparations.begin([NAME])
    wait_until(lambda: returned)
    assert returned == [False]
    assert preparations.has_ended(NAME, threading.Event())
    preparations.close()


def test_a_run_tells_what_comes_later_when_something_begins(bench):
    told = []

    class Attempt:
        def prepare(self, calls):
            told.append([call.tool.name for call in calls])

        def __call__(self, call, cancelled, report):
            return engine._worker.attempt.make(call, cancelled, report)

    attempt = Attempt()
    attempt.make = AttemptHere(bench.store, details_of)
    engine = Engine(bench.toolbox, bench.store, attempt=attempt)
    chain = plan_of(
        [[action("join", "<GEN>-0-1", text="a"),
          action("join", "<GEN>-0", text="b", parts=["<GEN>-0-1"])]],
    )  # fmt: skip
    bench.run(chain, engine=engine)
    assert told == [["join"]]
    bench.run(chain, engine=engine)  # all is known
    assert told == [["join"]]
    bench.run(plan_of([[action("join", "<GEN>-0", text="c")]]), engine=engine)
    assert told == [["join"], []]
