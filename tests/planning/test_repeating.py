"""What asks for the same again, and on which file."""

from __future__ import annotations

import pytest

from controlllm.planning.repeating import Again, repeating

AGAIN = [
    ("do the same to the other one", Again("last", "other")),
    ("Do the same with the other photo, please.", Again("last", "other")),
    ("now do the same to the other picture", Again("last", "other")),
    ("and the other one as well", Again("last", "other")),
    ("the other one too", Again("last", "other")),
    ("and the other photo too please", Again("last", "other")),
    ("Can you do that to the other one as well?", Again("last", "other")),
    ("apply the same changes to the others", Again("last", "others")),
    ("do the same for all the other pictures", Again("last", "others")),
    ("the same for the rest", Again("last", "others")),
    ("do both to this one", Again("both", "this")),
    ("do both to this other photo", Again("both", "this")),
    ("Do both to this one as well, please", Again("both", "this")),
    ("both for this one too", Again("both", "this")),
    ("this one too", Again("last", "this")),
    ("and this one as well", Again("last", "this")),
    ("same for this one", Again("last", "this")),
    ("same thing with this photo please", Again("last", "this")),
    ("do all of that to this one", Again("all", "this")),
    ("do the same to train.jpg", Again("last", "named", "train.jpg")),
    ("and train.jpg as well", Again("last", "named", "train.jpg")),
    ("do the same to the second picture", Again("last", "named", "the second picture")),
    ("what about the other one?", Again("last", "other")),
    ("very good, same for other file", Again("last", "other")),
    ("thanks! and the other one too", Again("last", "other")),
    ("looks good, do the same to the rest", Again("last", "others")),
]
NOT_AGAIN = [
    "blur the other one",
    "blur the other one as well",
    "mirror it too",
    "describe this one as well",
    "make both the same size",
    "make it the same size as the other one",
    "put both next to each other",
    "join this one with the other one",
    "is it the same in the other one?",
    "what is in the other one?",
    "which one is the same?",
    "do it again",
    "do it",
    "do that",
    "the other one is better",
    "use the other one",
    "I like this one",
    "show me the other one",
    "both",
    "the same colours as in the other one please",
    "make the sky blue as well",
    "add a border too",
    "do the same dance in a video",
    "",
]


@pytest.mark.parametrize(("text", "found"), AGAIN)
def test_the_same_again_is_heard(text, found):
    assert repeating(text) == found


@pytest.mark.parametrize("text", NOT_AGAIN)
def test_what_asks_for_something_else_is_left_alone(text):
    assert repeating(text) is None
