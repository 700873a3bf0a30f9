"""What differs between two ways, and which ways do the same."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from controlllm.comparing.differences import Difference, alike, differences
from controlllm.core.plans import Action, Literal, Reference, Solution, TypedValue, generated


def action(tool: str, number: int | None, makes: str, **inputs: str) -> Action:
    """An action of subtask 0; inputs that begin with ``'`` are words."""
    given = {
        name: Literal(value.strip("'")) if value.startswith("'") else Reference(value)
        for name, value in inputs.items()
    }
    return Action(tool, given, TypedValue(makes, generated(0, number)))


STEP = [generated(0, number) for number in range(5)]
GROUNDING = action("visual_grounding", 1, "bbox", image="a.jpg", query="'the cup'")
BOX_TO_MASK = action("bbox_to_mask", 2, "mask", image="a.jpg", bbox=STEP[1])
BY_BOX = action("segment_by_box", 2, "mask", image="a.jpg", bbox=STEP[1])
PAINT = action("image_inpainting", None, "image", image="a.jpg", mask=STEP[2])
USUAL = Solution((GROUNDING, BOX_TO_MASK, PAINT), 4.7)


def test_one_tool_instead_of_another():
    other = Solution((GROUNDING, BY_BOX, PAINT), 3.8)
    assert differences(other, USUAL) == (
        Difference("instead", ("segment_by_box",), ("bbox_to_mask",)),
    )


def test_a_step_more_says_what_it_comes_before_and_a_step_less_that_it_is_missing():
    select = action("select_bbox", 4, "bbox", bbox=STEP[1], condition="'the cup'")
    to_mask = replace(BOX_TO_MASK, inputs={**BOX_TO_MASK.inputs, "bbox": Reference(STEP[4])})
    longer = Solution((GROUNDING, select, to_mask, PAINT), 3.7)
    assert differences(longer, USUAL) == (
        Difference("also", ("select_bbox",), tool="bbox_to_mask"),
    )
    assert differences(USUAL, longer) == (Difference("without", theirs=("select_bbox",)),)


def test_the_same_tools_on_other_files_and_with_other_words():
    crop = action("image_crop_left", 3, "image", image="a.jpg")
    first = Solution((crop, replace(GROUNDING, inputs={**GROUNDING.inputs})), 3.4)
    second = Solution(
        (crop, replace(GROUNDING, inputs={**GROUNDING.inputs, "image": Reference(STEP[3])})), 3.4
    )
    (difference,) = differences(second, first)
    assert difference == Difference(
        "reads", ("image_crop_left",), ("a.jpg",), tool="visual_grounding"
    )
    other_words = Solution((action("tts", None, "audio", text="'hello'"),), 4.0)
    words = Solution((action("tts", None, "audio", text="'good morning'"),), 4.0)
    assert differences(other_words, words) == (
        Difference("words", ("hello",), ("good morning",), "tts"),
    )


def test_another_kind_of_result_is_told_first():
    pose = Solution((action("image_to_pose", None, "pose", image="a.jpg"),), 3.0)
    edge = Solution((action("image_to_edge", None, "edge", image="a.jpg"),), 4.0)
    assert differences(pose, edge)[0] == Difference("makes", ("pose",), ("edge",))


def test_ways_that_only_order_independent_steps_otherwise_are_one():
    blur = action("background_blur", 1, "image", image="a.jpg")
    edges = action("image_to_edge", 2, "edge", image="a.jpg")
    mix = action("mix", None, "image", image=STEP[1], edge=STEP[2])
    one, other = Solution((blur, edges, mix), 4.0), Solution((edges, blur, mix), 3.9)
    assert alike((one, USUAL, other)) == ((0, 2), (1,))
    assert differences(one, other) == ()


def test_a_way_with_a_pinned_result_is_another_one():
    pinned = Solution((GROUNDING, replace(BOX_TO_MASK, pinned="my mask.png"), PAINT), 4.7)
    assert alike((USUAL, pinned)) == ((0,), (1,))


@st.composite
def chains(draw: st.DrawFn) -> Solution:
    tools = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4))
    actions = []
    for place, tool in enumerate(tools):
        before = ["a.jpg", *(item.output.value for item in actions)]
        actions.append(action(tool, place, "image", image=draw(st.sampled_from(before))))
    return Solution(tuple(actions), 4.0)


@given(chains(), chains())
def test_a_way_differs_from_itself_in_nothing_and_from_others_in_tools_or_inputs(one, other):
    assert differences(one, one) == ()
    if sorted(one.tools) != sorted(other.tools):
        assert differences(one, other)
