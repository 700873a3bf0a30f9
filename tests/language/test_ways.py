"""Ways mended and ranked in one call: when it is made, what is believed, what is remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.core.events import RoleFellBack, RoleRepaired
from controlllm.core.plans import Literal, Reference, Request, Solution, Subtask, TypedValue
from controlllm.language.asking import Asker
from controlllm.language.course import Course
from controlllm.language.ways import PromptedWays
from controlllm.planning.drafts import Absent, Candidate, Draft, Given, Made, Words
from controlllm.planning.graph import ToolGraph
from controlllm.planning.resource_expert import EmbeddedResourceExpert
from controlllm.planning.solution_expert import EmbeddedSolutionExpert
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox
from tests.every_case import every_case
from tests.language.conftest import endpoint, entry, server, told

TOOLBOX = Toolbox.from_catalogue(
    [
        entry("ask", "It is the ask.", [("image", "image"), ("question", "text")], "text"),
        entry(
            "translate", "It is the translate.", [("text", "text"), ("language", "text")], "text"
        ),
        entry("style", "It is the style.", [("look", "image"), ("photo", "image")], "image"),
        entry("read", "It is the read.", [("image", "image")], "text"),
    ]
)
GRAPH = ToolGraph(TOOLBOX)
IMAGE, NOTES = TypedValue("image", "a.jpg"), TypedValue("text", "notes.txt")
REQUEST = Request(
    "look for a hair drier",
    (Resource("image", "a.jpg"), Resource("image", "b.jpg"), Resource("text", "notes.txt")),
    ("a.jpg", "b.jpg"),
)
TASK = Subtask(0, "Look for it in a.jpg", (), (IMAGE,), TypedValue("text", "<GEN>-0"))


@pytest.fixture
def course():
    found = Course(GRAPH.lattice)
    found.begin(REQUEST, [TASK])
    return found


@pytest.fixture
def ways(endpoint, told, course):
    asker = Asker(endpoint, told.append)
    return PromptedWays(asker, TOOLBOX, EmbeddedResourceExpert(), EmbeddedSolutionExpert(), course)


def way(tool, *inputs, cost=0.0, before=()):
    drafts = (Draft(TOOLBOX[tool], inputs), *before)
    return Candidate(drafts, cost)


def says(*entries):
    return {
        str(number): {
            "changes": [
                {"step": step, "input": name, "value": value} for step, name, value in changes
            ],
            "reason": f"way {number}",
            "score": score,
        }
        for number, (score, *changes) in enumerate(entries, 1)
    }  # fmt: skip


QUESTION = TypedValue("text", "Is there a hair drier?", "question")
OBJECT = TypedValue("text", "a hair drier", "object")


def test_nothing_is_asked_where_one_way_is_certain(server, ways):
    candidates = [
        way("ask", Given(0), Words(0)),
        way("read", Given(0), cost=1.0),
    ]
    completed = ways.complete(candidates, TASK, [IMAGE], [QUESTION])
    assert completed[0][0].inputs["question"] == Literal("Is there a hair drier?")
    assert server.asked == []
    solutions = [Solution(actions, 4.0) for actions in completed]
    assert ways.rank(TASK, solutions) == tuple(solutions)


@every_case(
    ("said", "found"),
    [
        ("Is there a hair drier in the picture?", Literal("Is there a hair drier in the picture?")),
        ("notes.txt", Reference("notes.txt")),
        ("keep", Literal("a hair drier")),
    ],
    anew=(server, told, endpoint, course, ways),
)
def test_words_that_a_model_writes_are_kept(server, told, ways, said, found):
    server.says(says((5, (1, "question", said))))
    (actions,) = ways.complete([way("ask", Given(0), Words(0))], TASK, [IMAGE], [OBJECT])
    assert actions[0].inputs == {"image": Reference("a.jpg"), "question": found}
    told_of = server.data()
    assert told_of["ways"]["1"][0]["inputs"]["question"]["value"] == "a hair drier"
    assert {"name": "notes.txt", "type": "text", "is": "uploaded"} in told_of["at_hand"]
    assert not any(isinstance(event, RoleRepaired) for event in told)


@every_case(
    ("change", "words"),
    [
        ((1, "question", "What is in c.jpg?"), "no file c.jpg"),
        ((1, "question", "<GEN>-7"), "no file <GEN>-7"),
        ((1, "question", "../../etc/passwd"), "no file"),
        ((1, "question", "a.jpg"), "a.jpg is image"),
        ((1, "question", ""), "may not be empty"),
        ((1, "image", "a cat"), "no image a cat"),
        ((1, "image", "notes.txt"), "notes.txt is text"),
        ((3, "question", "x"), "no input question in step 3"),
        ((1, "colour", "x"), "no input colour"),
    ],
    anew=(server, told, endpoint, course, ways),
)
def test_what_is_not_at_hand_is_not_believed(server, told, ways, change, words):
    server.says(says((5, change)))
    (actions,) = ways.complete([way("ask", Given(0), Words(0))], TASK, [IMAGE], [OBJECT])
    assert actions[0].inputs == {
        "image": Reference("a.jpg"), "question": Literal("a hair drier"),
    }  # fmt: skip
    assert words in told[-1].message


PAIR = replace(TASK, args=(IMAGE, TypedValue("image", "b.jpg")), returns=TypedValue("image", "x"))


def test_inputs_of_one_type_are_assigned_by_what_they_mean(server, ways):
    given = list(PAIR.args)
    candidates = [way("style", Given(0), Given(1)), way("style", Given(1), Given(0))]
    server.says(says((5, (1, "look", "b.jpg"), (1, "photo", "a.jpg"))))
    completed = ways.complete(candidates, PAIR, given, [])
    # Ways that only swap equal inputs are one way.
    assert list(server.data()["ways"]) == ["1"]
    assert completed[1] == ()
    assert completed[0][0].inputs == {"look": Reference("b.jpg"), "photo": Reference("a.jpg")}


def test_a_swap_that_would_lose_a_file_is_not_made(server, told, ways):
    server.says(says((5, (1, "look", "b.jpg"))))
    (actions,) = ways.complete([way("style", Given(0), Given(1))], PAIR, list(PAIR.args), [])
    assert actions[0].inputs == {"look": Reference("a.jpg"), "photo": Reference("b.jpg")}
    assert "without a.jpg" in told[-1].message


def test_ways_that_end_differently_are_ranked(server, ways):
    candidates = [way("ask", Given(0), Words(0)), way("read", Given(0), cost=0.3)]
    server.says(says((2,), (4,)))
    completed = ways.complete(candidates, TASK, [IMAGE], [QUESTION])
    solutions = [Solution(actions, 4.0) for actions in completed]
    (best,) = ways.rank(TASK, solutions)
    assert (best.tools, best.score, best.reason) == (("read",), 4.0, "way 2")


def test_longer_ways_to_the_same_end_are_not_ranked(server, ways):
    read = Draft(TOOLBOX["read"], (Given(0),))
    short = way("translate", Given(1), Words(0))
    long = way("translate", Made(1), Words(0), before=[read], cost=0.15)
    words = [TypedValue("text", "French", "language")]
    ways.complete([short, long], TASK, [IMAGE, NOTES], words)
    assert server.asked == []


def test_the_same_question_of_five_files_is_asked_once(server, ways):
    server.says(says((5, (1, "question", "Is there a hair drier?"))))
    for number in range(5):
        name = f"{number}.jpg"
        task = replace(TASK, id=number, description=f"Look for it in {name}")
        given = [TypedValue("image", name)]
        (actions,) = ways.complete([way("ask", Given(0), Words(0))], task, given, [OBJECT])
        assert actions[0].inputs == {
            "image": Reference(name), "question": Literal("Is there a hair drier?"),
        }  # fmt: skip
    assert len(server.asked) == 1


def test_where_the_model_fails_the_embedded_words_stay(server, told, ways):
    server.says({"2": "dog"})
    (actions,) = ways.complete([way("ask", Given(0), Words(0))], TASK, [IMAGE], [OBJECT])
    assert actions[0].inputs["question"] == Literal("a hair drier")
    assert isinstance(told[-1], RoleFellBack)


def test_an_optional_input_that_words_may_be_for_is_open(server, endpoint, course):
    toolbox = Toolbox.from_catalogue(
        [entry("sort", "It is the sort.", [("text", "text"), ("labels", "text?")], "category")]
    )
    ways = PromptedWays(
        Asker(endpoint), toolbox, EmbeddedResourceExpert(), EmbeddedSolutionExpert(), course
    )
    server.says(says((5, (1, "labels", "good, bad"))))
    draft = Draft(toolbox["sort"], (Given(0), Absent()))
    texts = [TypedValue("text", "good or bad")]
    (actions,) = ways.complete([Candidate((draft,), 0.5)], TASK, [NOTES], texts)
    assert actions[0].inputs == {"text": Reference("notes.txt"), "labels": Literal("good, bad")}
