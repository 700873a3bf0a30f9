"""DFSDT: which branches are taken, how far a search climbs, and what a branch is told."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.agents.dfsdt import dfsdt
from controlllm.agents.environment import FINISH
from controlllm.agents.options import Options
from controlllm.agents.roles import Decision, Task
from controlllm.agents.running import Oversight
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.costs import Usage
from controlllm.core.state import Budget
from controlllm.toolbox import Argument, Cancelled, Code, Tool
from tests.agents.conftest import FIND, WEATHER, Says, answer, give_up
from tests.every_case import every_case

TASK = Task("What is the weather in Bern?")
GO = Tool("go", "", "public-api", (Argument("to", "text"),), Argument("result", "text"))


class Tree:
    """Chooses by where it is: the path of branches so far, as ``"01"``, and which branch is next.

    `ends` says how a branch ends: "answer" or "give up".
    """

    def __init__(self, ends=None, thought="", tokens=0):
        self.ends = ends or {}
        self.thought = thought
        self.tokens = tokens
        self.visited: list[str] = []
        self.elsewhere: list[list[str]] = []

    def choose(self, task, history, environment, elsewhere=()):
        place = "".join(taken.decision.arguments["to"][-1] for taken in history)
        # Where it is not told what was done from here, it counts for itself.
        number = sum(len(item) == len(place) + 1 and item[:-1] == place for item in self.visited)
        here = f"{place}{number}"
        self.visited.append(here)
        self.elsewhere.append([taken.decision.arguments.get("to", "") for taken in elsewhere])
        usage = Usage(1, self.tokens, 0)
        end = self.ends.get(here)
        if end == "answer":
            return Decision(self.thought, FINISH, {"answer": here}, usage)
        if end == "give up":
            return Decision(self.thought, FINISH, {"give_up": f"not by {here}"}, usage)
        return Decision(self.thought, "go", {"to": here}, usage)


@pytest.fixture
def room():
    return ToolEnvironment([GO], lambda tool, inputs: f"at {inputs['to']}")


def test_the_first_branch_that_answers_ends_it(room):
    tree = Tree({"000": "answer"})
    outcome = dfsdt(TASK, room, tree)
    assert outcome.answer == "000"
    assert tree.visited == ["0", "00", "000"]
    assert outcome.path == outcome.steps
    assert list(room.resources) == []


def test_at_the_depth_limit_the_parent_tries_its_next_branch(room):
    # Two nodes for each turn without a thought: four nodes are two turns.
    tree = Tree()
    outcome = dfsdt(TASK, room, tree, Options(depth=4))
    assert tree.visited == ["0", "00", "01", "1", "10", "11"]
    assert "None of 6 turns" in outcome.reason
    assert outcome.path == ()


def test_giving_up_climbs_two_levels(room):
    tree = Tree({"000": "give up", "01": "answer"})
    outcome = dfsdt(TASK, room, tree)
    # The other branch of "00" is left; "0" goes on.
    assert tree.visited == ["0", "00", "000", "01"]
    assert outcome.answer == "01"
    assert [taken.decision.arguments.get("to") for taken in outcome.path] == ["0", None]


def test_the_first_that_gave_up_tells_why(room):
    tree = Tree({"00": "give up", "1": "give up"})
    outcomes = [dfsdt(TASK, room, Tree(tree.ends)) for _ in range(3)]
    assert {outcome.reason for outcome in outcomes} == {"not by 00"}


def test_branches_are_told_what_their_neighbours_did_and_no_one_else(room):
    tree = Tree()
    dfsdt(TASK, room, tree, Options(depth=4, width=3))
    told = dict(zip(tree.visited, tree.elsewhere, strict=True))
    assert told["0"] == told["00"] == told["10"] == []
    assert told["1"] == ["0"]
    assert told["2"] == ["0", "1"]
    assert told["11"] == ["10"]


def test_branches_do_not_see_what_others_made(environment):
    chooser = Says(FIND, give_up(), WEATHER, answer())
    outcome = dfsdt(TASK, environment, chooser)
    made = [list(resources) for _, _, resources in chooser.seen]
    assert made == [["photo.jpg"], ["photo.jpg", "city-1"], ["photo.jpg"], ["photo.jpg"]]
    codes = [taken.observation.code for taken in outcome.steps]
    assert codes == [Code.DONE, Code.GAVE_UP, Code.BAD_INPUT, Code.ANSWERED]
    assert outcome.path == outcome.steps[2:]


@every_case("calls", [1, 7, 200], anew=(room,))
def test_calls_are_limited(room, calls):
    tree = Tree()
    outcome = dfsdt(TASK, room, tree, Options(width=3, calls=calls))
    assert len(tree.visited) == len(outcome.steps) == calls
    assert f"after {calls} calls" in outcome.reason


def test_a_person_can_stop_it(room):
    cancelled = threading.Event()
    tree = Tree()

    def tell(view):
        if len(tree.visited) == 3:
            cancelled.set()

    with pytest.raises(Cancelled):
        dfsdt(TASK, room, tree, oversight=Oversight(Budget(steps=0), tell, cancelled))
    assert len(tree.visited) == 3


_PLACES = st.text("012", min_size=1, max_size=4)


@settings(max_examples=40, deadline=None)
@given(
    st.dictionaries(_PLACES, st.sampled_from(["answer", "give up"]), max_size=6),
    st.integers(1, 3),
    st.integers(2, 9),
    st.integers(1, 60),
)
def test_a_search_ends_within_its_bounds(ends, width, depth, calls):
    room = ToolEnvironment([GO], lambda tool, inputs: f"at {inputs['to']}")
    tree = Tree(ends)
    outcome = dfsdt(TASK, room, tree, Options(width=width, depth=depth, calls=calls))
    assert len(tree.visited) <= calls
    assert len(tree.visited) == len(set(tree.visited))
    assert max(map(len, tree.visited)) <= (depth + 1) // 2
    answers = [place for place in tree.visited if ends.get(place) == "answer"]
    assert [outcome.answer] == answers if answers else outcome.reason
    # Depth first: no place is visited before the one it comes from.
    for number, place in enumerate(tree.visited):
        assert len(place) == 1 or place[:-1] in tree.visited[:number]
