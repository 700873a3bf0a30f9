"""Summary, title, tags and sentiment, on texts written for this test."""

from __future__ import annotations

import re
import threading

import pytest

from controlllm.toolbox import Cancelled, Context, ToolError
from tests.every_case import every_case
from tools.shared.sentences import split_sentences
from tools.words.summarization import (
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
THREAD = """From: Jonas Beck
To: Marta Silva
Subject: Venue for the summer party

Hi Marta,

I hope you are well. I called the boat house (the red one) this morning about the summer party. They
can offer us Friday 12 July or Saturday 20 July, and the price is 2,400 euros including drinks.

Best,
Jonas

From: Marta Silva
To: Jonas Beck

Thanks for this! Let's take the boat house on Friday 12 July, because many people leave for holidays
on the 20th. Could you ask whether they have a vegetarian menu?

Cheers,
Marta

From: Jonas Beck
To: Marta Silva

Perfect. They do have one, it costs three euros more for each person. I have reserved the 12th for
us. Please send the deposit of 1,200 euros by 15 May.

Jonas
"""
AXOLOTL = (
    "The axolotl (Ambystoma mexicanum) is a salamander that lives in water all its life. It is "
    "native to the lakes of the Valley of Mexico. Axolotls are famous for their ability to regrow "
    "lost body parts. They can replace limbs and even parts of the brain without scars. For this "
    "reason they are studied in laboratories. However, the species is critically endangered: a "
    "survey in 2014 found only about 35 animals per square kilometre, compared with 6,000 in 1998. "
    "For example, 200 were set free in 2019. The main causes are water pollution and fish that eat "
    "their eggs."
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


@every_case("length, count", [("1 sentences", 1), ("3 sentences", 3), ("20 sentences", 9)])
def test_a_summary_is_as_long_as_it_is_wanted(length: str, count: int) -> None:
    said = summarization(BRIDGE, length)
    assert len(split_sentences(said)) == min(count, len(split_sentences(BRIDGE)))
    assert all(one in BRIDGE for one in split_sentences(said))


def test_a_summary_has_no_more_words_than_are_wanted() -> None:
    for most in (20, 40, 60):
        assert most / 2 < len(summarization(BRIDGE, f"{most} words").split()) <= most


def test_a_summary_of_a_thread_has_no_frames_and_says_who_speaks() -> None:
    summary = summarization(THREAD)
    assert "Jonas Beck: I called the boat house this morning" in summary
    assert "Marta Silva: Let's take the boat house on Friday 12 July" in summary
    for frame in ("Subject", "Hi Marta", "hope you", "Cheers", "Best", "the red one"):
        assert frame not in summary


def test_a_summary_has_no_sentence_that_leans_on_one_left_out() -> None:
    summary = summarization(AXOLOTL)
    assert len(summary.split()) < len(AXOLOTL.split()) / 2
    assert summary.startswith("The axolotl is a salamander")
    for leaning, antecedent in (
        ("They can replace", "Axolotls are famous"),
        ("For this reason", "They can replace"),
        ("It is native", "The axolotl is"),
    ):
        assert leaning not in summary or antecedent in summary
    assert set(summary.lower().replace(".", " ").split()) <= set(
        AXOLOTL.lower().replace(".", " ").split()
    )


def test_a_spoken_summary_has_no_fillers() -> None:
    summary = summarization(TRANSCRIPT.replace(" and then ", " and then um you know "))
    assert not {"um", "you know"} & set(summary.lower().split())


def test_a_long_summary_is_quick_and_short() -> None:
    text = " ".join(BRIDGE.replace("bridge", f"bridge {number}") for number in range(18))
    assert len(summarization(text).split()) < len(text.split()) / 4


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
    assert 8 <= summary.count("Note") <= 30
    assert (
        len({thing for thing in ("roof", "garden", "kitchen", "cellar") if thing in summary}) == 4
    )
    assert told == sorted(told)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        summarization(text, context=Context(None, stop))


@every_case(
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


@every_case(
    ("text", "name"),
    [
        ("I love this keyboard, it is wonderful!", "very positive"),
        ("Worst service ever. The food was cold and disgusting.", "very negative"),
        ("The train leaves at 9:40 from platform 3.", "neutral"),
        (CAPTION, "neutral"),
        ("The screen is great. The speakers are awful. I bought it in May.", "mixed"),
        ("Comfortable seats, dreadful film.", "mixed"),
        ("Although the walk was exhausting, the view was stunning.", "mixed"),
        ("The soup was wonderful, but we waited two hours for it.", "mixed"),
        ("Pros: light and fast. Cons: gets hot.", "mixed"),
        ("I had my doubts, but this kettle won me over.", "positive"),
        ("I cannot praise the nurses enough.", "very positive"),
        ("Not bad at all for a first try.", "positive"),
        ("There is nothing to complain about.", "positive"),
        ("Don't waste your time with this hotel.", "negative"),
        ("It could have been so much better.", "negative"),
        ("It is neither comfortable nor practical.", "negative"),
        ("Oh great, another delay.", "negative"),
        ("Is it too much to ask for a clean towel?", "negative"),
        ("The bus stops at the town hall and leaves at noon.", "neutral"),
        ("What time does the library close?", "neutral"),
        ("Do not use it near water.", "neutral"),
        ("It is okay, nothing special.", "neutral"),
    ],
)
def test_sentiment(text: str, name: str) -> None:
    answer = sentiment_analysis(text)
    assert re.match(rf"The feeling of this text is (?:very |slightly )?{name} \(", answer), answer


def test_sentiment_shows_the_sentence_that_decides() -> None:
    answer = sentiment_analysis("The room was clean. I hated the horrible noise. It ended at ten.")
    assert answer.endswith("Most negative: “I hated the horrible noise.”")


@every_case("tool", [summarization, title_generation, text_to_tags, sentiment_analysis])
def test_no_text_is_refused_and_odd_text_is_not(tool: object) -> None:
    for text in ("", " \n ", "…!?"):
        with pytest.raises(ToolError, match="no text"):
            tool(text)
    for text in ("a", "日本語のテキスト。", "x" * 3000, "1 2 3", "THE OF AND"):
        assert tool(text) is not None
