"""A turn becomes a recipe, and a recipe from elsewhere is read or refused."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.core.plans import Literal, Reference
from controlllm.core.session import Turn
from controlllm.recipes import recipe_from, recipe_in, recipe_of, words_of
from controlllm.recipes.making import marks_on
from controlllm.recipes.recipe import MOST_CHARACTERS
from controlllm.resources import Box, ClickedPoint, Resource
from controlllm.runs.sent_plans import BadPlan
from controlllm.toolbox import Toolbox
from tests.every_case import every_case
from tests.recipes.made import (
    copied,
    part,
    pointed_turn,
    session_of,
    turn_of,
    value_of,
    worded_turn,
)

TOOLBOX = Toolbox.load()


def pointed():
    turn = pointed_turn()
    return recipe_of(session_of(turn), turn, "Cut it out", value_of)


def worded(*open_words):
    turn = worded_turn()
    return recipe_of(session_of(turn), turn, "Blur", value_of, open_words)


def test_the_files_that_a_turn_worked_on_become_inputs():
    recipe = pointed()
    photo, place = recipe.inputs
    assert (photo.kind, photo.type, photo.label) == ("file", "image", "picture")
    assert (place.kind, place.type, place.of) == ("place", "point", photo.name)
    assert place.marks == (
        {"x": 0.25, "y": 0.75, "positive": True}, {"x": 0.05, "y": 0.1, "positive": False},
    )  # fmt: skip
    assert recipe.tools == ("segment_by_points", "mask_image")
    plan = recipe.bound({photo.name: Reference("cat.png"), place.name: Reference("there")})
    read = [set(step.action.references()) for step in plan.steps()]
    assert read == [{"cat.png", "there"}, {"cat.png", "<GEN>-0"}]


def test_a_recipe_tells_nothing_of_files_or_of_the_conversation():
    told = json.dumps([pointed().to_json(), worded().to_json(), worded("blur diary.txt").to_json()])
    for private in ("my dog", "diary", "secret-of-a-conversation", "d" * 64, "It does it well"):
        assert private not in told
    assert pointed().request == "Cut out what I point at in picture, like in text"


def test_words_stay_as_they_were_unless_they_are_opened():
    fixed, opened = worded(), worded("blur diary.txt")
    assert [step.action.inputs["prompt"] for step in fixed.plan.steps()] == [Literal("blur text")]
    words = opened.of_kind("words")[0]
    assert words.given == "blur text"
    photo = {opened.files[0].name: Reference("cat.png")}
    usual, said = opened.bound(photo), opened.bound(photo | {words.name: Literal("sharpen")})
    assert [step.action.inputs["prompt"] for step in usual.steps()] == [Literal("blur text")]
    assert [step.action.inputs["prompt"] for step in said.steps()] == [Literal("sharpen")]
    assert [(item.text, item.argument) for item in words_of(worded_turn())] == [
        ("blur diary.txt", "prompt")
    ]


def test_results_of_earlier_turns_become_inputs_as_well():
    earlier = Resource("mask", "cut-1.png", "f" * 64, "image/png", "made by a tool", 0)
    inputs = {"image": Reference("my dog.jpg"), "mask": Reference("cut-1.png")}
    turn = turn_of(part(0, "mask_image", inputs, "image"))
    recipe = recipe_of(session_of(turn, earlier), turn, "", value_of)
    assert [item.type for item in recipe.files] == ["image", "mask"] and recipe.name == "Recipe"


def test_what_was_clicked_on_is_found_anew_by_a_step_of_the_plan():
    marks = {"points": [{"x": 50, "y": 75, "positive": True}], "boxes": [], "strokes": []}
    details = {"image": "my dog.jpg", "width": 200, "height": 100, "marks": marks}
    region = Resource("mask", "[1]", "a" * 64, "image/png", "pointed at", details=details)
    inputs = {"image": Reference("my dog.jpg"), "mask": Reference("[1]")}
    turn = turn_of(part(0, "mask_image", inputs, "image"))
    recipe = recipe_of(session_of(turn, region), turn, "Cut", value_of, toolbox=TOOLBOX)
    assert recipe.tools == ("segment_by_points", "mask_image")
    assert [(item.kind, item.type) for item in recipe.inputs] == [
        ("file", "image"), ("place", "point"),
    ]  # fmt: skip
    assert recipe.inputs[1].marks == ({"x": 0.25, "y": 0.75, "positive": True},)
    assert recipe_in(recipe.to_text(), TOOLBOX).inputs == recipe.inputs
    # What was framed or brushed over is a file, as it was.
    framed = replace(region, details=details | {"marks": {**marks, "boxes": [_BOX]}})
    turn = turn_of(part(0, "mask_image", inputs, "image"))
    recipe = recipe_of(session_of(turn, framed), turn, "Cut", value_of, toolbox=TOOLBOX)
    assert [item.type for item in recipe.files] == ["image", "mask"]


_BOX = {"left": 1, "top": 1, "right": 9, "bottom": 9}


def test_a_turn_without_a_plan_or_without_its_files_is_no_recipe():
    with pytest.raises(ValueError, match="Nothing was planned"):
        recipe_of(session_of(Turn(0, "hello")), Turn(0, "hello"), "x", value_of)
    turn = turn_of(part(0, "image_to_text", {"image": Reference("gone.jpg")}, "text"))
    with pytest.raises(ValueError, match="gone.jpg"):
        recipe_of(session_of(turn), turn, "x", value_of)


def test_a_place_is_where_it_was_relative_to_the_picture():
    place = pointed().of_kind("place")[0]
    assert marks_on(place, 400, 400) == (ClickedPoint(100, 300), ClickedPoint(20, 40, False))
    edge = {"left": 0.0, "top": 0.0, "right": 1.0, "bottom": 0.5}
    boxed = recipe_from(_boxed(edge), TOOLBOX).of_kind("place")[0]
    assert marks_on(boxed, 10, 20) == (Box(0, 0, 10, 10),)


def _boxed(mark):
    sent = copied(pointed())
    inputs = {"image": "<IN>-1", "bbox": "<IN>-2"}
    action = {
        "tool": "image_cropping",
        "inputs": inputs,
        "output": {"type": "image", "value": "<GEN>-0"},
    }
    returns = {"type": "image", "value": "<GEN>-0"}
    part = {"id": 0, "returns": returns, "solutions": [{"actions": [action]}]}
    sent["plan"] = {"subtasks": [part]}
    sent["inputs"][1] |= {"type": "bbox", "marks": [mark]}
    return sent


@every_case("recipe", [pointed(), worded(), worded("blur diary.txt")])
def test_what_is_written_is_read_again(recipe):
    read = recipe_in(recipe.to_text(), TOOLBOX)
    assert (read.name, read.request, read.inputs) == (recipe.name, recipe.request, recipe.inputs)
    assert read.to_json()["plan"]["subtasks"] == recipe.to_json()["plan"]["subtasks"]
    values = {item.name: Reference("a.png") for item in recipe.inputs if item.kind != "words"}
    assert list(read.bound(values).steps()) == list(recipe.bound(values).steps())


def _set(path, value):
    def change(sent):
        for key in path[:-1]:
            sent = sent[key]
        sent[path[-1]] = value

    return change


STEP = ("plan", "subtasks", 0, "solutions", 0, "actions", 0)
WRONG = {
    "another format": (_set(("format",), "workflow"), "", "no recipe"),
    "another version": (_set(("version",), 2), "", "another version"),
    "no inputs": (_set(("inputs",), 3), "", "inputs"),
    "an input of no name": (_set(("inputs", 0, "name"), "photo.jpg"), "", "cannot be called"),
    "an input twice": (_set(("inputs", 1, "name"), "<IN>-1"), "", "cannot be called"),
    "an unknown type": (_set(("inputs", 0, "type"), "perfume"), "", "no type"),
    "a place nowhere": (_set(("inputs", 1, "of"), "<IN>-9"), "", "no input"),
    "a place outside": (_set(("inputs", 1, "marks"), [{"x": 1.5, "y": 0.5}]), "", "outside"),
    "an unused input": (
        lambda sent: sent["inputs"].append({"name": "<IN>-3", "kind": "file", "type": "image"}),
        "", "Nothing reads",
    ),
    "an unknown tool": (_set((*STEP, "tool"), "rm_rf"), "0.0.0", "no tool"),
    "a wrong type": (_set((*STEP, "inputs", "image"), "<IN>-2"), "0.0.0", "needs an image"),
    "a reference forward": (_set((*STEP, "inputs", "image"), "<GEN>-1"), "0.0.0", "only after"),
    "itself": (_set((*STEP, "inputs", "image"), "<GEN>-0"), "0.0.0", "own result"),
    "another's file": (_set((*STEP, "inputs", "image"), "photo.jpg"), "0.0.0", "has words"),
    "many steps": (
        lambda sent: sent["plan"].update(subtasks=sent["plan"]["subtasks"] * 5000), "", "10,000",
    ),
    "a list for a plan": (_set(("plan",), []), "", "plan"),
    "a long text": (_set(("request",), "x" * 30_000), "", "request"),
}  # fmt: skip


@every_case("what", WRONG)
def test_a_wrong_recipe_is_refused_with_its_place(what):
    change, node, words = WRONG[what]
    sent = copied(pointed())
    change(sent)
    with pytest.raises(BadPlan, match=words) as refused:
        recipe_from(sent, TOOLBOX)
    assert refused.value.node == node


@every_case(
    "text", ["", "{", "[" * 100_000, "null", "3", '{"format": 1}', "x" * (MOST_CHARACTERS + 1)]
)
def test_what_is_no_recipe_is_refused(text):
    with pytest.raises(BadPlan):
        recipe_in(text, TOOLBOX)


JUNK = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip
BASE = copied(pointed())


def _places(value, path=()):
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        yield from _places(inner, (*path, key))


PLACES = [path for path in _places(BASE) if path]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=3))
def test_whatever_is_changed_in_a_recipe_it_is_read_or_refused(changes):
    sent = copy.deepcopy(BASE)
    for path, junk in changes:
        try:
            _set(path, junk)(sent)
        except (KeyError, IndexError, TypeError):
            continue
    try:
        recipe = recipe_from(sent, TOOLBOX)
    except BadPlan:
        return
    assert set(recipe.tools) <= {tool.name for tool in TOOLBOX}
