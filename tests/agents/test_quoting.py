"""Quotations, and what is read of a long text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from controlllm.agents.quoting import excerpt, stands_in
from tests.every_case import every_case


@every_case(
    ("quotation", "text", "stands"),
    [
        ("12 degrees", "It is 12 degrees.", True),
        ("12\n degrees", "It is 12 degrees.", True),
        ('{"id": 7}', '[{"id": 7}]', True),
        ('{\\"id\\": 7}', '[{"id": 7}]', True),
        ("id: 7", '[{"id": 7}]', True),
        ("It is 12…", "It is 12 degrees.", True),
        ("12", "It is 12 degrees.", True),
        ("2", "It is 12 degrees.", False),
        ("is", "this", False),
        ("気温", "今日の気温は12度", False),
        ("気温は12", "今日の気温は12度", True),
        ("13 degrees", "It is 12 degrees.", False),
        ("", "It is 12 degrees.", False),
        ("…", "It is 12 degrees…", False),
        ('"', 'a "word"', False),
    ],
)
def test_words_stand_in_a_text(quotation, text, stands):
    assert stands_in(quotation, text) is stands


def test_a_short_text_is_read_whole():
    assert excerpt("x" * 6_000, "", 6_000) == "x" * 6_000


@every_case("place", [0, 399, 400, 950_000, 1_999_000])
def test_what_is_asked_about_is_found_in_two_million_characters(place):
    fact = "The tide at Saint-Malo is 12.9 metres."
    text = "lorem ipsum " * 170_000
    text = f"{text[:place]} {fact} {text[place:]}"
    read = excerpt(text, "How high is the tide at Saint-Malo?", 6_000)
    assert stands_in(fact, read)
    assert len(read) < 6_000
    assert "characters left out" in read


@settings(deadline=None)
@given(st.text(min_size=1, max_size=300), st.text(max_size=40), st.integers(1, 40))
def test_an_excerpt_is_made_of_the_text(piece, question, times):
    text = piece * times
    read = excerpt(text, question, 1_500)
    assert len(read) <= max(1_500, 6 * 400) + 6 * 50
    assert read[:400] == text[:400]
