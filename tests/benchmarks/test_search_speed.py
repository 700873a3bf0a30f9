"""The speed table of the search: the subtasks it asks for, and what it prints."""

from __future__ import annotations

import json

import pytest

from benchmarks import search_speed
from benchmarks.search_speed import (
    built,
    measured,
    queries,
    report,
    synthetic_toolbox,
)
from controlllm.planning.strategies import STRATEGIES


def test_a_synthetic_toolbox_is_the_same_each_time():
    assert synthetic_toolbox(50).tools == synthetic_toolbox(50).tools
    assert synthetic_toolbox(50).tools != synthetic_toolbox(50, seed=8).tools
    assert len(synthetic_toolbox(50)) == 50


def test_subtasks_are_the_same_each_time_and_as_many_as_asked_for():
    toolbox = synthetic_toolbox(50)
    asked = queries(toolbox, 40)
    assert asked == queries(toolbox, 40)
    assert len(asked) == 40
    own = {tool.returns.type for tool in toolbox}
    assert {query.goal.wanted for query in asked} <= own


# The search of every strategy in thirty tools; the report goes the same way through two.
@pytest.mark.long
def test_every_strategy_has_a_row():
    toolbox = synthetic_toolbox(30)
    graph, cost = built("small", toolbox)
    assert cost.tools == 30
    assert cost.memory > 0
    rows = measured("small", graph, queries(toolbox, 12))
    assert [row.strategy for row in rows] == list(STRATEGIES)
    for row in rows:
        assert row.best <= row.solved <= row.subtasks == 12
    assert rows[0].solved == rows[0].best == 12


@pytest.mark.long
def test_the_report_names_the_catalogue(tmp_path, monkeypatch):
    entry = {
        "name": "outline",
        "description": "Find the outlines of the image.",
        "args": [{"name": "image", "type": "image"}],
        "returns": [{"name": "edge", "type": "image.edge"}],
    }
    other = {**entry, "name": "join", "args": [{"name": "edge", "type": "image.edge"}]}
    path = tmp_path / "tiny.json"
    path.write_text(json.dumps([entry, other]))
    monkeypatch.setattr(search_speed, "SIZES", ())
    monkeypatch.setattr(search_speed, "SUBTASKS", 3)
    printed = report([path])
    assert printed.count("| tiny |") == 1 + len(STRATEGIES)
