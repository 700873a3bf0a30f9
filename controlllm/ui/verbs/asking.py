"""Requests: asked, answered with a choice, done another way, stopped, gone on with, asked anew."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import partial

from controlllm.core.session import Session, Turn
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


def begun(call: Call, begin: Callable[..., Run], *given: object) -> Outcome:
    """The outcome that begins a run of the conversation; a second one beside it waits."""
    session = call.session()
    if call.conversations.run_of(session.id):
        raise BadInput(say("notices.running_stop_or_wait"))
    start = partial(begin, session, name_of_run(), call.visitor.owner, *given)
    return Outcome(begin=start, turn=-1)


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
    start = (session, name_of_run(), call.visitor.owner, text, attached, after)
    return partial(conversations.ask, *start)


@verb("ask-again")
def ask_again(call: Call) -> Outcome:
    """Ask a request once more, beside what came of it before."""
    turn = _turn(call, call.session())
    return begun(call, call.conversations.ask, turn.text, turn.attached, turn.follows)


@verb("edit-message")
def edit_message(call: Call) -> Outcome:
    """Ask a request in other words: they come into the field of the next message."""
    turn = _turn(call, call.session())
    there = {resource.value for resource in call.session().resources}
    editing = {"after": turn.follows, "said": say("branches.editing")}
    attached = tuple(value for value in turn.attached if value in there)
    return Outcome(words=turn.text, attached=attached, editing=editing)


def _turn(call: Call, session: Session) -> Turn:
    number = call.number("turn")
    if not 0 <= number < len(session.turns):
        raise BadInput(say("branches.gone"))
    return session.turns[number]


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
    assistant = call.conversations.assistant
    added = [
        add_file(assistant.store, call.session_id, examples.FOLDER / name, name)[0]
        for name in wanted.files
    ]
    if wanted.points and added:
        width, height = added[0].details["width"], added[0].details["height"]
        points = [
            ClickedPoint(int(point.x * width), int(point.y * height), point.positive)
            for point in wanted.points
        ]
        added.append(add_points(assistant.store, call.session_id, added[0].value, points))
    attached = [resource.value for resource in added]
    return Outcome(begin=asked(call, wanted.text, attached), turn=-1)


@verb("choose")
def choose(call: Call) -> Outcome:
    """Answer a question of a turn, and go on."""
    numbers = [call.number(name) for name in ("turn", "question", "choice")]
    return begun(call, call.conversations.choose, *numbers)


@verb("act")
def act(call: Call) -> Outcome:
    """Have an agent work on a part step by step."""
    return begun(call, call.conversations.act, call.number("turn"), call.number("subtask"))


@verb("resume")
def resume(call: Call) -> Outcome:
    """Go on with a turn that was stopped."""
    return begun(call, call.conversations.resume, call.number("turn"))


@verb("stop")
def stop(call: Call) -> Outcome:
    """Stop what runs in the conversation."""
    call.conversations.shared.jobs.forget(Run, call.session_id)
    return NOTHING


@verb("skip-step")
def skip_step(call: Call) -> Outcome:
    """End the step that an agent is making; it goes on with another."""
    call.conversations.assistant.skip_step(call.session_id, call.number("turn"))
    return NOTHING
