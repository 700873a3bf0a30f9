"""Counts of a text that a person can count by hand."""

from __future__ import annotations

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.words.counting import count_words

NOTE = "The cat sat. The other cats didn't!\nIt cost 3,500.50 euros.\n\nWas it the well-known cat?"


def test_all_counts_are_told_one_a_line() -> None:
    assert count_words(NOTE).split("\n") == [
        "Words: 16",
        "Characters: 87 (71 without blanks)",
        "Sentences: 4",
        "Lines: 3 (and 1 empty)",
        "Paragraphs: 2",
    ]


@every_case(
    "text, what, expected",
    [
        (NOTE, "words", "16 words."),
        (NOTE, "sentences", "4 sentences."),
        (NOTE, "paragraphs", "2 paragraphs."),
        (NOTE, "lines", "3 lines (and 1 empty)."),
        ("one", "words", "1 word."),
        ("a b", "characters", "3 characters (2 without blanks)."),
        ("e\u0301t\u00e9", "characters", "3 characters (3 without blanks)."),
        ("日本語 abc", "words", "4 words."),
        ("...", "words", "0 words."),
        ("one two\r\nthree\r\n", "lines", "2 lines."),
        ("word " * 1200, "words", "1,200 words."),
    ],
)
def test_a_single_figure(text: str, what: str, expected: str) -> None:
    assert count_words(text, what=what) == expected


@every_case(
    "word, expected",
    [
        ("the", "“the” occurs 3 times, and once inside another word."),
        ("'THE'", "“THE” occurs 3 times, and once inside another word."),
        ("cat", "“cat” occurs twice, and once inside another word."),
        ("didn’t", "“didn’t” occurs once."),
        ("it cost", "“it cost” occurs once."),
        ("dog", "“dog” does not occur in this text."),
        ("no", "“no” does not occur in this text, only once inside another word."),
    ],
)
def test_one_word(word: str, expected: str) -> None:
    assert count_words(NOTE, word) == expected


@every_case("text", ["", "  \n "])
def test_nothing_to_count(text: str) -> None:
    with pytest.raises(ToolError, match="empty"):
        count_words(text)


def test_a_text_that_is_too_long() -> None:
    with pytest.raises(ToolError, match="400,001"):
        count_words("a" * 400_001)
