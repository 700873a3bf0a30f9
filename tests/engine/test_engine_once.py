"""Tools that do what cannot be taken back are called at most once for what was asked."""

from __future__ import annotations

import asyncio
import threading

import pytest

from controlllm.core.events import ActionFailed, ActionFinished, ActionStarted
from controlllm.engine import Engine, Terms
from controlllm.engine.attempt import AttemptHere, Failed
from controlllm.engine.scheduler import details_of
from controlllm.resources import Text
from controlllm.toolbox import Toolbox, ToolError, tool
from tests.engine.bench import action, only, plan_of

SENT: list[str] = []
FAULTS: list[Exception] = []


@tool(domain="general", examples=["Send it."], acts_outside=True)
def send(text: Text) -> Text:
    """Send a letter."""
    SENT.append(text)
    if FAULTS:
        raise FAULTS.pop()
    return f"sent {text}"


@send.implementation("cloud")
def _elsewhere(text: str) -> str:
    SENT.append(f"{text} elsewhere")
    return f"sent {text}"


PLAN = plan_of([[action("send", "<GEN>-0", text="a letter")]])


@pytest.fixture
def run(bench):
    SENT.clear()
    FAULTS.clear()

    def run(attempt=None, occasion="session/0"):
        toolbox = Toolbox.of([send])
        engine = Engine(toolbox, bench.store, pause=0.0, attempt=attempt)
        return bench.run(PLAN, engine=engine, occasion=occasion, may_act=True)

    return run


def test_what_was_sent_is_not_sent_again_for_the_same_request(run):
    assert only(run(), ActionFinished) and only(run(), ActionFinished)
    assert SENT == ["a letter"]
    assert only(run(occasion="session/1"), ActionFinished)
    assert SENT == ["a letter", "a letter"]


@pytest.mark.parametrize("failed", [Failed("It crashed.", may_pass=True), Failed("It hung.")])
def test_a_call_that_ended_in_the_middle_is_told_as_unknown(run, failed):
    calls = []

    def attempt(call, cancelled, report):
        calls.append(call)
        return failed

    (told,) = only(run(attempt), ActionFailed)
    assert "not known whether “send” did its work" in told.message
    assert len(calls) == 1
    # Neither when it is asked to go on, nor by another implementation.
    again = run()
    (told,) = only(again, ActionFailed)
    assert "not known whether “send” did its work" in told.message
    assert not only(again, ActionStarted) and SENT == []


def test_a_connection_that_was_lost_may_have_carried_it(run):
    FAULTS.append(ConnectionError("lost"))
    (told,) = only(run(), ActionFailed)
    assert "not known" in told.message and SENT == ["a letter"]


def test_a_tool_that_refuses_has_done_nothing(run):
    FAULTS.append(ToolError("There is no such address. Name another."))
    events = run()
    assert only(events, ActionFailed)[0].message.startswith("There is no such address")
    assert only(events, ActionFinished) and SENT == ["a letter", "a letter elsewhere"]


def test_a_program_that_ended_in_the_middle_does_not_send_again(run, bench):
    class Ended(BaseException):
        pass

    def attempt(call, cancelled, report):
        AttemptHere(bench.store, details_of)(call, cancelled, report)
        raise Ended  # before the receipt

    run(attempt)
    assert SENT == ["a letter"]
    (told,) = only(run(), ActionFailed)
    assert "not known" in told.message and SENT == ["a letter"]


def test_one_that_was_stopped_before_it_began_is_called_when_it_goes_on(run, bench):
    cancelled = threading.Event()
    cancelled.set()
    engine = Engine(Toolbox.of([send]), bench.store)

    async def stopped():
        return [
            event
            async for event in engine.run(
                PLAN,
                {},
                name_output=lambda step, media_type: "x",
                cancelled=cancelled,
                terms=Terms(occasion="session/0", may_act=True),
            )  # fmt: skip
        ]

    assert asyncio.run(stopped()) == []
    assert only(run(), ActionFinished) and SENT == ["a letter"]


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
