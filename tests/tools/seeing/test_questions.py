"""Kinds of questions, as the tables beside the code tell them."""

from __future__ import annotations

from pathlib import Path

import pytest

from controlllm.toolbox import ToolError
from tests.every_case import every_case
from tools.seeing.embedded import answers, questions, relations
from tools.seeing.embedded.questions import Questions
from tools.video.embedded import file_answers, video_answers


def first_kind(kinds: Questions, question: str) -> str:
    return next((kind for kind, _ in kinds.read(questions.plain(question))), "")


@every_case(
    ("question", "kind"),
    [
        ("How many dogs can you see?", "how_many"),
        ("Please tell me what the colour of the car is", "colour"),
        ("What colour is the car?", "colour"),
        ("Which is bigger, the dog or the cat?", "compared"),
        ("Is the cat in front of or behind the laptop?", "which_relation"),
        ("Can you describe the picture?", "described"),
        ("her coat what color", "colour"),
        ("the roof, which colour is it?", "colour"),
        ("tell me whether there's a window in that room", "is_there"),
        ("any dog in it", "is_there"),
        ("Is that a stop sign or a yield sign at the far left??", "is_this"),
        ("Why is he sad?", ""),
    ],
)
def test_a_question_is_of_a_kind(question: str, kind: str) -> None:
    assert first_kind(answers.QUESTIONS, question) == kind


@every_case(
    ("question", "kind"),
    [("How long is the video?", "length"), ("Does anybody speak?", "speech"), ("Is it red?", "")],
)
def test_what_a_file_tells_is_known(question: str, kind: str) -> None:
    assert first_kind(file_answers._QUESTIONS, question) == kind


@every_case(
    ("question", "asked"),
    [
        ("Is there a ring on her finger or am I seeing things?", "is there a ring on her finger"),
        ("What colour is the hat, roughly?", "what colour is the hat"),
        ("is there a cat, or not", "is there a cat"),
        ("how many boats please", "how many boats"),
    ],
)
def test_what_asks_nothing_is_no_part_of_a_question(question: str, asked: str) -> None:
    assert questions.plain(question) == asked


@every_case(
    ("question", "parts"),
    [
        ("How many cups? How many spoons?", 2),
        ("which colour is the stamp and is it round", 2),
        ("how many cats, and what are they doing?", 2),
        ("What colour are the sky and the sea?", 1),
        ("Is there a dog and a cat?", 1),
    ],
)
def test_questions_that_are_asked_together_are_told_apart(question: str, parts: int) -> None:
    assert len(questions.each_of(question)) == parts


def test_every_kind_has_words_for_its_answer() -> None:
    pictures = {kind for kind, _ in answers.QUESTIONS._patterns}
    assert pictures == set(answers._RULES)
    assert {kind for kind, _ in video_answers._QUESTIONS._patterns} <= set(video_answers._OVER_TIME)
    assert set(video_answers._OVER_TIME) - pictures == {"when"}


def test_a_question_needs_words_and_is_not_endless() -> None:
    with pytest.raises(ToolError, match="no question"):
        questions.asked(" \n")
    assert len(questions.asked("why " * 5000)) == 2000


def test_lists_stand_in_patterns_and_lines_follow_each_other(tmp_path: Path) -> None:
    file = tmp_path / "kinds.toml"
    file.write_text(
        "words.pet = 'dog|cat'\n[patterns]\npets = '''^my (?:{pet})\n{2} and (?:{wild})$'''\n"
    )
    found = questions.patterns(file, wild="lion|bear")["pets"]
    assert found.search("my cat and lion") is None  # "{2}" is no list but a number of times
    assert found.search("my dogcat and bear")


def test_words_for_relations_name_one_each() -> None:
    assert relations.meant_by("on top of") == "on"
    assert relations.meant_by("to the left side of") == "to the left of"
    assert relations.meant_by("wear") == "with"
    assert set(relations.SIDES) <= set(relations.NAMED.values())
