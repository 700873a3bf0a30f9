"""Limits as the page meets them: of files, of conversations, of what is sent at once."""

from __future__ import annotations

import asyncio
import re

import gradio as gr
import pytest

from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.toolbox import Toolbox
from controlllm.ui.handlers import Handlers
from controlllm.ui.owned import Owners
from controlllm.ui.verbs import files
from controlllm.ui.verbs.files import take_in
from controlllm.ui.verbs.settings import set_fields
from tests.every_case import every_case
from tests.ui.conftest import store
from tests.ui.person import Person, conversations_of

QUOTAS = Quotas(
    visitor_sessions=3, visitor_bytes=5000, visitor_files=3, address_sessions=20, free_bytes=0
)


@pytest.fixture
def limited(store):
    return Person(conversations_of(Assistant(Toolbox.of([]), store), quotas=QUOTAS))


def written(folder, content, name="a.txt"):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(content)
    return path


def reached(application, limit):
    text = application.state.operating.figures.text().decode()
    found = re.search(f'limits_reached_total{{limit="{limit}"}} ([0-9.]+)', text)
    return float(found[1]) if found else 0


def test_files_beyond_what_is_kept_are_refused_and_leave_nothing(limited, tmp_path):
    reached_now = []
    limited.conversations.reached = reached_now.append

    def add(*contents):
        paths = [written(tmp_path / f"{n}", content) for n, content in enumerate(contents)]
        taken = take_in(limited.call(), paths)
        return len(taken.values), " ".join(taken.told)

    assert add(b"words " * 500) == (1, "")
    # One that is too much takes nothing of those beside it.
    count, told = add(b"other " * 500, b"small")
    assert count == 1 and "Delete a conversation" in told
    assert add(b"tiny") == (1, "")
    assert "3 files" in add(b"wee")[1]
    assert reached_now == ["visitor_bytes", "visitor_files"]
    assert len(limited.session.resources) == 3
    assert not list((limited.store.folder / "work").iterdir())


def test_one_file_that_cannot_be_taken_loses_none_of_the_others(person, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_FILES", 3)
    paths = [
        written(tmp_path, b"words"),
        written(tmp_path, b"no picture", "b.png"),
        written(tmp_path, b"more words", "c.txt"),
        written(tmp_path, b"left out", "d.txt"),
    ]
    taken = take_in(person.call(), paths)
    assert taken.values == ["a.txt", "c.txt"] and len(taken.told) == 2
    assert all(told.endswith(".") for told in taken.told)


def test_a_conversation_too_many_is_refused_until_one_is_deleted(limited, tmp_path):
    first = limited.handle
    for number in range(3):
        limited.add(written(tmp_path, b"%d" % number))
        if number < 2:
            limited.open()
    with pytest.raises(LimitReached, match="You have 3 conversations"):
        limited.do("new-conversation")
    reached_now = []
    limited.conversations.reached = reached_now.append
    pressed = Handlers(limited.conversations, Owners()).pressed("new-conversation")
    with pytest.warns(UserWarning, match="You have 3 conversations"):
        asyncio.run(pressed(limited.handle, [], gr.Request(limited.request)))
    assert reached_now == ["visitor_sessions"]
    limited.do("delete-conversation", handle=first)
    limited.conversations.deletions.end()
    assert limited.do("new-conversation").here


def test_an_address_cannot_open_conversations_without_end(limited):
    opened = [limited]
    with pytest.raises(LimitReached) as refused:
        while len(opened) < 30:
            opened.append(Person(limited.conversations))
    assert refused.value.limit == "address_sessions"
    assert len(opened) == limited.store.session_count() == 20
    # Another network is another one.
    assert Person(limited.conversations, client=("192.0.2.7", 1)).handle


@every_case(
    "sent",
    [{"preference": []}, {"model": "x" * 3000}, {"base_url": {"a": 1}}, {"variant": None}],
    anew=(store, limited),
)
def test_settings_that_are_none_are_refused_in_words(limited, sent):
    before = limited.conversations.settings(limited.session_id)
    with pytest.raises(BadInput, match="could not be read"):
        set_fields(limited.call(), sent)
    assert limited.conversations.settings(limited.session_id) == before


def test_more_clicks_than_anybody_makes_are_refused(limited):
    marks = {"points": [{"x": 1, "y": 1}] * 1001}
    with pytest.raises(BadInput):
        limited.look("regions", image="a.png", marks=marks)


def test_a_large_body_is_refused_before_it_is_read(browser_of, application):
    before = reached(application, "body_bytes")
    for path in ("component_server", "queue/join"):
        answer = browser_of().post(f"/gradio_api/{path}", content=b"x" * 3_000_000)
        assert answer.status_code == 413
    assert reached(application, "body_bytes") == before + 2


def test_every_page_that_may_be_open_has_a_place_in_the_queue_and_few_are_remembered(application):
    demo, most = application.state.page.demo, application.state.conversations.quotas.all_connections
    assert demo._queue.max_thread_count >= 2 * most
    assert demo.state_session_capacity <= 500


def test_whatever_hears_what_opens_is_asked_once_for_each_time(application):
    """Gradio's usual way for a change asks anew what is asked already, without end where two
    changes come soon one after the other: a dialog opened again that had been closed."""
    page = application.state.page
    hearing = [
        event for event in page.demo.fns.values() if (page.opens._id, "change") in event.targets
    ]
    assert len(hearing) > 5
    assert {event.trigger_mode for event in hearing} == {"multiple"}
