"""Plans and events as plain data, JSON in and out."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.core import events
from controlllm.core.costs import SearchCost, Usage
from controlllm.core.lineage import finals
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
from controlllm.core.questions import Question
from controlllm.core.state import AgentView, Failure, Result, State
from controlllm.resources import Resource
from tests.every_case import every_case

CUT = Subtask(
    1,
    "cut out the dog",
    ("image-editing",),
    (TypedValue("image", "photo.jpg"), TypedValue("text", "dog", "object")),
    TypedValue("image", generated(1)),
)
CAPTION = Subtask(
    2,
    "say what is in it",
    ("image-perception",),
    (TypedValue("image", generated(1)),),
    TypedValue("text", generated(2)),
    (1,),
)
FIND = Action(
    "segment_by_text",
    {"image": Reference("photo.jpg"), "query": Literal("dog")},
    TypedValue("mask", generated(1, 1)),
)
APPLY = Action(
    "image_cropping",
    {"image": Reference("photo.jpg"), "mask": Reference(generated(1, 1))},
    TypedValue("image", generated(1)),
)
DESCRIBE = Action(
    "image_captioning", {"image": Reference(generated(1))}, TypedValue("text", generated(2))
)
WITH_SEVERAL = Action(
    "image_collage",
    {"images": (Reference("photo.jpg"), Reference(generated(1)), Literal("a title"))},
    TypedValue("image", generated(2)),
)
PLAN = Plan(
    (CUT, CAPTION),
    {
        1: (Solution((FIND, APPLY), 4.5, "exact"), Solution((APPLY,), 2.0, "rough", "no model")),
        2: (Solution((DESCRIBE,), 3.0),),
    },
)


def test_an_action_reads_references_and_no_literals():
    assert list(FIND.references()) == ["photo.jpg"]
    assert list(WITH_SEVERAL.references()) == ["photo.jpg", "<GEN>-1"]


def test_steps_of_the_chosen_solutions():
    assert [step.key for step in PLAN.steps()] == ["1.0.0", "1.0.1", "2.0.0"]
    assert [step.key for step in PLAN.switched(1, 1).steps()] == ["1.1.0", "2.0.0"]
    assert [step.action.tool for step in PLAN.steps()] == [*PLAN.solution(1).tools, DESCRIBE.tool]


def test_switching_makes_a_new_plan():
    switched = PLAN.switched(1, 1)
    assert PLAN.solution(1).score == 4.5
    assert switched.solution(1).score == 2.0
    assert switched.switched(1, 0).solution(1) == PLAN.solution(1)


@every_case(("subtask", "index"), [(1, 2), (1, -1), (2, 1), (9, 0)])
def test_only_what_exists_can_be_chosen(subtask, index):
    with pytest.raises(IndexError, match=f"Part {subtask} "):
        PLAN.switched(subtask, index)


def test_a_subtask_without_a_way():
    plan = Plan((CUT, CAPTION), {2: PLAN.solutions[2]})
    assert plan.solution(1) is None
    assert [step.key for step in plan.steps()] == ["2.0.0"]


def through_json(plan: Plan) -> Plan:
    return Plan.from_json(json.loads(json.dumps(plan.to_json())))


def test_a_plan_survives_json():
    several = Plan(PLAN.subtasks, {**PLAN.solutions, 2: (Solution((WITH_SEVERAL,), 3.0),)})
    for plan in (PLAN, PLAN.switched(1, 1), several):
        assert through_json(plan) == plan
        assert through_json(plan).to_json() == json.loads(json.dumps(plan.to_json()))


WORDS = st.text(max_size=20)


@given(
    description=WORDS,
    words=WORDS.filter(lambda text: text != "a.png"),
    score=st.floats(1, 5).map(lambda value: round(value, 3)),
    reason=WORDS,
)
def test_any_words_survive_json(description, words, score, reason):
    subtask = Subtask(
        1,
        description,
        ("general",),
        (TypedValue("image", "a.png"), TypedValue("text", words)),
        TypedValue("text", generated(1)),
    )
    action = Action(
        "tool",
        {"image": Reference("a.png"), "text": Literal(words)},
        TypedValue("text", generated(1)),
    )
    plan = Plan((subtask,), {1: (Solution((action,), score, reason),)})
    assert through_json(plan) == plan


def test_usage_adds_up_and_survives_json():
    total = Usage(1, 20, 3) + Usage(2, 100, 40)
    assert total == Usage(3, 120, 43)
    assert total.tokens == 163
    assert Usage.from_json(json.loads(json.dumps(total.to_json()))) == total


def test_the_cost_of_a_search_adds_up():
    total = SearchCost("greedy", 1, 2, 3, 0.5) + SearchCost("greedy", 10, 20, 30, 0.25)
    assert total == SearchCost("greedy", 11, 22, 33, 0.75)
    assert total.to_json()["visited"] == 11


RESOURCE = Resource("image", "photo.jpg", "ab12", "image/jpeg", details={"width": 3, "height": 2})

EVENTS = (
    events.RequestReceived(0, "cut out the dog", (RESOURCE,)),
    events.Notice("a repair"),
    events.Doubt("Which is it?", Question("Which is it?", 1, ("Crop the dog", "Find the dog"))),
    events.RoleRepaired("two types put right", "decompose"),
    events.RoleRetried("asked to wait", "assess", 2.0),
    events.RoleFellBack("it could not be reached", "rank"),
    events.LanguageModelUsed("rank", Usage(1, 200, 30)),
    events.SubtasksReady((CUT, CAPTION)),
    events.SolutionsReady(1, PLAN.solutions[1], SearchCost("best-first", 5)),
    events.PlanReady(PLAN),
    events.ActionStarted("1.0.0", "segment_by_text", "embedded"),
    events.ActionProgress("1.0.0", 0.5, "half"),
    events.ActionFinished("1.0.0", "segment_by_text", RESOURCE, 0.25, cached=True),
    events.ActionFailed("1.0.0", "segment_by_text", "no dog", "trying another way"),
    events.WayBegun(1, 0),
    events.WayEnded(1, 0, "It failed."),
    events.AgentActed(
        1,
        AgentView(
            "sum2act",
            State((Result("A dog", "dog.png", 1),), (Failure("t", {"x": 1}, "down", "error", 2),)),
            "Cut it out.",
            "cut",
            {"image": "dog.png"},
        ),
    ),
    events.SolutionSwitched(1, 1, "the first failed", PLAN.switched(1, 1)),
    events.AnswerToken("Here "),
    events.AnswerFinished("Here it is.", (RESOURCE,)),
    events.RequestFailed("no way"),
    events.RequestCancelled(),
    events.Waiting(2),
    events.Loading(),
)


@every_case("event", EVENTS, ids=lambda event: type(event).__name__)
def test_events_are_plain_json(event):
    read = json.loads(json.dumps(event.to_json()))
    assert read.pop("event") == type(event).__name__
    assert set(read) == {field.name for field in fields(event)}


def test_every_event_is_among_those_tested():
    kinds = {kind for kind in vars(events).values() if isinstance(kind, type)}
    expected = {kind for kind in kinds if issubclass(kind, events.Event)} - {events.Event}
    assert {type(event) for event in EVENTS} == expected


def test_the_parts_of_events_can_be_read_back():
    read = json.loads(json.dumps(events.ActionFinished("1.0.0", "t", RESOURCE, 0.1).to_json()))
    assert Resource.from_json(read["resource"]) == RESOURCE
    read = json.loads(json.dumps(events.PlanReady(PLAN).to_json()))
    assert Plan.from_json(read["plan"]).solutions[1][0].actions == (FIND, APPLY)


def _step(tool, read, made, number):
    return Action(tool, {"given": Reference(read)}, TypedValue(made, generated(number)))


@every_case(
    ("steps", "results", "handed"),
    [
        # What went on into another picture is not handed over; where the second failed, the first
        # is what there is.
        *(
            (
                [("rotate", "a.png", "image"), ("frame", "<GEN>-0", "image")]
                + [("describe", "<GEN>-1", "text")],
                *there,
            )
            for there in (
                ({"s0": "image", "s1": "image", "s2": "text"}, ["1.0.0", "2.0.0"]),
                ({"s0": "image"}, ["0.0.0"]),
            )
        ),
        # Pictures that do not follow each other are all handed over.
        (
            [("rotate", "a.png", "image"), ("rotate", "b.png", "image")],
            {"s0": "image", "s1": "image"},
            ["0.0.0", "1.0.0"],
        ),
        # A map and what was painted along it are both handed over.
        (
            [("edges", "a.png", "edge"), ("paint", "<GEN>-0", "image")],
            {"s0": "edge", "s1": "image"},
            ["0.0.0", "1.0.0"],
        ),
    ],
)
def test_what_is_handed_over(steps, results, handed):
    plan = Plan(
        tuple(
            Subtask(number, "", (), (), TypedValue(made, generated(number)))
            for number, (_, _, made) in enumerate(steps)
        ),
        {
            number: (Solution((_step(tool, read, made, number),), 5.0),)
            for number, (tool, read, made) in enumerate(steps)
        },
    )
    made = {f"{int(name[1:])}.0.0": Resource(kind, name) for name, kind in results.items()}
    assert finals(plan, made) == handed
