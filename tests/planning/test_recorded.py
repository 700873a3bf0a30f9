"""Requests that speak of parts of recordings."""

from __future__ import annotations

import pytest

from controlllm.planning.recorded import about_parts
from controlllm.plans import Request
from controlllm.resources import Resource

TALK = Resource("audio", "talk.wav", details={"seconds": 12.0})


def part(number: int, of: str = "talk.wav") -> Resource:
    told = {"image": of, "number": number, "span": "0:01-0:03", "start": 1.0, "end": 3.0}
    return Resource("audio", f"[{number}]", details=told)


def asked(text: str, *resources: Resource) -> Request:
    return about_parts(Request(text, resources, tuple(item.value for item in resources)))


@pytest.mark.parametrize("text", ["Write down what is said in [1].", "reverse this", "louder"])
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
