"""Requests split into clauses, the way people write them."""

from __future__ import annotations

from controlllm.planning.clauses import bare, split_clauses, split_content
from tests.every_case import every_case


def texts(request, names=()):
    return [clause.text.rstrip(".") for clause in split_clauses(request, names)]


@every_case(
    ("request_", "expected"),
    [
        (
            "What is in this picture? Highlight the dog, then cut it out.",
            ["What is in this picture?", "Highlight the dog", "cut it out"],
        ),
        ("crop the dog and the cat", ["crop the dog and the cat"]),
        (
            "count the people and tell me what colour the car is, then blur the background",
            ["count the people", "tell me what colour the car is", "blur the background"],
        ),
        (
            "How many dogs are there and where is the cat?",
            ["How many dogs are there", "where is the cat?"],
        ),
        (
            "I'd like a transcript and a summary of this recording",
            ["I'd like a transcript", "a summary of this recording"],
        ),
        (
            "I'm looking for the cat in the image file, can you guide me to it?",
            ["I'm looking for the cat in the image file, can you guide me to it?"],
        ),
        ("Put the clip and the sound together", ["Put the clip and the sound together"]),
        (
            "Draw a man and a woman walking in the rain",
            ["Draw a man and a woman walking in the rain"],
        ),
    ],
)
def test_clauses(request_, expected):
    assert texts(request_) == expected


def test_file_names_are_never_split():
    names = ["holiday and beach.then.jpg", "image_1.png"]
    assert texts("crop image_1.png, then blur holiday and beach.then.jpg", names) == [
        "crop image_1.png",
        "blur holiday and beach.then.jpg",
    ]


def test_a_sentence_that_asks_nothing_is_context():
    (clause,) = split_clauses(
        "Can you make an image with a similar layout to a.png? I'm interested in the positions. "
        "The new image should have the same arrangement."
    )
    assert clause.text.startswith("Can you make")
    assert "arrangement" in clause.context


@every_case(
    ("request_", "head", "content"),
    [
        ("Read this aloud: Hello there, friend.", "Read this aloud", "Hello there, friend."),
        (
            'Is "what a dreadful film it was" positive?',
            "Is positive?",
            "what a dreadful film it was",
        ),
        (
            "Summarise this.\n\n" + "The cat sat on the mat and looked at the rain. " * 5,
            "Summarise this.",
            ("The cat sat on the mat and looked at the rain. " * 5).strip(),
        ),
        ("Crop the dog", "Crop the dog", ""),
    ],
)
def test_handed_over_text_is_set_apart(request_, head, content):
    assert split_content(request_) == (head, content)


def test_what_follows_a_colon_and_speaks_of_a_file_is_asked():
    asked = "Answer questions based on image: a.png. What colour is the bus? Crop the dog in b.png."
    assert split_content(asked, ["a.png", "b.png"]) == (asked, "")
    assert (
        split_content("Read this aloud: It was a fine day.", ["a.png"])[1] == "It was a fine day."
    )


def test_text_handed_over_is_not_split():
    (clause,) = split_clauses("Read this aloud: First crop the dog. Then count the cats.")
    assert clause.content == "First crop the dog. Then count the cats."


def test_then_follows():
    assert [clause.follows for clause in split_clauses("crop the dog, then blur it")] == [
        False,
        True,
    ]


def test_one_more_result_of_the_same_thing_stands_beside():
    clauses = split_clauses("give me a title and tags for this")
    assert [(clause.text, clause.beside) for clause in clauses] == [
        ("give me a title", False),
        ("tags for this", True),
    ]


def test_bare_takes_polite_words_away():
    assert bare("Could you please crop the dog, thanks!") == "crop the dog"
    assert bare("First cut the row out") == "cut the row out"
    assert bare("First, crop the dog") == bare("first crop the dog") == "crop the dog"


def test_bare_keeps_which_part_is_meant():
    for words in ("First half only", "first 30 seconds of it", "First two minutes of the talk"):
        assert bare(words) == words


@every_case("request_", ["", "   ", "?!", "\n\n"])
def test_nothing_is_no_clause(request_):
    assert split_clauses(request_) == []
