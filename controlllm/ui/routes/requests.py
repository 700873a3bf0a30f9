"""What is asked: the answer is a stream of drawings of a turn."""

from __future__ import annotations

from contextlib import aclosing, suppress

from starlette.responses import Response
from starlette.routing import Route

from controlllm.comparing.choosing import choose_way, take_back
from controlllm.core.plans import NotThere
from controlllm.core.session import Session
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import OWN, Call, Drawings, answer, in_thread, streamed
from controlllm.ui.streams import Run
from controlllm.ui.texts import say

#: Of the name of a run, in characters.
_LONGEST_NAME = 64


def _ready_to_ask(call: Call) -> Session:
    session = call.session()
    there = {resource.value for resource in session.resources}
    for value in call.field("attached", list, []):
        if not isinstance(value, str) or value not in there:
            raise BadInput(say("errors.file_gone", name=value))
    return session


def name_of_run(call: Call) -> str:
    """The name that a page gives a run."""
    name = call.field("run", str)
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput(say("errors.field_not_read", field="run"))
    return name


def owner_of(call: Call) -> str:
    """Whose request it is, for a fair line."""
    return call.visitor.owner


def ask(call: Call, session: Session) -> Drawings:
    """Answer a request, after the turn that is named or the last."""
    text, attached = call.field("text", str), call.field("attached", list, [])
    after = call.field("after", int) if "after" in call.sent else None
    if after is not None and not -1 <= after < len(session.turns):
        raise BadInput(say("branches.gone"))
    run = call.conversations.ask(session, name_of_run(call), owner_of(call), text, attached, after)
    return drawings(call, run)


def _ready_to_switch(call: Call) -> Session:
    session = call.session()
    numbers = (call.field(name, int) for name in ("turn", "subtask", "solution"))
    store, (turn, subtask, solution) = call.conversations.assistant.store, numbers
    if call.field("take_back", bool, False):
        with suppress(NotThere):  # nothing was kept
            take_back(store, session, turn, subtask)
    else:
        choose_way(store, session, turn, subtask, solution)
    return call.session()


def _about_a_turn(call: Call) -> Session:
    session = call.session()
    session.turn(call.field("turn", int))
    return session


def switch(call: Call, session: Session) -> Drawings:
    """Take another solution of a subtask."""
    turn, subtask, solution = (call.field(name, int) for name in ("turn", "subtask", "solution"))
    name, owner = name_of_run(call), owner_of(call)
    run = call.conversations.switch(session, name, owner, turn, subtask, solution)
    return drawings(call, run)


def try_way(call: Call, session: Session) -> Drawings:
    """Run another way beside the one in use."""
    turn, subtask, solution = (call.field(name, int) for name in ("turn", "subtask", "solution"))
    name, owner = name_of_run(call), owner_of(call)
    run = call.conversations.try_way(session, name, owner, turn, subtask, solution)
    return drawings(call, run)


def choose(call: Call, session: Session) -> Drawings:
    """Answer a question of a turn, and go on."""
    numbers = [call.field(name, int) for name in ("turn", "question", "choice")]
    return drawings(
        call, call.conversations.choose(session, name_of_run(call), owner_of(call), *numbers)
    )


def act(call: Call, session: Session) -> Drawings:
    """Have an agent work on a subtask step by step."""
    numbers = [call.field(name, int) for name in ("turn", "subtask")]
    return drawings(
        call, call.conversations.act(session, name_of_run(call), owner_of(call), *numbers)
    )


def resume(call: Call, session: Session) -> Drawings:
    """Go on with a turn that was interrupted."""
    turn = call.field("turn", int)
    return drawings(
        call, call.conversations.resume(session, name_of_run(call), owner_of(call), turn)
    )


def follow(call: Call, session: Session) -> Drawings:
    """Watch a run that is in progress, from what it has come to."""
    return drawings(call, call.conversations.runs.find(session.id, name_of_run(call)))


async def drawings(call: Call, run: Run | None) -> Drawings:
    """How a run goes, as its turn is drawn."""
    if run is None:
        yield {"ended": True, "gone": True}
        return
    media = call.conversations.media(call.session_id, run.known)
    async with aclosing(run.drawings(media)) as drawn:
        async for drawing in drawn:
            yield drawing


def stop(call: Call) -> Response:
    """Stop a run."""
    return answer({"stopped": call.conversations.runs.stop(call.session_id, name_of_run(call))})


def skip_step(call: Call) -> Response:
    """End the step that an agent is making; it goes on with another."""
    assistant = call.conversations.assistant
    return answer({"skipped": assistant.skip_step(call.session_id, call.field("turn", int))})


ROUTES = (
    Route(f"{OWN}/ask", streamed(_ready_to_ask, ask), methods=["POST"]),
    Route(f"{OWN}/switch", streamed(_ready_to_switch, switch), methods=["POST"]),
    Route(f"{OWN}/try", streamed(_about_a_turn, try_way), methods=["POST"]),
    Route(f"{OWN}/choose", streamed(_about_a_turn, choose), methods=["POST"]),
    Route(f"{OWN}/act", streamed(_about_a_turn, act), methods=["POST"]),
    Route(f"{OWN}/resume", streamed(_about_a_turn, resume), methods=["POST"]),
    Route(f"{OWN}/follow", streamed(Call.session, follow), methods=["POST"]),
    Route(f"{OWN}/stop", in_thread(stop), methods=["POST"]),
    Route(f"{OWN}/skip", in_thread(skip_step), methods=["POST"]),
)
