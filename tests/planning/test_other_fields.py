"""Tools of a field that nothing was trained on, known by their descriptions and examples alone."""

from __future__ import annotations

import pytest

from controlllm.core.plans import Literal, Request
from controlllm.resources import Resource
from controlllm.runs.planners import embedded_planner
from controlllm.toolbox import Toolbox


def entry(name, description, args, returned, examples):
    return {
        "name": name,
        "description": description,
        "domain": "general",
        "args": [{"name": key, "type": kind, "description": told} for key, kind, told in args],
        "returns": [{"name": "result", "type": returned, "description": ""}],
        "examples": examples,
    }


CATALOGUE = [
    entry("join_scores", "Join two scores of sheet music into one.",
          [("first", "score", ""), ("second", "score", "")], "score",
          ["Join these scores.", "Put the two scores together into one.", "Merge both parts."]),
    entry("transpose_score", "Transpose sheet music to another key.",
          [("score", "score", ""), ("key", "text", "the key that is wished for")], "score",
          ["Transpose it to B flat.", "I need this in G major.", "Move the score to another key."]),
    entry("count_bars", "Count the bars of a piece of sheet music.", [("score", "score", "")],
          "number", ["How many bars are there?", "Count the bars of the score."]),
]  # fmt: skip


@pytest.fixture(scope="module")
def planner():
    return embedded_planner(Toolbox.from_catalogue(CATALOGUE))


def solved(planner, text, *names):
    files = tuple(Resource("score", name) for name in names)
    plan, _ = planner.plan(Request(text, files, names))
    return [plan.solution(subtask.id) for subtask in plan.subtasks]


def test_files_that_belong_together_are_joined_in_one_go(planner):
    (solution,) = solved(
        planner, "Put violin.xml and cello.xml together", "violin.xml", "cello.xml"
    )
    assert solution is not None and solution.tools == ("join_scores",)
    used = {value for action in solution.actions for value in action.references()}
    assert used == {"violin.xml", "cello.xml"}


def test_what_is_wished_beside_a_file_is_handed_over_in_words(planner):
    (solution,) = solved(planner, "Transpose song.xml to D minor", "song.xml")
    assert solution is not None and solution.tools == ("transpose_score",)
    key = solution.actions[0].inputs["key"]
    assert isinstance(key, Literal) and "D minor" in key.text


def test_a_question_goes_to_the_tool_for_that_type(planner):
    (solution,) = solved(planner, "How many bars does song.xml have?", "song.xml")
    assert solution is not None and solution.tools == ("count_bars",)
