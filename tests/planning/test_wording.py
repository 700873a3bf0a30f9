"""The object, the prompt and the question in a clause."""

from __future__ import annotations

from controlllm.planning.wording import (
    is_one_of,
    object_phrase,
    prompt_phrase,
    speaks_of_everything,
)
from tests.every_case import every_case


@every_case(
    ("clause", "expected"),
    [
        ("Take away the umbrella from the picture <image>.", "umbrella"),
        ("Crop out the baseball glove in <image>", "baseball glove"),
        ("Provide me with a mask that separates the bear from the rest of the <image>?", "bear"),
        ("provide the number of umbrellas presented in the <image>", "umbrellas"),
        ("find the man with the red hat in the photo", "man with the red hat"),
        ("How many dogs are there", "dogs"),
        ("where is the cat?", "cat"),
        ("crop the woman on the left", "woman on the left"),
        ("get rid of the dog please", "dog"),
        ("crop the second dog from the left", "second dog from the left"),
        ("erase the dog from the picture", "dog"),
        ("Please determine if the <image> contains a platyhelminth?", "platyhelminth"),
        ("cut it out", ""),
        ("What is in this picture?", ""),
        ("Describe the image", ""),
        ("crop the dog and the cat", "dog and the cat"),
        ("erase the brown, fluffy dog", "brown, fluffy dog"),
    ],
)
def test_object(clause, expected):
    assert object_phrase(clause) == expected


@every_case(
    ("clause", "expected"),
    [
        ("Generate an image of a castle on a hill", "a castle on a hill"),
        (
            "Create a new image using the segmentation from <image> that showcases a cozy cabin",
            "a cozy cabin",
        ),
        ("Draw a red fox in the snow", "a red fox in the snow"),
        ("make a picture showing two robots dancing", "two robots dancing"),
    ],
)
def test_prompt(clause, expected):
    assert prompt_phrase(clause) == expected


def test_everything():
    assert speaks_of_everything("detect all objects")
    assert not speaks_of_everything("detect all dogs")


@every_case(
    ("phrase", "expected"),
    [
        ("car", True),
        ("the two red cars on the left", True),
        ("Buses", True),
        ("tall woman with a bag", True),
        ("women", True),
        ("knives", True),
        ("polar bear", False),
        ("bear", True),
        ("carpet", False),
        ("", False),
    ],
)
def test_one_of_the_things_that_are_known(phrase, expected):
    known = frozenset({"car", "bus", "woman", "bear", "knife"})
    assert is_one_of(phrase, known) is expected
