"""What was chosen moves what is nearly as good, for the person alone, and can be forgotten."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from controlllm.comparing.habits import MOST, Choice, Habits, chosen_over, in_habit
from controlllm.core.plans import Action, Reference, Solution, Subtask, TypedValue, generated
from controlllm.store import Store
from tests.every_case import every_case

BLUR = Subtask(
    0,
    "blur the background",
    (),
    (TypedValue("image", "a.jpg"),),
    TypedValue("image", generated(0)),
)


def way(score: float, *tools: str, missing: str = "") -> Solution:
    actions = tuple(
        Action(tool, {"image": Reference("a.jpg")}, TypedValue("image", generated(0, place)))
        for place, tool in enumerate(tools)
    )
    return Solution(actions, score, missing=missing)


WITH_MASK, ALONE, FAR = way(4.4, "segment", "blur"), way(4.2, "blur"), way(2.0, "paint")
WAYS = (WITH_MASK, ALONE, FAR)


def habits(times: int, chosen: Solution = ALONE, over: Solution = WITH_MASK) -> Habits:
    made = [chosen_over(f"place {number}", BLUR, chosen, (over,)) for number in range(times)]
    return Habits(tuple(choice for choices in made for choice in choices))


def test_without_choices_the_order_stays():
    assert Habits().reordered(BLUR, WAYS) == WAYS


def test_one_choice_brings_what_is_nearly_as_good_to_the_front():
    assert habits(1).reordered(BLUR, WAYS) == (ALONE, WITH_MASK, FAR)


def test_no_number_of_choices_brings_what_is_far_worse_to_the_front():
    always = habits(400, FAR)
    assert always.reordered(BLUR, WAYS) == WAYS
    assert 0.99 < always.lean(BLUR, FAR, WITH_MASK) < 1 and MOST == 1.0


def test_choices_the_other_way_weigh_against_it():
    back = chosen_over("later", BLUR, WITH_MASK, (ALONE,))
    both = Habits((*back, *habits(1).choices))
    assert both.lean(BLUR, ALONE, WITH_MASK) == 0.0
    assert both.reordered(BLUR, WAYS) == WAYS


def test_what_cannot_run_here_is_not_brought_to_the_front():
    absent = way(4.2, "blur", missing="it needs weights")
    assert habits(9).reordered(BLUR, (WITH_MASK, absent)) == (WITH_MASK, absent)


def test_the_way_chosen_last_time_is_known_but_not_where_it_was_chosen_just_now():
    known = habits(1)
    assert known.last(BLUR, WAYS) == 1
    assert known.last(BLUR, WAYS, here="place 0") is None
    assert Habits().last(BLUR, WAYS) is None


def test_ways_of_the_same_tools_teach_nothing():
    assert chosen_over("p", BLUR, way(4.0, "blur"), (way(3.0, "blur"),)) == ()


def test_a_planner_ranks_by_what_was_chosen(monkeypatch):
    class Planner:
        solver = SimpleNamespace()

        def with_parts(self, *, solution_expert):
            self.solver.solution_expert = solution_expert
            return self

    class Expert:
        def rank(self, subtask, solutions):
            return tuple(solutions)

    planner = Planner()
    planner.solver.solution_expert = Expert()
    assert in_habit(planner, Habits()) is planner
    assert isinstance(planner.solver.solution_expert, Expert)
    assert in_habit(planner, habits(1)).solver.solution_expert.rank(BLUR, WAYS)[0] == ALONE


def test_choices_are_kept_for_each_person_alone_and_forgotten(tmp_path):
    store = Store(tmp_path)
    store.choices.keep("ann", "one", [("k", "a", "b"), ("k", "a", "c"), ("k", "a", "b")])
    store.choices.keep("ann", "one", [("k", "b", "a")])
    store.choices.keep("ann", "two", [("k", "a", "b")])
    store.choices.keep("bob", "one", [("k", "c", "d")])
    kept = Habits.of(store.choices.of("ann"))
    assert kept.places == 2, "the last choice at a place counts"
    assert set(kept.choices) == {Choice("one", "k", "b", "a"), Choice("two", "k", "a", "b")}
    store.choices.forget("ann")
    assert store.choices.of("ann") == () and len(store.choices.of("bob")) == 1
    store.close()


def test_choices_of_more_than_a_year_ago_are_forgotten(tmp_path):
    now = [1000.0]
    store = Store(tmp_path, lambda: now[0])
    store.choices.keep("ann", "one", [("k", "a", "b")])
    now[0] += 366 * 24 * 3600
    store.choices.keep("bob", "one", [("k", "c", "d")])
    assert store.choices.of("ann") == ()
    store.close()


@every_case("times", [1, 2, 5])
def test_the_lean_is_between_none_and_all(times):
    lean = habits(times).lean(BLUR, ALONE, WITH_MASK)
    assert lean == pytest.approx(2 * (times + 1) / (times + 2) - 1)
    assert habits(times).lean(BLUR, WITH_MASK, ALONE) == pytest.approx(-lean)
