"""Toolboxes to learn from, and the same tools in other words."""

from __future__ import annotations

import json
import random

import pytest

from training.toolboxes import OWN, read_rewordings, read_toolboxes, reworded


def test_every_rewording_is_of_a_tool_that_is_there():
    boxes, ways = read_toolboxes(), read_rewordings()
    assert ways and set(ways) <= set(boxes)
    for box, tools in ways.items():
        assert set(tools) <= set(boxes[box])
        for name, told in tools.items():
            assert told and boxes[box][name] not in told, name


def test_most_of_our_own_tools_are_told_of_in_many_ways():
    own = read_rewordings()[OWN]
    assert sum(len(told) >= 6 for told in own.values()) >= 90


def test_a_reworded_tool_keeps_its_types():
    boxes, ways = read_toolboxes(), read_rewordings()
    for box, tools in ways.items():
        for name, told in tools.items():
            returns = boxes[box][name].rsplit(" to ", 1)[1]
            assert all(way.endswith(f" to {returns}") for way in told)


def test_a_toolbox_is_told_of_as_it_was_or_in_other_words():
    tools, ways = {"a": "first", "b": "second"}, {"a": ["other", "again"]}
    draw = random.Random(0)
    seen = {reworded(tools, ways, draw)["a"] for _ in range(50)}
    assert seen == {"first", "other", "again"}
    assert reworded(tools, ways, draw)["b"] == "second"
    assert reworded(tools, {}, draw) == tools


def test_words_for_a_tool_that_nobody_has_are_refused(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps({OWN: {"nothing": []}}))
    with pytest.raises(ValueError, match="x.json: there is no tool 'nothing'"):
        read_rewordings(tmp_path)
