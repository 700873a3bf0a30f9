"""What a source offers, kept and made nodes of the graph."""

from __future__ import annotations

import json

import pytest

from controlllm.graph import ToolGraph
from controlllm.sources.loading import kept_sources, with_sources
from controlllm.sources.source import ForeignArgument, ForeignTool, Source
from controlllm.toolbox import Toolbox

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


@pytest.mark.parametrize("name", ["../x", "Maps", "", "a b", "1"])
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
