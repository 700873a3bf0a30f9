"""Requests begun, stopped, gone on with and branched from, by whoever has the conversation."""

from __future__ import annotations

import asyncio

import gradio as gr
import pytest

from controlllm.admission.jobs import Job
from controlllm.core.plans import Action, Plan, Solution, Subtask, TypedValue
from controlllm.core.questions import Question
from controlllm.core.session import Turn
from controlllm.resources.probing import BadInput
from controlllm.ui.handlers import Handlers
from controlllm.ui.outcome import CLOSED, NOTHING, changes
from controlllm.ui.owned import Owners
from controlllm.ui.verbs import LOOKS, VERBS
from controlllm.ui.verbs.asking import asked as begins
from controlllm.ui.verbs.conversations import found_by
from tests.every_case import every_case
from tests.ui.conftest import person, store
from tests.ui.person import Person
from tests.waiting import PATIENCE

SENT = {"turn": 0, "subtask": 0, "solution": 0, "question": 0, "choice": 0}


@pytest.fixture
def asked(person):
    """Somebody with one request that has one part with one way, and one question."""
    result = TypedValue("text", "<GEN>-0")
    way = Solution((Action("say", {}, result),), 5.0)
    plan = Plan((Subtask(0, "Say it", ("general",), (), result),), {0: (way,)})
    question = Question("Which?", 0, ("this", "that"), (0, 0))
    turn = Turn(0, "Say it", plan=plan, state="cancelled", questions=(question,))
    person.store.update(person.session_id, lambda session: session.with_turn(turn))
    return person


def test_what_is_asked_is_followed_to_its_end_also_where_it_is_none(person):
    async def work():
        run = begins(person.call(), "???", [])()
        await person.conversations.shared.jobs.have_ended(PATIENCE)
        return run.view

    view = asyncio.run(work())
    assert view.state == "failed" and "cannot find a request" in view.message


def test_a_request_may_name_only_files_and_turns_that_are_there(person):
    for attached, after in ((["gone.png"], None), ([], 0), ([], -2)):
        with pytest.raises(BadInput):
            begins(person.call(), "Do it", attached, after)


async def test_nobody_else_finds_anything_to_act_on(person):
    conversations, other = person.conversations, Person(person.conversations)
    handlers = Handlers(conversations, Owners())
    request = gr.Request(other.request)
    sent = {**SENT, "handle": person.handle}
    for name in VERBS:
        with pytest.warns(UserWarning, match="no such conversation"):
            changed = await handlers.do({**sent, "do": name}, other.handle, [], request)
        assert changed == changes(NOTHING)
    for name in LOOKS:
        assert (
            "no such conversation" in (await handlers.look({**sent, "do": name}, request))["error"]
        )
    assert not conversations.shared.jobs.of(Job)
    assert not conversations.deletions.is_leaving(person.session_id)


@every_case(
    ("name", "numbers"),
    [
        *(("ask-again", {"turn": turn}) for turn in (-1, 1, "x", None, 0.5, [])),
        *(("edit-message", {"turn": turn}) for turn in (-1, 1)),
        *(("try-way", {"turn": turn}) for turn in (-1, 1)),
        *(("try-way", {"solution": number}) for number in (-1, 1)),
        *(("keep-way", {"solution": number}) for number in (-1, 1)),
        *(("all-ways", {"turn": number}) for number in (-1, 1)),
        *(("branch", {"turn": number}) for number in (-1, 1)),
        ("switch", {"turn": "x"}),
        ("choose", {"choice": None}),
        ("act", {"subtask": []}),
        ("resume", {"turn": 0.5}),
        ("show-plan", {"turn": "x"}),
        ("ground", {"step": 5}),
        ("title", {"name": 5}),
        ("title", {"name": "x" * 121}),
        ("example", {"example": "none"}),
        ("attach", {}),
        ("name-file", {"value": "gone.png"}),
    ],
    anew=(store, person, asked),
)
def test_numbers_that_count_nothing_are_refused_with_a_sentence(asked, name, numbers):
    with pytest.raises(BadInput) as refused:
        asked.do(name, **{**SENT, **numbers})
    assert str(refused.value).endswith(".")


@every_case(
    ("name", "numbers"),
    [
        *((name, {"turn": turn}) for name in ("switch", "choose", "resume", "act")
          for turn in (-1, 1, 10**30)),
        *(("switch", {"solution": number}) for number in (-1, 1, 10**30)),
        *(("switch", {"subtask": number}) for number in (-1, 1)),
        *(("choose", {"question": number}) for number in (-1, 1)),
        *(("choose", {"choice": number}) for number in (-1, 2)),
        *(("act", {"subtask": number}) for number in (-1, 1)),
    ],
    anew=(store, person, asked),
)  # fmt: skip
def test_a_run_that_finds_nothing_under_a_number_says_so(asked, caplog, name, numbers):
    view = asked.run(name, **{**SENT, **numbers})
    assert view.state == "failed"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert len(asked.session.turns) == 1


def test_what_a_browser_sends_twice_is_one_run(person):
    async def work():
        conversations, session = person.conversations, person.session
        first = conversations.ask(session, "name", "owner", "???", [])
        assert conversations.ask(session, "name", "owner", "???", []) is first
        await conversations.shared.jobs.have_ended(PATIENCE)
        return first.view.state

    assert asyncio.run(work()) == "failed"


def test_a_second_run_of_a_turn_waits_for_no_one_and_a_second_request_does(asked, monkeypatch):
    monkeypatch.setattr(asked.conversations, "run_of", lambda session_id: "held")
    for name in ("switch", "choose", "resume", "act", "try-way", "keep-way", "ask-again"):
        with pytest.raises(BadInput, match="running"):
            asked.do(name, **SENT)
    begins(asked.call(), "Do it after that", [])
    assert [item.text for item in asked.session.waiting] == ["Do it after that"]


def test_a_message_is_edited_from_where_it_was_asked(asked):
    edited = asked.do("edit-message", turn=0)
    assert (edited.words, edited.attached) == ("Say it", ())
    assert edited.editing["after"] == -1 and edited.editing["said"]
    back = asked.do("stop-editing")
    assert (back.words, back.attached, back.editing) == ("", (), {})


def test_stopping_ends_all_that_runs_in_the_conversation(person):
    async def work():
        run = begins(person.call(), "Do it", [])()
        assert person.do("stop") == NOTHING
        await person.conversations.shared.jobs.have_ended(PATIENCE)
        return run

    assert asyncio.run(work()).cancelled.is_set()


def test_an_example_brings_its_files_along(person):
    begun = person.do("example", example="point")
    assert begun.begin is not None
    assert person.session.resources


def test_half_an_emoji_in_a_request_never_breaks_the_page(person):
    person.do("title", name="Say \ud83d now")
    assert person.session.title == "Say \ufffd now"


def test_a_conversation_is_named_found_and_only_by_its_owner(person):
    assert person.do("title", name="  Ärger   im Büro ").panel == CLOSED
    assert person.session.title == "Ärger im Büro"
    assert list(found_by(person.call(), "büro ÄRGER")) == [person.handle]
    assert found_by(person.call(), " ") == {}
    assert found_by(Person(person.conversations).call(), "büro") == {}
    person.do("title", name=" ")
    assert person.session.title == ""


def test_conversations_are_begun_opened_and_deleted_with_a_way_back(asked):
    first = asked.handle
    begun = asked.do("new-conversation")
    assert begun.here not in (None, first) and (begun.turn, begun.attached) == (-1, ())
    assert asked.do("open-conversation", handle=first).here == first
    gone = asked.do("delete-conversation", handle=first)
    assert gone.here not in (None, first)
    assert asked.conversations.deletions.is_leaving(asked.session_id)
    assert asked.do("restore-conversation", handle=first).here == first
    assert not asked.conversations.deletions.is_leaving(asked.session_id)


def test_one_that_cannot_be_read_keeps_no_page_from_opening_and_can_be_deleted(person):
    broken = person.handle
    person.do("title", name="Once")
    with person.store._database.transaction() as connection:
        connection.execute("UPDATE sessions SET content = '{'")
    opened = person.conversations.open(person.visitor, broken, False)
    assert opened.id != person.session_id
    assert person.session_id in person.visitor.ids
    call = type(person.call()).from_page
    gone = VERBS["delete-conversation"](
        call(person.request, person.conversations, "", {"handle": broken})
    )
    assert gone == NOTHING
    assert person.conversations.deletions.is_leaving(person.session_id)
    person.conversations.deletions.end()
    assert person.session_id not in person.visitor.ids
