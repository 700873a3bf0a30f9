"""Where results come from, what is current, and what was taken back."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.core.lineage import Lineage, ends_of, lineage, lineage_of, spoken_of
from controlllm.core.plans import Action, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Session, Turn
from controlllm.planning.restoring import restoring
from controlllm.resources import Resource

ROOTS = ("cat.jpg", "dog.jpg")


def step(tool: str, source: str, output: str, type_name: str = "image") -> Action:
    return Action(tool, {"image": Reference(source)}, TypedValue(type_name, output))


def made(number: int, value: str, *sources: str, words: str = "change it") -> Turn:
    """A turn that makes a mask of its first source on the way to its result."""
    given = {f"image{place}": Reference(source) for place, source in enumerate(sources)}
    actions = (
        step("find", sources[0], "<GEN>-0-1", "mask"),
        Action("change", {**given, "mask": Reference("<GEN>-0-1")}, TypedValue("image", "<GEN>-0")),
    )
    args = tuple(TypedValue("image", source) for source in sources)
    plan = Plan(
        (Subtask(0, words, (), args, TypedValue("image", "<GEN>-0")),), {0: (Solution(actions, 5),)}
    )
    results = {
        "0.0.0": Resource("mask", f"mask of {value}"),
        "0.0.1": Resource("image", value),
    }
    return Turn(number, words, plan=plan, results=results, state="answered")


def undone(turns: list[Turn]) -> list[Turn]:
    found = restoring("undo that", turns)
    assert found is not None
    turn = Turn(len(turns), "undo", restored=found.restored, taken_back=found.taken_back)
    return [*turns, turn]


def test_each_result_knows_what_it_was_made_of():
    found = lineage([made(0, "a.png", "cat.jpg"), made(1, "b.png", "a.png")])
    assert found.sources("b.png") == ("a.png", "mask of b.png")
    assert found.roots("b.png") == found.roots("a.png") == ("cat.jpg",)
    assert found.made["b.png"].turn == 1 and found.made["b.png"].tool == "change"
    assert found.made_of("a.png") == {"b.png", "mask of b.png"}
    assert found.on_the_way == {"mask of a.png", "mask of b.png"}
    assert found.current("cat.jpg", "image") == "b.png"
    assert found.current("dog.jpg", "image") == "dog.jpg"


def test_what_is_made_of_two_files_is_on_both_lines():
    found = lineage([made(0, "both.png", "cat.jpg", "dog.jpg")])
    assert set(found.roots("both.png")) == {"cat.jpg", "dog.jpg"}
    assert found.current("cat.jpg", "image") == found.current("dog.jpg", "image") == "both.png"


def test_parts_that_go_on_from_each_other_are_one_line():
    turn = made(0, "a.png", "cat.jpg")
    assert turn.plan is not None
    second = Subtask(
        1, "then", (), (TypedValue("image", "<GEN>-0"),), TypedValue("image", "<GEN>-1"), (0,)
    )
    plan = Plan(
        (*turn.plan.subtasks, second),
        {**turn.plan.solutions, 1: (Solution((step("mirror", "<GEN>-0", "<GEN>-1"),), 5),)},
    )
    turn = replace(turn, plan=plan, results={**turn.results, "1.0.0": Resource("image", "b.png")})
    found = lineage([turn])
    assert found.sources("b.png") == ("a.png",) and found.roots("b.png") == ("cat.jpg",)
    assert ends_of(turn) == ("a.png", "b.png") and found.standing == ("a.png", "b.png")


def test_a_branch_knows_nothing_of_what_lies_beside():
    session = Session("id").with_turn(made(0, "a.png", "cat.jpg"))
    session = session.with_turn(made(1, "b.png", "a.png"))
    session = session.with_turn(replace(made(2, "c.png", "a.png"), before=0))
    assert set(lineage_of(session).standing) == {"a.png", "c.png"}
    assert set(lineage_of(session, 1).standing) == {"a.png", "b.png"}


def test_what_was_spoken_of_last_is_what_was_made_or_asked_about_last():
    turns = [made(0, "a.png", "cat.jpg"), made(1, "b.png", "dog.jpg")]
    assert spoken_of(turns) == ("b.png",)
    assert spoken_of(undone(turns)) == ("dog.jpg",)
    asked = made(2, "", "cat.jpg")
    assert spoken_of([*turns, replace(asked, results={})]) == ("cat.jpg",)
    # Of a turn that came to nothing and named nothing, the one before counts.
    assert spoken_of([*turns, Turn(2, "hm")]) == ("b.png",)


def test_sessions_are_kept_with_what_was_taken_back_and_those_of_before_still_open():
    turn = Turn(0, "undo", restored=("cat.jpg",), taken_back=("a.png",))
    assert Turn.from_json(turn.to_json()) == turn
    old = turn.to_json()
    del old["restored"], old["taken_back"]
    assert Turn.from_json(old) == replace(turn, restored=(), taken_back=())


@st.composite
def talks(draw: st.DrawFn) -> list[Turn]:
    """Turns that change anything that is there, take back, or make again what was there."""
    turns: list[Turn] = []
    known = list(ROOTS)
    for number in range(draw(st.integers(1, 8))):
        kind = draw(st.sampled_from(["make", "make", "make", "undo", "again", "nothing"]))
        if kind == "undo" and turns:
            turns = undone(turns)
        elif kind == "nothing":
            turns.append(Turn(number, "hm"))
        else:
            sources = draw(st.lists(st.sampled_from(known), min_size=1, max_size=2, unique=True))
            there = [value for value in known if value not in ROOTS]
            value = draw(st.sampled_from(there)) if kind == "again" and there else f"{number}.png"
            known.append(value)
            turns.append(made(number, value, *sources))
    return turns


def are_sound(found: Lineage) -> None:
    for value in found.made:
        assert found.roots(value) and set(found.roots(value)) <= set(ROOTS)
        for root in found.roots(value):
            current = found.current(root, "image")
            assert current not in found.taken_back and current not in found.on_the_way
            assert root in found.roots(current)
    assert not found.taken_back & set(found.standing) and not found.taken_back & found.all_current()
    assert not found.taken_back & set(ROOTS)


@settings(max_examples=40)
@given(talks())
def test_every_result_has_a_root_and_nothing_taken_back_is_current(turns):
    are_sound(lineage(turns))


@settings(max_examples=40)
@given(talks())
def test_taking_back_the_last_and_doing_it_again_gives_the_same(turns):
    turns = [*turns, made(len(turns), "last.png", *spoken_of(turns)[:1] or ("cat.jpg",))]
    before, back = lineage(turns), undone(turns)
    assert "last.png" in lineage(back).taken_back
    again = lineage([*back, replace(turns[-1], number=len(back))])
    for root in ROOTS:
        assert again.current(root, "image") == before.current(root, "image")


@settings(max_examples=40)
@given(talks())
def test_one_comes_back_to_the_beginning(turns):
    while (found := restoring("undo that", turns)) and found.taken_back:
        turns = undone(turns)
    for root in ROOTS:
        assert lineage(turns).current(root, "image") == root
