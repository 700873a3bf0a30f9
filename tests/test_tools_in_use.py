"""Tools that come and go while requests are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from controlllm.engine.protocol import is_known
from controlllm.plans import Request
from controlllm.settings import Settings
from controlllm.sources.keeping import keep, remove
from controlllm.sources.loading import with_sources_now
from controlllm.sources.source import ForeignTool, Source
from controlllm.toolbox import Toolbox
from controlllm.tools_in_use import ToolsInUse


@pytest.fixture(scope="module")
def own() -> Toolbox:
    return Toolbox.load()


def source(*tools: str, address: str = "https://a.example") -> Source:
    found = tuple(ForeignTool(name, "Tells the tide.", (), "text") for name in tools)
    return Source("sea", "openapi", address, "", found)


def test_a_source_is_there_and_gone_again(own: Toolbox, tmp_path: Path) -> None:
    assert with_sources_now(own, tmp_path) is own
    keep(source("tide", "moon"), tmp_path)
    more = with_sources_now(own, tmp_path)
    assert {tool.name for tool in more} - {tool.name for tool in own} == {"sea_tide", "sea_moon"}
    assert with_sources_now(more, tmp_path) is more
    # What our own tools are is not made anew.
    assert more.implementations["image_cropping"] is own.implementations["image_cropping"]
    remove("sea", tmp_path)
    assert {tool.name for tool in with_sources_now(more, tmp_path)} == {tool.name for tool in own}


def test_a_worker_knows_a_call_only_as_it_is_now(own: Toolbox, tmp_path: Path) -> None:
    keep(source("tide"), tmp_path)
    before = with_sources_now(own, tmp_path)
    called = {"call": "sea_tide", "way": 0}
    called["version"] = before.implementations["sea_tide"][0].version
    assert is_known(called, before) and not is_known(called, own)
    remove("sea", tmp_path)
    keep(source("tide", address="https://b.example"), tmp_path)
    assert not is_known(called, with_sources_now(before, tmp_path))


def test_requests_are_planned_with_what_is_there_now(own: Toolbox, tmp_path: Path) -> None:
    tools = ToolsInUse(own, tmp_path / "tools.npz")
    request = Request("When is the tide?")
    before = tools.planner_here(Settings(), request)
    keep(source("tide"), tmp_path)
    tools.exchange(with_sources_now(own, tmp_path))
    assert "sea_tide" in tools.toolbox
    assert "sea_tide" in tools.planner_here(Settings(), request).graph.toolbox
    assert "sea_tide" not in before.graph.toolbox
