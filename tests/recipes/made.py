"""What tests of recipes share: a turn about files of a conversation."""

from __future__ import annotations

import json

from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Session, Turn
from controlllm.resources import ClickedPoint, Resource

PHOTO = Resource(
    "image", "my dog.jpg", "d" * 64, "image/jpeg", details={"width": 200, "height": 100}
)
CLICKS = Resource(
    "point", "clicks on my dog.json", "c" * 64, "application/json", "clicked on my dog.jpg",
    details={"image": "my dog.jpg", "points": 1},
)  # fmt: skip
OTHER = Resource("text", "diary.txt", "e" * 64, "text/plain")
POINTS = (ClickedPoint(50, 75, True), ClickedPoint(10, 10, False))


def part(number, tool, inputs, makes, description="", args=()):
    """A part of a plan with one step."""
    result = TypedValue(makes, f"<GEN>-{number}")
    deps = tuple(
        int(value.value[6:])
        for value in inputs.values()
        if isinstance(value, Reference) and value.value.startswith("<GEN>-")
    )
    subtask = Subtask(number, description or tool, ("image",), args, result, deps)
    return subtask, Solution((Action(tool, inputs, result),), 4.5, "It does it well.")


def turn_of(*parts, text="Cut out what I point at in my dog.jpg, like in diary.txt", number=0):
    subtasks = tuple(subtask for subtask, _ in parts)
    plan = Plan(subtasks, {subtask.id: (way,) for subtask, way in parts})
    return Turn(number, text, ("my dog.jpg",), plan, state="answered")


def pointed_turn():
    """What was pointed at in a photo becomes a mask, and another step reads that."""
    photo = TypedValue("image", "my dog.jpg")
    clicked = {"image": Reference("my dog.jpg"), "points": Reference("clicks on my dog.json")}
    cut = {"image": Reference("my dog.jpg"), "mask": Reference("<GEN>-0")}
    return turn_of(
        part(0, "segment_by_points", clicked, "mask", "the thing in my dog.jpg", (photo,)),
        part(1, "mask_image", cut, "image"),
    )


def worded_turn(text="blur diary.txt"):
    words = {"image": Reference("my dog.jpg"), "prompt": Literal(text)}
    return turn_of(part(0, "text_image_editing", words, "image"))


def session_of(turn, *more):
    return Session("secret-of-a-conversation", "A title", (PHOTO, CLICKS, OTHER, *more), (turn,))


def value_of(resource):
    assert resource.type == "point"
    return POINTS


def copied(recipe):
    return json.loads(recipe.to_text())
