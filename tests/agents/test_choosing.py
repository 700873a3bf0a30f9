"""An agent by its name, with what it may use up and how it goes about it."""

from __future__ import annotations

import threading

import pytest

from controlllm.agents.choosing import AGENTS, Basis, agent_of, usual_budget
from controlllm.agents.options import MOST_CALLS, MOST_NODES, WIDTH, Options
from controlllm.agents.roles import Task
from controlllm.core.state import Budget
from controlllm.language.asking import Asker
from controlllm.models.encoder import encode
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Toolbox
from tests.agents.conftest import environment, said, world
from tests.every_case import every_case
from tests.language.conftest import endpoint, server


@pytest.fixture(scope="module")
def planner():
    return embedded_planner(Toolbox())


def works(planner, endpoint, environment, name, **more):
    agent = agent_of(Basis(planner, embedded_planner, encode), Asker(endpoint), name, **more)
    return agent(Task("What is the weather?"), environment, lambda view: None, threading.Event())


def test_what_is_usual_stays_so():
    assert Options() == Options(1, 0.0, WIDTH, MOST_NODES, MOST_CALLS)
    steps = {"sum2act": 30, "hybrid": 30, "react": 6, "dfsdt": 200}
    assert {name: usual_budget(name) for name in AGENTS} == {
        name: Budget(steps=count, seconds=900.0) for name, count in steps.items()
    }


def test_tries_have_room_in_what_is_usual():
    assert usual_budget("react", Options(tries=5)).steps == 30
    assert usual_budget("react", Options(depth=13)).steps == 7
    assert usual_budget("dfsdt", Options(calls=50)).steps == 50


@every_case(
    "wrong",
    [
        {"tries": 0},
        {"width": 0},
        {"depth": 0},
        {"calls": 0},
        {"temperature": -0.1},
        {"temperature": 2.5},
    ],
)
def test_what_no_agent_can_go_by_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Options(**wrong)


def test_there_are_only_so_many_agents(planner):
    with pytest.raises(ValueError, match="sum2act"):
        agent_of(Basis(planner, embedded_planner, encode), None, "reflexion")


def test_react_makes_so_many_tries_at_a_temperature(planner, server, endpoint, environment):
    server.says(said("Finish", give_up="I do not know."))
    options = Options(tries=3, temperature=0.7)
    outcome = works(planner, endpoint, environment, "react", options=options)
    assert len(outcome.steps) == 3
    assert [asked["temperature"] for asked in server.asked] == [0.7] * 3


@every_case(
    ("width", "turns"),
    [(1, 1), (2, 2), (3, 3)],
    anew=(server, endpoint, world, environment),
)
def test_dfsdt_has_so_many_ways_from_a_place(planner, server, endpoint, environment, width, turns):
    server.says(*[said("find_city", name=f"Bern {n}") for n in range(9)])
    outcome = works(planner, endpoint, environment, "dfsdt", options=Options(width=width, depth=3))
    assert len(outcome.steps) == turns


@every_case("name", AGENTS)
@every_case(
    "budget",
    [Budget(model_calls=2), Budget(tokens=1)],
    anew=(server, endpoint, world, environment),
)
def test_a_budget_is_given(planner, server, endpoint, environment, name, budget):
    server.says(*[said("find_city", name=f"Bern {n}") for n in range(9)])
    outcome = works(planner, endpoint, environment, name, budget=budget)
    assert "of the language model" in outcome.reason
    # A keeper's reply that cannot be used is asked for once more, whatever is left.
    assert 1 <= outcome.view.spent.model_calls <= 3
