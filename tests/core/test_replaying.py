"""Plans that are put to another file, and one after the other."""

from __future__ import annotations

from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.core.replaying import joined, on_other_file


def plan(words: str, source: str) -> Plan:
    task = Subtask(0, words, (), (TypedValue("image", source),), TypedValue("image", generated(0)))
    found = Action("find", {"image": Reference(source)}, TypedValue("bbox", generated(0, 1)))
    inputs = {"bbox": Reference(generated(0, 1)), "prompt": Literal(words)}
    last = Action("edit", inputs, TypedValue("image", generated(0)), pinned="kept.png", version=2)
    other = Solution((last,), 2.0)
    return Plan((task,), {0: (other, Solution((found, last), 5.0))}, {0: 1})


def test_another_file_takes_the_place_of_the_first_in_steps_and_words():
    other = on_other_file(plan("blur bus.jpg", "bus.jpg"), "bus.jpg", "train.jpg")
    (task,), (way,) = other.subtasks, other.solutions[0]
    assert task.description == "blur train.jpg" and task.args[0].value == "train.jpg"
    assert way.actions[0].inputs["image"] == Reference("train.jpg")
    assert way.actions[1].inputs["prompt"] == Literal("blur train.jpg")
    # What was kept of the first file is not the result of the other.
    assert way.actions[1].pinned == "" and way.actions[1].version == 0
    assert [step.key for step in other.steps()] == ["0.0.0", "0.0.1"]


def test_a_plan_after_another_goes_on_with_what_that_makes():
    first = on_other_file(plan("blur it", "a.png"), "a.png", "b.png")
    second = on_other_file(plan("mirror it", "a blurred.png"), "", "b.png")
    both = joined(first, second, {"a blurred.png": 0})
    assert [task.id for task in both.subtasks] == [0, 1] and both.subtasks[1].deps == (0,)
    way = both.solutions[1][0]
    assert way.actions[0].inputs["image"] == Reference(generated(0))
    assert way.actions[1].inputs["bbox"] == Reference(generated(1, 1))
    assert way.actions[1].output.value == both.subtasks[1].returns.value == generated(1)
    assert Plan.from_json(both.to_json()).subtasks == both.subtasks


def test_plans_for_two_files_stand_beside_each_other():
    first = on_other_file(plan("blur it", "a.png"), "a.png", "b.png")
    both = joined(first, on_other_file(plan("blur it", "a.png"), "a.png", "c.png"), {})
    assert [task.args[0].value for task in both.subtasks] == ["b.png", "c.png"]
    assert both.subtasks[1].deps == ()
    assert {step.key for step in both.steps()} == {"0.0.0", "0.0.1", "1.0.0", "1.0.1"}
