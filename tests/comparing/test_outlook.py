"""What is to be expected of a way: its time here, what leaves the machine, measured quality."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.comparing.differences import calls_of
from controlllm.comparing.outlook import PUBLIC_SERVICES, Outlook, Time, is_judged_by_rule, quality
from controlllm.core.plans import Action, Literal, Reference, Solution, TypedValue, generated
from controlllm.engine import Durations
from controlllm.planning.solution_expert import reason_of
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox
from controlllm.toolbox.capabilities import ALONE, HostedTool


@pytest.fixture(scope="module")
def toolbox() -> Toolbox:
    return Toolbox.load()


def step(tool: str, number: int, **inputs: str) -> Action:
    given = {name: Reference(value) for name, value in inputs.items()}
    return Action(tool, given, TypedValue("image", generated(0, number)))


MASK = step("instance_segmentation", 1, image="a.jpg")
BLUR = step("background_blur", 2, image="a.jpg", mask=generated(0, 1))
WAY = Solution((MASK, BLUR), 4.4)


def test_before_anything_ran_the_shipped_figures_are_told_as_such(toolbox):
    time = Outlook(toolbox, Durations(), Settings()).time(WAY)
    assert time.measured == "elsewhere" and time.seconds > 0


def test_what_ran_here_counts_and_what_is_done_takes_no_time(toolbox):
    durations = Durations()
    blur, mask = (
        toolbox.available(tool)[0] for tool in ("background_blur", "instance_segmentation")
    )
    for seconds in (0.2, 9.0, 0.4):
        durations.learn(blur, ALONE, ["image", "mask"], seconds)
    outlook = Outlook(toolbox, durations, Settings())
    assert outlook.time(WAY).measured == "partly"
    durations.learn(mask, ALONE, ["image"], 2.0)
    assert outlook.time(WAY) == Time(pytest.approx(2.4), "here", 0)
    done = frozenset(calls_of(WAY)[:1])
    assert outlook.time(WAY, done) == Time(pytest.approx(0.4), "here", 1)
    assert outlook.time(WAY, frozenset(calls_of(WAY))) == Time(0.0, "here", 2)


def test_the_same_tool_with_fewer_inputs_is_another_matter(toolbox):
    durations = Durations()
    durations.learn(toolbox.available("background_blur")[0], ALONE, ["image", "mask"], 0.4)
    alone = Solution((step("background_blur", 1, image="a.jpg"),), 4.2)
    assert Outlook(toolbox, durations, Settings()).time(alone).measured == "elsewhere"


def test_what_was_never_measured_is_told_as_such(toolbox):
    unknown = Solution((step("no_such_tool", 1, image="a.jpg"),), 3.0)
    assert Outlook(toolbox, Durations(), Settings()).time(unknown).measured == "nowhere"


def test_durations_outlive_the_program(toolbox, tmp_path):
    way = toolbox.available("background_blur")[0]
    first = Durations(tmp_path / "durations.json")
    for seconds in (0.1, 0.3, 0.2):
        first.learn(way, ALONE, ["image"], seconds)
    again = Durations(tmp_path / "durations.json")
    assert again.median(way, ["image"]) == 0.2
    assert again.median(way, ["image", "mask"]) is None
    assert again.of("background_blur") == 0.2 and again.of("image_cropping") == 1.0


def test_a_broken_file_of_durations_is_as_none(toolbox, tmp_path):
    (tmp_path / "durations.json").write_text('{"background_blur/embedded@1 image": "soon"}')
    assert Durations(tmp_path / "durations.json").of("background_blur") == 1.0


def test_nothing_leaves_the_machine_by_itself(toolbox):
    outlook = Outlook(toolbox, Durations(), Settings())
    every = Solution(tuple(step(tool.name, 1) for tool in toolbox), 3.0)
    assert outlook.hosts(every) == ()


def test_the_host_is_told_where_settings_let_something_leave(toolbox):
    words = {"prompt": Literal("a red boat")}
    made = Action("text_to_image", words, TypedValue("image", generated(0)))
    settings = Settings(
        base_url="https://models.example.org/v1",
        image_model="painter",
        tools_use_endpoint=True,
        public_services=True,
        preference="quality",
        hosted={"super_resolution": HostedTool("https://upscale.hf.space/#/run")},
    )
    outlook = Outlook(toolbox, Durations(), settings)
    assert outlook.hosts(Solution((made,), 4.0)) == ("models.example.org",)
    larger = Solution((replace(made, tool="super_resolution"),), 4.0)
    assert outlook.hosts(larger) == ("upscale.hf.space",)
    weather = Solution((replace(made, tool="get_weather"),), 4.0)
    assert outlook.hosts(weather) == (PUBLIC_SERVICES,)


def test_quality_is_told_only_where_both_were_measured_on_the_same_things():
    (figure,) = quality(("segment_by_box",), ("instance_segmentation",))
    assert (figure.figure, figure.other_figure, figure.things) == (0.90, 0.87, 5)
    assert quality(("segment_by_box",), ("object_detection",)) == ()


def test_what_the_rules_say_of_every_way_is_no_reason_of_its_own():
    assert is_judged_by_rule(replace(WAY, reason=reason_of(WAY.actions, 4.4)))
    assert not is_judged_by_rule(replace(WAY, reason="It keeps the fine hair."))
