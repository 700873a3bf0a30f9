"""Observations as facts, whole, cut off or in noise."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.agents.embedded.facts import Fact, facts_of, is_empty, read, written
from tests.every_case import every_case


def test_fields_have_paths_words_and_entries():
    found = facts_of(json.dumps({"days": [{"windSpeed_max": 9}], "city": "Oslo", "none": None}))
    assert found == (Fact("city", "Oslo"), Fact("days[0].windSpeed_max", 9))
    assert found[1].words == "days wind speed max"
    assert (found[1].name, found[1].record) == ("windSpeed_max", "days[0]")


@every_case(
    ("text", "facts"),
    [("", ()), ("23.5", (Fact("", 23.5),)), ("two dogs", (Fact("", "two dogs"),)), ("[]", ())],
)
def test_what_is_no_object(text, facts):
    assert facts_of(text) == facts


def test_of_json_that_was_cut_off_the_fields_are_made_out():
    whole = json.dumps({"items": [{"id": "p-1", "price": 3.5}, {"id": "p-2", "price": 4}]})
    found = facts_of(whole[:-12])
    assert [fact.value for fact in found if fact.name == "id"] == ["p-1", "p-2"]
    assert [fact.value for fact in found if fact.name == "price"] == [3.5]


def test_two_megabytes_of_noise_leave_the_answer():
    noise = "lorem cookie " * 80_000
    found = facts_of(json.dumps({"trace": noise, "daily": {"high": 23}, "related": noise}))
    assert Fact("daily.high", 23) in found
    assert all(len(str(fact.value)) <= 300 for fact in found)


@every_case(
    ("text", "empty"),
    [
        ('{"items": [], "site": "x"}', True),
        ('{"meta": {"page": 1}, "data": {"flights": []}}', True),
        ('{"errors": [], "response": {"name": "x"}}', False),
        ('{"city": "Oslo"}', False),
        ("{}", True),
    ],
)
def test_an_answer_may_have_nothing_in_it(text, empty):
    assert is_empty(text) is empty


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[a-z]{1,8}(\.[a-z]{1,8})?", fullmatch=True),
            st.one_of(
                st.integers(-999, 999),
                st.booleans(),
                st.from_regex("[A-Z][a-z]{2,9}", fullmatch=True),
            ),
        ),
        max_size=8,
    )
)
def test_what_is_written_into_a_state_is_read_again(pairs):
    facts = tuple(Fact(path, value) for path, value in pairs)
    assert read(written(facts, 600)) == facts


def test_no_more_is_written_than_goes_in():
    facts = [Fact(f"field{number}", "x" * 50) for number in range(100)]
    assert len(written(facts, 300)) <= 300
    assert len(written([Fact("field", "x" * 290)], 100)) <= 100
