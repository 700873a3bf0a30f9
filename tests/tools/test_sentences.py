"""Sentences of written text and of transcripts."""

from __future__ import annotations

from tests.every_case import every_case
from tools.shared.sentences import split_sentences


@every_case(
    "sentences",
    [
        ["Dr. Smith lives at 5 Mill St. in Leeds.", "He works for Acme Inc. and sings."],
        ["She lives in Mill St.", "He left."],
        ["We went to St. Ives in Aug. 2019.", "It rained."],
        ['"Why?" he asked.', '"Because!" she cried.', "They left."],
        ["“I am here,” he said.", "“Are you?”"],
        ["See Fig. 3 and Sec. 3.2 of Liu et al. 2023.", "Then rest."],
        ["Wait... what?", "No!"],
    ],
)
def test_shortened_words_and_quotations_end_no_sentence(sentences: list[str]) -> None:
    assert split_sentences(" ".join(sentences)) == sentences


def test_a_transcript_without_marks_is_cut_where_a_thought_begins() -> None:
    thought = "and then we walked along the river until the old mill came into sight"
    found = split_sentences(" ".join(["so we set out early", *[thought] * 6]))
    assert len(found) > 2
    assert all(len(sentence.split()) <= 34 for sentence in found)
