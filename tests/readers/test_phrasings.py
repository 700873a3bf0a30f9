"""The trained reader on requests: clauses, intents and words."""

from __future__ import annotations

import numpy as np

from controlllm.planning.phrasebook import read_intents
from controlllm.planning.reading import clauses_of
from controlllm.readers.phrasings import intents, read
from tests.every_case import every_case


def told(text: str) -> list[tuple[str, str]]:
    """The clauses of a text with the likeliest intent of each."""
    names = intents()
    return [
        (text[clause.start : clause.end], names[int(clause.intents.argmax())])
        for clause in clauses_of(read(text), text)
    ]


def test_it_knows_the_intents_of_the_phrasebook():
    assert set(intents()) == {intent.name for intent in read_intents()}


@every_case(
    ("text", "wanted"),
    [
        ("Count the chairs in image1", ["count_objects"]),
        ("Remove the lamp from image1 and colourise it", ["remove_object", "colourise_image"]),
        (
            "Transcribe audio1, summarise it and read the summary aloud",
            ["transcribe_audio", "summarise_text", "text_to_speech"],
        ),
        ("Who painted the Mona Lisa?", ["open_question"]),
    ],
)
def test_clauses_and_what_they_want(text, wanted):
    assert [intent for _, intent in told(text)] == wanted


def test_words_that_matter_are_marked():
    text = "Cut out the old bicycle in image1"
    (clause,) = clauses_of(read(text), text)
    assert [(text[span.start : span.end], span.role) for span in clause.spans] == [
        ("old bicycle", "object")
    ]


def test_long_texts_are_read_in_pieces_and_nothing_breaks():
    text = "Describe image1. " * 200 + "word " * 5000
    scores = read(text)
    assert len(scores.offsets) == len(scores.boundary) == len(scores.intents)
    assert (np.diff(scores.offsets[:, 0]) >= 0).all()
    assert np.allclose(scores.boundary.sum(1), 1, atol=1e-4)


@every_case("text", ["", " ", "\ud800", "…", "在这张图片中找到狗", "a" * 20_000])
def test_odd_texts_do_not_break_it(text):
    clauses_of(read(text), text)


def test_the_same_text_is_read_the_same():
    first, second = read("Find the owl in image1"), read("Find the owl in image1")
    assert np.array_equal(first.intents, second.intents)
