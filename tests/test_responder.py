"""The answer by rules: what it says of results."""

from __future__ import annotations

import pytest

from controlllm.plan import Subtask, TypedValue
from controlllm.resources import Box, Resource
from controlllm.responder import Outcome, written_answer

BOX = Box(10, 10, 40, 40, "owl", 0.9)


def boxes(asked: str, *found: Box) -> str:
    subtask = Subtask(
        0,
        asked,
        ("image-perception",),
        (TypedValue("image", "night.png"), TypedValue("text", "owl", "object")),
        TypedValue("bbox", "<GEN>-0"),
    )
    resource = Resource("bbox", "owls.json")
    outcome = Outcome(subtask, ("visual_grounding",), resource, list(found), size=(100, 100))
    return written_answer((outcome,))


@pytest.mark.parametrize(
    "asked",
    [
        "Is there an owl in night.png?",
        "Does night.png show an owl?",
        "Please check if there is an owl",
        "Can you see an owl?",
        "tell me whether an owl is in it",
    ],
)
def test_a_yes_or_no_question_gets_a_yes_or_a_no(asked):
    assert "Yes. I found one object: owl" in boxes(asked, BOX)
    assert "No. I found no owl there." in boxes(asked)


@pytest.mark.parametrize("asked", ["Find the owl", "Where is the owl?", "Do you mind finding it?"])
def test_an_order_gets_none(asked):
    assert "Yes" not in boxes(asked, BOX)
    assert "No." not in boxes(asked)
