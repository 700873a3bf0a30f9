"""The prompted roles over a small catalogue: what they ask, and what they make of the replies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.core.events import RoleRepaired
from controlllm.core.plans import Request, Subtask, TypedValue
from controlllm.language.assessing import MOST_TOOLS, PromptedAssessor, read_judgements
from controlllm.language.course import Course
from controlllm.language.decomposing import PromptedDecomposer
from controlllm.language.prompted import prompted_planner
from controlllm.language.reading import Unusable, read_scores
from controlllm.planning.graph import ToolGraph
from controlllm.planning.planner import Planner
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox
from tests.every_case import every_case
from tests.language.conftest import asker, endpoint, entry, server, told

EDITING = "image-editing"
TOOLBOX = Toolbox.from_catalogue(
    [
        entry(
            "spotter",
            "Locate a named object.",
            [("image", "image"), ("query", "text")],
            "bbox",
            EDITING,
        ),
        entry("finder", "Detect all objects.", [("image", "image")], "bbox", EDITING),
        entry(
            "scissors", "Crop to boxes.", [("image", "image"), ("boxes", "bbox")], "image", EDITING
        ),
        entry("brush", "Repaint it.", [("image", "image"), ("prompt", "text")], "image", EDITING),
    ]
)
GRAPH = ToolGraph(TOOLBOX)
REQUEST = Request("Crop the dog", (Resource("image", "a.jpg"),), ("a.jpg",))
CROP = Subtask(
    0,
    "Crop the dog",
    ("image-editing",),
    (TypedValue("image", "a.jpg"), TypedValue("text", "the dog", "object")),
    TypedValue("image", "<GEN>-0"),
)
PROTOCOL = {
    "id": 0,
    "description": "Crop the dog in a.jpg.",
    "domains": ["image-editing"],
    "deps": [],
    "args": [
        {"type": "image", "value": "a.jpg", "role": ""},
        {"type": "text", "value": "dog", "role": "object"},
    ],
    "returns": {"type": "image", "value": "<GEN>-0"},
}


class Embedded:
    """Stands for every embedded keeper; `calls` counts how often it was needed."""

    def __init__(self):
        self.calls = 0

    def decompose(self, request):
        self.calls += 1
        return (CROP,)

    def assess(self, subtask, tools):
        self.calls += 1
        return {tool.name: 1.0 + index / 100 for index, tool in enumerate(tools)}


@pytest.fixture
def embedded():
    return Embedded()


def scores(**values):
    return {
        name: {"reason": f"because of {name}", "score": value} for name, value in values.items()
    }


def numbered(*values):
    return scores(**{str(number): value for number, value in enumerate(values, 1)})


def test_decomposing(server, asker, embedded):
    server.says({"subtasks": [PROTOCOL]})
    (subtask,) = PromptedDecomposer(asker, GRAPH, embedded).decompose(REQUEST)
    assert subtask.args == (TypedValue("image", "a.jpg"), TypedValue("text", "dog", "object"))
    assert embedded.calls == 0
    assert server.data() == {
        "request": "Crop the dog",
        "resources": [{"type": "image", "value": "a.jpg", "handed_over": True}],
        "earlier": [],
    }
    schema = server.asked[0]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["subtasks"]["items"]["properties"]["domains"]["items"] == {
        "type": "string", "enum": ["image-editing"],
    }  # fmt: skip


def test_a_request_that_holds_a_long_text_stays_here(server, asker, told, embedded):
    request = Request("Summarise this: " + "word " * 5_000)
    assert PromptedDecomposer(asker, GRAPH, embedded).decompose(request) == (CROP,)
    assert server.asked == []
    assert "too long" in told[-1].message
    # Only this role: the others see no long text.
    assert not asker.rests("assess")


def judged(last, way=()):
    """What a model says of the tools for one task."""
    return {
        "last": [{"tool": name, "score": score} for name, score in last.items()],
        "way": list(way),
    }


def test_assessing_tells_the_last_step_from_those_on_the_way(server, asker, embedded):
    server.says({"0": judged({"scissors": 5, "brush": 3}, ["spotter"])})
    assessor = PromptedAssessor(asker, embedded, GRAPH)
    assessor.prepare([CROP], REQUEST)
    judgement = assessor.judgement(CROP)
    assert judgement.ends == {"scissors": 5.0, "brush": 3.0}
    assert judgement.helps == {"spotter": 5.0}
    found = assessor.assess(CROP, TOOLBOX.tools)
    assert found == {"spotter": 5.0, "finder": 1.0, "scissors": 5.0, "brush": 3.0}
    assert len(server.asked) == 1
    assert assessor.assess(CROP, ()) == {}


def test_all_subtasks_are_assessed_in_one_call_and_equal_ones_once(server, asker, embedded):
    files = [replace(CROP, id=number, description=f"Crop the dog in {number}.jpg",
                     args=(TypedValue("image", f"{number}.jpg"), CROP.args[1]))
             for number in range(5)]  # fmt: skip
    other = replace(CROP, id=5, description="Brighten it", deps=(0,),
                    args=(TypedValue("image", "<GEN>-0"),))  # fmt: skip
    server.says({"0": judged({"scissors": 5}), "5": judged({"brush": 4})})
    assessor = PromptedAssessor(asker, embedded, GRAPH, Course(GRAPH.lattice))
    request = Request("Crop the dogs", tuple(Resource("image", f"{n}.jpg") for n in range(5)))
    assessor.prepare([*files, other], request)
    assert len(server.asked) == 1
    told = server.data()
    assert list(told["tasks"]) == ["0", "5"]
    assert told["tasks"]["0"]["task"] == "Crop the dog in the image"
    # Those who judge see what the subtask before makes.
    assert "Crop the dog in 0.jpg" in told["tasks"]["5"]["given"][0]["from"]
    assert all(assessor.judgement(item).ends == {"scissors": 5.0} for item in files)
    assert assessor.judgement(other).ends == {"brush": 4.0}


def test_a_single_tool_is_not_asked_about(server, asker, embedded):
    found = PromptedAssessor(asker, embedded).assess(CROP, TOOLBOX.tools[:1])
    assert found == {TOOLBOX.tools[0].name: 4.0}
    assert server.asked == []


def test_what_cannot_be_done_here_is_not_asked_about(server, asker, embedded):
    assessor = PromptedAssessor(asker, embedded, GRAPH)
    outside = replace(CROP, returns=TypedValue("outside", "<GEN>-0"))
    assessor.prepare([outside, replace(CROP, id=1, lacks=("image",))], REQUEST)
    assert server.asked == []
    assert assessor.judgement(outside) is None


def test_unknown_tools_are_left_out_and_missing_tasks_asked_for(server, asker, told, embedded):
    server.says({"3": judged({})}, {"0": judged({"spotter": 5, "gizmo": 5}, ["gadget"])})
    found = PromptedAssessor(asker, embedded).assess(CROP, TOOLBOX.tools)
    assert found["spotter"] == 5.0
    assert "no entry for task 0" in server.asked[1]["messages"][3]["content"]
    (repaired,) = [event for event in told if isinstance(event, RoleRepaired)]
    assert "there is no tool gizmo" in repaired.message


@every_case(
    ("data", "words"),
    [
        ("no", "JSON object"),
        ({"0": [1]}, "no entry for task 0"),
        ({"0": {"last": [{"tool": "a", "score": 9}], "way": []}}, "from 1 to 5"),
        ({"0": {"last": [{"tool": "a", "score": "x"}], "way": []}}, "no number"),
        ({"0": {"last": [{"tool": "a"}], "way": []}}, "no number"),
        ({"0": {"last": 3, "way": []}}, "lists"),
    ],
)
def test_judgements_that_cannot_be_read_are_refused(data, words):
    with pytest.raises(Unusable, match=words):
        read_judgements(data, ["0"], ["a", "b"])


def test_judgements_in_other_forms_are_read():
    for data in (
        {"tasks": {"0": {"last": {"a": 5}, "way": ["b"]}}},
        {"0": {"last": [{"tool": "a", "score": "5"}], "way": [{"tool": "b"}]}},
    ):
        judgement = read_judgements(data, ["0"], ["a", "b"]).value[0]
        assert (judgement.ends, judgement.helps) == ({"a": 5.0}, {"b": 5.0})


def test_of_very_many_tools_the_nearest_are_judged(server, asker, embedded):
    many = Toolbox.from_catalogue(
        [entry(f"tool{n:03}", "It does.", [("image", "image")], "image") for n in range(150)]
    ).tools
    nearest = [tool.name for tool in many[-MOST_TOOLS:]]
    server.says({"0": judged({nearest[-1]: 5})})
    found = PromptedAssessor(asker, embedded).assess(CROP, many)
    assert sorted(server.data()["tools"]) == sorted(nearest)
    assert found[many[0].name] == 1.0
    assert found[many[-1].name] == 5.0


@every_case(
    ("data", "words"),
    [
        ([], "no score for"),
        ("no", "JSON object"),
        ({"a": 3}, "no score for thing b"),
        ({"a": 3, "b": 0}, "from 1 to 5"),
        ({"a": 3, "b": 6}, "from 1 to 5"),
        ({"a": 3, "b": "high"}, "no number"),
        ({"a": 3, "b": True}, "no number"),
        ({"a": 3, "b": None}, "no number"),
        ({"a": 3, "b": float("nan")}, "from 1 to 5"),
        ([{"name": "a", "score": 3}, {"name": "a", "score": 4}], "JSON object"),
    ],
)
def test_scores_off_the_scale_are_refused(data, words):
    with pytest.raises(Unusable, match=words):
        read_scores(data, ["a", "b"], "thing")


@every_case(
    "data",
    [
        {"a": 3, "b": "4"},
        {"scores": {"a": {"score": 3}, "b": {"score": 4}}},
        [{"name": "a", "score": 3}, {"tool": "b", "score": 4}],
    ],
)
def test_scores_in_other_forms_are_read(data):
    read = read_scores(data, ["a", "b"], "thing").value
    assert {name: score.value for name, score in read.items()} == {"a": 3.0, "b": 4.0}


def test_a_request_of_one_part_takes_two_calls_where_nothing_is_open(server, asker, embedded):
    planner = prompted_planner(
        Planner(GRAPH, embedded, embedded), asker, {"decompose", "assess", "rank"}
    )
    server.says({"subtasks": [PROTOCOL]}, {"0": judged({"scissors": 5}, ["spotter"])})
    plan, cost = planner.plan(REQUEST)
    assert cost.llm_calls == 2
    assert plan.subtasks[0].description == "Crop the dog in a.jpg."
    assert embedded.calls == 0
    assert plan.solution(0).tools == ("spotter", "scissors")


def test_a_third_call_is_made_where_ways_end_differently(server, asker, embedded):
    planner = prompted_planner(
        Planner(GRAPH, embedded, embedded), asker, {"decompose", "assess", "rank"}
    )
    server.says(
        {"subtasks": [PROTOCOL]},
        {"0": judged({"scissors": 5, "brush": 5}, ["spotter"])},
        {"1": {"changes": [], "reason": "one", "score": 2},
         "2": {"changes": [], "reason": "two", "score": 5}},
    )  # fmt: skip
    plan, cost = planner.plan(REQUEST)
    assert cost.llm_calls == 3
    (best,) = plan.solutions[0]
    assert (best.score, best.reason) == (5.0, "two")


@every_case("score", [3, 4], anew=(server, endpoint, told, asker, embedded))
def test_what_a_model_scores_three_or_four_is_a_way(server, asker, embedded, score):
    planner = prompted_planner(Planner(GRAPH, embedded, embedded), asker, {"decompose", "assess"})
    server.says({"subtasks": [PROTOCOL]}, {"0": judged({"scissors": score}, ["spotter"])})
    plan, _ = planner.plan(REQUEST)
    assert plan.solution(0).tools == ("spotter", "scissors")
