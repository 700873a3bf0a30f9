"""JSON out of what models write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.language.reading import Unusable, read_json
from tests.every_case import every_case

VALUE = {"a": [1, {"b": "}]"}]}
TEXT = json.dumps(VALUE)


@every_case(
    "text",
    [
        f"```json\n{TEXT}\n```",
        f"Sure! Here it is:\n{TEXT}\nI hope this helps.",
        f"<Solution>{TEXT}</Solution>",
        f"As in [the example], the answer is {TEXT}",
        f"{TEXT}\n{TEXT}",
    ],
)
def test_words_around_it_are_dropped(text):
    read = read_json(text)
    assert read.value == VALUE
    assert read.repairs == ("words around the JSON were dropped",)


def test_commas_too_many_are_dropped():
    read = read_json('{"a": [1, 2,], "b": ",]",}')
    assert read.value == {"a": [1, 2], "b": ",]"}
    assert read.repairs == ("commas too many were dropped",)


@every_case(
    ("text", "words"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("I cannot do that.", "no complete JSON"),
        (TEXT[:-1], "no complete JSON"),
        ('{"subtasks": [{"id": 0}, {"id": 1', "no complete JSON"),
        ('[{"id": 0}, {"id": ', "no complete JSON"),
        ('Here: {"a": "never ended', "no complete JSON"),
        ('{"a": 1} or {"a": 2}', "more than one"),
        ("[" * 100_000, "no complete JSON"),
    ],
)
def test_what_is_cut_off_or_ambiguous_is_refused(text, words):
    with pytest.raises(Unusable, match=words):
        read_json(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(), JSON, min_size=1, max_size=3)


@settings(max_examples=40, deadline=None)
@given(OBJECTS)
def test_any_object_comes_back_also_out_of_prose(value):
    text = json.dumps(value)
    assert read_json(text).value == value
    assert read_json(f"Well: {text} - that is all.").value == value


@settings(max_examples=40, deadline=None)
@given(OBJECTS, st.data())
def test_a_part_is_never_taken_for_the_whole(value, data):
    text = json.dumps(value)
    end = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(Unusable):
        read_json(text[:end])
