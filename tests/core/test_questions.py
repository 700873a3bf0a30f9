"""Questions are plain data: JSON in and out."""

from __future__ import annotations

import json

from controlllm.core.questions import Question, left_open
from controlllm.resources import Box


def test_a_question_survives_being_stored():
    boxes = (Box(1, 2, 3, 4, "dog", 0.5), Box(5, 2, 9, 4, "dog", 0.4))
    for asked in (
        Question("Which way?", 1, ("Count them", "Find them"), solutions=(0, 2), also=(3, 4)),
        Question("Which dog?", 0, ("one", "two"), (), "a.jpg", boxes, "ab12", (1,)),
    ):
        assert Question.from_json(json.loads(json.dumps(asked.to_json()))) == asked


def test_a_question_is_left_for_the_parts_that_nobody_decided():
    one = Question("Which way?", 0, ("a", "b"), (0, 1), also=(2,))
    other = Question("Which way?", 1, ("a", "b"), (0, 1))
    left = left_open((one, other), 0)
    assert [asked.subtasks for asked in left] == [(2,), (1,)]
    assert left_open(left, 1) == left[:1] and left_open(left[:1], 2) == ()
