"""A look-up that cannot be made is never followed by words of the request as its answer."""

from __future__ import annotations

from controlllm.core.plans import Action, Literal, Reference, Solution, Subtask, TypedValue
from controlllm.planning.looking_up import without_echoes
from controlllm.toolbox import Argument, Tool, Toolbox

TEXT = Argument("text", "text", "the text that is read")
SAID = Argument("result", "text")
BOX = Toolbox(
    (
        Tool("ask", "Answer from a text.", "question-answering", (TEXT,), SAID),
        Tool("films", "Look a film up.", "public-api", (Argument("title", "text"),), SAID),
    )
)
ASK, LOOK, BOTH, ASK_ABOVE_ALL = (
    Solution(actions, score)
    for actions, score in (
        ((Action("ask", {"text": Literal("Metropolis")}, TypedValue("text", "a")),), 3.4),
        ((Action("films", {"title": Literal("Metropolis")}, TypedValue("text", "a")),), 3.5),
        (
            (
                Action("films", {"title": Literal("Metropolis")}, TypedValue("text", "f")),
                Action("ask", {"text": Reference("f")}, TypedValue("text", "a")),
            ),
            3.0,
        ),
        ((Action("ask", {"text": Literal("Metropolis")}, TypedValue("text", "a")),), 4.9),
    )
)


def kept(role: str, *ways: Solution) -> list[Solution]:
    subtask = Subtask(
        0,
        "Who directed Metropolis?",
        ("public-api",),
        (TypedValue("text", "Metropolis", role),),
        TypedValue("text", "a"),
    )
    return [way for _, way in without_echoes([(5 - it.score, it) for it in ways], subtask, BOX)]


def test_a_name_that_is_looked_up_is_no_text_to_read_an_answer_from():
    assert kept("query", ASK, LOOK, BOTH) == [LOOK, BOTH]
    assert kept("place", ASK, LOOK) == [LOOK]


def test_a_text_to_work_on_stays_one():
    assert kept("content", ASK, LOOK, BOTH) == [ASK, LOOK, BOTH]


def test_where_the_best_way_looks_nothing_up_all_ways_stay():
    assert kept("query", ASK) == [ASK]
    assert kept("query", ASK_ABOVE_ALL, LOOK) == [ASK_ABOVE_ALL, LOOK]
    assert kept("query") == []
