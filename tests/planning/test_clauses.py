"""Polite words around what is asked for."""

from __future__ import annotations

from controlllm.planning.clauses import bare


def test_bare_takes_polite_words_away():
    assert bare("Could you please crop the dog, thanks!") == "crop the dog"
    assert bare("First cut the row out") == "cut the row out"
    assert bare("First, crop the dog") == bare("first crop the dog") == "crop the dog"


def test_bare_keeps_which_part_is_meant():
    for words in ("First half only", "first 30 seconds of it", "First two minutes of the talk"):
        assert bare(words) == words
