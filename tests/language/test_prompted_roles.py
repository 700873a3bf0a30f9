"""The prompted roles over a small catalogue: what they ask, and what they make of the replies."""

from __future__ import annotations

import pytest

from controlllm.events import RoleFellBack, RoleRepaired
from controlllm.graph import ToolGraph
from controlllm.language.arguments import PromptedResourceExpert, is_said
from controlllm.language.asking import Asker
from controlllm.language.assessing import MOST_TOOLS, PromptedAssessor
from controlllm.language.decomposing import PromptedDecomposer
from controlllm.language.prompted import prompted_planner
from controlllm.language.ranking import PromptedSolutionExpert
from controlllm.language.reading import Unusable
from controlllm.language.scores import read_scores
from controlllm.plan import (
    Action,
    Literal,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
)
from controlllm.planning.planner import Planner
from controlllm.planning.resource_expert import EmbeddedResourceExpert
from controlllm.planning.search import Candidate, Draft, Given, Words
from controlllm.planning.solution_expert import EmbeddedSolutionExpert
from controlllm.resources import Resource
from controlllm.toolbox import Toolbox


def entry(name, description, args, returned, domain="image-editing"):
    return {
        "name": name,
        "description": description,
        "domain": domain,
        "args": [{"name": key, "type": kind, "description": ""} for key, kind in args],
        "returns": [{"name": "result", "type": returned, "description": ""}],
    }


TOOLBOX = Toolbox.from_catalogue(
    [
        entry("spotter", "Locate a named object.", [("image", "image"), ("query", "text")], "bbox"),
        entry("finder", "Detect all objects.", [("image", "image")], "bbox"),
        entry("scissors", "Crop to boxes.", [("image", "image"), ("boxes", "bbox")], "image"),
        entry("brush", "Repaint it.", [("image", "image"), ("prompt", "text")], "image"),
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


@pytest.fixture
def told():
    return []


@pytest.fixture
def asker(endpoint, told):
    return Asker(endpoint, told.append)


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


def test_decomposing_with_a_file_that_is_not_there(server, asker, told, embedded):
    wrong = {**PROTOCOL, "args": [{"type": "image", "value": "b.jpg", "role": ""}]}
    server.says({"subtasks": [wrong]}, {"subtasks": [PROTOCOL]})
    assert len(PromptedDecomposer(asker, GRAPH, embedded).decompose(REQUEST)) == 1
    assert "'b.jpg', which does not exist" in server.asked[1]["messages"][3]["content"]
    server.says({"subtasks": [wrong]})
    assert PromptedDecomposer(asker, GRAPH, embedded).decompose(REQUEST) == (CROP,)
    assert isinstance(told[-1], RoleFellBack)


def test_a_request_that_holds_a_long_text_stays_here(server, asker, told, embedded):
    request = Request("Summarise this: " + "word " * 5_000)
    assert PromptedDecomposer(asker, GRAPH, embedded).decompose(request) == (CROP,)
    assert server.asked == []
    assert "too long" in told[-1].message
    # Only this role: the others see no long text.
    assert not asker.rests("assess")


def test_assessing_is_one_call_for_a_subtask(server, asker, embedded):
    server.says(scores(spotter=5, finder="3", scissors=4.0, brush=1))
    assessor = PromptedAssessor(asker, embedded)
    found = assessor.assess(CROP, TOOLBOX.tools)
    assert found == {"spotter": 5.0, "finder": 3.0, "scissors": 4.0, "brush": 1.0}
    assert server.data()["tools"]["spotter"] == {
        "description": "Locate a named object.", "takes": ["image", "text"], "returns": "bbox",
    }  # fmt: skip
    assert assessor.assess(CROP, ()) == {}
    assert assessor.assess(CROP, TOOLBOX.tools[:1]) == {TOOLBOX.tools[0].name: 1.0}
    assert len(server.asked) == 1


def test_unknown_tools_are_left_out_and_missing_ones_asked_for(server, asker, told, embedded):
    server.says(
        scores(spotter=5, gizmo=5), scores(spotter=5, finder=3, scissors=4, brush=1, gizmo=2)
    )
    found = PromptedAssessor(asker, embedded).assess(CROP, TOOLBOX.tools)
    assert set(found) == {"spotter", "finder", "scissors", "brush"}
    assert "no score for tool" in server.asked[1]["messages"][3]["content"]
    (repaired,) = [event for event in told if isinstance(event, RoleRepaired)]
    assert "there is no tool gizmo" in repaired.message


def test_of_very_many_tools_the_nearest_are_judged(server, asker, embedded):
    many = Toolbox.from_catalogue(
        [entry(f"tool{n:03}", "It does.", [("image", "image")], "image") for n in range(100)]
    ).tools
    nearest = [tool.name for tool in many[-MOST_TOOLS:]]
    server.says(scores(**dict.fromkeys(nearest, 5)))
    found = PromptedAssessor(asker, embedded).assess(CROP, many)
    assert sorted(server.data()["tools"]) == sorted(nearest)
    assert found[many[0].name] == 1.0
    assert found[many[-1].name] == 5.0


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


def solution(tool, score=4.0):
    action = Action(tool, {"image": Reference("a.jpg")}, TypedValue("image", "<GEN>-0"))
    return Solution((action,), score, "the search's reason")


def test_ranking_orders_by_score_and_then_as_the_search_did(server, asker):
    server.says(numbered(3, 5, 2, 5))
    ways = [solution(name) for name in ("finder", "spotter", "scissors", "brush")]
    expert = PromptedSolutionExpert(asker, TOOLBOX, EmbeddedSolutionExpert())
    ranked = expert.rank(CROP, ways)
    assert [(item.tools[0], item.score) for item in ranked] == [
        ("spotter", 5.0), ("brush", 5.0), ("finder", 3.0),
    ]  # fmt: skip
    assert ranked[0].reason == "because of 2"
    assert server.data()["ways"]["1"] == [
        {
            "tool": "finder",
            "does": "Detect all objects.",
            "given": {"image": "a.jpg"},
            "makes": {"type": "image", "value": "<GEN>-0"},
        }
    ]


def test_the_best_stays_also_where_nothing_is_good(server, asker):
    server.says(numbered(1, 2))
    expert = PromptedSolutionExpert(asker, TOOLBOX, EmbeddedSolutionExpert())
    (best,) = expert.rank(CROP, [solution("finder"), solution("spotter")])
    assert (best.tools, best.score) == (("spotter",), 2.0)


def test_a_single_way_costs_no_call(server, asker):
    way = solution("finder")
    assert PromptedSolutionExpert(asker, TOOLBOX, EmbeddedSolutionExpert()).rank(CROP, [way]) == (
        way,
    )
    assert server.asked == []


GIVEN = [TypedValue("image", "a.jpg"), TypedValue("text", "notes.txt")]


def repaint(texts, subtask=CROP):
    """A candidate that repaints by words, and how it is completed."""
    index = 0 if texts else -1
    draft = Draft(TOOLBOX["brush"], (Given(0), Words(index)))
    return [Candidate((draft,), 0.5)], subtask, GIVEN, texts


def words_of(completed):
    (((action,),),) = (completed,)
    return action.inputs["prompt"]


def expert_of(asker):
    return PromptedResourceExpert(asker, GRAPH.lattice, EmbeddedResourceExpert())


def test_words_that_fit_are_not_asked_for(server, asker):
    texts = [TypedValue("text", "more blue", "prompt")]
    assert words_of(expert_of(asker).complete(*repaint(texts))) == Literal("more blue")
    assert server.asked == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("dog", Literal("dog")),
        ("the dogs", Literal("the dogs")),
        ("the dog", Literal("the dog")),
        ("notes.txt", Reference("notes.txt")),
    ],
)
def test_open_words_are_filled_in_from_what_was_said(server, asker, told, said, found):
    server.says({"1": said})
    texts = [TypedValue("text", "the dog", "object")]
    assert words_of(expert_of(asker).complete(*repaint(texts))) == found
    assert server.data()["slots"]["1"]["now"] == "the dog"
    assert server.data()["resources"] == ["notes.txt"]
    assert not any(isinstance(event, RoleRepaired) for event in told)


@pytest.mark.parametrize("said", ["a unicorn", "a.jpg", "<GEN>-7", "", "../../etc/passwd"])
def test_words_that_nobody_said_are_not_believed(server, asker, told, said):
    server.says({"1": said})
    texts = [TypedValue("text", "the dog", "object")]
    assert words_of(expert_of(asker).complete(*repaint(texts))) == Literal("the dog")
    assert "nobody said" in told[-1].message


def test_long_texts_are_never_sent(server, asker):
    texts = [TypedValue("text", "word " * 1_000, "content")]
    completed = expert_of(asker).complete(*repaint(texts))
    assert words_of(completed) == Literal("word " * 1_000)
    assert server.asked == []


def test_where_the_model_fails_the_embedded_words_stay(server, asker, told):
    server.says({"2": "dog"})
    texts = [TypedValue("text", "the dog", "object")]
    assert words_of(expert_of(asker).complete(*repaint(texts))) == Literal("the dog")
    assert isinstance(told[-1], RoleFellBack)


@pytest.mark.parametrize(
    ("words", "said", "is_so"),
    [
        ("Is there a dog in the picture?", "tell me whether you see dogs", True),
        ("a big dog", "the dog", False),
        ("", "the dog", False),
        ("?!", "the dog", False),
    ],
)
def test_what_counts_as_said(words, said, is_so):
    assert is_said(words, said) == is_so


def test_a_planner_with_every_role_prompted(server, asker, embedded):
    planner = prompted_planner(
        Planner(GRAPH, embedded, embedded), asker, {"decompose", "assess", "arguments", "rank"}
    )
    server.says(
        {"subtasks": [PROTOCOL]},
        scores(spotter=5, finder=3, scissors=5, brush=5),
        {"1": "the dog"},
        numbered(2, 5),
    )
    plan, cost = planner.plan(REQUEST)
    roles = [asked["messages"][0]["content"].split(".")[0] for asked in server.asked]
    assert len(set(roles)) == 4
    assert cost.llm_calls == 4
    assert plan.subtasks[0].description == "Crop the dog in a.jpg."
    assert embedded.calls == 0
    assert all(item.score >= 3 for item in plan.solutions[0])


def test_no_role_prompted_is_the_planner_as_it_was(server, asker, embedded):
    planner = prompted_planner(Planner(GRAPH, embedded, embedded), asker, ())
    planner.plan(REQUEST)
    assert server.asked == []
    assert embedded.calls > 0
