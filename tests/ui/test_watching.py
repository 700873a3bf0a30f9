"""How a page follows its conversation: what it shows, when it is drawn anew, and when that ends."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing

import gradio as gr
import pytest

from controlllm.core import events
from controlllm.core.session import Turn, handle_of
from controlllm.settings import Settings
from controlllm.ui.handlers import LOOKS_AT, Handlers
from controlllm.ui.owned import Owners
from controlllm.ui.watching import Watch
from tests.ui.person import Person, Told
from tests.waiting import PATIENCE


def held_in(person):
    """A run in somebody's conversation that goes on until the test says so."""
    held = Told(jobs=person.conversations.shared.jobs, session=person.session_id)
    person.conversations.live.tell(person.session_id)
    return held


def watch(person, turn=-1, language="en"):
    return Watch(person.conversations, person.visitor, person.session_id, turn, language)


async def first_of(looks, wanted):
    """The first look that is as wanted; those before it may be any number."""
    async with asyncio.timeout(PATIENCE):
        async for look in looks:
            if wanted(look):
                return look
    raise AssertionError("it ended before it came to hold")


def history(look):
    return {key: html for key, html in look.talk["history"]}


def live(look):
    return "".join(look.talk["parts"])


async def test_an_empty_conversation_welcomes_and_json_can_hold_all_of_it(person):
    async with aclosing(watch(person).looks(asyncio.Event())) as looks:
        look = await anext(looks)
    assert list(history(look)) == ["welcome"] and not look.is_running
    for part in (look.talk, look.graph, look.ways, look.files, look.conversations, look.waiting,
                 look.leaves, look.named, look.top, look.compared):  # fmt: skip
        assert json.loads(json.dumps(part)) is not None
    assert look.conversations["handle"] == person.handle
    assert look.told == () and look.recipes == "Recipes"


async def test_it_speaks_the_language_of_whoever_looks(person):
    said = set()
    for language in ("en", "de"):
        async with aclosing(watch(person, language=language).looks(asyncio.Event())) as looks:
            said.add(history(await anext(looks))["welcome"])
    assert len(said) == 2


async def test_one_who_comes_late_sees_all_that_was_and_then_what_comes(person):
    held = held_in(person)
    async with aclosing(watch(person).looks(asyncio.Event())) as first:
        look = await first_of(first, lambda look: "Do it" in live(look))
        assert look.is_running and look.talk["key"] == "turn-0"
        assert "welcome" not in history(look)
    held.queue.put_nowait(events.AnswerToken("Half of "))
    async with aclosing(watch(person).looks(asyncio.Event())) as late:
        assert "Do it" in live(await first_of(late, lambda look: "Half of" in live(look)))
        turn = Turn(0, "Do it", answer="Half of it", state="answered")
        person.store.update(person.session_id, lambda session: session.with_turn(turn))
        held.queue.put_nowait(events.AnswerFinished("Half of it"))
        over = await first_of(late, lambda look: not look.is_running)
        assert "Half of it" in history(over)["turn-0"] and over.talk["key"] == ""
    await held.jobs.have_ended(PATIENCE)
    assert person.conversations.run_of(person.session_id) is None


async def test_each_page_that_shows_the_conversation_sees_what_is_done_in_another(person):
    async with aclosing(watch(person).looks(asyncio.Event())) as looks:
        await anext(looks)
        person.do("title", name="Another name")
        person.conversations.live.tell(person.session_id)
        look = await first_of(looks, lambda look: look.conversations["title"])
    assert look.conversations["title"] == "Another name"


async def test_a_turn_that_has_not_changed_is_not_drawn_again(person, monkeypatch):
    turn = Turn(0, "Do it", answer="Done.", state="answered")
    person.store.update(person.session_id, lambda session: session.with_turn(turn))
    async with aclosing(watch(person).looks(asyncio.Event())) as looks:
        first = await anext(looks)
        monkeypatch.setattr("controlllm.ui.watching.turn", None)
        person.do("title", name="Another name")
        person.conversations.live.tell(person.session_id)
        again = await first_of(looks, lambda look: look.conversations["title"])
    assert history(again) == history(first)


async def test_the_plan_of_the_turn_that_was_chosen_is_shown_and_else_the_newest(person):
    for number in range(2):
        turn = Turn(number, f"Do {number}", state="failed")
        person.store.update(person.session_id, lambda session, turn=turn: session.with_turn(turn))
    for wanted, shown in ((0, 0), (1, 1), (-1, 1), (7, 1)):
        async with aclosing(watch(person, wanted).looks(asyncio.Event())) as looks:
            assert (await anext(looks)).graph["turn"] == shown


async def test_it_ends_when_it_is_told_to_and_where_the_conversation_is_gone(person):
    ended = asyncio.Event()
    async with aclosing(watch(person).looks(ended)) as looks:
        await anext(looks)
        ended.set()
        assert [look async for look in looks] == []
    gone = watch(person)
    person.store.delete(person.session_id)
    with pytest.raises(KeyError):
        async for _ in gone.looks(asyncio.Event()):
            pass


async def test_a_page_that_goes_is_no_longer_drawn_for_and_the_run_goes_on(person):
    held = held_in(person)
    looks = watch(person).looks(asyncio.Event())
    await first_of(looks, lambda look: look.is_running)
    await looks.aclose()
    assert not held.run._watching and not person.conversations.live._watching
    assert not held.run.cancelled.is_set()
    held.queue.put_nowait(events.AnswerFinished("Done"))
    await held.jobs.have_ended(PATIENCE)
    assert held.run.view.state == "answered"


async def test_where_requests_go_is_shown_as_soon_as_they_go_elsewhere(person):
    async with aclosing(watch(person).looks(asyncio.Event())) as looks:
        before = (await anext(looks)).leaves
        settings = Settings("https://models.example/v1", "key")
        person.conversations.set_settings(person.session_id, settings)
        person.conversations.live.tell(person.session_id)
        after = await first_of(looks, lambda look: look.leaves != before)
    assert "models.example" in after.leaves["parts"][0]


# What the page calls.


def asking(person, page="page"):
    request = gr.Request(person.request)
    request.session_hash = page
    return request


@pytest.fixture
def handlers(person):
    return Handlers(person.conversations, Owners())


async def test_a_page_shows_what_its_address_names_else_the_newest(person, handlers):
    first = person.handle
    assert (await handlers.enter("", "", 0, asking(person)))[0] == first
    person.do("title", name="Kept")
    second = person.open()
    request = asking(person)
    assert (await handlers.enter("", first, 0, request))[0] == first
    assert (await handlers.enter("", "", 0, request))[0] in (first, second)
    # Where it shows that already its watch begins anew.
    assert (await handlers.enter(first, "", 4, request))[1] == 5
    other = Person(person.conversations)
    assert (await handlers.enter("", first, 0, asking(other)))[0] == other.handle


async def test_nobody_watches_the_conversation_of_somebody_else(person, handlers):
    other = Person(person.conversations)
    looks = [look async for look in handlers.watch(person.handle, "", asking(other))]
    assert looks == [[gr.skip()] * LOOKS_AT]


async def test_a_page_that_looks_anew_or_is_hidden_ends_its_look(person, handlers):
    first = handlers.watch(person.handle, "", asking(person))
    assert len(await anext(first)) == 13
    second = handlers.watch(person.handle, f"{person.handle}:0", asking(person))
    await anext(second)
    assert [look async for look in first] == []
    handlers.leave(asking(person, "another page"))
    handlers.leave(asking(person))
    assert [look async for look in second] == []
    assert not person.conversations.live._watching


async def test_the_list_shows_where_searched_words_stand(person, handlers):
    person.do("title", name="Kept under <this>")
    drawn = await handlers.search("under", person.handle, asking(person))
    assert "Kept under &lt;this&gt;" in drawn["parts"][0] or "&lt;this&gt;" in drawn["parts"][0]
    assert handle_of(person.session_id) in drawn["parts"][0]
    assert (await handlers.search(" ", person.handle, asking(person)))["parts"] != drawn["parts"]
