"""Requests that speak of regions by their numbers."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Literal, Reference, Request
from controlllm.planning.planner import Planner
from controlllm.resources import Resource
from tests.every_case import every_case
from tests.planning.pointed_requests import is_right, requests_of


@pytest.fixture
def planner(own_planner: Planner) -> Planner:
    return own_planner


def region(number: int, image: str) -> Resource:
    return Resource("mask", f"[{number}]", details={"image": image, "number": number})


def solutions(planner: Planner, text: str, *resources: Resource):
    request = Request(text, resources, tuple(item.value for item in resources))
    return list(planner.solve(planner.decompose(request), request))


@every_case("asked", requests_of("development"), ids=lambda asked: asked["text"])
def test_what_is_asked_of_regions_is_planned(planner: Planner, asked: dict) -> None:
    assert is_right(planner, asked)


def test_most_of_the_second_set_is_planned_right(planner: Planner) -> None:
    asked = requests_of("second")
    assert sum(is_right(planner, one) for one in asked) >= 0.8 * len(asked)


def test_a_change_of_a_region_is_put_back_and_the_next_goes_on_with_it(planner: Planner) -> None:
    photo = Resource("image", "a.jpg")
    first, second = solutions(
        planner, "sharpen [1] and brighten [2]", photo, region(1, "a.jpg"), region(2, "a.jpg")
    )
    edit, back = first.solutions[0].actions
    assert edit.inputs["image"] == Reference("a.jpg")
    assert edit.inputs["prompt"] == Literal("sharpen it")
    assert back.tool == "put_back"
    assert back.inputs["mask"] == Reference("[1]") and back.output.value == "<GEN>-0"
    edit, back = second.solutions[0].actions
    assert edit.inputs["image"] == Reference("<GEN>-0") == back.inputs["image"]
    assert back.inputs["mask"] == Reference("[2]")
    assert second.subtask.deps == (0,)
    assert first.subtask.description == "sharpen [1]"


def test_a_tool_that_takes_the_region_itself_puts_nothing_back(planner: Planner) -> None:
    (solved,) = solutions(planner, "blur [1]", Resource("image", "a.jpg"), region(1, "a.jpg"))
    (blurred,) = solved.solutions[0].actions
    assert blurred.tool == "image_blurring"
    assert blurred.inputs["mask"] == Reference("[1]")


def test_it_is_the_region_after_a_wish_that_only_told_of_it(planner: Planner) -> None:
    photo = Resource("image", "a.jpg")
    _, removed = solutions(planner, "what is [1]? then remove it", photo, region(1, "a.jpg"))
    assert removed.subtask.scope is not None and removed.subtask.scope.how == "mask"
    assert removed.solutions[0].actions[-1].inputs["mask"] == Reference("[1]")
    _, cropped = solutions(planner, "blur [1] and make it smaller", photo, region(1, "a.jpg"))
    assert cropped.subtask.scope is None and "<GEN>-0" in [a.value for a in cropped.subtask.args]


def test_a_question_about_a_region_is_asked_of_what_is_cut_out(planner: Planner) -> None:
    (solved,) = solutions(
        planner, "what colour is [2]?", Resource("image", "a.jpg"), region(2, "a.jpg")
    )
    box, cut, asked = solved.solutions[0].actions
    assert box.inputs == {"mask": Reference("[2]")}
    assert cut.inputs["image"] == Reference("a.jpg")
    assert asked.inputs["image"] == Reference(cut.output.value)


def test_a_thing_is_put_into_the_other_picture(planner: Planner) -> None:
    (solved,) = solutions(
        planner,
        "replace [1] with [2]",
        Resource("image", "a.jpg"),
        Resource("image", "b.jpg"),
        region(1, "a.jpg"),
        region(2, "b.jpg"),
    )
    (put,) = solved.solutions[0].actions
    assert put.inputs == {
        "image": Reference("a.jpg"),
        "mask": Reference("[1]"),
        "thing": Reference("b.jpg"),
        "thing_mask": Reference("[2]"),
    }


def test_what_is_not_numbered_is_heard_as_before(planner: Planner) -> None:
    photo = Resource("image", "a.jpg")
    (solved,) = solutions(planner, "cut out the dog", photo, region(1, "a.jpg"))
    assert solved.subtask.scope is None
