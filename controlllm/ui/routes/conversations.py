"""Conversations: opening, drawing, deleting one."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from controlllm.core.session import Session
from controlllm.ui.calls import OWN, Call, answer, in_thread


def open_conversation(call: Call) -> Response:
    """Open the page's conversation, or a new one, and give the browser its secret."""
    client = call.request.client
    call.visitor.have_secret()
    handle, new = call.field("handle", str, ""), call.field("new", bool, False)
    session = call.conversations.open(call.visitor, handle, new, client.host if client else "")
    response = answer(_drawn(call, session))
    call.visitor.remember(response, call.request.url.scheme == "https")
    return response


def conversation(call: Call) -> Response:
    """A conversation, drawn."""
    return answer(_drawn(call, call.conversations.assistant.open_session(call.session_id)))


def _drawn(call: Call, session: Session) -> dict[str, Any]:
    titles = call.conversations.titles(call.visitor)
    account = call.account
    who = {"shown": account.shown, "role": account.role} if account is not None else None
    return {**call.conversations.drawn(session), "conversations": titles, "account": who}


def delete_conversation(call: Call) -> Response:
    """Stop what runs in a conversation and forget it."""
    call.conversations.runs.stop_all(call.session_id)
    call.conversations.assistant.store.delete(call.session_id)
    return answer({"conversations": call.conversations.titles(call.visitor)})


ROUTES = (
    Route("/conversations", in_thread(open_conversation), methods=["POST"]),
    Route(OWN, in_thread(conversation), methods=["GET"]),
    Route(OWN, in_thread(delete_conversation), methods=["DELETE"]),
)
