"""A small toolbox has one planner, a large one one for each request, over what matters to it."""

from __future__ import annotations

import numpy as np

from controlllm.planners import embedded_planner
from controlllm.plans import Request
from controlllm.resources import Resource
from controlllm.retrieval import SMALL, Planners, ToolIndex
from controlllm.toolbox import Argument, Tool, Toolbox

PHOTO = Resource("image", "photo.png")
CROP = Request("Crop the dog in photo.png", (PHOTO,), ("photo.png",))


def large_toolbox(folder):
    """Our own tools among many others, and the file of an index of them whose vectors of the others
    are drawn by chance: encoding them would take half a minute."""
    own = Toolbox.load()
    text = (Argument("text", "text"),)
    others = tuple(
        Tool(f"part_{number}", f"Part {number}.", "public-api", text, Argument("result", "text"))
        for number in range(SMALL)
    )
    toolbox = Toolbox((*own, *others), own.implementations, own.lattice)
    index, chance = ToolIndex(own, own.lattice), np.random.default_rng(1)
    for tool in others:
        vectors = chance.normal(size=(2, 384)).astype(np.float32) / 384**0.5
        index.add(tool, (vectors[0], vectors[1]))
    index.save(folder / "index.npz")
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


def test_a_large_one_is_planned_with_as_if_it_were_small(tmp_path):
    toolbox, kept = large_toolbox(tmp_path)
    indexes = []

    def make(small, index):
        indexes.append(index)
        return embedded_planner(small)

    planners = Planners(toolbox, make, kept)
    planner = planners(CROP)
    assert len(planner.graph.toolbox) < SMALL
    plan, _ = planner.plan(CROP)
    assert plan.solution(0).tools == ("visual_grounding", "image_cropping")
    planners(Request("Translate this into French: good morning"))
    assert indexes[0] is indexes[1] and indexes[0].encoded_tools == 0
