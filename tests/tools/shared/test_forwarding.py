"""Tools whose inputs are handed on to a function elsewhere."""

from __future__ import annotations

import inspect
from typing import Any

from controlllm.toolbox import Context
from tools.hub import downloaded, perception
from tools.seeing.question_answering import image_question_answering
from tools.shared.forwarding import forwarded


def test_inputs_are_handed_on_in_the_order_of_the_tool() -> None:
    function = forwarded(image_question_answering, lambda inputs, context: list(inputs.items()))
    found = function(question="how many?", image="a picture", context=Context())
    assert found == [("image", "a picture"), ("question", "how many?")]
    assert [*inspect.signature(function).parameters] == ["image", "question", "context"]


def test_downloaded_weights_come_before_the_inputs(tmp_path, monkeypatch) -> None:
    def detect(*given: Any) -> Any:
        return given

    monkeypatch.setattr(perception, "detect", detect)
    function = downloaded.work_of(image_question_answering, "perception.detect")
    context = Context(weights={"model": tmp_path})
    found = function(question="how many?", image="a picture", context=context)
    assert found == (tmp_path, "a picture", "how many?", context)
