"""Plans that cannot run are refused in words, step by step."""

from __future__ import annotations

from controlllm.core.events import ActionFailed, ActionFinished
from controlllm.core.plans import Literal, Reference
from controlllm.engine.compile import Nowhere, Output, compile_plan
from controlllm.resources import Image, Mask, Number, Resource, Tags, Text
from controlllm.toolbox import Toolbox, tool
from tests.engine.bench import action, plan_of


@tool(domain="general")
def mend(image: Image, mask: Mask, strength: float = 0.5, quick: bool = False) -> Image:
    """Mend what is masked."""
    return image


@tool(domain="general")
def describe(image: Image, question: Text | None = None) -> Text:
    """Say what is there."""
    return "a cat"


@tool(domain="general", aliases=["outline"])
def find(image: Image) -> Mask:
    """Find the object."""
    return ()


@tool(domain="general")
def collect(images: list[Image], tags: Tags | None = None, count: Number | None = None) -> Text:
    """Tell how many."""
    return str(len(images))


TOOLBOX = Toolbox.of([mend, describe, find, collect])
RESOURCES = {
    "cat.png": Resource("image", "cat.png", "0" * 64, "image/png"),
    "cut.png": Resource("mask", "cut.png", "1" * 64, "image/png"),
    "song.wav": Resource("audio", "song.wav", "2" * 64, "audio/wav"),
}


def compiled(*subtasks):
    return compile_plan(plan_of(*subtasks), TOOLBOX, RESOURCES).nodes


def problem(name, **inputs):
    return compiled([[action(name, "<GEN>-0", **inputs)]])["0.0.0"].problem


def test_references_find_what_makes_them():
    nodes = compiled(
        [[action("find", "<GEN>-0-1", image="cat.png"),
          action("mend", "<GEN>-0", image="cat.png", mask="<GEN>-0-1")]],
        [[action("describe", "<GEN>-1", image="<GEN>-0", question="what is it")]],
    )  # fmt: skip
    assert [node.problem for node in nodes.values()] == ["", "", ""]
    assert nodes["0.0.1"].inputs == {"image": RESOURCES["cat.png"], "mask": Output("0.0.0", "mask")}
    assert nodes["0.0.1"].parameters == {"strength": 0.5, "quick": False}
    assert nodes["1.0.0"].inputs == {
        "image": Output("0.0.1", "image"),
        "question": Literal("what is it"),
    }
    assert nodes["1.0.0"].producers == {"0.0.1"}


def test_special_kinds_fit_where_general_ones_are_asked_and_not_the_other_way():
    assert problem("describe", image="cut.png") == ""
    assert "needs a mask for 'mask', and the plan has an image" in problem(
        "mend", image="cat.png", mask="cat.png"
    )
    assert "has audio" in problem("describe", image="song.wav")
    assert "has words" in problem("describe", image="some words")


def test_unknown_things_are_named():
    assert problem("fly", image="cat.png") == "There is no tool called 'fly' here."
    assert "dog.png, which is not in this conversation" in problem("find", image="dog.png")
    assert "the result <GEN>-7, and no step" in problem("find", image="<GEN>-7")
    assert "no input called 'sound'" in problem("find", image="cat.png", sound="song.wav")
    assert "needs a mask for 'mask', and the plan has none" in problem("mend", image="cat.png")
    assert "needs an image for 'images'" in problem("collect", images=[])
    assert "takes one image" in problem("find", image=["cat.png", "cut.png"])


def test_alias_means_the_tool():
    assert compiled([[action("outline", "<GEN>-0", image="cat.png")]])["0.0.0"].name == "find"


def test_settings_are_read_as_their_defaults_types():
    def with_setting(**inputs):
        step = action("mend", "<GEN>-0", image="cat.png", mask="cut.png", **inputs)
        return compiled([[step]])["0.0.0"]

    assert with_setting(strength="1").parameters == {"strength": 1.0, "quick": False}
    assert with_setting(quick="True").parameters["quick"] is True
    assert "no value for 'strength'" in with_setting(strength="a lot").problem
    assert "no value for 'quick'" in with_setting(quick="1").problem
    assert "is a setting, not a file" in with_setting(quick="cat.png").problem


def test_words_fit_every_kind_of_text():
    step = action("collect", "<GEN>-0", images=["cat.png"], tags="a, b", count="3")
    assert compiled([[step]])["0.0.0"].problem == ""


def test_circles_are_refused_and_what_waits_for_them_is_left():
    nodes = compiled(
        [[action("describe", "<GEN>-0-1", image="cat.png", question="<GEN>-1"),
          action("describe", "<GEN>-0", image="cat.png", question="<GEN>-0-1")]],
        [[action("describe", "<GEN>-1", image="cat.png", question="<GEN>-0")]],
        [[action("describe", "<GEN>-2", image="cat.png", question="<GEN>-1")]],
        [[action("describe", "<GEN>-3", image="cat.png", question="<GEN>-3")]],
    )  # fmt: skip
    assert [key for key, node in nodes.items() if "in a circle" in node.problem] == [
        "0.0.0", "0.0.1", "1.0.0", "3.0.0",
    ]  # fmt: skip
    assert "describe waits for its own result" in nodes["3.0.0"].problem


def test_result_of_a_part_without_a_way_leaves_its_reader_waiting():
    nodes = compiled([], [[action("describe", "<GEN>-1", image="<GEN>-0")]])
    assert nodes["1.0.0"].is_stranded
    assert nodes["1.0.0"].inputs == {"image": Nowhere(0)}


def test_outputs_on_the_way_belong_to_their_own_part():
    nodes = compiled(
        [[action("describe", "<GEN>-0-1", image="cat.png"),
          action("describe", "<GEN>-0", image="cat.png", question="<GEN>-0-1")]],
        [[action("describe", "<GEN>-1", image="cat.png", question="<GEN>-0-1")]],
    )  # fmt: skip
    assert "the result <GEN>-0-1, and no step" in nodes["1.0.0"].problem


def test_two_steps_cannot_make_one_result():
    step = action("describe", "<GEN>-0", image="cat.png")
    nodes = compiled([[step, step]])
    assert "both to make '<GEN>-0'" in nodes["0.0.1"].problem


def test_refused_step_fails_before_anything_of_its_part_runs(bench):
    plan = plan_of(
        [[action("join", "<GEN>-0-1", text="first"),
          action("fly", "<GEN>-0", text="<GEN>-0-1")],
         [action("join", "<GEN>-0", text="second")]],
        [[action("join", "<GEN>-1", text="third", parts=["nowhere.txt"])]],
    )  # fmt: skip
    assert plan.solutions[1][0].actions[0].inputs["parts"] == (Reference("nowhere.txt"),)
    events = bench.run(plan)
    assert bench.calls == ["second"]
    failed = [event for event in events if isinstance(event, ActionFailed)]
    assert [event.key for event in failed] == ["0.0.1", "1.0.0"]
    assert failed[0].next == "Trying another way: join."
    assert "nowhere.txt" in failed[1].message
    assert [event.key for event in events if isinstance(event, ActionFinished)] == ["0.1.0"]


def test_what_most_hangs_on_is_most_urgent(bench):
    plan = plan_of(
        [[action("join", "<GEN>-0", text="alone")]],
        [[action("join", "<GEN>-1", text="root")]],
        [[action("join", "<GEN>-2", text="middle", parts=["<GEN>-1"])]],
        [[action("join", "<GEN>-3", text="end", parts=["<GEN>-2", "<GEN>-0"])]],
    )
    graph = compile_plan(plan, bench.toolbox, {})
    urgency = graph.urgency(lambda tool: 2.0)
    assert list(urgency.values()) == [4.0, 6.0, 4.0, 2.0]
