"""Scores of tokens become clauses, and file names become kinds and numbers."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from controlllm.planning.reading import (
    BEGIN,
    INSIDE,
    OUTSIDE,
    ROLES,
    TokenScores,
    clauses_of,
    masked,
)
from controlllm.resources import Resource, TypeLattice

OBJECT = 1 + 2 * ROLES.index("object")


def scores(text: str, boundary: list[int], roles: dict[int, int] | None = None, wish=(0,)):
    """Certain scores of a text's words; `wish` is the intent of each word in turn."""
    offsets = np.array([found.span() for found in re.finditer(r"\w+|[^\w\s]", text)])
    count = len(offsets)
    played = np.zeros((count, 1 + 2 * len(ROLES)))
    played[np.arange(count), [(roles or {}).get(place, 0) for place in range(count)]] = 1
    wanted = np.zeros((count, 3))
    wanted[np.arange(count), [wish[min(place, len(wish) - 1)] for place in range(count)]] = 5
    return TokenScores(offsets, np.eye(3)[boundary], played, wanted)


def test_clauses_begin_where_they_are_said_to():
    text = "find it , then crop"
    found = clauses_of(
        scores(text, [BEGIN, INSIDE, OUTSIDE, OUTSIDE, BEGIN], wish=(1, 1, 0, 0, 2)), text
    )
    assert [text[item.start : item.end] for item in found] == ["find it", "crop"]
    assert [int(item.intents.argmax()) for item in found] == [1, 2]
    assert all(abs(item.intents.sum() - 1) < 1e-6 for item in found)


def test_words_of_a_role_are_found():
    text = "find the brown dog now"
    found = clauses_of(scores(text, [BEGIN] + [INSIDE] * 4, {2: OBJECT, 3: OBJECT + 1}), text)
    (span,) = found[0].spans
    assert (text[span.start : span.end], span.role) == ("brown dog", "object")


def test_two_objects_side_by_side_stay_two():
    text = "dog cat"
    found = clauses_of(scores(text, [BEGIN, INSIDE], {0: OBJECT, 1: OBJECT}), text)
    assert [text[span.start : span.end] for span in found[0].spans] == ["dog", "cat"]


def test_a_text_without_a_beginning_is_one_clause_where_anything_is_asked():
    text = "the dog"
    (found,) = clauses_of(scores(text, [INSIDE, INSIDE]), text)
    assert text[found.start : found.end] == "the dog"
    assert clauses_of(scores(text, [OUTSIDE, OUTSIDE]), text) == ()


def test_parts_of_a_word_are_never_cut_off():
    text = "find extinguishers"
    pieces = TokenScores(
        np.array([[0, 4], [5, 7], [7, 14], [14, 18]]),
        np.eye(3)[[BEGIN, INSIDE, BEGIN, OUTSIDE]],
        np.eye(1 + 2 * len(ROLES))[[0, 0, OBJECT, 0]],
        np.zeros((4, 2)),
    )
    (found,) = clauses_of(pieces, text)
    assert (found.start, found.end) == (0, len(text))
    assert text[found.spans[0].start : found.spans[0].end] == "extinguishers"


def test_file_names_become_kinds_and_numbers():
    resources = (Resource("image", "my dog.png"), Resource("mask", "m_mask.png"))
    text = "Cut my dog.png with m_mask.png, then my dog.png and clip.mp4 by v1.2"
    found = masked(text, resources, TypeLattice())
    assert found.text == "Cut image1 with mask1, then image1 and video1 by v1.2"
    start = found.text.index("mask1")
    assert text[slice(*found.original(start, start + 5))] == "m_mask.png"


@given(st.text(max_size=200))
def test_masking_never_loses_its_place(text: str):
    found = masked(text, (Resource("image", "a.png"),), TypeLattice())
    assert len(found.places) == len(found.text) + 1
    assert list(found.places) == sorted(found.places)
    assert found.places[-1] == len(text)
