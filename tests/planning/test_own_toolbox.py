"""Requests over the toolbox that ships, as people put them: what runs first, and what must not."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Request
from controlllm.resources import Resource, guess_type
from controlllm.toolbox.capabilities import Capabilities
from tests.every_case import every_case


@pytest.fixture(scope="module")
def planner(tmp_path_factory, own_toolbox, own_planner):
    patch = pytest.MonkeyPatch()
    patch.setenv("CONTROLLLM_MODELS", str(tmp_path_factory.mktemp("models")))
    unavailable = own_toolbox.reasons_unavailable(Capabilities())
    yield own_planner.with_parts(unavailable=unavailable)
    patch.undo()


def planned(planner, text, *files):
    resources = tuple(Resource(guess_type(name), name) for name in files)
    return planner.plan(Request(text, resources, files))[0]


def chains(planner, text, *files):
    plan = planned(planner, text, *files)
    return [
        " ".join(plan.solution(subtask.id).tools) if plan.solution(subtask.id) else ""
        for subtask in plan.subtasks
    ]


@every_case(
    ("text", "files", "expected"),
    [
        (
            "Make a video of this picture with narration",
            ["bear.jpg"],
            ["image_captioning text_to_speech image_audio_to_video"],
        ),
        ("Animate this picture", ["bear.jpg"], ["image_to_video"]),
        ("Transcribe this", ["talk.wav"], ["speech_to_text"]),
        ("Transcribe this", ["talk.mp4"], ["video_to_audio speech_to_text"]),
        ("Transcribe this", ["page.jpg"], ["optical_character_recognition"]),
        ("Read the sign aloud", ["sign.jpg"], ["optical_character_recognition text_to_speech"]),
        ("Write a short story about a fox", [], ["text_generation"]),
        ("Make this text more formal: gimme that", [], ["text_to_text_generation"]),
        ("What is the weather in Berlin?", [], ["get_weather"]),
        ("Is 97 a prime number?", [], ["get_math_fact"]),
        ("What kind of sound is this?", ["noise.wav"], ["audio_classification"]),
        ("Generate a picture of a cat on a sofa", [], ["text_to_image"]),
        (
            "Use the pose of dancer.jpg to make a picture of a knight",
            ["dancer.jpg"],
            ["image_to_pose pose_text_to_image"],
        ),
        ("Give me the depth map of room.jpg", ["room.jpg"], ["image_to_depth"]),
    ],
)  # fmt: skip
def test_what_runs_first(planner, text, files, expected):
    assert chains(planner, text, *files) == expected


def test_two_things_are_counted_in_both_pictures(planner):
    found = chains(planner, "How many zebras and how many bears are there?", "a.jpg", "b.jpg")
    ways = {"visual_grounding count_objects", "object_detection select_bbox count_objects"}
    assert len(found) == 4 and set(found) <= ways


@every_case("text", ["Replace the dog with a cat", "Turn the dog into a cat"])
def test_putting_one_thing_for_another_is_no_new_background(planner, text):
    plan = planned(planner, text, "b.jpg")
    (subtask,) = plan.subtasks
    solution = plan.solution(subtask.id)
    assert solution.tools[-1] == "partial_image_editing"
    assert "needs weights" in solution.missing
    assert {(item.role, item.value) for item in subtask.args if item.role} == {
        ("prompt", "a cat"),
        ("object", "the dog"),
    }


@every_case("text", ["Summarize this", "Read this aloud", "Summarise it please"])
def test_what_works_on_a_text_asks_for_one(planner, text):
    plan = planned(planner, text)
    assert [subtask.lacks for subtask in plan.subtasks] == [("text",)]
    assert chains(planner, text) == [""]


def test_a_recording_is_not_made_of_a_picture_to_be_written_down(planner):
    plan = planned(planner, "Transcribe this", "bear.jpg")
    tools = {tool for found in plan.solutions.values() for item in found for tool in item.tools}
    assert not tools & {"text_to_speech", "speech_to_text"}


@every_case(
    ("text", "files", "expected"),
    [
        (
            "join them, with page numbers at the bottom",
            ["a.pdf", "b.pdf"],
            ["merge_pdfs", "number_pages"],
        ),
        (
            "black and white, with a white frame around it please",
            ["a.jpg"],
            ["grayscale_image", "add_border"],
        ),
        ("the two clips as one, without sound", ["a.mp4", "b.mp4"], ["join_videos", "mute_video"]),
        ("take the first 10 seconds with a fade out", ["a.wav"], ["cut_audio", "fade_audio"]),
        ("mirrored and smaller, 500 pixels wide", ["a.jpg"], ["flip_image", "resize_image"]),
        # What only says more of one wish is no other one.
        (
            "I'm on the left and the guest is on the right channel. Make two files out of it, one "
            "with me and one with the guest",
            ["a.wav"],
            ["split_channels"],
        ),
        ("put them side by side, with a 20 px gap", ["a.jpg", "b.jpg"], ["put_side_by_side"]),
        ("write Hello on it, in the top left corner", ["a.jpg"], ["write_on_image"]),
        (
            "make everything black and white except her red coat",
            ["a.jpg"],
            ["visual_grounding bbox_to_mask color_pop"],
        ),
        (
            "cut out the sneaker without the laces",
            ["a.jpg"],
            ["visual_grounding bbox_to_mask mask_image"],
        ),
    ],
)
def test_two_wishes_in_one_sentence_are_both_heard(planner, text, files, expected):
    # One way through both tools does as well as two that follow each other.
    assert " ".join(chains(planner, text, *files)) == " ".join(expected)


@every_case(
    ("text", "expected"),
    [
        ("reduce the size to 720p but the sound has to stay in", ["resize_video"]),
        ("make it smaller without losing the sound", ["resize_video"]),
        ("I need it as webm. The audio must stay!", ["convert_video"]),
        ("mirror the clip and leave the audio untouched", ["rotate_video"]),
        # What is asked of the sound itself is asked all the same.
        ("keep only the sound", ["video_to_audio"]),
        ("don't keep the sound", ["mute_video"]),
    ],
)
def test_a_sound_that_is_to_stay_is_not_taken_away(planner, text, expected):
    assert chains(planner, text, "a.mp4") == expected
