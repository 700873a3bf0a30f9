"""The index of words says the same however its texts came into it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controlllm.retrieval.words import WordIndex, words_of

TEXTS = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=8)


def test_words_are_taken_apart_and_lose_their_endings():
    assert words_of("getExchangeRates_v2") == ["exchange", "rate", "v2"]
    assert words_of("Returns the cities") == ["return", "city"]
    assert words_of("getTheWeather", is_whole=True) == ["get", "the", "weather"]


def test_a_rare_word_counts_more_and_twice_more_than_once():
    index = WordIndex()
    for row, words in enumerate((["iban", "a"], ["a", "b"], ["a", "iban", "iban"], ["b", "b"])):
        index.add(row, words)
    iban = index.scores(["iban"], 4)
    assert iban[2] > iban[0] > 0 and not iban[1] and not iban[3]
    assert iban[0] > index.scores(["a"], 4)[0] > 0
    assert not index.scores(["unknown"], 4).any()


@given(TEXTS, TEXTS, st.lists(st.sampled_from("abcdef")))
def test_texts_that_came_and_went_leave_nothing(stays, goes, query):
    changed = WordIndex()
    for row, words in enumerate([*stays, *goes]):
        changed.add(row, words)
    for row, words in enumerate(goes, len(stays)):
        changed.remove(row, words)
    fresh = WordIndex()
    for row, words in enumerate(stays):
        fresh.add(row, words)
    found = changed.scores(query, len(stays) + len(goes))
    np.testing.assert_allclose(found[: len(stays)], fresh.scores(query, len(stays)), rtol=1e-5)
    assert not found[len(stays) :].any()
