"""Requests of several sentences, read by the trained reader and planned over our own toolbox."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Request
from controlllm.resources import Resource
from tests.every_case import every_case


@pytest.fixture
def planner(own_planner):
    return own_planner


def subtasks(planner, text, **files):
    resources = tuple(
        Resource(kind, name) for kind, names in files.items() for name in names.split()
    )
    names = tuple(resource.value for resource in resources)
    return planner.decompose(Request(text, resources, names))


def values(subtask, role=""):
    return [argument.value for argument in subtask.args if argument.role == role]


def test_a_question_after_its_picture_is_named_is_not_passed_over(planner):
    question, crop = subtasks(
        planner,
        "Answer questions based on image: a.png. What colour is the bus? Crop the dog in b.png.",
        image="a.png b.png",
    )
    assert values(question) == ["a.png"]
    assert "What colour is the bus" in question.description
    assert values(crop) == ["b.png"] and values(crop, "object") == ["the dog"]


def test_what_was_clicked_before_is_meant(planner):
    (subtask,) = subtasks(
        planner,
        "I clicked on something in garden.jpg. Segment it.",
        image="garden.jpg",
        point="clicks.json",
    )
    assert set(values(subtask)) == {"garden.jpg", "clicks.json"}
    assert subtask.returns.type == "mask"


def test_a_picture_and_its_mask_are_two_files(planner):
    (subtask,) = subtasks(
        planner,
        "photo.png has a scratch. Fill in what mask.png covers so nobody notices.",
        image="photo.png",
        mask="mask.png",
    )
    assert sorted(values(subtask)) == ["mask.png", "photo.png"]


def test_one_wish_for_several_files_is_one_for_each(planner):
    found = subtasks(
        planner,
        "Translate the caption of a.jpg, b.jpg and c.jpg into Dutch",
        image="a.jpg b.jpg c.jpg",
    )
    assert [values(subtask) for subtask in found] == [["a.jpg"], ["b.jpg"], ["c.jpg"]]
    assert all(values(subtask, "language") == ["Dutch"] for subtask in found)


def test_a_face_of_somebody_is_the_whole_name_of_what_is_meant(planner):
    (subtask,) = subtasks(
        planner, "Crop the face of the man on the left in duo.jpg", image="duo.jpg"
    )
    (meant,) = values(subtask, "object")
    assert meant.startswith("the face of the man")


@every_case(
    ("text", "returned"),
    [
        ("Is there a car in street.png?", "bbox"),
        ("Is there a bittern in street.png?", "category"),
    ],
)
def test_detectors_and_classifiers_know_different_things(planner, text, returned):
    (subtask,) = subtasks(planner, text, image="street.png")
    assert subtask.returns.type == returned


def test_what_has_to_be_done_elsewhere_is_told_apart(planner):
    plan, _ = planner.plan(
        Request("Print a.jpg on the office printer", (Resource("image", "a.jpg"),), ("a.jpg",))
    )
    assert [plan.solution(subtask.id) for subtask in plan.subtasks] == [None]
