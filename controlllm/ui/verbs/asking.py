"""Requests: asked, answered with a choice, done another way, stopped, gone on with, asked anew, and
those that wait until the one before them has ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from controlllm.core.events import Event
from controlllm.resources import ClickedPoint
from controlllm.resources.probing import BadInput
from controlllm.store.handed_over import add_file, add_points
from controlllm.ui import examples
from controlllm.ui.calls import Call
from controlllm.ui.outcome import NOTHING, Outcome
from controlllm.ui.streams import Run
from controlllm.ui.texts import say
from controlllm.ui.verbs.registry import verb


def name_of_run() -> str:
    """A name for a new run."""
    return f"run-{secrets.token_hex(6)}"


def begun(
    call: Call,
    turn: int,
    start: Callable[..., Any],
    *given: object,
    first: Event | None = None,
    **more: object,
) -> Outcome:
    """The outcome that begins a run of a turn, of what is `given`; a second one beside it waits.
    For `first` see `Conversations.begin`."""
    call.check_is_free()
    session = call.session()
    starts = partial(start, session.id, turn, *given, **more)
    run = (session, name_of_run(), call.owner, turn, starts)
    return Outcome(begin=partial(call.conversations.begin, *run, first=first), turn=-1)


def asked(
    call: Call, text: str, attached: Sequence[str], after: int | None = None
) -> Callable[[], object]:
    """What begins a new request, or lets it wait while another one runs.

    Raises BadInput where a file is gone, or where it goes on from a turn that is none.
    """
    session = call.session()
    there = {resource.value for resource in session.resources}
    for value in attached:
        if value not in there:
            raise BadInput(say("errors.file_gone", name=value))
    if after is not None and not -1 <= after < len(session.turns):
        raise BadInput(say("branches.gone"))
    conversations = call.conversations
    if conversations.run_of(session.id):
        conversations.queue.add(session.id, name_of_run(), text, attached)
        return partial(conversations.queue.begin_soon, session.id)
    return partial(conversations.ask, session, name_of_run(), call.owner, text, attached, after)


@verb("ask-again")
def ask_again(call: Call) -> Outcome:
    """Ask a request once more, beside what came of it before."""
    session = call.session()
    turn = call.turn(session)
    call.check_is_free()
    given = (session, name_of_run(), call.owner, turn.text, turn.attached, turn.follows)
    return Outcome(begin=partial(call.conversations.ask, *given), turn=-1)


@verb("edit-message")
def edit_message(call: Call) -> Outcome:
    """Ask a request in other words: they come into the field of the next message."""
    session = call.session()
    turn, there = call.turn(session), {resource.value for resource in session.resources}
    editing = {"after": turn.follows, "said": say("branches.editing")}
    attached = tuple(value for value in turn.attached if value in there)
    return Outcome(words=turn.text, attached=attached, editing=editing)


@verb("stop-editing")
def stop_editing(call: Call) -> Outcome:
    """Go back to a message of its own."""
    return Outcome(words="", attached=(), editing={})


@verb("example")
def example(call: Call) -> Outcome:
    """Begin with an example and its files."""
    found = {item.id: item for item in examples.examples()}
    wanted = found.get(call.field("example", str))
    if wanted is None:
        raise BadInput(say("errors.no_example"))
    call.conversations.shared.allowance.check_file(call.visitor.ids, 0)
    added = [
        add_file(call.store, call.session_id, examples.FOLDER / name, name)[0]
        for name in wanted.files
    ]
    if wanted.points and added:
        width, height = added[0].details["width"], added[0].details["height"]
        points = [
            ClickedPoint(int(point.x * width), int(point.y * height), point.positive)
            for point in wanted.points
        ]
        added.append(add_points(call.store, call.session_id, added[0].value, points))
    attached = [resource.value for resource in added]
    return Outcome(begin=asked(call, wanted.text, attached), turn=-1)


@verb("choose")
def choose(call: Call) -> Outcome:
    """Answer a question of a turn, and go on."""
    turn, *numbers = (call.number(name) for name in ("turn", "question", "choice"))
    return begun(call, turn, call.assistant.choose, *numbers)


@verb("act")
def act(call: Call) -> Outcome:
    """Have an agent work on a part step by step."""
    turn, subtask = call.number("turn"), call.number("subtask")
    return begun(call, turn, call.assistant.act, subtask)


@verb("resume")
def resume(call: Call) -> Outcome:
    """Go on with a turn that was stopped."""
    return begun(call, call.number("turn"), call.assistant.resume)


@verb("stop")
def stop(call: Call) -> Outcome:
    """Stop what runs in the conversation."""
    call.conversations.shared.jobs.forget(Run, call.session_id)
    return NOTHING


@verb("skip-step")
def skip_step(call: Call) -> Outcome:
    """End the step that an agent is making; it goes on with another."""
    call.assistant.skip_step(call.session_id, call.number("turn"))
    return NOTHING


# Those that wait.


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
