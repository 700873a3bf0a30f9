"""A language model that does not come to an end is ended, and that is told."""

from __future__ import annotations

import pytest

from controlllm.core.events import AnswerFinished
from controlllm.resources import Resource, Text
from controlllm.runs import answering
from controlllm.runs.assistant import Assistant
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.toolbox import Toolbox, tool
from tests.language.scripted_server import Said, serving


@tool(
    domain="natural-language-processing",
    examples=["Find a title for the text", "Give this a heading"],
)
def heading(text: Text) -> Text:
    """Find a title for a text."""
    return "A calm river"


@pytest.mark.parametrize("limit", ["MOST_CHARACTERS", "MOST_SECONDS"])
async def test_an_endless_answer_is_cut_off_and_says_so(tmp_path, monkeypatch, limit):
    monkeypatch.setattr(answering, limit, 0)
    store = Store(tmp_path / "home")
    with serving() as server:
        server.says(Said("one " + "more and more " * 500))
        settings = Settings(base_url=server.base_url, model="m", answer_with_model=True)
        assistant = Assistant(Toolbox.of([heading]), store, settings)
        session = store.new_session()
        digest = store.put_bytes(b"The river was calm. Boats lay at the shore.", "text/plain")
        given = Resource("text", "river.txt", digest, "text/plain", "uploaded")
        store.update(session.id, lambda now: now.with_resource(given))
        asked = "Find a title for river.txt"
        told = [event async for event in assistant.answer(session.id, asked, ["river.txt"])]
    assert isinstance(told[-1], AnswerFinished)
    assert told[-1].text == f"one …\n\n*{answering.NO_END}*"
    assert store.load(session.id).turns[0].answer == told[-1].text
    store.close()
