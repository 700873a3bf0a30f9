"""What is asked: the answer is a stream of drawings of a turn."""

from __future__ import annotations

from contextlib import aclosing

from starlette.responses import Response
from starlette.routing import Route

from controlllm.resources.probing import BadInput
from controlllm.session import Session
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


def _name(call: Call) -> str:
    """The name that a page gives a run."""
    name = call.field("run", str)
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput(say("errors.field_not_read", field="run"))
    return name


def _owner(call: Call) -> str:
    return call.visitor.owner


def ask(call: Call, session: Session) -> Drawings:
    text, attached = call.field("text", str), call.field("attached", list, [])
    after = call.field("after", int) if "after" in call.sent else None
    if after is not None and not -1 <= after < len(session.turns):
        raise BadInput(say("branches.gone"))
    run = call.conversations.ask(session, _name(call), _owner(call), text, attached, after)
    return _drawings(call, run)


def switch(call: Call, session: Session) -> Drawings:
    numbers = [call.field(name, int) for name in ("turn", "subtask", "solution")]
    return _drawings(call, call.conversations.switch(session, _name(call), _owner(call), *numbers))


def choose(call: Call, session: Session) -> Drawings:
    numbers = [call.field(name, int) for name in ("turn", "question", "choice")]
    return _drawings(call, call.conversations.choose(session, _name(call), _owner(call), *numbers))


def act(call: Call, session: Session) -> Drawings:
    numbers = [call.field(name, int) for name in ("turn", "subtask")]
    return _drawings(call, call.conversations.act(session, _name(call), _owner(call), *numbers))


def resume(call: Call, session: Session) -> Drawings:
    turn = call.field("turn", int)
    return _drawings(call, call.conversations.resume(session, _name(call), _owner(call), turn))


def follow(call: Call, session: Session) -> Drawings:
    """Watch a run that is in progress, from what it has come to."""
    return _drawings(call, call.conversations.runs.find(session.id, _name(call)))


async def _drawings(call: Call, run: Run | None) -> Drawings:
    if run is None:
        yield {"ended": True, "gone": True}
        return
    media = call.conversations.media(call.session_id, run.known)
    async with aclosing(run.drawings(media)) as drawings:
        async for drawing in drawings:
            yield drawing


def stop(call: Call) -> Response:
    return answer({"stopped": call.conversations.runs.stop(call.session_id, _name(call))})


def skip_step(call: Call) -> Response:
    assistant = call.conversations.assistant
    return answer({"skipped": assistant.skip_step(call.session_id, call.field("turn", int))})


ROUTES = (
    Route(f"{OWN}/ask", streamed(_ready_to_ask, ask), methods=["POST"]),
    Route(f"{OWN}/switch", streamed(Call.session, switch), methods=["POST"]),
    Route(f"{OWN}/choose", streamed(Call.session, choose), methods=["POST"]),
    Route(f"{OWN}/act", streamed(Call.session, act), methods=["POST"]),
    Route(f"{OWN}/resume", streamed(Call.session, resume), methods=["POST"]),
    Route(f"{OWN}/follow", streamed(Call.session, follow), methods=["POST"]),
    Route(f"{OWN}/stop", in_thread(stop), methods=["POST"]),
    Route(f"{OWN}/skip", in_thread(skip_step), methods=["POST"]),
)
