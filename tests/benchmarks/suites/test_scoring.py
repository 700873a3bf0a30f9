"""Scores against values worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.suites.scoring import (
    bag_rates,
    bleu,
    common_length,
    edit_ratio,
    macro_f1,
    mean,
    rouge,
    set_rates,
)
from tests.every_case import every_case


def test_rates_of_sets_count_a_label_once_a_sample():
    # Right: a, b. Wanted: a, b, c = 3. Predicted: a, b, d = 3.
    found = set_rates([(["a", "a", "b"], ["a", "b", "b"]), (["c"], ["d"])])
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_rates_of_bags_count_every_time():
    # Right: a, b = 2 of 3 wanted and 3 predicted: the second a and the second b are wrong.
    assert bag_rates([(["a", "a", "b"], ["a", "b", "b"])]).f1 == pytest.approx(2 / 3)
    assert set_rates([(["a", "a", "b"], ["a", "b", "b"])]).f1 == 1.0


def test_rates_of_nothing_are_nought():
    assert set_rates([]).f1 == set_rates([([], [])]).f1 == set_rates([(["a"], [])]).f1 == 0.0


def test_macro_is_the_mean_over_kinds_and_unknown_labels_cost_nothing():
    samples = [(["a"], ["a", "nowhere"]), (["b"], ["a"])]
    # a: 1 right of 2 predicted and 1 wanted: 2/3. b: 0. c: nowhere, 0.
    assert macro_f1(samples, ["a", "b", "c"]) == pytest.approx((2 / 3) / 3)
    assert macro_f1(samples, ["a", "b"]) == pytest.approx(1 / 3)
    assert macro_f1(samples, []) == 0.0


@every_case(
    ("one", "other", "length"),
    [("", "", 0), ("abc", "", 0), ("abcd", "abcd", 4), ("abcd", "badc", 2), ("aab", "aba", 2)],
)
def test_the_longest_common_subsequence(one, other, length):
    assert common_length(one, other) == common_length(other, one) == length


def test_the_edit_ratio_counts_a_replacement_twice():
    assert edit_ratio("ab", "ac") == pytest.approx(2 * 1 / 4)
    assert edit_ratio([1, 2, 3], [1, 3]) == pytest.approx(4 / 5)
    assert edit_ratio([], []) == 1.0
    assert edit_ratio([1], []) == 0.0


def test_rouge_of_a_hand_counted_pair():
    scores = rouge("Crop the cat, then count it.", "Count the cat")
    # Six words and three: the, cat, count are shared. One of five and two pairs: the cat.
    assert scores["rouge-1"] == pytest.approx(2 * 3 / 9)
    assert scores["rouge-2"] == pytest.approx(2 * 1 / 7)
    assert scores["rouge-l"] == pytest.approx(2 * 2 / 9)
    assert rouge("", "") == {"rouge-1": 0.0, "rouge-2": 0.0, "rouge-l": 0.0}


def test_bleu_of_hand_counted_pairs():
    same = "a cat on a mat".split()
    assert bleu(same, same) == pytest.approx(1.0)
    # Two words: judged by single words and pairs alone; half as long, so exp(1 - 5/2).
    assert bleu(same, ["a", "cat"]) == pytest.approx(math.exp(1 - 5 / 2))
    # One pair of three is right, and no triple: 0 without smoothing.
    other = "a cat in space".split()
    assert bleu(same, other) == 0.0
    smooth = math.exp(1 - 5 / 4) * (2 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** 0.25
    assert bleu(same, other, smooth=True) == pytest.approx(smooth)
    assert bleu(same, []) == 0.0 and bleu([], ["a"]) == 0.0


def test_bleu_counts_a_word_only_as_often_as_it_is_wanted():
    assert bleu(["a", "b"], ["a", "a"], most=1) == pytest.approx(1 / 2)


def test_bleu_with_weights_counts_a_heavy_word_more():
    # a weighs 4, b and c 1: right a of a and c: 4 / 5.
    assert bleu(["a", "b"], ["a", "c"], most=1, weight={"a": 4.0}) == pytest.approx(4 / 5)


def test_a_mean_of_nothing_is_nought():
    assert mean([]) == 0.0 and mean([1, 2]) == 1.5


LABELS = st.lists(st.sampled_from("abcd"), max_size=6)


@given(LABELS, LABELS)
def test_scores_are_shares_and_right_only_where_nothing_differs(one, other):
    for score in (set_rates([(one, other)]).f1, bag_rates([(one, other)]).f1):
        assert 0.0 <= score <= 1.0
    assert set_rates([(one, other)]).f1 == set_rates([(other, one)]).f1
    assert (set_rates([(one, other)]).f1 == 1.0) == (set(one) == set(other) != set())
    assert (bag_rates([(one, other)]).f1 == 1.0) == (sorted(one) == sorted(other) != [])
    assert 0.0 <= edit_ratio(one, other) == edit_ratio(other, one) <= 1.0
    assert (edit_ratio(one, other) == 1.0) == (one == other)
    for smooth in (False, True):
        assert 0.0 <= bleu(one, other, smooth=smooth) <= 1.0 + 1e-9
    assert all(0.0 <= score <= 1.0 for score in rouge(" ".join(one), " ".join(other)).values())
