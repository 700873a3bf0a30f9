"""Sessions as values."""

from __future__ import annotations

import json

import pytest

from controlllm.core.plans import Plan
from controlllm.core.session import Session, Turn
from controlllm.resources import Resource
from tests.every_case import every_case

PHOTO = Resource("image", "photo.jpg", "ab", "image/jpeg", details={"width": 2})
SOUND = Resource("audio", "talk.wav", "cd", "audio/wav", origin="speech", turn=1)


def test_resources_are_found_by_their_value():
    session = Session("s").with_resource(PHOTO).with_resource(SOUND)
    assert session.resource("talk.wav") is SOUND
    with pytest.raises(KeyError, match="other.png"):
        session.resource("other.png")


def test_changing_a_session_leaves_the_old_one():
    before = Session("s")
    after = before.with_resource(PHOTO).with_turn(Turn(0, "hello"))
    assert (before.resources, before.turns) == ((), ())
    assert (len(after.resources), len(after.turns)) == (1, 1)


def test_a_resource_of_the_same_value_takes_the_place_of_the_old_one():
    mask = Resource("mask", "photo.jpg", "ab", "image/jpeg")
    session = Session("s").with_resource(PHOTO).with_resource(SOUND).with_resource(mask)
    assert len(session.resources) == 2
    assert session.resource("photo.jpg").type == "mask"


def test_turns_are_in_order_and_one_of_each_number():
    session = Session("s")
    for turn in (Turn(1, "second"), Turn(0, "first"), Turn(1, "second", state="answered")):
        session = session.with_turn(turn)
    assert [(turn.number, turn.text, turn.state) for turn in session.turns] == [
        (0, "first", "running"),
        (1, "second", "answered"),
    ]


@every_case(
    ("taken", "wanted", "expected"),
    [
        ([], "a.png", "a.png"),
        (["a.png"], "a.png", "a-2.png"),
        (["a.png", "a-2.png"], "a.png", "a-3.png"),
        (["a.png", "a-3.png"], "a.png", "a-2.png"),
        (["README"], "README", "README-2"),
        ([".hidden"], ".hidden", ".hidden-2"),
        (["a.b.c"], "a.b.c", "a.b-2.c"),
    ],
)
def test_free_names(taken, wanted, expected):
    session = Session("s", resources=tuple(Resource("image", value) for value in taken))
    assert session.free_name(wanted) == expected


def test_a_session_survives_json():
    turn = Turn(
        0, "hello", ("photo.jpg",), Plan((), {}), {"1.0.0": PHOTO}, "An answer.", "answered"
    )
    session = Session("secret", "Title", (PHOTO, SOUND), (turn, Turn(1, "more")), 12.5)
    read = Session.from_json(json.loads(json.dumps(session.to_json())))
    assert read == session
