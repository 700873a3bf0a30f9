"""Runs are kept, resumed and put into a table."""

from __future__ import annotations

import json

import pytest

from benchmarks.world.judging import Verdict
from benchmarks.world.running import (
    Job,
    Record,
    interval,
    kept_records,
    markdown,
    run,
    summary,
    world_version,
)
from benchmarks.world.scripted import at_random, gives_up, oracle
from benchmarks.world.tasks import read_tasks
from controlllm.agents.environment import Environment
from controlllm.agents.roles import Outcome, Task
from controlllm.toolbox import Cancelled

TASKS = read_tasks()[:4]


def breaks(task: Task, environment: Environment) -> Outcome:
    environment.step("find_city", {"name": "Lisbon"})
    raise RuntimeError("out of ideas")


def test_the_oracle_passes_and_chance_does_not(tmp_path):
    agents = {"oracle": oracle, "random": at_random}
    records = run(agents, read_tasks(), tmp_path / "runs.jsonl", rates=(0.0,))
    lines = {line["agent"]: line for line in summary(records, "random")}
    assert lines["oracle"]["passed"] == 1
    assert lines["random"]["passed"] < 0.2
    assert lines["oracle"]["win"] > 0.9
    assert lines["random"]["win"] is None


def test_who_gives_up_passes_what_cannot_be_done_and_solves_nothing(tmp_path):
    records = run({"gives up": gives_up}, read_tasks(), tmp_path / "runs.jsonl", rates=(0.0, 0.3))
    none, many = summary(records)
    assert none["passed"] == 0.1 < many["passed"]
    assert none["solved"] == many["solved"] == 0


def test_faults_cost_calls(tmp_path):
    records = run({"oracle": oracle}, read_tasks(), tmp_path / "runs.jsonl", rates=(0.0, 0.3))
    none, many = summary(records)
    assert none["bad_calls"] == 0 < many["bad_calls"]
    assert none["waited"] < many["waited"]


def test_runs_are_the_same_again_but_for_the_time_they_take(tmp_path):
    def told(name: str) -> list[tuple[Verdict, str, float]]:
        records = run({"random": at_random}, TASKS, tmp_path / name, rates=(0.3,), workers=2)
        return [(record.verdict, record.answer, record.waited) for record in records]

    assert told("one") == told("two")


def test_what_was_run_is_not_run_again(tmp_path):
    path = tmp_path / "folder" / "runs.jsonl"
    told: list[Record] = []
    first = run({"oracle": oracle}, TASKS[:2], path, rates=(0.0,), tell=told.append)
    assert len(told) == 2
    again = run({"oracle": breaks}, TASKS[:2], path, rates=(0.0,), tell=told.append)
    assert again == first
    assert len(told) == 2
    more = run({"oracle": oracle}, TASKS, path, rates=(0.0,), tell=told.append)
    assert len(told) == len(more) == 4
    assert list(kept_records(path)) == told


def test_a_line_that_broke_off_is_run_again(tmp_path):
    path = tmp_path / "runs.jsonl"
    run({"oracle": oracle}, TASKS[:2], path, rates=(0.0,))
    whole = path.read_text()
    path.write_text(whole[:-40])
    assert len(list(kept_records(path))) == 1
    run({"oracle": oracle}, TASKS[:2], path, rates=(0.0,))
    assert {record.job.task for record in kept_records(path)} == {"dev-01", "dev-02"}


def test_records_of_another_world_do_not_count(tmp_path):
    path = tmp_path / "runs.jsonl"
    run({"oracle": oracle}, TASKS[:1], path, rates=(0.0,))
    settings, line = path.read_text().splitlines()
    data = json.loads(line)
    assert data["world"] == world_version()
    path.write_text(f"{settings}\n{json.dumps({**data, 'world': 'another'})}\n")
    assert not list(kept_records(path))


def test_runs_made_with_other_settings_are_not_gone_on_with(tmp_path):
    path = tmp_path / "runs.jsonl"

    def again(settings: dict[str, str] | None) -> list[Record]:
        return run({"oracle": oracle}, TASKS[:1], path, rates=(0.0,), settings=settings)

    first = again({"model": "one"})
    assert json.loads(path.read_text().splitlines()[0]) == {"settings": {"model": "one"}}
    for other in ({"model": "two"}, {}, None):
        with pytest.raises(ValueError, match="other settings.*model: 'one' there"):
            again(other)
    assert again({"model": "one"}) == first
    # As runs were kept before their settings were.
    path.write_text(path.read_text().split("\n", 1)[1])
    with pytest.raises(ValueError, match="does not say with which settings"):
        again({"model": "one"})


def test_an_agent_that_raises_has_failed_and_others_go_on(tmp_path):
    agents = {"breaks": breaks, "oracle": oracle}
    records = run(agents, TASKS[:1], tmp_path / "runs.jsonl", rates=(0.0,))
    by_name = {record.job.agent: record for record in records}
    broken = by_name["breaks"]
    assert broken.error == "RuntimeError: out of ideas"
    assert (broken.verdict.passed, broken.verdict.calls) == (False, 1)
    assert by_name["oracle"].verdict.passed


def test_stopping_stops(tmp_path):
    def stops(task: Task, environment: Environment) -> Outcome:
        raise Cancelled

    with pytest.raises(Cancelled):
        run({"stops": stops}, TASKS, tmp_path / "runs.jsonl", rates=(0.0,))


@pytest.mark.long
def test_processes_bring_the_same_as_threads(tmp_path):
    threads = run({"oracle": oracle}, TASKS[:2], tmp_path / "one", rates=(0.3,))
    processes = run({"oracle": oracle}, TASKS[:2], tmp_path / "two", rates=(0.3,), processes=True)
    assert [item.verdict for item in threads] == [item.verdict for item in processes]


def record(agent: str, task: str, passed: bool, calls: int, rate: float = 0.0) -> Record:
    verdict = Verdict(passed, "", 1, int(passed), 0, 0, calls)
    return Record(Job(agent, task, rate, 0), verdict, "", "", 10, 1, 2.0, 0.6, "w")


def test_the_table_of_hand_computed_runs():
    records = [
        record("ours", "a", True, 2),
        record("ours", "b", False, 4),
        record("theirs", "a", False, 1),
        record("theirs", "b", False, 4),
        record("ours", "a", False, 2, 0.3),
    ]
    ours, theirs, faulty = summary(records, "theirs")
    assert (ours["runs"], ours["passed"], ours["calls"], ours["tokens"]) == (2, 0.5, 3, 10)
    assert ours["win"] == (1 + 0.5) / 2
    assert theirs["win"] is None
    assert faulty["win"] is None
    told = markdown([ours, theirs, faulty], "theirs").splitlines()
    assert told[0].count("|") == told[1].count("|") == told[2].count("|")
    assert "| ours | 0% | 2 | 50.0% (9%–91%) | 50.0% | 50.0% | 75.0% | 3.0 |" in told[2]


def test_intervals_of_wilson():
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-3)
    assert interval(15, 30) == pytest.approx((0.3315, 0.6685), abs=1e-3)
