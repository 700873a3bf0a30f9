"""Wishes joined by "and" where the reader is not sure which tool is meant."""

from __future__ import annotations

from dataclasses import replace

from controlllm.planning.graph import ToolGraph
from controlllm.planning.joined import one_question, reading_joins
from controlllm.planning.overheard import reading_overheard
from controlllm.planning.wishes import RequestText, Wish
from controlllm.toolbox import Toolbox
from tests.planning.scripted_reader import tool

TEXT = "Ring the bell and tell me how loud it is"


def wish(start: int, end: int, likely: float, tool: str) -> Wish:
    return Wish(((start, end),), (), (), {tool: likely}, 0.0, {}, {}, 1.0)


def test_what_is_surer_apart_is_read_apart() -> None:
    asked: list[str] = []

    def read(given: RequestText) -> tuple[Wish, ...]:
        asked.append(given.text)
        if ". Then " in given.text:
            cut = given.text.index(". Then ")
            return (wish(0, cut, 0.9, "bell"), wish(cut + 7, len(given.text), 0.8, "loudness"))
        return (wish(0, len(given.text), 0.4, "bell"),)

    first, second = reading_joins(read)(RequestText(TEXT))
    assert asked == [TEXT, "Ring the bell. Then tell me how loud it is"]
    # Their places are those in the words that were typed.
    assert TEXT[slice(*first.spans[0])] == "Ring the bell"
    assert TEXT[slice(*second.spans[0])] == "tell me how loud it is"


def test_a_sure_reading_and_a_joined_name_stay_as_they_are() -> None:
    asked: list[str] = []

    def reads(likely: float):
        def read(given: RequestText) -> tuple[Wish, ...]:
            asked.append(given.text)
            return (wish(0, len(given.text), likely, "bell"),)

        return read

    assert len(reading_joins(reads(0.9))(RequestText(TEXT))) == 1
    assert len(reading_joins(reads(0.4))(RequestText("Describe cats and dogs"))) == 1
    assert asked == [TEXT, "Describe cats and dogs"]


def test_a_second_wish_for_the_same_tool_is_no_other_wish() -> None:
    def read(given: RequestText) -> tuple[Wish, ...]:
        if ". Then " in given.text:
            cut = given.text.index(". Then ")
            return (wish(0, cut, 0.9, "bell"), wish(cut + 7, len(given.text), 0.8, "bell"))
        return (wish(0, len(given.text), 0.4, "bell"),)

    assert len(reading_joins(read)(RequestText(TEXT))) == 1


def test_a_wish_within_another_is_no_further_one() -> None:
    text = "I need a bell. Tell me how loud it is"

    def read(given: RequestText) -> tuple[Wish, ...]:
        if ". Then " in given.text:
            cut = given.text.index(". Then ")
            return (wish(0, cut, 0.9, "bell"), wish(cut + 7, len(given.text), 0.8, "loudness"))
        return (wish(0, len(given.text), 0.2, "loudness"), wish(0, 13, 0.5, "bell"))

    first, second = reading_joins(read)(RequestText(text))
    assert text[slice(*first.spans[0])] == "I need a bell"
    assert text[slice(*second.spans[0])] == "Tell me how loud it is"


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


def test_only_a_join_within_a_wish_is_tried_for_one_that_was_overheard() -> None:
    asked: list[str] = []

    def reads(*spans: tuple[int, int]):
        def read(given: RequestText) -> tuple[Wish, ...]:
            asked.append(given.text)
            return tuple(wish(*span, 0.9, "crop") for span in spans)

        return read

    graph = ToolGraph(
        Toolbox.from_catalogue([
            tool("crop", [("image", "image")], "image"),
            {**tool("grey", [("image", "image")], "image"), "examples": ["İn black and white"]},
        ])
    )  # fmt: skip
    for text, spans, tried in (
        ("Crop it, mirror it", [(0, 7), (9, 18)], 0),
        ("Crop it, mirror it", [(0, 18)], 1),
        ("Crop it, mirror it", [(0, 7)], 1),
        ("İ: Crop it in Black and White", [(3, 29)], 0),
        ("Crop it" + " " * 50_000 + "now", [(0, 50_010)], 0),
    ):
        asked.clear()
        reading_overheard(reads(*spans), graph)(RequestText(text))
        assert len(asked) == 1 + tried, text
