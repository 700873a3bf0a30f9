"""Summary, title, tags and sentiment, on texts written for this test."""

from __future__ import annotations

import threading

import pytest

from controlllm.toolbox import Cancelled, Context, ToolError
from tools.natural_language import (
    sentiment_analysis,
    summarization,
    text_to_tags,
    title_generation,
)

BRIDGE = (
    "The city council approved a new bridge across the Ohio River on Tuesday after two years of "
    "debate. The bridge, which will cost 340 million dollars, is expected to open in 2031. Mayor "
    "Linda Torres said that the crossing would cut the average commute by eleven minutes. "
    "Opponents had argued that the money should be spent on buses instead. Engineers found in "
    "March that the old bridge, built in 1938, carries three times the traffic it was designed "
    "for. It will be closed to trucks from next spring. Construction of the new one will begin in "
    "September, and about 1,200 workers will be hired. My aunt likes cake. A toll of two dollars "
    "will be charged."
)
TRANSCRIPT = (
    "so um today we are going to talk about how to repot a plant and the first thing you want to "
    "do is to water it the day before because then the roots come out of the pot much more easily "
    "and you don't tear them and then you take a new pot that is about two inches wider than the "
    "old one and you put some fresh potting soil in the bottom and you set the plant in the "
    "middle and after that you water it well and keep it out of the sun for a week"
)
CAPTION = "A black cat sits in front of a laptop on a wooden desk, and a mouse lies next to it."


def test_a_summary_is_shorter_and_keeps_the_sentences_and_their_order() -> None:
    summary = summarization(BRIDGE)
    assert len(summary) < len(BRIDGE) / 2
    places = [BRIDGE.find(sentence.strip(" .")) for sentence in summary.split(". ")]
    assert places == sorted(places)
    assert places[0] == 0
    assert "cake" not in summary


def test_two_sentences_are_their_own_summary() -> None:
    assert summarization("It rained. We stayed at home.") == "It rained. We stayed at home."


def test_a_summary_of_three_sentences_is_one() -> None:
    text = (
        "Solar panels now cover the roof of the Lincoln school. They produce enough electricity "
        "for the building. The students monitor the output."
    )
    assert summarization(text) == "Solar panels now cover the roof of the Lincoln school."


def test_a_transcript_without_marks_is_summarized_in_whole_sentences() -> None:
    summary = summarization(TRANSCRIPT)
    assert 5 < len(summary.split()) < len(TRANSCRIPT.split()) / 2
    assert summary[0].isupper()
    assert summary.endswith(".")


def test_a_long_text_gives_few_sentences_and_can_be_stopped() -> None:
    text = " ".join(
        f"Note {number} is about the {thing} of the house."
        for number, thing in enumerate(["roof", "garden", "kitchen", "cellar"] * 25)
    )
    told: list[float] = []
    summary = summarization(text, context=Context(lambda fraction, words: told.append(fraction)))
    assert summary.count("Note") == 7
    assert (
        len({thing for thing in ("roof", "garden", "kitchen", "cellar") if thing in summary}) == 4
    )
    assert told == sorted(told)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        summarization(text, context=Context(None, stop))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (BRIDGE, "City Council Approved a New Bridge Across the Ohio River"),
        (TRANSCRIPT, "How to Repot a Plant"),
        (CAPTION, "Black Cat Sits in Front of a Laptop"),
        ("Dogs.", "Dogs"),
    ],
)
def test_titles(text: str, title: str) -> None:
    assert title_generation(text) == title


def test_tags_are_few_different_and_about_the_text() -> None:
    tags = text_to_tags(BRIDGE)
    assert 3 <= len(tags) <= 8
    assert "bridge" in tags
    assert "Ohio River" in tags
    assert len({tag.lower() for tag in tags}) == len(tags)
    assert not {"said", "the", "tuesday", "new"} & {tag.lower() for tag in tags}


def test_tags_of_a_caption_are_its_things() -> None:
    assert set(text_to_tags(CAPTION)) >= {"black cat", "wooden desk"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I love this keyboard, it is wonderful!", "very positive"),
        ("Worst service ever. The food was cold and disgusting.", "very negative"),
        ("The train leaves at 9:40 from platform 3.", "neutral"),
        (CAPTION, "neutral"),
        ("The screen is great. The speakers are awful. I bought it in May.", "mixed"),
    ],
)
def test_sentiment(text: str, name: str) -> None:
    assert sentiment_analysis(text).startswith(f"The feeling of this text is {name} (")


def test_sentiment_shows_the_sentence_that_decides() -> None:
    answer = sentiment_analysis("The room was clean. I hated the horrible noise. It ended at ten.")
    assert answer.endswith("Most negative: “I hated the horrible noise.”")


@pytest.mark.parametrize(
    "tool", [summarization, title_generation, text_to_tags, sentiment_analysis]
)
def test_no_text_is_refused_and_odd_text_is_not(tool: object) -> None:
    for text in ("", " \n ", "…!?"):
        with pytest.raises(ToolError, match="no text"):
            tool(text)
    for text in ("a", "日本語のテキスト。", "x" * 3000, "1 2 3", "THE OF AND"):
        assert tool(text) is not None
