"""The tool graph: its edges, what can run, and what leads to what is wanted."""

from __future__ import annotations

import pytest

from controlllm.planning.graph import ToolGraph
from controlllm.toolbox import Argument, Tool, Toolbox


def make(name, args, returned):
    return Tool(
        name,
        "A tool.",
        "general",
        tuple(Argument(type_name, type_name) for type_name in args),
        Argument("result", returned),
    )


@pytest.fixture
def graph():
    return ToolGraph(
        Toolbox(
            (
                make("caption", ["image"], "text"),
                make("draw", ["text"], "image"),
                make("edges", ["image"], "edge"),
                make("fill", ["image", "mask"], "image"),
                make("segment", ["image"], "mask"),
                make("shorten", ["text"], "text"),
                make("speak", ["text"], "audio"),
                make("transcribe", ["audio"], "text"),
            )
        )
    )


def test_edges_of_both_kinds(graph):
    edges = set(graph.edges())
    assert ("image", "fill") in edges
    assert ("mask", "fill") in edges
    assert ("fill", "image") in edges
    assert len(edges) == 9 + 8


def test_what_is_handed_over_fits_more_general_arguments(graph):
    assert graph.handed_types(["edge", "title"]) == {"edge", "image", "title", "text"}


def test_what_can_run(graph):
    assert graph.runnable(["audio"]) >= {"transcribe", "shorten", "speak"}
    assert "fill" in graph.runnable(["image"])
    # An edge map is a picture when a person hands it over.
    assert "segment" in graph.runnable(["edge"])


def test_what_only_words_could_conjure_up_is_not_at_hand(graph):
    assert "image" not in graph.makeable([])
    assert graph.makeable(["image"]) >= {"image", "mask", "edge", "text"}


def test_tools_that_only_feed_each_other_cannot_run():
    ring = ToolGraph(Toolbox((make("a", ["mask"], "edge"), make("b", ["edge"], "mask"))))
    assert ring.runnable(["image"]) == frozenset()
    assert ring.makeable(["image"]) == {"image"}
    assert ring.runnable(["mask"]) == {"a", "b"}


def test_words_alone_stand_in_nobodys_way(graph):
    assert graph.runnable([]) >= {"draw", "shorten", "speak", "caption"}
