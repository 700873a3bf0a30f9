"""The trained reader on requests: the wishes, what they work on, the tools and the words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.planning.wishes import RequestText, Slot
from controlllm.readers.wishes import (
    WishReader,
    request_tokens,
    text_of,
    tool_text,
)
from controlllm.toolbox import Toolbox
from tests.every_case import every_case


@pytest.fixture(scope="module")
def read():
    return WishReader({tool.name: text_of(tool) for tool in Toolbox.load()})


def likeliest(wish):
    return max(wish.ends, key=wish.ends.__getitem__)


def said(text, wish):
    return " ".join(text[start:end] for start, end in wish.spans)


@every_case(
    ("text", "slots", "wanted"),
    [
        ("Describe image1", ["image1"], [("image_captioning", (0,), ())]),
        (
            "Transcribe audio1 and then summarise the transcript",
            ["audio1"],
            [("speech_to_text", (0,), ()), ("summarization", (), (0,))],
        ),
        (
            "My aunt sent me this recording from her holiday. Could you write down what she says?",
            ["audio1"],
            [("speech_to_text", (0,), ())],
        ),
        ("What's the weather like in Oslo?", [], [("get_weather", (), ())]),
    ],
)
def test_wishes_with_what_they_work_on(read, text, slots, wanted):
    found = read(RequestText(text, tuple(map(Slot, slots))))
    assert [(likeliest(wish), wish.files, wish.wishes) for wish in found] == wanted


def test_the_likelihoods_come_to_one(read):
    for wish in read(RequestText("Cut the dog out and blur the rest", (Slot("image1"),))):
        assert sum(wish.ends.values()) + wish.impossible == pytest.approx(1.0, abs=1e-4)
        assert all(0 <= likely <= 1 for likely in wish.steps.values())


def test_words_that_a_tool_is_to_be_given_are_marked(read):
    text = "Translate this into Portuguese: see you on Monday"
    (wish,) = read(RequestText(text))
    start, end = wish.words["language"]
    assert text[start:end] == "Portuguese"


def test_a_tool_is_told_by_its_words_and_types():
    told = tool_text("imageCropTop", "Crop a picture.", ["image"], "image")
    assert told == "image crop top: Crop a picture. image to image"


@every_case(
    ("text", "names", "wanted"),
    [
        (
            "Put the password Kasse!26 on the budget. The flyer stays as it is.",
            {"document1": "flyer summer", "document2": "budget 2026"},
            [(1,)],
        ),
        (
            "one table out of january, february and march (december got in there by mistake)",
            {"table1": "december", "table2": "january", "table3": "february", "table4": "march"},
            [(1, 2, 3)],
        ),
        (
            "Make these black and white please",
            {"image1": "img 0031", "image2": "img 0032", "image3": "img 0040"},
            [(0, 1, 2)],
        ),
    ],
)
def test_files_are_known_by_what_they_are_called(read, text, names, wanted):
    slots = tuple(Slot(name, called=called) for name, called in names.items())
    assert [wish.files for wish in read(RequestText(text, slots))] == wanted


def test_files_and_what_was_asked_before_are_read_beside_the_request():
    shown = RequestText("crop it", (Slot("image1"), Slot("image2", note="made")), "cut the dog out")
    ids, own, slots = request_tokens(shown)
    assert len(slots) == 2 and all(slots)
    assert len(own) == 2 and max(own) < len(ids) - 1
    assert not set(own) & {place for tokens in slots for place in tokens}
    named = (Slot("image1", called="minka sofa"), *shown.slots[1:])
    longer = request_tokens(RequestText(shown.text, named, shown.earlier))
    assert len(longer[2][0]) > len(slots[0]) and longer[2][1][0] > slots[1][0]
    assert request_tokens(RequestText(shown.text, named, shown.earlier).without_names()) == (
        ids, own, slots
    )  # fmt: skip


@every_case("text", ["", " ", "\ud800", "…", "在这张图片中找到狗", "a" * 20_000, "image1 " * 500])
def test_odd_texts_do_not_break_it(read, text):
    for wish in read(RequestText(text, (Slot("image1"),))):
        assert wish.spans


@settings(max_examples=25, deadline=None)
@given(st.text(max_size=200))
def test_spans_lie_in_the_text_and_refer_to_what_is_there(read, text):
    for place, wish in enumerate(read(RequestText(text, (Slot("image1"), Slot("audio1"))))):
        spans = [*wish.spans, *wish.words.values()]
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert set(wish.files) <= {0, 1} and all(earlier < place for earlier in wish.wishes)


def test_among_tools_from_elsewhere_things_are_known_by_their_names():
    """Nothing that is said is a word of the tools: what is asked for is in a name and in what
    people know of it."""
    told = {
        "volcano_alert": tool_text("volcano_alert", "Alert level.", ("volcano",), "text"),
        "film_plot": tool_text("film_plot", "The plot of a film.", ("film",), "text"),
        "hotel_price": tool_text("hotel_price", "Price of a night.", ("hotel",), "number"),
        "parcel_position": tool_text("parcel_position", "The latest scan.", ("parcel",), "text"),
    }
    read = WishReader(told, is_foreign=True)
    asked = {
        "what happens in Metropolis": "film_plot",
        "is Etna grumpy again": "volcano_alert",
        "what would a night at the Adlon set me back": "hotel_price",
        "has my stuff from Leeds got any nearer": "parcel_position",
    }
    for text, name in asked.items():
        assert [likeliest(wish) for wish in read(RequestText(text))] == [name], text
