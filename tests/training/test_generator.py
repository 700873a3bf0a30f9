"""Requests composed for training: what is said of them has to be true."""

from __future__ import annotations

import re

import pytest

from training.generator import (
    CLAUSE_COUNTS,
    WORD_ROLES,
    Generator,
    LabelledRequest,
    read_wordings,
)
from training.intents import read_intents


@pytest.fixture(scope="module")
def wordings():
    return read_wordings()


@pytest.fixture(scope="module")
def requests(wordings) -> list[LabelledRequest]:
    generator = Generator(wordings, seed=7)
    return [generator.request() for _ in range(3000)]


def test_clauses_follow_each_other_inside_the_text(requests):
    for request in requests:
        end = 0
        for clause in request.clauses:
            assert end <= clause.start < clause.end <= len(request.text)
            assert request.text[clause.start : clause.end].strip()
            end = clause.end


def test_spans_lie_inside_their_clause_and_have_known_roles(requests):
    for request in requests:
        for clause in request.clauses:
            for span in clause.spans or ():
                assert clause.start <= span.start < span.end <= clause.end
                assert span.role in WORD_ROLES


def test_no_slot_is_left_open(requests):
    for request in requests:
        assert not re.search(r"\{\w+\}|\0", request.text), request.text


def test_every_intent_and_every_number_of_clauses_comes_up(requests):
    names = {clause.intent for request in requests for clause in request.clauses}
    assert names == {intent.name for intent in read_intents()}
    assert {len(request.clauses) for request in requests} == set(CLAUSE_COUNTS)


def test_the_same_seed_gives_the_same_requests(wordings):
    first, second, other = (Generator(wordings, seed) for seed in (3, 3, 4))
    texts = [first.request().text for _ in range(20)]
    assert texts == [second.request().text for _ in range(20)]
    assert texts != [other.request().text for _ in range(20)]


def test_words_that_a_slot_was_filled_with_are_labelled(wordings):
    generator = Generator(wordings, seed=1)
    prompts = set(wordings.fillers["prompt"])
    labelled = [
        request.text[span.start : span.end]
        for request in (generator.request() for _ in range(400))
        for clause in request.clauses
        for span in clause.spans or ()
        if span.role == "prompt"
    ]
    assert len(prompts & set(labelled)) > 20


def test_every_file_is_named_by_kind_and_number(requests):
    for request in requests:
        assert not re.search(r"\.(?:png|jpe?g|mp4|wav|mp3)\b", request.text), request.text
