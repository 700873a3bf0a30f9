"""Runs that are kept, go on where they stopped, and ask several tasks at once."""

from __future__ import annotations

import json
import threading

import pytest

from benchmarks.suites.answers import Answer, Call, Task, calls_of, references
from benchmarks.suites.running import answered
from controlllm.core.costs import Usage
from controlllm.core.plans import (
    Action,
    Literal,
    Plan,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
)

TASKS = [Task(str(number), Request(f"Do {number}")) for number in range(4)]


def plain(task):
    return Answer(
        task.id, (Call("do", {"what": task.request.text}),), turns=1, usage=Usage(1, 2, 3)
    )


def test_answers_come_in_the_tasks_order_with_their_times():
    found = answered(TASKS, plain, parallel=3)
    assert list(found) == ["0", "1", "2", "3"]
    assert all(answer.seconds >= 0 for answer in found.values())


def test_as_many_are_asked_at_once_as_wished():
    together = threading.Barrier(2, timeout=600)

    def waits(task):
        together.wait()
        return plain(task)

    assert len(answered(TASKS, waits, parallel=2)) == 4


def test_what_broke_off_goes_on_and_asks_nothing_twice(tmp_path):
    kept = tmp_path / "deep" / "answers.jsonl"

    def breaks(task):
        if task.id == "2":
            raise RuntimeError("gone")
        return plain(task)

    with pytest.raises(RuntimeError):
        answered(TASKS, breaks, kept=kept, settings={"planner": "x"})
    with kept.open("a") as file:
        file.write('{"id": "3", "cal')
    asked = []

    def again(task):
        asked.append(task.id)
        return plain(task)

    found = answered(TASKS, again, kept=kept, settings={"planner": "x"})
    assert asked == ["2", "3"]
    assert list(found) == ["0", "1", "2", "3"]
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert lines[0] == {"settings": {"planner": "x"}}
    assert sorted(line["id"] for line in lines[1:]) == ["0", "1", "2", "3"]
    assert found["0"].calls == plain(TASKS[0]).calls and found["0"].usage == Usage(1, 2, 3)


def test_answers_of_another_run_are_not_mixed_in(tmp_path):
    kept = tmp_path / "answers.jsonl"
    answered(TASKS, plain, kept=kept, settings={"planner": "x"})
    with pytest.raises(ValueError, match="other settings"):
        answered(TASKS, plain, kept=kept, settings={"planner": "y"})
    kept.write_text("something else\n")
    with pytest.raises(ValueError, match="no answers"):
        answered(TASKS, plain, kept=kept)


def test_two_tasks_of_one_id_and_none_at_a_time_are_refused():
    with pytest.raises(ValueError, match="same id"):
        answered([TASKS[0], TASKS[0]], plain)
    with pytest.raises(ValueError, match="at a time"):
        answered(TASKS, plain, parallel=0)


def test_a_plan_becomes_calls_that_name_each_other():
    def subtask(number):
        return Subtask(number, "", (), (), TypedValue("image", f"<GEN>-{number}"))

    crop = Action("crop", {"image": Reference("a.png")}, TypedValue("image", "<GEN>-0-0"))
    blur = Action("blur", {"image": Reference("<GEN>-0-0")}, TypedValue("image", "<GEN>-0"))
    both = Action(
        "join",
        {"images": (Reference("<GEN>-0"), Reference("b.png")), "words": Literal("<GEN>-0")},
        TypedValue("image", "<GEN>-1"),
    )
    plan = Plan(
        (subtask(0), subtask(1), subtask(2)),
        {0: (Solution((crop, blur), 5.0),), 1: (Solution((both,), 5.0),), 2: ()},
    )
    assert calls_of(plan) == (
        Call("crop", {"image": "a.png"}, 0),
        Call("blur", {"image": "<node-0>"}, 1),
        Call("join", {"images": ["<node-1>", "b.png"], "words": "<GEN>-0"}, 2),
    )


def test_references_are_found_anywhere_in_a_value():
    assert references("a story of <node-0>.text and <node-12>") == ((0, "text"), (12, ""))
    assert references({"a": ["<node-3>.image", 7]}) == ((3, "image"),)
