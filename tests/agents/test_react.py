"""ReAct: one chain of so many nodes, tried anew."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.agents.options import MOST_NODES, Options
from controlllm.agents.react import react
from controlllm.agents.roles import Task
from controlllm.agents.running import Oversight
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.state import Budget
from controlllm.resources import TypeLattice
from controlllm.toolbox import Cancelled, Code
from tests.agents.conftest import (
    DOWN,
    FIND,
    TOOLS,
    WEATHER,
    Says,
    World,
    answer,
    environment,
    give_up,
    world,
)
from tests.every_case import every_case

TASK = Task("What is the weather in Bern?")


def codes(outcome):
    return [taken.observation.code for taken in outcome.steps]


def test_a_chain_leads_to_an_answer(environment):
    told = []
    chooser = Says(FIND, WEATHER, answer(result="text-1"))
    outcome = react(TASK, environment, chooser, oversight=Oversight(Budget(steps=0), told.append))
    assert (outcome.answer, outcome.result) == ("It rains.", "text-1")
    assert outcome.path == outcome.steps
    assert [len(history) for history, _, _ in chooser.seen] == [0, 1, 2]
    # What it made is known by the path; what was handed over is as it was.
    assert [taken.observation.resource.value for taken in outcome.path[:2]] == ["city-1", "text-1"]
    assert list(environment.resources) == ["photo.jpg"]
    assert [len(view.state.results) for view in told] == [0, 1, 1, 2, 2, 2]
    assert told[0].agent == "react"


@every_case(("thought", "turns"), [("", 6), ("Let me see.", 4)], anew=(world, environment))
def test_nodes_are_counted_and_not_turns(environment, thought, turns):
    outcome = react(TASK, environment, Says((*FIND, thought)))
    assert len(outcome.steps) == turns
    assert f"{MOST_NODES} nodes" in outcome.reason
    assert outcome.path == ()


def test_an_answer_at_the_last_node_counts(environment):
    assert react(TASK, environment, Says(*[FIND] * 5, answer())).is_answered


def test_each_try_begins_anew(environment):
    chooser = Says(FIND, give_up("No."), WEATHER, FIND, answer())
    outcome = react(TASK, environment, chooser, Options(tries=3))
    assert outcome.is_answered
    assert codes(outcome) == [
        *(Code.DONE, Code.GAVE_UP),
        # What the first try made is not there in the second.
        *(Code.BAD_INPUT, Code.DONE, Code.ANSWERED),
    ]
    assert outcome.path == outcome.steps[2:]
    assert [len(history) for history, _, _ in chooser.seen] == [0, 1, 0, 1, 2]


def test_after_so_many_tries_it_ends_with_the_last_reason(environment):
    outcome = react(TASK, environment, Says(give_up("A."), give_up("B.")), Options(tries=2))
    assert outcome.reason == "B."
    assert len(outcome.steps) == 2


def test_failures_are_part_of_the_chain_and_may_be_repeated(environment, world):
    world.fails["find_city"] = [DOWN]
    outcome = react(TASK, environment, Says(FIND, FIND, ("finder", {}), answer()))
    assert codes(outcome) == [Code.NOT_FOUND, Code.DONE, Code.UNKNOWN_TOOL, Code.ANSWERED]
    assert [failure.kind for failure in outcome.view.state.failures] == ["unavailable", "bad input"]


@every_case(
    ("budget", "steps"),
    [(Budget(steps=3), 3), (Budget(steps=0, model_calls=5), 5)],
    anew=(world, environment),
)
def test_a_budget_ends_it_across_tries(environment, budget, steps):
    outcome = react(TASK, environment, Says(give_up()), Options(tries=20), Oversight(budget))
    assert len(outcome.steps) == steps
    assert not outcome.is_answered


def test_a_person_can_stop_it(environment, world):
    cancelled = threading.Event()
    oversight = Oversight(Budget(steps=0), lambda view: cancelled.set(), cancelled)
    with pytest.raises(Cancelled):
        react(TASK, environment, Says(FIND), oversight=oversight)
    assert not world.called


_SAID = st.one_of(
    st.tuples(st.just("find_city"), st.just({"name": "Bern"}), st.sampled_from(["", "So."])),
    st.sampled_from([give_up(), WEATHER, ("nothing", {}), answer("")]),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(_SAID, min_size=1, max_size=30), st.integers(1, 4), st.integers(1, 20))
def test_bounds_hold_whatever_is_chosen(decisions, tries, depth):
    environment = ToolEnvironment(TOOLS, World(), (), TypeLattice().extended(["city"]))
    outcome = react(TASK, environment, Says(*decisions), Options(tries=tries, depth=depth))
    assert len(outcome.steps) <= tries * (depth + 1) / 2
    assert not outcome.is_answered
    assert outcome.reason
