"""The planning benchmark holds together, and what does not is said."""

from __future__ import annotations

import pytest

from benchmarks.annotation import (
    LEVELS,
    SUITES,
    Suite,
    level_of,
    problems,
    read_annotations,
    read_suite,
)
from tests.every_case import every_case

#: The domains of the paper's Table 11.
DOMAINS = {
    *("question-answering", "visual-question-answering", "natural-language-processing"),
    *("image-perception", "image-generation", "image-editing", "image-processing"),
    *("video-perception", "video-processing", "video-generation"),
    *("audio-perception", "audio-generation"),
}


@pytest.fixture(scope="module")
def suite():
    return read_suite("benchmark")


def entry(**changes):
    part = {
        "solutions": [["visual_grounding", "image_cropping"]],
        "returns": ["image"],
        "uses": ["a.jpg"],
        "words": ["cat"],
    }
    return {
        "id": "medium-1",
        "level": "medium",
        "request": "Crop the cat in a.jpg",
        "resources": [{"type": "image", "value": "a.jpg"}],
        "subtasks": [{**part, **changes.pop("part", {})}],
        **changes,
    }


@every_case("name", SUITES)
def test_the_annotations_hold_together(name):
    assert list(problems(read_suite(name))) == []


def test_the_benchmark_is_as_wide_as_the_papers(suite):
    assert len(suite.annotations) >= 120
    covered = {
        suite.toolbox[tool].domain
        for annotation in suite.annotations
        for part in annotation.subtasks
        for tool in part.solutions[0]
    }
    assert covered >= DOMAINS
    for level in LEVELS:
        assert sum(item.level == level for item in suite.annotations) >= 30
    assert 5 <= sum(not item.subtasks for item in suite.annotations) <= 8


def test_every_tool_of_a_catalogue_is_needed_somewhere():
    for name in SUITES:
        suite = read_suite(name)
        named = {tool for annotation in suite.annotations for tool in annotation.relevant}
        assert {tool.name for tool in suite.toolbox} <= named


def test_the_field_catalogue_shares_no_tool_with_ours(suite):
    field = {tool.name for tool in read_suite("field").toolbox}
    assert len(field) == 30
    assert not field & {tool.name for tool in suite.toolbox}


def test_no_request_is_an_example_of_the_catalogue():
    for name in SUITES:
        suite = read_suite(name)
        examples = {text.lower() for tool in suite.toolbox for text in tool.examples}
        assert not examples & {item.request.lower() for item in suite.annotations}


def test_examples_can_be_left_out():
    assert all(len(tool.examples) >= 4 for tool in read_suite("benchmark").toolbox)
    assert not any(tool.examples for tool in read_suite("benchmark", examples=False).toolbox)


def test_an_unknown_suite_is_refused():
    with pytest.raises(ValueError, match="no suite 'other'"):
        read_suite("other")


def test_parts_for_each_file_are_written_out_one_by_one():
    [annotation] = read_annotations(
        [
            {
                "id": "x",
                "level": "hard",
                "request": "",
                "resources": [],
                "subtasks": [
                    {
                        "solutions": [["speech_to_text"]],
                        "returns": ["text"],
                        "uses": ["a.wav", "b.wav"],
                        "words": [],
                        "each": True,
                    },
                    {
                        "solutions": [["summarization"]],
                        "returns": ["text"],
                        "uses": [{"subtask": 0}],
                        "words": [],
                        "each": True,
                    },
                    {
                        "solutions": [["text_to_speech"]],
                        "returns": ["audio"],
                        "uses": [{"subtask": 1}],
                        "words": [],
                    },
                ],
            }
        ]
    )
    assert [(part.files, part.after) for part in annotation.subtasks] == [
        (("a.wav",), ()),
        (("b.wav",), ()),
        ((), (0,)),
        ((), (1,)),
        ((), (2, 3)),
    ]
    assert annotation.calls == 5


def test_a_request_is_planned_with_all_its_files_attached():
    [annotation] = read_annotations([entry()])
    request = annotation.asked()
    assert request.text == "Crop the cat in a.jpg"
    assert [(item.type, item.value) for item in request.resources] == [("image", "a.jpg")]
    assert request.attached == ("a.jpg",)


@every_case(
    ("changed", "said"),
    [
        ({"part": {"solutions": [["image_shredding"]]}}, "no such tool in the catalogue: image_sh"),
        ({"level": "hard"}, "called hard and takes 2 calls"),
        ({"part": {"returns": ["image", "smell"]}}, "no such type: smell"),
        ({"part": {"uses": ["b.jpg"]}}, "uses b.jpg, which is no file"),
        ({"part": {"words": ["dog"]}}, "the word 'dog'"),
        (
            {"part": {"solutions": [["image_cropping", "visual_grounding"]]}},
            "cannot be solved by image_cropping -> visual_grounding",
        ),
        (
            {"part": {"solutions": [["visual_grounding", "count_objects"]]}},
            "cannot be solved by visual_grounding -> count_objects",
        ),
        (
            {"resources": [{"type": "audio", "value": "a.jpg"}]},
            "cannot be solved by visual_grounding -> image_cropping",
        ),
    ],
)
def test_what_does_not_hold_together_is_said(suite, changed, said):
    annotations = read_annotations([entry(**changed)])
    found = list(problems(Suite("small", suite.toolbox, annotations)))
    assert any(said in problem for problem in found), found


def test_a_part_builds_on_earlier_parts_only():
    with pytest.raises(ValueError, match="Request 0 of the benchmark"):
        read_annotations([entry(part={"uses": ["a.jpg", {"subtask": 0}]})])


def test_an_id_is_used_once(suite):
    annotations = read_annotations([entry(), entry()])
    found = list(problems(Suite("small", suite.toolbox, annotations)))
    assert found == ["medium-1: the id is used twice."]


def test_an_entry_that_lacks_something_is_refused():
    broken = entry()
    del broken["request"]
    with pytest.raises(ValueError, match="Request 0 of the benchmark: it has no 'request'"):
        read_annotations([broken])


def test_levels_follow_the_paper():
    assert [level_of(calls) for calls in (0, 1, 2, 3, 4, 12)] == [
        *("easy", "easy", "medium", "medium", "hard", "hard"),
    ]
