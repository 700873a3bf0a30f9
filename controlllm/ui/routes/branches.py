"""The branches of a conversation: going from one to another."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response
from starlette.routing import Route

from controlllm.core.branches import newest_of
from controlllm.core.session import Session
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import OWN, Call, answer, in_thread
from controlllm.ui.texts import say


def show(call: Call) -> Response:
    """Show the branch over a turn, to its end."""
    number = call.field("turn", int)

    def change(session: Session) -> Session:
        if all(turn.number != number for turn in session.turns):
            raise BadInput(say("branches.gone"))
        return replace(session, head=newest_of(session, number))

    session = call.conversations.assistant.store.update(call.session_id, change)
    titles = call.conversations.titles(call.visitor)
    return answer({**call.conversations.drawn(session), "conversations": titles})


ROUTES = (Route(f"{OWN}/branch", in_thread(show), methods=["POST"]),)
