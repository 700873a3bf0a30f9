"""A small toolbox has one planner, a large one one for each request, over what matters to it."""

from __future__ import annotations

import numpy as np
import pytest

from controlllm.core.plans import Request
from controlllm.resources import Resource
from controlllm.retrieval import WHOLE, Planners, ToolIndex, index
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Argument, Tool, Toolbox

PHOTO = Resource("image", "photo.png")
CROP = Request("Crop the dog in photo.png", (PHOTO,), ("photo.png",))


def some_of_ours():
    """Every eighth of our own tools, and those that are asked for."""
    own = Toolbox.load()
    asked = ("visual_grounding", "image_cropping", "text_translation")
    tools = [tool for place, tool in enumerate(own) if place % 8 == 0 or tool.name in asked]
    return Toolbox(tuple(tools), own.implementations, own.lattice)


def large_toolbox(folder, own, others=WHOLE):
    """Tools of our own among so many others, and the file of an index of them whose vectors of the
    others are drawn by chance: encoding them would take half a minute."""
    text = (Argument("text", "text"),)
    parts = tuple(
        Tool(f"part_{number}", f"Part {number}.", "public-api", text, Argument("result", "text"))
        for number in range(others)
    )
    toolbox = Toolbox((*own, *parts), own.implementations, own.lattice)
    found, chance = ToolIndex(own, own.lattice), np.random.default_rng(1)
    for tool in parts:
        vectors = chance.normal(size=(2, 384)).astype(np.float32) / 384**0.5
        found.add(tool, (vectors[0], vectors[1]))
    found.save(folder / "index.npz")
    return toolbox, folder / "index.npz"


def test_a_small_toolbox_has_one_planner():
    made = []

    def make(toolbox, index):
        made.append((toolbox, index))
        return object()

    toolbox = Toolbox.load()
    planners = Planners(toolbox, make)
    assert planners(CROP) is planners(Request("Say hello"))
    assert made == [(toolbox, None)]


@pytest.mark.long
def test_one_of_some_hundred_tools_has_one_planner_too_and_is_read_once(tmp_path):
    toolbox, kept = large_toolbox(tmp_path, Toolbox.load(), 300)
    indexes = []

    def make(whole, index):
        assert len(whole) == len(toolbox)
        indexes.append(index)
        return embedded_planner(whole, index=index)

    planners = Planners(toolbox, make, kept)
    plan, _ = planners(CROP).plan(CROP)
    assert plan.solution(0).tools == ("visual_grounding", "image_cropping")
    assert planners(CROP) is planners(Request("Say hello"))
    (index,) = indexes
    assert index.encoded_tools == 0


def test_a_large_one_is_planned_with_as_if_it_were_small(tmp_path):
    toolbox, kept = large_toolbox(tmp_path, some_of_ours())
    indexes = []

    def make(small, index):
        indexes.append(index)
        return embedded_planner(small)

    planners = Planners(toolbox, make, kept)
    planner = planners(CROP)
    assert len(planner.graph.toolbox) < WHOLE
    plan, _ = planner.plan(CROP)
    assert plan.solution(0).tools == ("visual_grounding", "image_cropping")
    planners(Request("Translate this into French: good morning"))
    assert indexes[0] is indexes[1] and indexes[0].encoded_tools == 0


def test_a_tool_that_comes_is_all_that_is_encoded_and_is_kept(tmp_path, monkeypatch):
    toolbox, kept = large_toolbox(tmp_path, some_of_ours())
    given, encoded = [], []
    planners = Planners(toolbox, lambda small, found: given.append((small, found)), kept)
    planners(CROP)
    true = index.tool_vector
    monkeypatch.setattr(index, "tool_vector", lambda text: encoded.append(text) or true(text))
    monkeypatch.setattr(index, "_read", lambda path: 1 / 0)  # nothing is read from the file again
    came = Tool("tide", "The tide.", "public-api", (), Argument("result", "text"))
    more = Toolbox((*toolbox, came), toolbox.implementations, toolbox.lattice)
    following = planners.exchanged(more)
    assert encoded == [index.text_of(came)]
    asked = Request("When is the tide?")
    following(asked)
    planners(asked)
    (_, first), (after, second), (before, third) = given
    assert "tide" in after and "tide" in second
    # A request that began before goes on with what was there.
    assert third is first and "tide" not in before and "tide" not in third
    assert encoded == [index.text_of(came)]
    # And the next start finds it.
    monkeypatch.undo()
    assert ToolIndex(more, more.lattice, kept).encoded_tools == 0
    # Few tools are planned with as they are.
    few = following.exchanged(Toolbox(more.tools[:20], {}, more.lattice))
    few(asked)
    assert given[-1] == (few._toolbox, None)
