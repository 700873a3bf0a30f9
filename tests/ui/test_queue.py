"""Requests that wait: in order, after the one before, and only where nothing else is at work."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import gradio as gr
import pytest

from controlllm.core import events
from controlllm.core.session import Turn, Waiting
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.toolbox import Toolbox
from controlllm.ui.conversations import Conversations
from controlllm.ui.drawings.composer import queue
from controlllm.ui.handlers import Handlers
from controlllm.ui.owned import Owners
from controlllm.ui.queue import MOST_WAITING
from controlllm.ui.verbs.asking import change_waiting
from tests.ui.person import Person, conversations_of
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
    await conversations.shared.jobs.have_ended(PATIENCE)
    assert assistant.asked == ["Do the first", "Do b", "Do something else"]
    assert store.load(session.id).waiting == () and store.owners.waiting() == []


async def test_after_one_that_was_stopped_they_wait_for_the_person(conversations, store):
    session, assistant = store.new_session(), conversations.assistant
    assistant.goes_on.set()
    conversations.queue.add(session.id, "b", "Do b", [])
    conversations.ask(session, "first", "me", "stop this", [])
    await conversations.shared.jobs.have_ended(PATIENCE)
    held = store.load(session.id)
    assert assistant.asked == ["stop this"] and conversations.queue.is_held(held)
    assert "go-on-waiting" in queue(held.waiting, True)
    assert "go-on-waiting" not in queue(held.waiting, False)
    await conversations.queue.begin_next(session.id, by_hand=True)
    await conversations.shared.jobs.have_ended(PATIENCE)
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
    await again.shared.jobs.have_ended(PATIENCE)
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


def test_what_waits_is_changed_dropped_and_begun_by_hand(store):
    person = Person(conversations_of(Answering(store)))
    for name in ("a", "b"):
        person.conversations.queue.add(person.session_id, name, f"Do {name}", [])
    changing = person.do("edit-waiting", name="a", words="Do a")
    assert changing.words == "Do a" and changing.editing["waiting"] == "a"
    change_waiting(person.call(), "a", "Do that")
    person.do("drop-waiting", name="b")
    assert [item.text for item in person.session.waiting] == ["Do that"]
    for act in (
        lambda: person.do("drop-waiting", name="b"),
        lambda: change_waiting(person.call(), "b", "Do it"),
    ):
        with pytest.raises(BadInput, match="does not wait any more"):
            act()

    async def work():
        assistant = person.conversations.assistant
        assistant.goes_on.set()
        person.do("go-on-waiting").begin()
        await until(lambda: assistant.asked == ["Do that"])
        await person.conversations.shared.jobs.have_ended(PATIENCE)

    asyncio.run(work())
    assert person.session.waiting == ()


async def test_a_message_waits_while_another_runs_and_changes_one_that_waits(store):
    person = Person(conversations_of(Answering(store)))
    handlers, request = Handlers(person.conversations, Owners()), gr.Request(person.request)

    async def send(text, editing=None):
        message = {"text": text, "files": []}
        return await handlers.send(message, person.handle, [], editing, request)

    await send("Do the first")
    assistant = person.conversations.assistant
    await until(lambda: assistant.asked)
    await send("Do the next")
    (waiting,) = person.session.waiting
    await send("Do something else", {"waiting": waiting.name})
    assert [item.text for item in person.session.waiting] == ["Do something else"]
    assistant.goes_on.set()
    await until(lambda: len(assistant.asked) == 2)
    await person.conversations.shared.jobs.have_ended(PATIENCE)
    assert assistant.asked == ["Do the first", "Do something else"]
    # Without words nothing is asked, and nothing is lost.
    changed = await send("  ")
    assert len(assistant.asked) == 2 and changed[3]["value"]["text"] == ""
