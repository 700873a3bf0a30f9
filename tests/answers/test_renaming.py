"""A file that is named anew is called so everywhere, and what was asked still means it."""

from __future__ import annotations

import pytest

from controlllm.answers.renaming import renamed
from controlllm.core.citations import Citation
from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Session, Turn
from controlllm.resources import BadInput, Resource
from tests.every_case import every_case

PHOTO = Resource("image", "photo.jpg", "1" * 64, "image/jpeg")
LONGER = Resource("image", "my photo.jpg", "2" * 64, "image/jpeg")
CLICKS = Resource(
    "point", "clicks on photo.json", "3" * 64, "application/json", "clicked on photo.jpg",
    details={"image": "photo.jpg", "points": 1},
)  # fmt: skip
DOG = Resource("image", "dog cut out.png", "4" * 64, "image/png", "mask_image")


def session(state: str = "answered") -> Session:
    actions = (
        Action("grounding", {"image": Reference("photo.jpg"), "query": Literal("photo.jpg-like")},
               TypedValue("bbox", "<GEN>-0-0")),
        Action("mask_image", {"image": Reference("photo.jpg"), "box": Reference("<GEN>-0-0")},
               TypedValue("image", "<GEN>-0-1")),
    )  # fmt: skip
    subtask = Subtask(
        0, "Cut out the dog of photo.jpg", (), (TypedValue("image", "photo.jpg"),),
        TypedValue("image", "<GEN>-0"),
    )  # fmt: skip
    turn = Turn(
        0, "Cut out the dog of @photo.jpg", ("photo.jpg",),
        Plan((subtask,), {0: (Solution(actions, 5),)}), {"0.0.1": DOG},
        "Here is `dog cut out.png`, from `photo.jpg`. A dog.", state,
        grounds=(Citation(0, 44, "0.0.1"), Citation(45, 51, "0.0.0", 0)),
    )  # fmt: skip
    return Session("s", "t", (PHOTO, LONGER, CLICKS, DOG), (turn,))


def test_all_that_calls_a_file_by_its_name_calls_it_by_the_new_one():
    changed, name = renamed(session(), "photo.jpg", "  beach @ noon ")
    assert name == "beach noon.jpg"
    turn = changed.turns[0]
    assert turn.text == "Cut out the dog of @beach noon.jpg"
    assert [turn.answer[item.start : item.end] for item in turn.grounds] == [
        "Here is `dog cut out.png`, from `beach noon.jpg`.", "A dog.",
    ]  # fmt: skip
    assert turn.attached == (name,) and "from `beach noon.jpg`" in turn.answer
    assert turn.plan.subtasks[0].args[0].value == name
    assert set(turn.plan.solutions[0][0].actions[1].references()) == {name, "<GEN>-0-0"}
    query = turn.plan.solutions[0][0].actions[0].inputs["query"]
    assert query == Literal("photo.jpg-like"), "only whole names"
    assert changed.resource("clicks on photo.json").details["image"] == name
    assert changed.resource("clicks on photo.json").origin == "clicked on beach noon.jpg"
    assert changed.resource("my photo.jpg") == LONGER
    assert [item.value for item in changed.resources].index(name) == 0
    assert Session.from_json(changed.to_json()) == changed


def test_a_result_is_named_anew_in_its_turn():
    changed, name = renamed(session(), "dog cut out.png", "Rex.png")
    assert name == "Rex.png"
    assert changed.turns[0].results["0.0.1"].value == "Rex.png"
    assert changed.turns[0].answer.startswith("Here is `Rex.png`")


@every_case(
    ("value", "wanted", "said"),
    [
        ("gone.png", "x", "no file called gone.png"),
        ("photo.jpg", "  ", "at least a letter"),
        ("photo.jpg", "../..", "at least a letter"),
        ("photo.jpg", "MY PHOTO", "is called MY PHOTO.jpg already"),
    ],
)
def test_what_is_no_name_is_said(value, wanted, said):
    with pytest.raises(BadInput, match=said):
        renamed(session(), value, wanted)


def test_nothing_is_named_anew_while_it_is_worked_on():
    with pytest.raises(BadInput, match="running"):
        renamed(session("running"), "photo.jpg", "x")


@every_case("wanted", ["a/../../b", "con", "x" * 500, "\u202eevil", "a\nb", "<b>.jpg"])
def test_any_name_becomes_a_safe_one(wanted):
    _, name = renamed(session(), "photo.jpg", wanted)
    assert name.endswith(".jpg") and len(name) <= 90 and name != "con.jpg"
    assert not set(name) & set('/\\\n<>"\u202e')
