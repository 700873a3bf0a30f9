"""Questions are plain data: JSON in and out."""

from __future__ import annotations

import json

from controlllm.questions import Question
from controlllm.resources import Box


def test_a_question_survives_being_stored():
    boxes = (Box(1, 2, 3, 4, "dog", 0.5), Box(5, 2, 9, 4, "dog", 0.4))
    for asked in (
        Question("Which way?", 1, ("Count them", "Find them"), solutions=(0, 2)),
        Question("Which dog?", 0, ("one", "two"), (), "a.jpg", boxes, "ab12", (1,)),
    ):
        assert Question.from_json(json.loads(json.dumps(asked.to_json()))) == asked
