"""What a source offers, kept and made nodes of the graph."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from controlllm.core.plans import TypedValue
from controlllm.engine.ray_actor import ToolActor
from controlllm.planning.arguments import words_for
from controlllm.planning.graph import ToolGraph
from controlllm.sources.keeping import keep, remove
from controlllm.sources.loading import kept_sources, load_toolbox, with_sources
from controlllm.sources.openapi import calls as openapi_calls
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.toolbox import Context, Toolbox
from tests.every_case import every_case

MAPS = Source(
    "maps",
    "openapi",
    "https://maps.example",
    "Places",
    (
        ForeignTool(
            "find_city",
            "Find a city by its name.",
            (
                ForeignArgument("name", "text"),
                ForeignArgument("limit", "number", default=5, required=False),
            ),
            "maps.city",
        ),
        ForeignTool(
            "weather", "Weather.", (ForeignArgument("city_id", "maps.city", part="id"),), "text"
        ),
    ),
    {"header": "maps_key"},
)


def test_source_is_kept_and_read_again(tmp_path):
    (tmp_path / "maps.json").write_text(json.dumps(MAPS.to_json()))
    (tmp_path / "other.json").write_text("{")
    assert list(kept_sources(tmp_path)) == [MAPS]


@every_case("name", ["../x", "Maps", "", "a b", "1"])
def test_name_of_a_source_is_plain(name):
    with pytest.raises(ValueError, match="name of a source"):
        Source.from_json({**MAPS.to_json(), "name": name})


def test_foreign_tools_are_nodes_of_the_graph():
    toolbox = with_sources(Toolbox(), iter([MAPS]))
    graph = ToolGraph(toolbox)
    assert [tool.name for tool in graph.consumers("maps_city")] == ["maps_weather"]
    assert [tool.name for tool in graph.producers("maps_city")] == ["maps_find_city"]
    assert toolbox["maps_find_city"].parameters[0].default == 5
    assert graph.runnable([]) == {"maps_find_city", "maps_weather"}


def test_a_source_knows_its_home_and_keeps_it_not(tmp_path):
    home = tmp_path / "home"
    assert keep(MAPS, home) == MAPS
    (kept,) = kept_sources(home / "sources")
    assert kept.home == home and "home" not in kept.to_json()
    assert (home / "sources" / "maps.json").stat().st_mode & 0o777 == 0o600
    with pytest.raises(ValueError, match="cannot be the name"):
        keep(replace(MAPS, name="../x"), home)
    for name in ("../maps", "other"):
        with pytest.raises(KeyError):
            remove(name, home)
    remove("maps", home)
    assert list(kept_sources(home / "sources")) == []


def test_workers_load_the_sources_of_the_home(tmp_path):
    """Processes on this machine read them there, nodes of a cluster are handed them."""
    keep(MAPS, tmp_path)
    assert "maps_find_city" in load_toolbox([], tmp_path)
    assert "maps_find_city" not in load_toolbox([], None)
    actor = ToolActor([], [MAPS.to_json()])
    try:
        assert "maps_weather" in actor._toolbox
    finally:
        actor.close()


@every_case("name", ["source", "foreign", "tool", "inputs"])
def test_an_argument_may_be_called_anything(name, monkeypatch):
    seen = {}

    def call(source, tool, inputs, context):
        seen.update(inputs)
        return "done"

    monkeypatch.setattr(openapi_calls, "call", call)
    plain = ForeignTool("do", "Do it.", (ForeignArgument(name, "text"),), "text")
    toolbox = with_sources(Toolbox(), [replace(MAPS, tools=(plain,))])
    (way,) = toolbox.implementations["maps_do"]
    assert way.run({name: "x"}, Context()) == "done" and seen == {name: "x"}


def test_what_words_find_is_within_reach_of_what_takes_it():
    """A city by its name, unless finding it would act outside."""
    assert "maps_city" in ToolGraph(with_sources(Toolbox(), [MAPS])).makeable([])
    acting = replace(MAPS, tools=tuple(replace(tool, acts_outside=True) for tool in MAPS.tools))
    assert "maps_city" not in ToolGraph(with_sources(Toolbox(), [acting])).makeable([])


def test_words_without_digits_are_not_the_first_for_a_number():
    asked = ForeignArgument("hour", "text", call={"type": "integer"})
    tide = ForeignTool("tide", "How high the water is.", (asked,), "number")
    (tool,) = with_sources(Toolbox(), [replace(MAPS, tools=(tide,))])
    said = [TypedValue("text", "the harbour", "place"), TypedValue("text", "5 o'clock", "time")]
    found = words_for(tool.args[0], said)
    assert found is not None and found[1] == 1
