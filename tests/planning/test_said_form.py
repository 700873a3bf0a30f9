"""A format, a size or a limit that is said beside a wish, and that no step of its way takes."""

from __future__ import annotations

import pytest

from controlllm.core.plans import (
    Action,
    Literal,
    Reference,
    Request,
    Solution,
    Subtask,
    TypedValue,
    generated,
)
from controlllm.planning.said_form import in_said_form, with_passages
from controlllm.toolbox import Toolbox
from tests.every_case import every_case


@pytest.fixture(scope="module")
def toolbox():
    return Toolbox.load()


def wish(number, says, kind, deps=()):
    return Subtask(number, says, ("general",), (), TypedValue(kind, generated(number)), deps)


def way(number, kind, tool, /, **inputs):
    given = {name: Reference(value) for name, value in inputs.items()}
    return Solution((Action(tool, given, TypedValue(kind, generated(number))),), 4.5)


def steps(solution):
    return [
        (
            action.tool,
            {key: it.text for key, it in action.inputs.items() if isinstance(it, Literal)},
        )
        for action in solution.actions
    ]


@every_case(
    ("says", "kind", "tool", "source", "expected"),
    [
        ("the song, as mp3 for the car", "audio", "video_to_audio", "video", {"format": "mp3"}),
        ("a still of it. jpg", "image", "video_to_frames", "video", {"format": "jpeg"}),
        ("sort it, I need it in Excel", "table", "sort_table", "table", {"format": "xlsx"}),
        ("no sound, and less than 8 MB", "video", "mute_video", "video", {"limit": "8000000"}),
    ],
)
def test_a_format_is_set_by_a_step_of_its_own(toolbox, says, kind, tool, source, expected):
    subtask, request = wish(0, says, kind), Request(says)
    ways = [way(0, kind, tool, **{source: "given"})]
    (found,) = in_said_form(ways, subtask, [subtask], request, toolbox)
    assert found.tools[0] == tool and steps(found)[1:] == [(f"convert_{kind}", expected)]
    assert found.actions[-1].output.value == generated(0)
    assert list(found.actions[1].references()) == [found.actions[0].output.value]


def test_a_width_and_a_height_of_what_is_drawn(toolbox):
    says = "draw the wave form, 1200 wide and 300 high, as webp"
    subtask = wish(0, says, "image")
    ways = [way(0, "image", "audio_to_image", audio="given")]
    (found,) = in_said_form(ways, subtask, [subtask], Request(says), toolbox)
    assert steps(found)[1:] == [
        ("resize_image", {"size": "1200x300"}),
        ("convert_image", {"format": "webp"}),
    ]


@every_case(
    ("says", "kind", "tool"),
    [
        ("a picture of the dog, png", "image", "video_to_frames"),
        ("keep the left half", "image", "image_crop_left"),
        ("a GIF of it", "image", "video_to_gif"),
        ("make beach.jpg brighter", "image", "text_image_editing"),
        ("what it says about 'mp3'", "audio", "video_to_audio"),
        ("what is the format? mp3?", "text", "audio_information"),
    ],
)
def test_nothing_is_added_where_nothing_is_wanted(toolbox, says, kind, tool):
    subtask = wish(0, says, kind)
    ways = (way(0, kind, tool, given="given"),)
    assert in_said_form(ways, subtask, [subtask], Request(says), toolbox) == ways


def test_a_format_holds_for_what_goes_on_from_the_file(toolbox):
    text = "Turn it into a jpg, and make it sepia"
    first, second = wish(0, "Turn it into a jpg", "image"), wish(1, "make it sepia", "image", (0,))
    ways = [way(1, "image", "tint_image", image=generated(0))]
    (found,) = in_said_form(ways, second, [first, second], Request(text), toolbox)
    assert steps(found)[1:] == [("convert_image", {"format": "jpeg"})]


def test_what_another_wish_says_is_its_own(toolbox):
    text = "the words of the film as a text, the sound as mp3, and a still"
    wishes = [
        wish(0, "the words of the film as a text", "text"),
        wish(1, "the sound as mp3", "audio"),
        wish(2, "a still", "image"),
    ]
    ways = (way(2, "image", "video_to_frames", video="given"),)
    assert in_said_form(ways, wishes[2], wishes, Request(text), toolbox) == ways


def test_a_size_is_set_before_the_file_is_written(toolbox):
    says = "as jpg, 800 wide"
    subtask = wish(0, says, "image")
    last = Action(
        "convert_image",
        {"image": Reference("given"), "format": Literal("jpeg")},
        TypedValue("image", generated(0)),
    )
    (found,) = in_said_form([Solution((last,), 4.5)], subtask, [subtask], Request(says), toolbox)
    assert steps(found) == [
        ("resize_image", {"size": "800x"}),
        ("convert_image", {"format": "jpeg"}),
    ]
    assert list(found.actions[0].references()) == ["given"]


@every_case(
    ("says", "tool", "kind", "cutter", "passage"),
    [
        ("only the sound of it from second 3 till the end", "video_to_audio", "audio", "cut_audio",
         "from second 3 till the end"),
        ("the audio track without the first ten seconds", "video_to_audio", "audio", "cut_audio",
         "without first 10 seconds"),
        ("0:20 to 0:40 as wav", "convert_audio", "audio", "cut_audio", "0:20 to 0:40"),
        ("the last half as webm", "convert_video", "video", "video_cutting", "last half"),
    ],
)  # fmt: skip
def test_a_passage_is_cut_where_a_recording_is_only_handed_on(
    toolbox, says, tool, kind, cutter, passage
):
    subtask = wish(0, says, kind)
    ways = [way(0, kind, tool, **{toolbox[tool].required[0].name: "given"})]
    (found,) = with_passages(ways, subtask, [subtask], toolbox)
    assert {name: told for name, told in steps(found)}[cutter] == {"prompt": passage}
    assert found.actions[-1].output.value == generated(0)
    # What is written as a file is written last.
    assert tool == "video_to_audio" or found.tools == (cutter, tool)


@every_case(
    ("says", "tool", "kind"),
    [
        ("the sound of it as mp3", "video_to_audio", "audio"),
        ("no sound from 0:10 to 0:20", "mute_video", "video"),
        ("even it out, I whisper in the first half", "normalize_loudness", "audio"),
        ("as mp3, the first ten seconds are silent", "convert_audio", "audio"),
        ("what is said from 0:10 on", "speech_to_text", "text"),
    ],
)
def test_no_passage_is_cut_where_another_step_has_to_do_with_it(toolbox, says, tool, kind):
    subtask = wish(0, says, kind)
    ways = (way(0, kind, tool, given="given"),)
    assert with_passages(ways, subtask, [subtask], toolbox) == ways


def test_a_passage_that_another_wish_cuts_is_not_cut_again(toolbox):
    first = wish(0, "cut it from 0:10 to 0:20", "video")
    second = wish(1, "the sound from 0:10 to 0:20", "audio", (0,))
    ways = (way(1, "audio", "video_to_audio", video=generated(0)),)
    assert with_passages(ways, second, [first, second], toolbox) == ways
