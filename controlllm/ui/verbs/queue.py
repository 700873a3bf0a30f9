"""Requests that wait until the one before them has ended."""

from __future__ import annotations

from functools import partial

from controlllm.ui.calls import Call
from controlllm.ui.outcome import Outcome
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb


@verb("edit-waiting")
def edit_waiting(call: Call) -> Outcome:
    """Change the words of one that waits: they come into the field of the next message."""
    editing = {"waiting": call.field("name", str), "said": say("branches.editing_waiting")}
    return Outcome(words=call.field("words", str), editing=editing)


def change_waiting(call: Call, name: str, text: str) -> Outcome:
    """Ask for something else in the place of one that waits."""
    call.conversations.queue.change(call.session_id, name, text)
    return _begin_next(call, False, say("queue.changed"))


@verb("drop-waiting")
def drop_waiting(call: Call) -> Outcome:
    """Remove one that waits."""
    call.conversations.queue.drop(call.session_id, call.field("name", str))
    return _begin_next(call, False, say("queue.dropped"))


@verb("go-on-waiting")
def go_on_waiting(call: Call) -> Outcome:
    """Begin the first that waits, whatever has happened before."""
    return _begin_next(call, True)


def _begin_next(call: Call, by_hand: bool, told: str = "") -> Outcome:
    queue = call.conversations.queue
    return Outcome(told=told, begin=partial(queue.begin_soon, call.session_id, by_hand))
