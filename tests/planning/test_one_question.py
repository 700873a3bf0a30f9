"""What is asked in several sentences of one reckoner."""

from __future__ import annotations

from dataclasses import replace

from controlllm.planning.one_question import one_question
from controlllm.planning.wishes import Wish
from controlllm.toolbox import Toolbox
from tests.planning.scripted_reader import tool


def wish(start: int, end: int, likely: float, tool: str) -> Wish:
    return Wish(((start, end),), (), (), {tool: likely}, 0.0, {}, {}, 1.0)


RECKONER = Toolbox.from_catalogue([
    tool("reckon", [("question", "text")], "text"), tool("weather", [("place", "text")], "text"),
])  # fmt: skip


def test_questions_for_one_reckoner_are_one_with_the_figures_around_it() -> None:
    text = "I ran 10 km in 52:30. What is my pace, and how long would 15 km take?"
    first, second = text.index("What"), text.index("how long")
    wishes = (wish(first, second - 6, 0.9, "reckon"), wish(second, len(text), 0.8, "reckon"))
    (one,) = one_question(wishes, text, RECKONER)
    assert one.spans == ((0, len(text)),) and one.words["question"] == (0, len(text))


def test_a_figure_between_two_parts_of_a_question_belongs_to_it() -> None:
    text = "Dinner was 86.40 for four, we give 15% tip. What does each pay?"
    first = text.index(", we")
    asked = replace(
        wish(0, first, 0.9, "reckon"), spans=((0, first), (text.index("What"), len(text)))
    )
    (one,) = one_question((asked,), text, RECKONER)
    assert one.words["question"] == (0, len(text))


def test_what_stands_around_without_figures_is_left_out() -> None:
    text = "Hello there! What is 12 times 9?"
    asked = wish(text.index("What"), len(text), 0.9, "reckon")
    assert one_question((asked,), text, RECKONER) == (asked,)


def test_wishes_for_other_tools_stay_apart_and_know_what_they_go_on_from() -> None:
    text = "What is 3 + 4? And 5 * 6? How is the weather in Rome then?"
    spans = [(0, 14), (15, 25), (26, len(text))]
    tools = ("reckon", "reckon", "weather")
    found = [wish(*span, 0.9, name) for span, name in zip(spans, tools, strict=True)]
    found[2] = replace(found[2], wishes=(1,))
    one, other = one_question(found, text, RECKONER)
    assert one.spans == ((0, 25),) and other.wishes == (0,)
