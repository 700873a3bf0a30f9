"""m&m's catalogue, graphs, verifier and feedback; each limit of theirs is a case."""

from __future__ import annotations

import json

import pytest

from benchmarks.suites.answers import Call
from benchmarks.suites.mnms import feedback
from benchmarks.suites.mnms.catalogue import (
    as_written,
    catalogue,
    edges_of,
    known,
    planning_toolbox,
    told_edges,
    typed_edges,
)
from benchmarks.suites.mnms.formats import Parsed
from benchmarks.suites.mnms.reading import OWN, read_samples
from benchmarks.suites.mnms.verifier import (
    Verdict,
    strict_check,
    their_check,
    their_check_of_step,
)
from tests.every_case import every_case

EDGES = typed_edges()
BUS = (
    Call("image segmentation", {"image": "a.jpg"}, 0),
    Call("select object", {"objects": "<node-0>.objects", "object_name": "bus"}, 1),
    Call("color pop", {"image": "<node-0>.image", "object": "<node-1>.object"}, 2),
)


def test_there_are_33_tools_of_three_sorts():
    sorts = [tool.category for tool in catalogue().values()]
    counts = {sort: sorts.count(sort) for sort in set(sorts)}
    assert counts == {"model": 13, "image processing": 11, "public API": 9}
    assert len(list(planning_toolbox())) == 33


def test_what_is_known_of_the_authors_graph_fits_ours():
    assert {tuple(pair) for pair in known()["seen"]} <= told_edges() <= typed_edges()
    followers = {other for one, other in told_edges() if one == "object detection"}
    assert followers == {"count", "tag", "select object"}
    assert ("get location", "get weather") in EDGES and ("count", "get math fact") in EDGES
    assert ("get weather", "count") not in EDGES and ("image captioning", "tag") not in EDGES


def test_a_graph_is_read_from_pairs_or_from_the_authors_metadata(tmp_path):
    pairs = tmp_path / "pairs.json"
    pairs.write_text(json.dumps([["count", "get math fact"], ["count", "gone"]]))
    assert edges_of(str(pairs)) == {("count", "get math fact")}
    code = tmp_path / "constants.py"
    code.write_text(
        "import os\nTOOL_METADATA = {'count': {'next_tools': ['get math fact', 'gone']}}\n"
    )
    assert edges_of(str(code)) == {("count", "get math fact")}
    assert edges_of("") == edges_of("typed") == EDGES


@every_case(
    ("name", "text"),
    [
        ("a.py", "X = 1"), ("a.py", "("), ("a.py", "TOOL_METADATA = open('x')"),
        ("a.json", "{"), ("a.json", "[1]"), ("a.json", '{"a": 1}'),
    ],
)  # fmt: skip
def test_what_is_no_graph_is_said(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match="is no graph"):
        edges_of(str(tmp_path / name))


def test_sound_plans_are_sound_for_both():
    assert their_check(BUS, EDGES) == strict_check(BUS, EDGES) == Verdict()
    for sample in read_samples(OWN):
        for plan in (sample.plan, *sample.others):
            assert strict_check(plan, EDGES).is_sound, sample.id
            assert their_check(plan, EDGES).is_sound, sample.id


@every_case(
    ("calls", "code", "said"),
    [
        ([Call("image captionin", {"image": "a.jpg"}, 0)], "tools", "does not exist"),
        ([Call("tag", {"image": "a.jpg"}, 0)], "tag's arguments", "'objects' is missing"),
        (
            [Call("count", {"objects": "<node-0>.objects", "image": "a.jpg"}, 0)],
            "count's arguments", "'image' is no argument",
        ),
        (
            [BUS[0], Call("image captioning", {"image": "<node-0>.text"}, 1)],
            "image captioning's arguments", "no output 'text'",
        ),
        (
            [BUS[0], Call("image captioning", {"image": "<node-0>"}, 1)],
            "image captioning's arguments", "no reference",
        ),
        (
            [Call("image captioning", {"image": "a.jpg"}, 0),
             Call("image captioning", {"image": "<node-0>.text"}, 1)],
            "tools", "should not come after",
        ),
    ],
)  # fmt: skip
def test_both_see_what_the_benchmark_looks_for(calls, code, said):
    for verdict in (their_check(calls, EDGES), strict_check(calls, EDGES)):
        assert said in verdict.message and code in verdict.codes


def test_a_misspelt_tool_is_told_with_the_one_that_is_near():
    verdict = strict_check([Call("image captionin", {"image": "a.jpg"}, 0)], EDGES)
    assert verdict.message.endswith("Did you mean image captioning?")


def test_a_step_is_checked_by_theirs_for_its_tool_and_names_alone():
    assert their_check_of_step(Call("tag", {"image": 7, "objects": "<node-9>.x"}, 0)).is_sound
    assert their_check_of_step(Call("nothing", {}, 0)).code == "tools"
    assert their_check_of_step(Call("tag", {}, 0)).code == "tag's arguments"


def chain(length):
    first = Call("text generation", {"text": "a"}, 0)
    others = [
        Call("text summarization", {"text": f"<node-{number - 1}>.text"}, number)
        for number in range(1, length)
    ]
    return [first, *others]


def test_theirs_takes_node_ten_for_node_one():
    plan = [*chain(10), Call("object detection", {"image": "a.jpg"}, 10)]
    plan.append(Call("count", {"objects": "<node-10>.objects"}, 11))
    assert "no output 'objects'" in their_check(plan, EDGES).message
    assert strict_check(plan, EDGES).is_sound


def test_theirs_sees_no_edge_inside_words():
    plan = [
        Call("count", {"objects": "<node-0>.objects"}, 1),
        Call("image generation", {"text": "a picture of <node-1>.number cats"}, 2),
    ]
    edges = EDGES - {("count", "image generation")}
    plan = [Call("object detection", {"image": "a.jpg"}, 0), *plan]
    assert their_check(plan, edges).is_sound
    assert "should not come after" in strict_check(plan, edges).message


def test_theirs_never_looks_at_what_is_written_out():
    for name, value in (("image", "no picture"), ("image", 7), ("image", "a.flac")):
        plan = [Call("image captioning", {name: value}, 0)]
        assert their_check(plan, EDGES).is_sound
        assert "name of a file" in strict_check(plan, EDGES).message
    for tool, arguments, said in (
        ("get math fact", {"number": "twelve"}, "takes a number"),
        ("count", {"objects": "cats"}, "earlier node"),
        ("text generation", {"text": " "}, "takes words"),
        ("text generation", {"text": None}, "takes words"),
        ("text generation", {"text": True}, "takes words"),
    ):
        assert said in strict_check([Call(tool, arguments, 0)], EDGES).message
    assert strict_check([Call("get year fact", {"year": 1969}, 0)], EDGES).is_sound
    assert strict_check([Call("get date fact", {"date": 4}, 0)], EDGES).is_sound


def test_what_surprises_theirs_is_unknown_and_strictly_told():
    nowhere = [Call("text summarization", {"text": "<node-7>.text"}, 0)]
    assert their_check(nowhere, EDGES).code == "unknown"
    assert "Node 7 is nowhere" in strict_check(nowhere, EDGES).message
    broken = [Call("text summarization", {"text": "<node-x>.text"}, 0)]
    assert their_check(broken, EDGES).code == "unknown"
    assert "no reference" in strict_check(broken, EDGES).message


def test_circles_later_nodes_and_doubles_are_faults_strictly():
    circle = [
        Call("text summarization", {"text": "<node-1>.text"}, 0),
        Call("text generation", {"text": "<node-0>.text"}, 1),
    ]
    assert their_check(circle, EDGES).is_sound
    assert "Node 1 does not come before node 0" in strict_check(circle, EDGES).message
    itself = [Call("text summarization", {"text": "<node-0>.text"}, 0)]
    assert "does not come before" in strict_check(itself, EDGES).message
    double = [Call("text generation", {"text": "a"}, 0), Call("text generation", {"text": "b"}, 0)]
    assert their_check(double, EDGES).is_sound
    assert "two nodes 0" in strict_check(double, EDGES).message


def test_kinds_have_to_fit_alone_and_inside_words():
    wrong = [BUS[0], Call("tag", {"image": "a.jpg", "objects": "<node-0>.image"}, 1)]
    assert "takes objects" in strict_check(wrong, EDGES).message
    inside = [BUS[0], Call("image generation", {"text": "like <node-0>.image"}, 1)]
    assert "works only for words" in strict_check(inside, EDGES).message


def test_messages_come_in_one_order_and_once():
    plan = [Call("tag", {}, 0), Call("tag", {}, 1), Call("no tool", {}, 2)]
    verdict = their_check(plan, EDGES)
    assert verdict == their_check(plan, EDGES)
    assert len(set(verdict.messages)) == len(verdict.messages) == 4
    assert verdict.code == "tag's arguments, tools"


def test_an_empty_plan_has_no_fault():
    assert their_check([], EDGES).is_sound and strict_check([], EDGES).is_sound


def test_feedback_says_what_was_wrong_and_what_to_do():
    told = feedback.of_parsing(Parsed(message="No JSON.", code="json"))
    assert "No JSON." in told and "strict JSON" in told
    assert "TERMINATE" in feedback.of_parsing(Parsed(message="x", code="unknown"))
    told = feedback.of_verification(Verdict(("Bad.",), ("tools", "tag's arguments")))
    assert "Bad." in told and "fix the tools, tag's arguments" in told
    told = feedback.of_execution("KeyError", "node 1 is gone")
    assert "failed with KeyError: node 1 is gone." in told and "TERMINATE" in told
    told = feedback.of_step(0, "a cat")
    assert told.startswith("OBSERVATION 0: a cat") and "ACTION 1" in told
    assert feedback.of_soundness(True) != feedback.of_soundness(False)
    assert "{{" not in told


def test_plans_of_ours_become_theirs():
    ours = (
        Call("image_segmentation", {"image": "a.jpg"}, 0),
        Call("select_object", {"object_name": "bus", "objects": "<node-0>"}, 1),
        Call("color_pop", {"image": "a.jpg", "object": "<node-1>"}, 2),
    )
    assert as_written(ours) == BUS
    place = (
        Call("get_location", {"city": "Oslo"}, 0),
        Call("get_weather", {"coordinates": "<node-0>"}, 1),
    )
    assert as_written(place)[1].arguments == {"lon": "<node-0>.lon", "lat": "<node-0>.lat"}
