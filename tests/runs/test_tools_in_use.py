"""Tools that come and go while requests are answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controlllm.core.plans import Request
from controlllm.engine.protocol import is_known
from controlllm.retrieval import index, planners
from controlllm.runs.tools_in_use import ToolsInUse
from controlllm.settings import Settings
from controlllm.sources.keeping import keep, remove
from controlllm.sources.loading import sources_of, with_sources_now
from controlllm.sources.source import ForeignTool, Source
from controlllm.toolbox import Toolbox


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


@pytest.mark.parametrize("said", [{"secrets": {"header": "KEY"}}, {"options": {"server": "b"}}])
def test_what_is_asked_in_another_way_counts_as_changed(
    own: Toolbox, tmp_path: Path, said: dict[str, dict[str, str]]
) -> None:
    keep(source("tide"), tmp_path)
    before = with_sources_now(own, tmp_path)
    keep(replace(source("tide"), **said), tmp_path)  # type: ignore[arg-type]
    after = with_sources_now(before, tmp_path)
    assert after is not before and with_sources_now(after, tmp_path) is after
    called = {"call": "sea_tide", "way": 0}
    called["version"] = before.implementations["sea_tide"][0].version
    assert not is_known(called, after)


def test_only_what_has_changed_is_made_anew(own: Toolbox, tmp_path: Path) -> None:
    keep(source("tide", "moon"), tmp_path)
    keep(replace(source("look"), name="stars"), tmp_path)
    before = with_sources_now(own, tmp_path)
    keep(replace(source("look"), name="stars", secrets={"header": "KEY"}), tmp_path)
    keep(replace(source("sing"), name="birds"), tmp_path)
    after = with_sources_now(before, tmp_path)
    ways = after.implementations
    assert after["sea_tide"] is before["sea_tide"]
    assert ways["sea_tide"] is before.implementations["sea_tide"]
    # Its tools are what they were, and yet it is asked in another way.
    assert ways["stars_look"] is not before.implementations["stars_look"]
    assert ways["stars_look"][0].function.args[0].secrets == {"header": "KEY"}
    assert "birds_sing" in after
    # A name that two sources had is the other's as soon as one of them goes.
    keep(source("of_stars_look"), tmp_path)
    keep(replace(source("look", address="https://b.example"), name="sea_of_stars"), tmp_path)
    both = with_sources_now(after, tmp_path)
    remove("sea_of_stars", tmp_path)
    (way,) = with_sources_now(both, tmp_path).implementations["sea_of_stars_look"]
    assert way.function.args[0].name == "sea"


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


def test_the_names_of_sources_are_known(own: Toolbox, tmp_path: Path) -> None:
    assert sources_of(own) == frozenset()
    keep(source("tide"), tmp_path)
    keep(replace(source("look"), name="moon_and_stars"), tmp_path)
    assert sources_of(with_sources_now(own, tmp_path)) == {"sea", "moon_and_stars"}


def test_one_tool_more_among_many_is_all_that_is_read(
    own: Toolbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planners, "SMALL", 2)
    few = Toolbox(own.tools[:4], own.implementations, own.lattice)
    told: list[list[str]] = []
    encoded: list[str] = []
    true = index.tool_vector

    def tool_vector(text: str) -> object:
        encoded.append(text)
        return true(text)

    def encode(texts: list[str]) -> object:
        told.append(texts)
        return true_encode(texts)

    true_encode = index.encode
    monkeypatch.setattr(index, "tool_vector", tool_vector)
    monkeypatch.setattr(index, "encode", encode)
    keep(source("tide"), tmp_path)
    tools = ToolsInUse(with_sources_now(few, tmp_path), tmp_path / "tools.npz")
    request = Request("When is the tide?")
    tools.planner_here(Settings(), request)
    assert len(encoded) == 5
    # The name of the source is not told.
    assert ["tide: Tells the tide."] in told
    encoded.clear()
    keep(replace(source("moon"), name="sky"), tmp_path)
    tools.exchange(with_sources_now(few, tmp_path))
    assert len(encoded) == 1 and ["moon: Tells the tide."] in told
    planner = tools.planner_here(Settings(), request)
    assert {"sea_tide", "sky_moon"} <= {tool.name for tool in planner.graph.toolbox}
    assert len(encoded) == 1
    # Another start with the same tools reads what was kept.
    again = ToolsInUse(tools.toolbox, tmp_path / "tools.npz")
    again.planner_here(Settings(), request)
    assert len(encoded) == 1
