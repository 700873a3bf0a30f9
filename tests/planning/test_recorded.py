"""Requests that speak of parts of recordings."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Literal, Reference, Request
from controlllm.planning.planner import Planner
from controlllm.planning.recorded import about_parts, at_hand
from controlllm.resources import Resource
from tests.every_case import every_case

TALK = Resource("audio", "talk.wav", details={"seconds": 12.0})


def part(number: int, of: str = "talk.wav") -> Resource:
    told = {"image": of, "number": number, "span": "0:01-0:03", "start": 1.0, "end": 3.0}
    return Resource("audio", f"[{number}]", details=told)


def asked(text: str, *resources: Resource) -> Request:
    return about_parts(Request(text, resources, tuple(item.value for item in resources)))


@every_case("text", ["Write down what is said in [1].", "reverse this", "louder"])
def test_what_is_asked_of_a_part_is_not_asked_of_its_recording(text: str) -> None:
    found = asked(text, TALK, part(1))
    assert found.attached == ("[1]",) and found.resources == (part(1),)
    assert found.text == text


def test_a_recording_that_is_named_stays() -> None:
    found = asked("put [1] after talk.wav", TALK, part(1), part(2))
    assert found.attached == ("talk.wav", "[1]")


def test_this_part_is_the_part_that_came_along() -> None:
    assert asked("make this part louder", TALK, part(3)).text == "make [3] louder"
    assert asked("say the chosen words slower", TALK, part(3)).text == "say [3] slower"


def test_without_parts_nothing_changes() -> None:
    region = Resource("mask", "[1]", details={"image": "a.jpg", "number": 1})
    request = Request("reverse this part", (TALK, region), ("talk.wav",))
    assert about_parts(request) == request


@pytest.fixture
def planner(own_planner: Planner) -> Planner:
    return own_planner


def planned(planner: Planner, text: str, *resources: Resource):
    request = Request(text, resources, tuple(item.value for item in resources))
    return list(planner.solve(planner.decompose(request), request))


@every_case(
    "text", ["make this part louder", "reverse this", "silence [1]", "Raise the pitch of [1]."]
)
def test_a_changed_part_is_put_back_into_its_recording(planner: Planner, text: str) -> None:
    (solved,) = planned(planner, text, TALK, part(1))
    change, back = solved.solutions[0].actions
    assert change.inputs["audio"] == Reference("[1]")
    if "prompt" in change.inputs:
        assert "[1]" not in change.inputs["prompt"].text
    assert back.tool == "put_part_back"
    assert back.inputs == {
        "audio": Reference("talk.wav"),
        "changed": Reference(change.output.value),
        "start": Literal("1.000"),
        "end": Literal("3.000"),
    }
    # The part alone is one of the other ways.
    assert solved.solutions[-1].actions[-1].inputs["audio"] == Reference("[1]")


@every_case("text", ["cut this out", "Remove [1] from talk.wav.", "delete this part"])
def test_a_part_is_left_out_of_its_recording(planner: Planner, text: str) -> None:
    (solved,) = planned(planner, text, TALK, part(1))
    (back,) = solved.solutions[0].actions
    assert back.tool == "put_part_back" and "changed" not in back.inputs
    assert back.inputs["audio"] == Reference("talk.wav")


def test_the_next_change_goes_on_with_the_whole_and_counts_from_the_end(planner: Planner) -> None:
    told = {"image": "talk.wav", "number": 2, "span": "0:05-0:06", "start": 5.0, "end": 6.0}
    later = Resource("audio", "[2]", details=told)
    first, second = planned(planner, "make [1] slower and reverse [2]", TALK, part(1), later)
    assert first.subtask.returns.value == "<GEN>-0" and second.subtask.deps == (0,)
    back = second.solutions[0].actions[-1]
    assert back.inputs["audio"] == Reference("<GEN>-0")
    assert (back.inputs["start"], back.inputs["end"]) == (Literal("-7.000"), Literal("-6.000"))


def test_what_looks_at_a_part_or_mixes_it_gets_the_part_alone(planner: Planner) -> None:
    (heard,) = planned(planner, "what is said in [1]?", TALK, part(1))
    assert heard.solutions[0].tools == ("speech_to_text",)
    (mixed,) = planned(planner, "mix [1] with talk.wav", TALK, part(1))
    assert mixed.solutions[0].tools == ("audio_mixing",)


def test_a_changed_part_of_a_film_is_put_back(planner: Planner) -> None:
    film = Resource("video", "film.mp4", details={"seconds": 9.0})
    told = {"image": "film.mp4", "number": 1, "span": "0:01-0:03", "start": 1.0, "end": 3.0}
    (solved,) = planned(
        planner, "slow this part down", film, Resource("video", "[1]", details=told)
    )
    assert solved.solutions[0].tools == ("video_speed", "put_passage_back")


def test_an_agent_that_is_asked_about_a_part_has_nothing_else_at_hand() -> None:
    text = Resource("text", "talk written down.txt")
    assert at_hand((TALK, text, part(1)), ("[1]",)) == (part(1),)
    assert at_hand((TALK, text, part(1)), ("talk.wav",)) == (TALK, text, part(1))
