"""What is said where something in the page is refused, and where it fails by a fault of ours."""

from __future__ import annotations

import asyncio
import logging

import gradio as gr
import pytest

from controlllm.core.plans import NotThere
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.toolbox import Toolbox
from controlllm.ui.handlers import Handlers, sentence_of
from controlllm.ui.owned import Owners
from tests.ui.person import Person, conversations_of


def test_a_refusal_is_said_in_its_own_words(caplog):
    assert sentence_of(BadInput("No picture.")) == "No picture."
    assert sentence_of(NotThere("No step 3.")) == "No step 3."
    assert sentence_of(KeyError("photo.jpg")) == "There is no such file."
    assert not caplog.records


@pytest.fixture
def page(store):
    person = Person(conversations_of(Assistant(Toolbox.of([]), store)))
    return person, Handlers(person.conversations, Owners())


def test_a_fault_of_ours_is_told_as_one_and_logged(page, monkeypatch, caplog):
    person, handlers = page
    told = []
    monkeypatch.setattr(gr, "Warning", told.append)

    def breaks(call):
        raise ZeroDivisionError("division by zero")

    with caplog.at_level(logging.ERROR):
        request = gr.Request(person.request)
        assert asyncio.run(handlers.done(breaks, person.handle, request)) is None
    assert told == ["Something went wrong on our side. Try it again, please."]
    assert "ZeroDivisionError" in caplog.text
