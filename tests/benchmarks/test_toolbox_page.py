"""docs/toolbox.md is written from the toolbox, and every embedded tool's cost is in it."""

from __future__ import annotations

from benchmarks.tool_cost import kept
from benchmarks.toolbox_page import toolbox_page
from controlllm.toolbox import PACKAGE_FOLDER, Toolbox


def test_the_page_is_what_the_toolbox_says():
    page = (PACKAGE_FOLDER / "docs" / "toolbox.md").read_text("utf-8")
    said = "run `python -m scripts.write_toolbox_page`"
    assert page == toolbox_page(Toolbox.load(), kept()), said


def test_every_tool_has_an_implementation():
    toolbox = Toolbox.load()
    assert [tool.name for tool in toolbox if not toolbox.implementations[tool.name]] == []


def test_every_embedded_implementation_was_measured():
    toolbox, costs = Toolbox.load(), kept()
    embedded = {
        way.name
        for tool in toolbox
        for way in toolbox.implementations[tool.name]
        if way.runtime == "embedded"
    }
    assert embedded <= costs.keys(), sorted(embedded - costs.keys())
    assert [name for name in embedded if costs[name].failed] == []
