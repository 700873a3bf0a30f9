"""Questions about a text written for this test."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.words.embedded.answer_spans import kind_of
from tools.words.question_answering import question_answering

BRIDGE = (
    "The city council approved a new bridge across the Ohio River on Tuesday after two years of "
    "debate. The bridge, which will cost 340 million dollars, is expected to open in 2031. Mayor "
    "Linda Torres said that the crossing would cut the average commute by eleven minutes. "
    '"We are building for the last century," said Paul Reed, who leads a group of transit riders. '
    "Engineers found in March that the old bridge, built in 1938, carries three times the traffic "
    "it was designed for. Construction of the new one will begin in September, and about 1,200 "
    "workers will be hired. The state pays for 60 percent of the project. A toll of two dollars "
    "will be charged for thirty years. Trucks must not use it because they are too heavy."
)
CAPTION = "A black cat sits in front of a laptop on a wooden desk, and a mouse lies next to it."


@every_case(
    ("text", "question", "answer"),
    [
        (BRIDGE, "Who leads a group of transit riders?", "Paul Reed"),
        (BRIDGE, "Who is the mayor?", "Mayor Linda Torres"),
        (BRIDGE, "When will the bridge open?", "In 2031"),
        (BRIDGE, "When was the old bridge built?", "In 1938"),
        (BRIDGE, "When will construction begin?", "In September"),
        (BRIDGE, "How much will the bridge cost?", "340 million dollars"),
        (BRIDGE, "How many workers will be hired?", "1,200 workers"),
        (BRIDGE, "What percent does the state pay?", "60 percent"),
        (BRIDGE, "How long will the toll be charged?", "Thirty years"),
        (BRIDGE, "Why must trucks not use it?", "Because they are too heavy"),
        (CAPTION, "What color is the cat?", "Black"),
        (CAPTION, "Where is the cat?", "In front of a laptop"),
    ],
)
def test_the_words_of_the_text_that_answer(text: str, question: str, answer: str) -> None:
    found = question_answering(text, question)
    assert found.startswith(f"{answer}. The text says: “")


def test_an_open_question_is_answered_with_the_sentence() -> None:
    assert question_answering(BRIDGE, "What would the crossing do to the commute?") == (
        "Mayor Linda Torres said that the crossing would cut the average commute by eleven minutes."
    )


@every_case(
    "question",
    [
        "What is the capital of France?",
        "How many birds nest there?",
        "Which song does the singer like best?",
        "Is there a dog?",
    ],
)
def test_a_silent_text_is_said_to_be_silent(question: str) -> None:
    assert question_answering(BRIDGE, question) == "The text does not answer this question."


def test_a_number_that_is_not_there_is_not_invented() -> None:
    found = question_answering(
        "The old bridge carries trucks.", "How many trucks cross the bridge?"
    )
    assert found.startswith("The text does not say so directly.")


@every_case(
    ("question", "name"),
    [
        ("Who won?", "person"),
        ("At what time does it start?", "time"),
        ("Which city is it in?", "place"),
        ("How many eggs?", "count"),
        ("How tall is the tower?", "measure"),
        ("What was the price of the ticket?", "money"),
        ("Explain the plan.", "sentence"),
    ],
)
def test_kinds_of_questions(question: str, name: str) -> None:
    assert kind_of(question).name == name


def test_nothing_to_ask_or_to_read_is_refused() -> None:
    with pytest.raises(ToolError, match="no question"):
        question_answering("Some text.", "?")
    with pytest.raises(ToolError, match="no text"):
        question_answering(" ", "Who?")
