"""A tool that acts outside is called after a yes to just this call, or where it may without, and at
most once for what was asked."""

from __future__ import annotations

import asyncio
import threading

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionStarted, Doubt
from controlllm.engine import Engine, Terms
from controlllm.engine.asking import CHOICES, DO_IT, LEAVE_OUT
from controlllm.engine.attempt import AttemptHere, Failed
from controlllm.engine.scheduler import details_of
from controlllm.resources import Image, Resource, Text
from controlllm.toolbox import Toolbox, ToolError, tool
from tests.engine.bench import action, only, plan_of

SENT: list[str] = []
FAULTS: list[Exception] = []


@tool(domain="general", examples=["Send it."], acts_outside=True)
def send(text: Text, parts: list[Text] | None = None, copies: int = 1) -> Text:
    """Send a letter."""
    SENT.append(text)
    if FAULTS:
        raise FAULTS.pop()
    return f"sent {text}"


@send.implementation("cloud")
def _elsewhere(text: str, parts: list[str], copies: int) -> str:
    SENT.append(f"{text} elsewhere")
    return f"sent {text}"


@tool(domain="general", examples=["Share it."], acts_outside=True)
def share(image: Image) -> Text:
    """Show a picture to everybody."""
    return "shared"


@pytest.fixture
def run(bench):
    SENT.clear()
    FAULTS.clear()
    toolbox = Toolbox.of([*bench.definitions, send, share])

    def run(*parts, resources=(), occasion="session/0", attempt=None, **settings):
        engine = Engine(toolbox, bench.store, pause=0.0, attempt=attempt)
        plan = plan_of(*parts)
        return bench.run(plan, resources, engine=engine, occasion=occasion, **settings)

    return run


def letter(text="a letter", **inputs):
    return [[action("send", "<GEN>-0", text=text, **inputs)]]


def question_of(events):
    (doubt,) = only(events, Doubt)
    return doubt.question


def test_it_is_asked_first_and_done_after_a_yes_once(run):
    events = run(letter(), chosen={})
    question = question_of(events)
    assert question.choices == CHOICES and question.subtask == 0
    for told in ("send", "“Send a letter.”", "text: “a letter”", "copies: 1"):
        assert told in question.message
    assert SENT == [] and not only(events, ActionStarted)
    yes = {question.call: (DO_IT,)}
    assert only(run(letter(), chosen=yes), ActionFinished)
    assert only(run(letter(), chosen=yes), ActionFinished)
    assert SENT == ["a letter"]


def test_a_yes_holds_for_these_inputs_and_this_request_only(run):
    yes = {question_of(run(letter(), chosen={})).call: (DO_IT,)}
    assert question_of(run(letter("another letter"), chosen=yes))
    assert question_of(run(letter(parts=("more",)), chosen=yes))
    assert question_of(run(letter(), chosen=yes, occasion="session/1"))
    assert question_of(run([[]], letter(), chosen=yes)).subtask == 1
    assert SENT == []


def test_what_is_left_out_leaves_out_what_needs_it_and_says_so(run):
    parts = letter(), [[action("join", "<GEN>-1", text="<GEN>-0")]]
    no = {question_of(run(*parts, chosen={})).call: (LEAVE_OUT,)}
    events = run(*parts, [[action("join", "<GEN>-2", text="b")]], chosen=no)
    (told,) = only(events, ActionFailed)
    assert told.message == "You left this out: send was not called."
    assert "Part 2 needs the result and is left out." in told.next
    assert [event.key for event in only(events, ActionFinished)] == ["2.0.0"] and SENT == []


def test_it_is_asked_when_what_it_is_told_is_known(run):
    steps = [action("join", "<GEN>-0-1", text="Dear Bob"), *letter("<GEN>-0-1")[0]]
    question = question_of(run([steps], chosen={}))
    assert "text: “Dear Bob()”" in question.message
    run([steps], chosen={question.call: (DO_IT,)})
    assert SENT == ["Dear Bob()"]


def test_another_way_to_do_the_same_is_not_asked_about_again(run):
    yes = {question_of(run(letter(), chosen={})).call: (DO_IT,)}
    FAULTS.append(ToolError("There is no such address. Name another."))
    assert only(run(letter(), chosen=yes), ActionFinished)
    assert SENT == ["a letter", "a letter elsewhere"]


def test_one_call_is_asked_about_once(run):
    events = run([[*letter()[0], *letter()[0]]], chosen={})
    assert question_of(events)


def test_where_nobody_can_be_asked_it_is_not_done_unless_it_may(run):
    events = run(letter())
    (told,) = only(events, ActionFailed)
    assert "nobody here to ask" in told.message and "CONTROLLLM_ACT_OUTSIDE=allow" in told.message
    assert SENT == []
    assert only(run(letter(), may_act=True), ActionFinished)
    assert SENT == ["a letter"]


def test_who_can_be_asked_is_asked_whatever_may_be_done_without(run):
    assert question_of(run(letter(), chosen={}, may_act=True)) and SENT == []


def test_long_values_are_shortened_and_what_cannot_be_seen_is_not_shown(run, bench):
    words = "pay 5 \u202e" + "x" * 30_000 + " and then 7000"
    kept = bench.keep(words, "order.txt")
    for given, files in ((words, ()), ("order.txt", (kept,))):
        message = question_of(run(letter(given), resources=files, chosen={})).message
        assert "pay 5" in message and "and then 7000" in message and "\u202e" not in message
        assert "30,0" in message and len(message) < 800


def test_pictures_are_told_by_their_names(run):
    photo = Resource("image", "photo.png", "0" * 64, "image/png")
    events = run([[action("share", "<GEN>-0", image="photo.png")]], resources=(photo,), chosen={})
    assert "image: photo.png (image)" in question_of(events).message


@pytest.fixture
def send_it(run):
    return lambda attempt=None, occasion="session/0": run(
        letter(), attempt=attempt, occasion=occasion, may_act=True
    )


def test_what_was_sent_is_not_sent_again_for_the_same_request(send_it):
    assert only(send_it(), ActionFinished) and only(send_it(), ActionFinished)
    assert SENT == ["a letter"]
    assert only(send_it(occasion="session/1"), ActionFinished)
    assert SENT == ["a letter", "a letter"]


@pytest.mark.parametrize("failed", [Failed("It crashed.", may_pass=True), Failed("It hung.")])
def test_a_call_that_ended_in_the_middle_is_told_as_unknown(send_it, failed):
    calls = []

    def attempt(call, cancelled, report):
        calls.append(call)
        return failed

    (told,) = only(send_it(attempt), ActionFailed)
    assert "not known whether “send” did its work" in told.message
    assert len(calls) == 1
    # Neither when it is asked to go on, nor by another implementation.
    again = send_it()
    (told,) = only(again, ActionFailed)
    assert "not known whether “send” did its work" in told.message
    assert not only(again, ActionStarted) and SENT == []


def test_a_connection_that_was_lost_may_have_carried_it(send_it):
    FAULTS.append(ConnectionError("lost"))
    (told,) = only(send_it(), ActionFailed)
    assert "not known" in told.message and SENT == ["a letter"]


def test_a_tool_that_refuses_has_done_nothing(send_it):
    FAULTS.append(ToolError("There is no such address. Name another."))
    events = send_it()
    assert only(events, ActionFailed)[0].message.startswith("There is no such address")
    assert only(events, ActionFinished) and SENT == ["a letter", "a letter elsewhere"]


def test_a_program_that_ended_in_the_middle_does_not_send_again(send_it, bench):
    class Ended(BaseException):
        pass

    def attempt(call, cancelled, report):
        AttemptHere(bench.store, details_of)(call, cancelled, report)
        raise Ended  # before the receipt

    send_it(attempt)
    assert SENT == ["a letter"]
    (told,) = only(send_it(), ActionFailed)
    assert "not known" in told.message and SENT == ["a letter"]


def test_one_that_was_stopped_before_it_began_is_called_when_it_goes_on(send_it, bench):
    cancelled = threading.Event()
    cancelled.set()
    engine = Engine(Toolbox.of([send]), bench.store)

    async def stopped():
        return [
            event
            async for event in engine.run(
                plan_of(letter()),
                {},
                name_output=lambda step, media_type: "x",
                cancelled=cancelled,
                terms=Terms(occasion="session/0", may_act=True),
            )  # fmt: skip
        ]

    assert asyncio.run(stopped()) == []
    assert only(send_it(), ActionFinished) and SENT == ["a letter"]


def test_nothing_is_sent_in_place_of_a_way_that_failed(bench):
    """A failed search for a letter must not end in one that is sent; a later way that sends none
    is taken."""
    SENT.clear()

    def fail(name, context):
        if name == "search":
            raise ToolError("There is no such letter.")

    bench.before = fail
    bench.definitions.append(send)
    search = [action("join", "<GEN>-0", text="search")]
    sending = [action("send", "<GEN>-0", text="a letter")]
    events = bench.run(plan_of([search, sending]))
    assert only(events, ActionFailed) and not only(events, ActionFinished)
    events = bench.run(plan_of([search, sending, [action("join", "<GEN>-0", text="other")]]))
    assert [event.tool for event in only(events, ActionFinished)] == ["join"]
    assert SENT == []
