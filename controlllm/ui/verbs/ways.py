"""The plan and the ways of a turn: shown beside the conversation, all that were found, another one
used."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from controlllm.comparing.choosing import choose_way
from controlllm.core.session import Session
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.outcome import Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.asking import begun
from controlllm.ui.verbs.registry import verb


@verb("switch")
def switch(call: Call) -> Outcome:
    """Do a part another way: only what differs runs."""
    session, conversations = call.session(), call.conversations
    turn, subtask, solution = (call.number(name) for name in ("turn", "subtask", "solution"))
    if conversations.run_of(session.id):
        raise BadInput(say("notices.running_stop_or_wait"))
    with suppress(IndexError):  # the run says so
        choose_way(conversations.assistant.store, session, turn, subtask, solution)
    return replace(begun(call, conversations.switch, turn, subtask, solution), turn=turn)


@verb("show-plan")
def show_plan(call: Call) -> Outcome:
    """Show the plan of a turn beside the conversation."""
    return Outcome(turn=call.number("turn"), tab="plan")


@verb("show-ways")
def show_ways(call: Call) -> Outcome:
    """Show the ways that a turn could be done."""
    return Outcome(turn=call.number("turn"), tab="ways")


@verb("ground")
def show_ground(call: Call) -> Outcome:
    """Show the step that a piece of an answer rests on."""
    return Outcome(turn=call.number("turn"), tab="plan", node=call.field("step", str))


@verb("all-ways")
def show_all(call: Call) -> Outcome:
    """Show the ways of a part that were found beyond the best ones, too; nothing is run for it."""
    conversations, session = call.conversations, call.session()
    turn, subtask = call.number("turn"), call.number("subtask")
    if conversations.run_of(session.id):
        raise BadInput(say("notices.running_stop_or_wait"))
    settings = conversations.settings(session.id)
    try:
        further = conversations.why_not.further(session, turn, subtask, settings)
    except IndexError:
        raise BadInput(say("plan_editing.no_plan")) from None
    if not further:
        return Outcome(told=say("cards.no_more"))

    def change(current: Session) -> Session:
        there = current.turns[turn]
        assert there.plan is not None
        return current.with_turn(replace(there, plan=there.plan.with_further(subtask, further)))

    conversations.assistant.store.update(session.id, change)
    return Outcome(told=say("cards.more", count=len(further)))
