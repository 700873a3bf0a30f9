"""Why a tool is not in the ways of a request, asked of a real conversation."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import PIL.Image
import pytest

from controlllm.core.plans import Subtask
from controlllm.editing.why_not import WhyNot, request_of
from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.store.handed_over import add_file
from controlllm.toolbox import Toolbox


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """An assistant and a conversation in which a picture's edges were found."""
    folder = tmp_path_factory.mktemp("why")
    store = Store(folder / "home")
    assistant = Assistant(Toolbox.load(), store)
    path = folder / "a.png"
    PIL.Image.effect_mandelbrot((80, 60), (-2, -1, 1, 1), 20).convert("RGB").save(path)
    session = store.new_session()
    add_file(assistant.store, session.id, path, "a.png")

    async def ask():
        async for _ in assistant.answer(session.id, "Find the edges in the picture", ("a.png",)):
            pass

    asyncio.run(ask())
    yield assistant, store.load(session.id)
    store.close()


def why(asked, *names):
    assistant, session = asked
    return WhyNot(assistant).ask(session, 0, 0, names, assistant.settings)


def test_the_search_is_made_again_with_what_there_was(asked):
    session = asked[1]
    assert [item.value for item in request_of(session, session.turns[0]).resources] == ["a.png"]
    assert len(session.resources) == 2
    found = why(asked, "image_to_edge", "segment_by_points", "image_to_canny", "image_to_depth")
    assert found.is_same and found.shown == 1
    assert [item.kind for item in found.verdicts] == ["best", "needs", "low", "low"]
    assert list(found.missing) == ["image_to_depth"]
    assert found.proof.is_sure and found.proof.only_named


def test_it_is_searched_once_for_several_questions(asked, monkeypatch):
    assistant, session = asked
    times = []
    before = assistant.tools.planner_for
    monkeypatch.setattr(
        assistant.tools, "planner_for", lambda asked: times.append(1) or before(asked)
    )
    asking = WhyNot(assistant)
    for name in ("image_to_edge", "translation"):
        asking.ask(session, 0, 0, [name], assistant.settings)
    assert times == [1]
    with pytest.raises(IndexError):
        asking.ask(session, 0, 7, ["translation"], assistant.settings)
    with pytest.raises(IndexError):
        asking.ask(session, 5, 0, ["translation"], assistant.settings)


def test_a_part_that_is_found_no_more_is_not_explained(asked):
    assistant, session = asked

    class Other:
        graph = None

        def with_parts(self, **_):
            return self

        def decompose(self, _):
            return (Subtask(9, "something else", (), (), None),)

        def solve(self, *_):
            return iter(())

    asking = WhyNot(assistant)
    tools = SimpleNamespace(planner_for=lambda *_: Other())
    asking._assistant = SimpleNamespace(toolbox=assistant.toolbox, tools=tools)
    found = asking.ask(session, 0, 0, ["image_to_edge", "translation"], assistant.settings)
    # What a person sees counts, whatever a new search says.
    assert [item.kind for item in found.verdicts] == ["best", "not_searched"]
    assert not found.is_same and found.proof is None
