"""Where results are kept apart, nobody gets another person's, nor learns that there is one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.core.events import ActionFinished
from controlllm.resources import Text
from controlllm.runs.assistant import Assistant
from controlllm.runs.run_options import RunOptions
from controlllm.settings import Settings
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox, tool

CALLED: list[str] = []


@tool(domain="natural-language-processing", examples=["Shout this text", "Write it in capitals"])
def shouts(text: Text) -> Text:
    """Write a text in capitals."""
    CALLED.append(text)
    return text.upper()


@pytest.fixture
def assistant(tmp_path):
    CALLED.clear()
    store = Store(tmp_path)
    yield Assistant(Toolbox.of([shouts]), store)
    store.close()


async def asked(assistant: Assistant, owner: str, settings: Settings, tmp_path) -> list[bool]:
    """Whether what was made for an owner's request was known already."""
    session = assistant.open_session(None).id
    assistant.store.owners.add(owner, [session])
    path = tmp_path / "note.txt"
    path.write_text("the same words for everybody")
    name = add_file(assistant.store, session, path, "note.txt")[0].value
    events = assistant.answer(session, "Shout this text", [name], RunOptions(settings))
    return [event.cached async for event in events if isinstance(event, ActionFinished)]


async def test_apart_each_person_has_their_own(assistant, tmp_path):
    apart = replace(Settings(), results_apart=True)
    assert await asked(assistant, "ada", apart, tmp_path) == [False]
    assert await asked(assistant, "ada", apart, tmp_path) == [True]
    assert await asked(assistant, "ben", apart, tmp_path) == [False]
    assert len(CALLED) == 2


async def test_together_what_was_made_once_is_everybodys(assistant, tmp_path):
    assert await asked(assistant, "ada", Settings(), tmp_path) == [False]
    assert await asked(assistant, "ben", Settings(), tmp_path) == [True]
    assert len(CALLED) == 1
    # What was shared before is not taken where results are kept apart.
    apart = replace(Settings(), results_apart=True)
    assert await asked(assistant, "ben", apart, tmp_path) == [False]


def test_who_goes_on_by_itself_is_no_matter_of_it():
    assert Settings(results_apart=True).mark == Settings().mark
