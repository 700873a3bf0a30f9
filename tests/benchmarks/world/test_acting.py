"""Agents on the simulated world: under which conditions they work, and that runs say so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.world.acting import Conditions, measured
from benchmarks.world.apis import apis
from benchmarks.world.running import Record, kept_records
from controlllm.agents.options import Options
from controlllm.settings import Settings
from tests.every_case import every_case
from tests.language.scripted_server import KEY, serving

MODEL = Settings("https://name:secret@models.example/v1?key=secret", KEY, "a-model")


def one_run(path: Path, agent: str, conditions: Conditions) -> Record:
    measured([agent], [0.0], path, "development", 1, conditions=conditions)
    (record,) = kept_records(path)
    return record


@every_case(
    ("agent", "conditions", "reason"),
    [
        ("react", Conditions(options=Options(depth=2)), "after 1 turns, 2 nodes of a chain"),
        ("dfsdt", Conditions(options=Options(calls=1)), "after 1 calls"),
        ("dfsdt", Conditions(options=Options(width=3, depth=2)), "None of 3 turns"),
        ("sum2act", Conditions(seconds=1e-9), "after 1e-09 seconds"),
    ],
)
def test_options_and_budgets_reach_the_agents(tmp_path, agent, conditions, reason):
    assert reason in one_run(tmp_path / "runs.jsonl", agent, conditions).reason


def test_a_language_model_is_asked_as_the_conditions_say(tmp_path):
    with serving() as server:
        server.says({"thought": "", "tool": "find_city", "arguments": "{}"})
        settings = Settings(server.base_url, KEY, "a-model")
        warm = Conditions(settings, options=Options(temperature=0.7), tokens=1)
        record = one_run(tmp_path / "runs.jsonl", "react", warm)
        assert {asked["temperature"] for asked in server.asked} == {0.7}
        assert "tokens of the language model" in record.reason
        assert len(server.data()["tools"]) < 20
        few = Conditions(settings, model_calls=1, all_tools=True)
        record = one_run(tmp_path / "others.jsonl", "react", few)
        assert record.job.all_tools and "calls of the language model" in record.reason
        told = server.data()
        # All are offered, of which the likeliest are told of: there is no room for the others.
        names = [tool["name"] for tool in told["tools"]]
        names += [line.partition("(")[0].rpartition(" ")[2] for line in told["others"]]
        assert 20 < len(names) == len(set(names)) and set(names) < set(apis())
        assert {asked["temperature"] for asked in server.asked} == {0.7, 0.0}


def test_each_condition_is_told_and_no_secret():
    usual = Conditions(MODEL)
    told = usual.told()
    assert told["model"] == "a-model" and told["endpoint"] == "models.example/v1"
    assert "secret" not in json.dumps(told) and KEY not in json.dumps(told)
    others = [
        Conditions(),
        replace(usual, settings=replace(MODEL, model="another")),
        replace(usual, settings=replace(MODEL, base_url="https://elsewhere.example/v1")),
        replace(usual, timeout=5.0),
        replace(usual, model_calls=3),
        replace(usual, tokens=3),
        replace(usual, seconds=3.0),
        replace(usual, all_tools=True),
        *(
            replace(usual, options=Options(**{name: value}))
            for name, value in {
                "tries": 2, "temperature": 0.5, "width": 3, "depth": 4, "calls": 5
            }.items()
        ),
    ]  # fmt: skip
    found = [json.dumps(condition.told(), sort_keys=True) for condition in [usual, *others]]
    assert len(set(found)) == len(found)


def test_runs_under_other_conditions_are_refused_in_the_same_place(tmp_path):
    path = tmp_path / "runs.jsonl"
    first = one_run(path, "react", Conditions())
    for other in (Conditions(MODEL), Conditions(options=Options(depth=4)), Conditions(tokens=9)):
        with pytest.raises(ValueError, match="other settings"):
            measured(["react"], [0.0], path, "development", 1, conditions=other)
    lines = measured(["react", "sum2act"], [0.0], path, "development", 1)
    assert [line["agent"] for line in lines] == ["react", "sum2act"]
    assert next(iter(kept_records(path))) == first, "more agents go on beside what is kept"


@every_case(
    ("wrong", "said"),
    [
        ({"options": Options(tries=2)}, "change nothing"),
        ({"options": Options(temperature=0.5)}, "change nothing"),
        ({"tokens": -1}, "budget"),
        ({"timeout": 0.0}, "budget"),
    ],
)
def test_what_cannot_be_or_would_change_nothing_is_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        Conditions(**wrong)


def test_at_least_one_task_is_worked_on_at_a_time(tmp_path):
    with pytest.raises(ValueError, match="at a time"):
        measured(["react"], [0.0], tmp_path / "runs.jsonl", parallel=0)
