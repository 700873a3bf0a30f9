"""Planning a suite, and the table of how good the plans are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks import __main__ as command
from benchmarks.annotation import read_suite
from benchmarks.metrics import Judgement
from benchmarks.plans import Planned, failures, planned, table
from controlllm.core.costs import SearchCost
from controlllm.core.plans import Action, Plan, Solution, Subtask, TypedValue


@pytest.fixture(scope="module")
def small():
    suite = read_suite("benchmark")
    return replace(suite, annotations=suite.annotations[:2])


@pytest.fixture(scope="module")
def found(small):
    return planned(small)


def test_every_request_of_a_suite_is_planned_and_judged(small, found):
    assert [item.annotation.id for item in found] == [item.id for item in small.annotations]
    assert all(item.judgement.id == item.annotation.id for item in found)
    assert all(item.seconds > 0 and item.search.assessed > 0 for item in found)


def test_an_unknown_strategy_is_refused(small):
    with pytest.raises(ValueError, match="sideways"):
        planned(small, "sideways")


def made(solves, tools=(), **judged):
    actions = tuple(Action(tool, {}, TypedValue("", "")) for tool in tools)
    plan = Plan(
        (Subtask(0, "", (), (), TypedValue("image", "<GEN>-0")),),
        {0: (Solution(actions, 5.0),) if actions else ()},
    )
    facts = {"irrelevant": False, "necessary": True, "hallucinated": False, "consistent": True}
    annotation = read_suite("benchmark").annotations[0]
    judgement = Judgement(annotation.id, annotation.level, **(facts | judged), solves=solves)
    return Planned(annotation, plan, judgement, SearchCost("best-first", 10, 4), 0.02)


def test_the_table_has_the_rates_the_search_and_the_times():
    lines = table([made(True), made(False, irrelevant=True)]).splitlines()
    assert lines[0].startswith("| what")
    for expected in (
        "| requests | 2 |",
        "| IR ↓ | 0.500 |",
        "| NR ↑ | 1.000 |",
        "| SE all ↑ | 0.500 |",
        "| SE easy ↑ | 0.500 |",
        "| states visited, mean | 10.0 |",
        "| tools assessed, mean | 4.0 |",
        "| planning time, median | 20 ms |",
        "| planning time, p95 | 20 ms |",
    ):
        assert expected in lines
    assert not any("hard" in line for line in lines)


def test_failures_say_what_is_wrong_and_what_was_planned():
    listed = failures(
        [
            made(True, ["image_captioning"]),
            made(False, ["image_to_edge", "edge_text_to_image"]),
            made(False, necessary=False, hallucinated=True),
        ]
    ).splitlines()
    assert listed == [
        "easy-001: wrong files, words or result: image_to_edge -> edge_text_to_image",
        "easy-001: necessary tools missing, made-up inputs: no way found",
    ]


def test_the_command_prints_the_table(monkeypatch, capsys, small):
    asked = []

    def read(name, examples):
        asked.append((name, examples))
        return small

    monkeypatch.setattr(command, "read_suite", read)
    assert command.main(["plans", "--suite", "field", "--no-examples", "--failures"]) == 0
    assert asked == [("field", False)]
    assert "| requests | 2 |" in capsys.readouterr().out
