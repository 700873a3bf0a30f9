"""Which passage of a recording is kept, as people say it."""

import pytest

from tools.shared.cut_words import kept_passages


@pytest.mark.parametrize(
    "words",
    [
        "Cut the part from second 5 to second 9 out and keep only that.",
        "Cut the part from second 5 to second 9 out. Give me just that clip.",
        "cut the piece between 5 and 9 s out and save it as a clip of its own",
        "take out 0:05 to 0:09 and send me that",
        "I only want 0:05 to 0:09",
    ],
)
def test_a_part_that_is_cut_out_to_be_had_is_kept(words):
    assert kept_passages(words, 14.0) == [(5.0, 9.0)]


@pytest.mark.parametrize(
    "words",
    [
        "Cut out seconds 5 to 9.",
        "Cut 5 s to 9 s out, I don't need it",
        "Cut out seconds 5 to 9 and give me the video",
        "take the part from 0:05 to 0:09 out",
    ],
)
def test_a_part_that_is_cut_out_goes(words):
    assert kept_passages(words, 14.0) == [(0.0, 5.0), (9.0, 14.0)]


@pytest.mark.parametrize(
    "words",
    [
        "the first 2 seconds of this clip are only the warm up, pls cut them off",
        "It is the first two seconds that must go, the end has to stay",
    ],
)
def test_what_is_cut_off_or_must_go_goes(words):
    assert kept_passages(words, 6.0) == [(2.0, 6.0)]


@pytest.mark.parametrize(
    "words",
    [
        "8 seconds of the song starting at second 5",
        "8 seconds, beginning at 0:05",
        "an 8 second piece that starts at 5 seconds",
    ],
)
def test_a_length_may_say_where_it_starts(words):
    assert kept_passages(words, 60.0) == [(5.0, 13.0)]
