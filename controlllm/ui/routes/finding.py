"""Conversations found again: by their names, and by what was said in them."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response
from starlette.routing import Route

from controlllm.core.session import Session, handle_of, title_of
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import OWN, Call, answer, in_thread
from controlllm.ui.texts import say

_MOST_CHARACTERS = 120
#: Of what is searched for, in characters.
_MOST_WORDS = 200


def name(call: Call) -> Response:
    """Name a conversation; an empty name makes it what its first request makes of it."""
    title = " ".join(call.field("title", str).split())
    if len(title) > _MOST_CHARACTERS:
        raise BadInput(say("search.too_long", most=_MOST_CHARACTERS))

    def change(session: Session) -> Session:
        first = title_of(session.turns[0].text) if session.turns else ""
        return replace(session, title=title or first)

    session = call.conversations.assistant.store.update(call.session_id, change)
    titles = call.conversations.titles(call.visitor)
    return answer({"title": session.title or say("conversations.new"), "conversations": titles})


def search(call: Call) -> Response:
    """The visitor's conversations in which words stand."""
    words = call.request.query_params.get("words", "")[:_MOST_WORDS]
    owners = call.conversations.assistant.store.owners
    found = owners.search(call.visitor.owner, words) if words.strip() else []
    return answer({"found": [{"handle": handle_of(key), "around": text} for key, text in found]})


ROUTES = (
    Route("/search", in_thread(search), methods=["GET"]),
    Route(f"{OWN}/title", in_thread(name), methods=["POST"]),
)
