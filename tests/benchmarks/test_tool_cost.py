"""There is something to work on for every tool, and what that costs is measured."""

from __future__ import annotations

import pytest

from benchmarks.tool_cost import ToolCost, keep, kept, measure, table
from controlllm.engine.input_gate import admitted
from controlllm.self_test.samples import Samples
from controlllm.toolbox import Toolbox
from tests.every_case import every_case

TOOLBOX = Toolbox.load()


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    return Samples(TOOLBOX, tmp_path_factory.mktemp("samples"))


@pytest.mark.long
@every_case("tool", list(TOOLBOX), ids=lambda tool: tool.name)
def test_samples_pass_the_gate(tool, samples):
    inputs = samples.of(tool)
    assert set(inputs) == {item.name for item in (*tool.args, *tool.parameters)}
    given = {item.name: inputs[item.name] for item in tool.args}
    assert admitted(tool, given).keys() == given.keys()


@pytest.mark.long
def test_a_tool_is_measured():
    cost = measure("count_objects")
    assert not cost.failed
    assert 0 <= cost.warm <= cost.cold < 5


def test_costs_are_kept_beside_others(tmp_path):
    path = tmp_path / "costs.json"
    assert kept(path) == {}
    keep({"a/embedded": ToolCost(1.5, 0.25, 30)}, path)
    keep({"b/embedded": ToolCost(failed="Nothing is here.")}, path)
    assert kept(path)["a/embedded"] == ToolCost(1.5, 0.25, 30)
    printed = table(kept(path))
    assert "1.50s" in printed and "30 MiB" in printed and "Nothing is here." in printed
