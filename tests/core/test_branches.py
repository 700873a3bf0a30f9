"""Branches: what a conversation holds from where it stands, and nothing of what lies beside."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from controlllm.core.session import (
    Session,
    Turn,
    Waiting,
    branch,
    newest_of,
    resources_of,
    siblings,
)
from controlllm.resources import Resource


def asked(session: Session, text: str, before: int | None = None, made: str = "") -> Session:
    number = len(session.turns)
    results = {"0.0.0": Resource("image", made)} if made else {}
    for resource in results.values():
        session = session.with_resource(resource)
    return session.with_turn(Turn(number, text, before=before, results=results))


def texts(session: Session, number: int | None = None) -> list[str]:
    return [turn.text for turn in branch(session, number)]


def test_what_is_asked_anew_goes_on_beside_what_was_asked_before():
    session = Session("id").with_resource(Resource("image", "cat.jpg", origin="uploaded"))
    session = asked(asked(session, "crop", made="crop-1.png"), "blur it", made="blur-1.png")
    session = asked(session, "edges", before=-1, made="edges-1.png")
    assert texts(session) == ["edges"]
    session = asked(session, "blur it")
    assert texts(session) == ["edges", "blur it"] and texts(session, 1) == ["crop", "blur it"]
    assert siblings(session, 0) == siblings(session, 2) == (0, 2)
    assert newest_of(session, 0) == 1 and newest_of(session, 2) == 3
    assert [item.value for item in resources_of(session)] == ["cat.jpg", "edges-1.png"]
    assert [item.value for item in resources_of(session, 1)] == [
        "cat.jpg", "crop-1.png", "blur-1.png",
    ]  # fmt: skip


def test_what_both_branches_made_or_were_given_belongs_to_both():
    session = Session("id").with_resource(Resource("image", "dog.jpg", origin="uploaded"))
    session = asked(session, "crop", made="same.png")
    session = session.with_turn(Turn(1, "again", ("dog.jpg",), before=-1))
    session = session.with_turn(
        Turn(1, "again", ("dog.jpg",), results={"0.0.0": Resource("image", "same.png")})
    )
    assert session.turns[1].follows == -1
    assert {item.value for item in resources_of(session)} == {"dog.jpg", "same.png"}
    assert {item.value for item in resources_of(session, 0)} == {"same.png"}


def test_a_conversation_without_branches_is_as_it_always_was():
    session = asked(asked(asked(Session("id"), "a"), "b"), "c")
    old = session.to_json()
    for turn in old["turns"]:
        del turn["before"], turn["grounds"], turn["fallbacks"]
    del old["head"], old["waiting"]
    read = Session.from_json(old)
    assert texts(read) == ["a", "b", "c"] and read.at == 2
    assert asked(read, "d").at == 3


def test_a_way_back_that_goes_in_circles_is_none():
    session = asked(asked(Session("id"), "a"), "b")
    told = session.to_json()
    told["turns"][0]["before"] = 1
    assert texts(Session.from_json(told)) == ["a", "b"]


@given(st.lists(st.integers(-1, 30), max_size=30))
def test_every_turn_is_on_its_own_branch_and_kept(befores):
    session = Session("id", waiting=(Waiting("w", "later", ("a.png",), "mark"),))
    for number, before in enumerate(befores):
        session = session.with_turn(Turn(number, str(number), before=min(before, number - 1)))
        assert session.at == number
    assert Session.from_json(session.to_json()) == session
    for turn in session.turns:
        way = branch(session, turn.number)
        assert way[-1] == turn and [item.number for item in way] == sorted(
            item.number for item in way
        )
        assert turn.number in siblings(session, turn.number)
        assert turn in branch(session, newest_of(session, turn.number))
