"""Requests as people write them, planned over a small catalogue that is nobody's toolbox."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Literal, Request
from controlllm.resources import Resource
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Toolbox
from tests.every_case import every_case


def entry(name, description, args, returned, domain="general"):
    return {
        "name": name,
        "description": description,
        "domain": domain,
        "args": [{"name": key, "type": kind, "description": ""} for key, kind in args],
        "returns": [{"name": "result", "type": returned, "description": ""}],
    }


#: Names that no toolbox of ours has: the planner must go by types and meaning.
CATALOGUE = [
    entry("spotter", "Locate a named object in an image.", [("image", "image"), ("query", "text")],
          "bbox", "image-perception"),
    entry("finder", "Detect all objects in the image.", [("image", "image")], "bbox",
          "image-perception"),
    entry("chooser", "Select the boxes that meet a condition.",
          [("boxes", "bbox"), ("condition", "text")], "bbox"),
    entry("tally", "Count the objects in the given boxes.", [("boxes", "bbox")], "number"),
    entry("marker", "Highlight objects on the image, given their boxes.",
          [("image", "image"), ("boxes", "bbox")], "image", "image-editing"),
    entry("scissors", "Crop the image to the given boxes.",
          [("image", "image"), ("boxes", "bbox")], "image", "image-editing"),
    entry("clicker", "Segment the object at the clicked points.",
          [("image", "image"), ("points", "point")], "image.mask", "image-perception"),
    entry("outliner", "Segment the object inside each box: a mask for every box.",
          [("image", "image"), ("boxes", "bbox")], "image.mask", "image-perception"),
    entry("healer", "Inpaint: remove the masked object and fill the hole from its surroundings.",
          [("image", "image"), ("mask", "image.mask")], "image", "image-editing"),
    entry("teller", "Describe the image in a caption.", [("image", "image")], "text",
          "image-perception"),
    entry("answerer", "Answer a question about an image.",
          [("image", "image"), ("question", "text")], "text", "visual-question-answering"),
    entry("typist", "Transcribe speech in an audio recording into text.", [("audio", "audio")],
          "text", "audio-perception"),
    entry("digest", "Summarise a text into a short summary.", [("text", "text")], "text",
          "natural-language-processing"),
    entry("speaker", "Read a text aloud: text to speech.", [("text", "text")], "audio",
          "audio-generation"),
    entry("mixer", "Dub a video with an audio track: put sound and video together.",
          [("video", "video"), ("audio", "audio")], "video", "video-editing"),
    entry("watcher", "Describe a video in a caption.", [("video", "video")], "text",
          "video-perception"),
    entry("headliner", "Generate a title for a text.", [("text", "text")], "title",
          "natural-language-processing"),
    entry("tagger", "Find tags and keywords for a text.", [("text", "text")], "tags",
          "natural-language-processing"),
    entry("publisher", "Make an HTML web page that introduces a video.",
          [("video", "video"), ("title", "title"), ("tags", "tags"), ("description", "text")],
          "html", "video-processing"),
    entry("edger", "Get the edge map of the image.", [("image", "image")], "image.edge",
          "image-processing"),
]  # fmt: skip


@pytest.fixture(scope="module")
def planner():
    return embedded_planner(Toolbox.from_catalogue(CATALOGUE))


def plan(planner, text, files=(), earlier=(), attached=None):
    resources = tuple(Resource(kind, name) for name, kind in files)
    names = tuple(name for name, _ in files) if attached is None else attached
    return planner.plan(Request(text, resources, names, earlier))[0]


def tools(plan):
    return [
        plan.solution(subtask.id).tools if plan.solution(subtask.id) else ()
        for subtask in plan.subtasks
    ]


PHOTO = ("photo.jpg", "image")


@every_case(
    ("text", "files", "expected"),
    [
        (
            "What is in this picture? Highlight the dog, then crop it.",
            [PHOTO],
            [("teller",), ("spotter", "marker"), ("spotter", "scissors")],
        ),
        (
            "remove what I clicked",
            [PHOTO, ("clicks.json", "point")],
            [("clicker", "healer")],
        ),
        ("How many umbrellas are in photo.jpg?", [PHOTO], [("spotter", "tally")]),
        ("Erase the laptop from photo.jpg", [PHOTO], [("spotter", "outliner", "healer")]),
        ("Get the edges of this photo", [PHOTO], [("edger",)]),
        (
            "I'd like a transcript of this recording and a summary",
            [("talk.wav", "audio")],
            [("typist",), ("digest",)],
        ),
        ("Read this aloud: the train leaves at nine.", [], [("speaker",)]),
        ("Say “hello” aloud.", [], [("speaker",)]),
        ("Describe this picture aloud.", [PHOTO], [("teller", "speaker")]),
        ("Write down what is said here.", [("talk.wav", "audio")], [("typist",)]),
        (
            "Put the clip and the sound together",
            [("clip.mp4", "video"), ("rain.wav", "audio")],
            [("mixer",)],
        ),
        (
            "Make a web page about this video",
            [("clip.mp4", "video")],
            [("watcher", "headliner", "tagger", "publisher")],
        ),
    ],
)
def test_plans(planner, text, files, expected):
    assert tools(plan(planner, text, files)) == expected


def test_it_is_the_object_in_the_original_picture(planner):
    found = plan(planner, "Highlight the dog, then crop it.", [PHOTO])
    last = found.subtasks[1]
    assert [(argument.value.removeprefix("the "), argument.role) for argument in last.args] == [
        ("photo.jpg", ""),
        ("dog", "object"),
    ]
    assert last.deps == ()


def test_remove_it_after_marking_it(planner):
    found = plan(planner, "Now highlight the cat and remove it", [PHOTO])
    assert tools(found)[1] == ("spotter", "outliner", "healer")
    words = [item.value for item in found.subtasks[1].args if item.role == "object"]
    assert words in (["cat"], ["the cat"])


@every_case("object_", ["cat", "police car", "zebra in the middle", "people"])
def test_removing_removes_whatever_it_is(planner, object_):
    assert tools(plan(planner, f"Remove the {object_}", [PHOTO]))[0][-1] == "healer"


def test_it_is_the_result_after_a_crop(planner):
    found = plan(planner, "Crop the dog and then get the edges of it.", [PHOTO])
    assert found.subtasks[1].args[0].value == "<GEN>-0"
    assert found.subtasks[1].deps == (0,)


def test_what_is_read_aloud_is_the_text_before(planner):
    found = plan(planner, "Describe the picture and read it aloud", [PHOTO])
    assert tools(found) == [("teller",), ("speaker",)]
    assert found.subtasks[1].args[0].value == "<GEN>-0"


def test_it_is_understood_in_the_next_request(planner):
    first = plan(planner, "Highlight the dog", [PHOTO])
    second = plan(planner, "Now crop it", [PHOTO], earlier=first.subtasks, attached=())
    solution = second.solution(0)
    assert solution.tools == ("spotter", "scissors")
    assert Literal("the dog") in solution.actions[0].inputs.values()


@every_case(
    ("text", "used"),
    [
        ("Describe the second one", ["b.jpg"]),
        ("Describe the last picture", ["c.jpg"]),
        ("Describe all the pictures", ["a.jpg", "b.jpg", "c.jpg"]),
        ("Describe b.jpg and c.jpg", ["b.jpg", "c.jpg"]),
    ],
)
def test_several_files(planner, text, used):
    files = [(name, "image") for name in ("a.jpg", "b.jpg", "c.jpg")]
    found = plan(planner, text, files)
    assert [subtask.args[0].value for subtask in found.subtasks] == used
    assert set(tools(found)) == {("teller",)}


def test_alternatives_are_well_typed_different_and_in_order(planner):
    found = plan(planner, "Highlight the dog", [PHOTO])
    solutions = found.solutions[0]
    assert solutions[0].tools == ("spotter", "marker")
    assert ("finder", "chooser", "marker") in [solution.tools for solution in solutions]
    scores = [solution.score for solution in solutions]
    assert scores == sorted(scores, reverse=True)
    assert len({str(solution.to_json()["actions"]) for solution in solutions}) == len(solutions)


def test_what_no_tool_makes_is_said(planner):
    request = Request("Get the depth map of this photo", (Resource("image", "a.jpg"),), ("a.jpg",))
    (solved,) = planner.solve(planner.decompose(request), request)
    assert solved.solutions == ()
    assert "No tool here does this" in solved.message


@every_case("text", ["fly me to the moon", "What is the capital of France?"])
def test_words_are_not_answered_with_their_own_echo(planner, text):
    request = Request(text)
    assert not any(
        solved.solutions for solved in planner.solve(planner.decompose(request), request)
    )


def test_a_missing_file_is_named(planner):
    request = Request("Transcribe the recording")
    (solved,) = planner.solve(planner.decompose(request), request)
    assert solved.solutions == ()
    assert "a sound" in solved.message
