"""Whether anything at hand answers a part at all, and what is said where nothing does."""

from __future__ import annotations

import threading

import pytest

from controlllm.agents.choosing import Basis, agent_of
from controlllm.agents.embedded.parts import unfit_tools, what_it_needs
from controlllm.agents.roles import Task
from controlllm.agents.tool_environment import ToolEnvironment
from controlllm.core.costs import SearchCost
from controlllm.core.plans import Action, Solution, Subtask, TypedValue
from controlllm.models.encoder import encode
from controlllm.planning.solver import Solved
from controlllm.resources import Resource
from controlllm.runs.planners import embedded_planner
from controlllm.settings import Settings
from controlllm.sources.loading import load_toolbox
from controlllm.toolbox import Argument, Tool
from tests.every_case import every_case

TAUGHT = ("Translate this",)
WANTED = TypedValue("text", "<GEN>-0")
PART = Subtask(0, "Translate it", (), (), WANTED)


def tool(name, examples=()):
    return Tool(name, f"{name}.", "general", (), Argument("result", "text"), examples=examples)


@every_case(
    ("fits", "examples", "answers"),
    [
        ({"own": 3.6}, TAUGHT, True),
        ({"own": 2.9}, TAUGHT, False),
        ({"own": 2.9}, (), True),
        ({"own": 1.5}, (), False),
        ({"own": 3.6, "absent": 5.0}, TAUGHT, False),
        ({"own": 4.4, "absent": 5.0}, TAUGHT, True),
        ({"own": 5.0, "absent": 3.6}, TAUGHT, True),
        ({}, TAUGHT, False),
    ],
)
def test_a_tool_answers_where_it_fits_and_nothing_absent_fits_much_better(fits, examples, answers):
    assert unfit_tools(fits, [tool("own", examples)]) == (frozenset() if answers else {"own"})


def test_what_is_lacking_is_said_as_in_planning():
    way = Solution((Action("translation", {}, WANTED),), 5.0, missing="translation needs weights")
    why = {"translation": "needs weights, 4.1 GB", "other": "needs a GPU"}
    solved = Solved(PART, (way,), SearchCost("best-first"))
    assert what_it_needs(solved, why) == "Translation cannot run here: needs weights, 4.1 GB."
    said = Solved(PART, (), SearchCost("best-first"), "For this I need a text.")
    assert what_it_needs(said, why) == "For this I need a text."
    assert "no tool here does this" in what_it_needs(None, why)


@pytest.fixture(scope="module")
def planner():
    """The planner over the tools of the program, of which some cannot run."""
    toolbox = load_toolbox([], None)
    planner = embedded_planner(toolbox)
    settings = Settings()
    lacking = toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
    return planner.with_parts(unavailable={**lacking, "translation": "needs weights, 4.1 GB"})


def worked(planner, asked, *files, name="sum2act"):
    called = []

    def call(tool, inputs):
        called.append(tool.name)
        return f"{tool.name} says something."

    environment = ToolEnvironment(
        [item for item in planner.tools_here() if item.name != "translation"],
        call,
        files,
        planner.graph.toolbox.lattice,
    )
    agent = agent_of(Basis(planner, embedded_planner, encode), None, name)
    task = Task(asked, tuple(item.value for item in files))
    return agent(task, environment, lambda view: None, threading.Event()), called


NOTE = Resource("text", "note.txt")


@pytest.mark.long
@every_case("name", ["sum2act", "react", "dfsdt", "hybrid"])
def test_nothing_stands_in_for_a_tool_that_cannot_run_here(planner, name):
    outcome, called = worked(planner, "Translate note.txt into French", NOTE, name=name)
    assert not called
    assert outcome.reason == "Translation cannot run here: needs weights, 4.1 GB."


@every_case("asked", ["Book a table for two in Rome tonight", "Turn on the lights in the kitchen"])
def test_what_no_tool_does_is_put_to_none(planner, asked):
    outcome, called = worked(planner, asked)
    assert not called
    assert "has to be done outside of here" in outcome.reason


def test_what_needs_such_a_result_is_not_made_from_something_else(planner):
    asked = "Translate this text into German and tell me its sentiment"
    outcome, called = worked(planner, asked, NOTE)
    assert not called
    assert "Translation cannot run here" in outcome.reason
    assert "it needs what “Translate this text into German” was to find" in outcome.reason


@every_case(
    "asked",
    [
        "Summarize note.txt, and turn on the lights in the kitchen.",
        "Summarize note.txt and book a table for two in Rome tonight.",
        "Turn on the lights in the kitchen. Then summarize note.txt.",
    ],
)
def test_what_can_be_done_is_done_beside_what_cannot(planner, asked):
    outcome, called = worked(planner, asked, NOTE)
    assert called == ["summarization"]
    assert outcome.is_answered
    assert "summarization says something." in outcome.answer
    assert "has to be done outside of here" in outcome.answer


@every_case(
    ("asked", "tool"),
    [
        ("What is the sentiment of note.txt?", "sentiment_analysis"),
        ("Read note.txt aloud", "text_to_speech"),
        ("How well do Anna and Peter go together in love?", "love_calculator"),
        ("Tell me a joke", "text_generation"),
    ],
)
def test_what_fits_is_called(planner, asked, tool):
    outcome, called = worked(planner, asked, *([NOTE] if "note" in asked else []))
    assert outcome.is_answered
    assert tool in called
