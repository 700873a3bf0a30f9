"""The loops with these roles: Sum2Act by state, ReAct and DFSDT by history."""

from __future__ import annotations

import json

import pytest

from controlllm.agents.dfsdt import dfsdt
from controlllm.agents.embedded.router import EmbeddedChooser
from controlllm.agents.environment import MOST_OBSERVED
from controlllm.agents.react import react
from controlllm.agents.roles import Taken, Task
from controlllm.agents.sum2act import sum2act
from controlllm.resources import Resource
from controlllm.toolbox import Code, Toolbox
from tests.agents.embedded.conftest import Town, environment_of

ASKED = "What will the weather be like in Lisbon tomorrow?"


@pytest.fixture(scope="module")
def chooser(router, keeper):
    return EmbeddedChooser(router, keeper)


def test_all_three_find_the_answer(router, keeper, chooser):
    for run in (
        lambda room: sum2act(Task(ASKED), room, router, keeper),
        lambda room: react(Task(ASKED), room, chooser),
        lambda room: dfsdt(Task(ASKED), room, chooser),
    ):
        outcome = run(environment_of(Town({"forecast": Code.TIMED_OUT})))
        assert outcome.is_answered
        assert "high: 23" in outcome.answer
        assert outcome.path[-2].decision.tool == "daily_weather"


def test_only_a_state_holds_what_stands_behind_noise(router, keeper, chooser):
    noisy = json.dumps({"trace": "noise " * MOST_OBSERVED, "city": "Lisbon", "high": 23})
    room = environment_of(Town(instead={"forecast": noisy}))
    assert "high: 23" in sum2act(Task(ASKED), room, router, keeper).answer
    room = environment_of(Town(instead={"forecast": noisy, "daily_weather": noisy}))
    assert "high: 23" not in react(Task(ASKED), room, chooser).answer


def test_a_choice_differs_from_what_was_done_elsewhere(chooser):
    room = environment_of(Town())
    first = chooser.choose(Task(ASKED), (), room)
    done = Taken(first, room.step(first.tool, first.arguments))
    second = chooser.choose(Task(ASKED), (), room, (done,))
    assert (second.tool, second.arguments) != (first.tool, first.arguments)


def test_files_take_the_whole_ways_of_the_planner(router, keeper):
    from controlllm.agents.tool_environment import Made, ToolEnvironment

    names = ("visual_grounding", "image_cropping", "image_captioning", "text_to_speech")
    box = Toolbox.load()
    tools = [box[name] for name in names]

    def call(tool, inputs):
        if tool.returns.type == "text":
            return "a small dog"
        return Made(Resource(tool.returns.type, ""), f"{tool.returns.type} made")

    room = ToolEnvironment(tools, call, [Resource("image", "photo.jpg")])
    asked = "Crop the dog in photo.jpg"
    outcome = sum2act(Task(asked, ("photo.jpg",), returns="image"), room, router, keeper)
    assert [item.decision.tool for item in outcome.steps] == [
        "visual_grounding",
        "image_cropping",
        "Finish",
    ]
    assert outcome.steps[1].decision.arguments == {"image": "photo.jpg", "bbox": "bbox-1"}
    assert outcome.result == "image-1"
