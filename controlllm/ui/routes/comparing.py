"""Ways compared: which two, one of them kept, what a way would do."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from controlllm.comparing.choosing import (
    choose_way,
    compare,
    known_of,
    take_back,
    whose,
)
from controlllm.core.plans import Plan
from controlllm.core.session import Session, Turn
from controlllm.ui.calls import OWN, Call, answer, in_thread, shown
from controlllm.ui.drawings.habits import remembered
from controlllm.ui.drawings.preview import preview
from controlllm.ui.texts import say
from controlllm.ui.view import TurnView


def _numbers(call: Call) -> tuple[int, int, int]:
    """Turn, subtask and way that a page names, where there is such a way; else HTTPException."""
    turn, subtask, way = (call.field(name, int) for name in ("turn", "subtask", "solution"))
    _found(call.session(), turn, subtask, way)
    return turn, subtask, way


def _found(session: Session, turn: int, subtask: int, way: int) -> tuple[Turn, Plan]:
    if 0 <= turn < len(session.turns):
        there = session.turns[turn]
        if there.plan is not None and 0 <= way < len(there.plan.solutions.get(subtask, ())):
            return there, there.plan
    raise HTTPException(404, say("compare.no_way"))


def keep(call: Call) -> Response:
    """Keep the way that is in use already: it is remembered."""
    choose_way(call.conversations.assistant.store, call.session(), *_numbers(call))
    return answer({"kept": True})


def let_go(call: Call) -> Response:
    """Take back that the way in use is kept."""
    turn, subtask, _ = _numbers(call)
    try:
        take_back(call.conversations.assistant.store, call.session(), turn, subtask)
    except IndexError:
        raise HTTPException(404, say("compare.no_way")) from None
    return answer({"kept": False})


def choose_pair(call: Call) -> Response:
    """Which two ways are compared; the same twice ends it."""
    numbers = [call.field(name, int) for name in ("turn", "subtask", "left", "right")]
    try:
        compare(call.conversations.assistant.store, call.session_id, *numbers)
    except IndexError:
        raise HTTPException(404, say("compare.no_way")) from None
    return answer({"compared": True})


def show_preview(call: Call) -> Response:
    """What a way would do, from what is known; nothing is run."""
    asked = call.request.query_params
    try:
        turn, subtask, way = (int(asked[name]) for name in ("turn", "subtask", "solution"))
    except (KeyError, ValueError):
        raise HTTPException(404, say("compare.no_way")) from None
    session, conversations = call.session(), call.conversations
    assistant = conversations.assistant
    there, _ = _found(session, turn, subtask, way)
    settings = conversations.settings(session.id)
    found = known_of(assistant.engine, assistant.store, session, there, subtask, way, settings)
    view, media = TurnView.of(there, session), conversations.media_of(session)
    return shown(preview(view, subtask, way, found, media, session.resources))


def forget(call: Call) -> Response:
    """Forget which ways were kept."""
    store = call.conversations.assistant.store
    store.choices.forget(whose(store, call.session_id))
    return shown(remembered(0))


ROUTES = (
    Route(f"{OWN}/keep", in_thread(keep), methods=["POST"]),
    Route(f"{OWN}/keep", in_thread(let_go), methods=["DELETE"]),
    Route(f"{OWN}/compare", in_thread(choose_pair), methods=["POST"]),
    Route(f"{OWN}/preview", in_thread(show_preview), methods=["GET"]),
    Route(f"{OWN}/choices", in_thread(forget), methods=["DELETE"]),
)
