"""Requests that wait: in order, after the one before, and only where nothing else is at work."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from controlllm.core import events
from controlllm.core.session import Turn, Waiting
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.store import Store
from controlllm.toolbox import Toolbox
from controlllm.ui import live as live_module
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.queue import MOST_WAITING
from controlllm.ui.server import routes_of
from tests.waiting import PATIENCE, until


class Answering(Assistant):
    """An assistant whose answers are told by the words; notes what was asked, in order."""

    def __init__(self, store):
        super().__init__(Toolbox.of([]), store)
        self.asked = []
        self.goes_on = asyncio.Event()

    async def answer(self, session_id, text, attached, after=None, waited="", **_):
        self.asked.append(text)
        session = self.store.load(session_id)
        turn = Turn(len(session.turns), text, tuple(attached))
        self.store.update(session_id, lambda now: now.without_waiting(waited).with_turn(turn))
        yield events.RequestReceived(turn.number, text)
        await self.goes_on.wait()
        state = "cancelled" if "stop" in text else "answered"
        self.store.update(
            session_id, lambda now: now.with_turn(Turn(turn.number, text, state=state))
        )
        is_stopped = state == "cancelled"
        yield events.RequestCancelled() if is_stopped else events.AnswerFinished("Done")


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "home")
    yield made
    made.close()


@pytest.fixture
def conversations(store):
    return Conversations(Answering(store), "cookie")


async def test_they_begin_in_order_each_after_the_one_before(conversations, store):
    session, assistant = store.new_session(), conversations.assistant
    conversations.ask(session, "first", "me", "Do the first", [])
    for name in ("b", "c"):
        conversations.queue.add(session.id, name, f"Do {name}", [])
    await conversations.queue.begin_next(session.id)
    await until(lambda: assistant.asked)
    assert assistant.asked == ["Do the first"], "nothing begins while another runs"
    conversations.queue.change(session.id, "c", "Do something else")
    assistant.goes_on.set()
    await until(lambda: len(assistant.asked) == 3)
    await conversations.runs.have_ended(PATIENCE)
    assert assistant.asked == ["Do the first", "Do b", "Do something else"]
    assert store.load(session.id).waiting == () and store.owners.waiting() == []


async def test_after_one_that_was_stopped_they_wait_for_the_person(conversations, store):
    session, assistant = store.new_session(), conversations.assistant
    assistant.goes_on.set()
    conversations.queue.add(session.id, "b", "Do b", [])
    conversations.ask(session, "first", "me", "stop this", [])
    await conversations.runs.have_ended(PATIENCE)
    held = store.load(session.id)
    assert assistant.asked == ["stop this"] and conversations.queue.is_held(held)
    assert "2 requests" not in conversations.standing(held)["queue"]
    await conversations.queue.begin_next(session.id, by_hand=True)
    await conversations.runs.have_ended(PATIENCE)
    assert assistant.asked == ["stop this", "Do b"]


async def test_what_waits_outlives_the_program_and_goes_on_by_itself(store):
    session = store.new_session()
    first = Conversations(Answering(store), "cookie")
    first.queue.add(session.id, "b", "Do b", [])
    other = store.new_session()
    asked_else = (Waiting("x", "Do x", (), "other settings"),)
    store.update(other.id, lambda now: replace(now, waiting=asked_else))
    assert set(store.owners.waiting()) == {session.id, other.id}
    again = Conversations(Answering(store), "cookie")
    again.assistant.goes_on.set()
    await again.queue.begin_all()
    await again.runs.have_ended(PATIENCE)
    assert again.assistant.asked == ["Do b"], "what was asked under other settings waits"
    assert again.queue.is_held(store.load(other.id))


def test_no_more_wait_than_may_and_none_that_cannot(conversations, store):
    session = store.new_session()
    with pytest.raises(BadInput, match="cannot find a request"):
        conversations.queue.add(session.id, "a", "???", [])
    for number in range(MOST_WAITING):
        conversations.queue.add(session.id, str(number), "Do it", [])
        conversations.queue.add(session.id, str(number), "Do it", [])
    with pytest.raises(BadInput, match="20 requests wait already"):
        conversations.queue.add(session.id, "one more", "Do it", [])
    conversations.queue.drop(session.id, "3")
    for act in (
        lambda: conversations.queue.drop(session.id, "3"),
        lambda: conversations.queue.change(session.id, "3", "Do that"),
    ):
        with pytest.raises(BadInput, match="does not wait any more"):
            act()


def test_tabs_hear_of_changes_for_a_while(conversations, store, monkeypatch):
    monkeypatch.setattr(live_module, "LASTS", 1.0)
    app = routes_of(conversations, Operating(store))
    client, other = (TestClient(app, base_url="http://127.0.0.1:7860") for _ in range(2))
    opened = client.post("/conversations", json={"new": True}).json()
    address = f"/conversations/{opened['handle']}"
    assert client.post(f"{address}/live", json={}).status_code == 422
    assert other.post(f"{address}/live", json={"mark": ""}).status_code == 404

    def heard(mark):
        said = client.post(f"{address}/live", json={"mark": mark}).text
        return [json.loads(line) for line in said.splitlines()]

    assert heard(opened["mark"]) == [{"ended": True}]
    named = client.post(f"{address}/title", json={"title": "  A  name "}).json()
    assert named["title"] == "A name"
    first, last = heard(opened["mark"])
    assert first["mark"] != opened["mark"] and not first["ended"] and last == {"ended": True}
    conversations.live.leaving.set()
    assert heard(first["mark"]) == [{"ended": True}]


def test_only_what_is_there_is_branched_from_named_and_searched(conversations, store):
    client = TestClient(
        routes_of(conversations, Operating(store)), base_url="http://127.0.0.1:7860"
    )
    handle = client.post("/conversations", json={"new": True}).json()["handle"]
    address = f"/conversations/{handle}"
    sent = {"run": "r", "text": "Do it", "attached": []}
    assert client.post(f"{address}/ask", json={**sent, "after": 0}).status_code == 422
    assert client.post(f"{address}/branch", json={"turn": 0}).status_code == 422
    assert client.post(f"{address}/title", json={"title": "x" * 121}).status_code == 422
    client.post(f"{address}/title", json={"title": "Ärger im Büro"})
    found = client.get("/search", params={"words": "büro ÄRGER"}).json()["found"]
    assert [item["handle"] for item in found] == [handle]
    assert client.get("/search", params={"words": " "}).json() == {"found": []}
