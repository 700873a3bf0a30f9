"""Which of all our tools the model of an agent is told, and how it gets at the others."""

from __future__ import annotations

import json

import pytest

from controlllm.agents.likely import MOST_CHARACTERS, LikelyTools
from controlllm.agents.prompted import PromptedRouter
from controlllm.agents.roles import Task
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.costs import Usage
from controlllm.core.state import Failure, State
from controlllm.resources import Resource
from controlllm.runs.planners import embedded_planner
from controlllm.sources.loading import load_toolbox
from tests.agents.conftest import EMPTY, Says, give_up, said
from tests.every_case import every_case
from tests.language.conftest import asker, endpoint, server, told

PHOTO = Resource("image", "photo.jpg")
TASK = Task("Make the photo grey", ("photo.jpg",), returns="image")


@pytest.fixture(scope="module")
def planner():
    return embedded_planner(load_toolbox((), None))


@pytest.fixture
def room(planner):
    return ToolEnvironment(planner.graph.toolbox, lambda tool, inputs: "x", [PHOTO])


@pytest.fixture
def router(asker, planner):
    by_rules = Says(give_up("by rules"), usage=Usage())
    likely = LikelyTools(lambda tools: planner)
    return PromptedRouter(asker, by_rules, planner.graph.lattice, likely=likely)


def names(data):
    briefly = [line.partition("(")[0] for line in data["others"]]
    return [tool["name"] for tool in data["tools"]], briefly


def test_the_likeliest_are_told_and_little_else(server, router, room, planner):
    server.says(said("grayscale_image", image="photo.jpg"))
    assert router.decide(TASK, EMPTY, room, frozenset()).tool == "grayscale_image"
    in_full, briefly = names(server.data())
    assert "grayscale_image" in in_full[:3] and len(briefly) >= 10
    assert len(in_full) + len(briefly) < len(planner.graph.toolbox) / 3
    spoken = sum(len(item["content"]) for item in server.asked[0]["messages"])
    assert spoken <= MOST_CHARACTERS
    schema = server.asked[0]["response_format"]["json_schema"]["schema"]
    assert "enum" not in schema["properties"]["tool"]


def test_what_failed_brings_tools_that_do_the_same(server, router, room):
    server.says(said("Finish", give_up="No."))
    failed = Failure("translation", {"text": "x"}, "It cannot be reached.", "unavailable", 1)
    router.decide(TASK, State(failures=(failed,)), room, {"grayscale_image"})
    in_full, briefly = names(server.data())
    assert in_full[0] == "translation"
    assert "grayscale_image" not in in_full + briefly


@every_case(
    "words",
    ["tell the weather of a place", "weather_forecast_of_place"],
    anew=(server, endpoint, told, asker, router),
)
def test_any_other_is_reached_by_words_or_by_its_name(server, router, room, words):
    server.says(said(words), said("rotate_image", image="photo.jpg"))
    decision = router.decide(TASK, EMPTY, room, frozenset())
    problem = server.asked[1]["messages"][-1]["content"]
    assert words in problem
    found = json.loads(problem[problem.index('["') : problem.rindex('"]') + 2])
    assert "weather" in found[0] and len(found) == 6
    assert decision.tool == "rotate_image"
