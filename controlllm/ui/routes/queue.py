"""Requests that wait: added, changed, removed, gone on with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controlllm.core.session import Session
from controlllm.resources.probing import BadInput
from controlllm.ui.calls import OWN, Call, Endpoint, answer, in_thread
from controlllm.ui.texts import say

#: Of the name of a run, in characters.
_LONGEST_NAME = 64


def _drawn(call: Call, session: Session) -> dict[str, Any]:
    return call.conversations.standing(session)


def waiting(call: Call) -> Response:
    """The requests that wait in a conversation."""
    return answer(_drawn(call, call.session()))


def _add(call: Call) -> None:
    there = {resource.value for resource in call.session().resources}
    attached = call.field("attached", list, [])
    for value in attached:
        if not isinstance(value, str) or value not in there:
            raise BadInput(say("errors.file_gone", name=value))
    call.conversations.queue.add(call.session_id, _name(call), call.field("text", str), attached)


def _change(call: Call) -> None:
    call.conversations.queue.change(call.session_id, _name(call), call.field("text", str))


def _drop(call: Call) -> None:
    call.conversations.queue.drop(call.session_id, _name(call))


def _name(call: Call) -> str:
    name = call.field("name", str)
    if not 0 < len(name) <= _LONGEST_NAME:
        raise BadInput(say("errors.field_not_read", field="name"))
    return name


def _then_begun(change: Callable[[Call], None], by_hand: bool = False) -> Endpoint:
    """A route that changes what waits, and begins the first where nothing runs."""

    async def endpoint(request: Request) -> Response:
        body = await request.body()

        def changed() -> Call:
            call = Call.of(request, body)
            change(call)
            return call

        call = await run_in_threadpool(changed)
        await call.conversations.queue.begin_next(call.session_id, by_hand)
        drawn = await run_in_threadpool(lambda: _drawn(call, call.session()))
        call.conversations.live.tell(call.session_id)
        return answer(drawn)

    return endpoint


ROUTES = (
    Route(f"{OWN}/queue", in_thread(waiting), methods=["GET"]),
    Route(f"{OWN}/queue", _then_begun(_add), methods=["POST"]),
    Route(f"{OWN}/queue/change", _then_begun(_change), methods=["POST"]),
    Route(f"{OWN}/queue/drop", _then_begun(_drop), methods=["POST"]),
    Route(f"{OWN}/queue/go-on", _then_begun(lambda call: None, True), methods=["POST"]),
)
