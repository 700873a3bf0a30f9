"""What a request to one of the page's routes brings along, and how it is answered.

A conversation is looked for among those of the browser's own cookie; what belongs to anybody else
does not exist for it (404).
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from controlllm.accounts import Account
from controlllm.core.session import Session
from controlllm.resources.probing import BadInput
from controlllm.resources.well_formed import json_from_outside
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import is_from_here, is_on_behalf
from controlllm.ui.signing_in import account_of
from controlllm.ui.texts import say
from controlllm.ui.visitor import Visitor

T = TypeVar("T")
Endpoint = Callable[[Request], Awaitable[Response]]
Drawings = AsyncGenerator[Mapping[str, Any], None]

#: Where what belongs to one conversation lies.
OWN = "/conversations/{handle}"

#: Conversations are nobody else's business, also not of a computer that several people use.
_NOT_KEPT = {"cache-control": "no-store"}


@dataclass(frozen=True)
class Call:
    """A request: whose it is, which conversation it is about, and what was sent.

    Parameters
    ----------
    sent: the fields of the JSON object that was sent.
    session_id: the id of the conversation that the address names; empty where it names none.
    """

    request: Request
    conversations: Conversations
    visitor: Visitor
    sent: Mapping[str, Any]
    session_id: str

    @classmethod
    def of(cls, request: Request, body: bytes = b"") -> Call:
        """What a request brings; looks into the store, so call it in a thread.

        Raises HTTPException (404) where the conversation is none of the visitor's own, BadInput
        where the body is no JSON object.
        """
        conversations: Conversations = request.app.state.conversations
        visitor = conversations.visitor(request)
        session_id = ""
        if "handle" in request.path_params:
            try:
                session_id = visitor.session_id(request.path_params["handle"])
            except KeyError:
                raise HTTPException(404, say("errors.no_conversation")) from None
        return cls(request, conversations, visitor, _fields(request, body), session_id)

    @property
    def account(self) -> Account | None:
        """Who sends it; None where the server has no accounts."""
        return account_of(self.request)

    @property
    def is_operators(self) -> bool:
        """Whether it comes from whoever runs the server: by their account; where there are none,
        anybody's on a server that nobody else reaches, and those who sit at it."""
        if self.account is not None:
            return self.account.role == "operator"
        is_alone = not self.conversations.is_shared and not is_on_behalf(self.request)
        return is_alone or is_from_here(self.request)

    @property
    def may_pull(self) -> bool:
        """Whether it may change what lies on this machine: fetch weights and remove them, try all
        tools."""
        if self.account is not None:
            return self.is_operators
        return self.conversations.may_pull

    def field(self, name: str, kind: type[T], usual: T | None = None) -> T:
        """A field that was sent; raises BadInput where it is missing or of another kind."""
        value = self.sent.get(name, usual)
        # True is an int to Python.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadInput(say("errors.field_not_read", field=name))
        return value

    def session(self) -> Session:
        """The conversation that the request is about, as it is kept now."""
        return self.conversations.assistant.store.load(self.session_id)

    def part(self, name: str) -> str:
        """A part of the address."""
        return str(self.request.path_params[name])


def answer(content: Mapping[str, Any]) -> Response:
    """JSON that no browser keeps."""
    return JSONResponse(content, headers=_NOT_KEPT)


def shown(html: str) -> Response:
    """A piece of the page that no browser keeps."""
    return HTMLResponse(html, headers=_NOT_KEPT)


async def prepared(request: Request, prepare: Callable[[Call], T]) -> tuple[Call, T]:
    """What a request brings, and what `prepare` makes of it in a thread."""
    body = await request.body()

    def worked() -> tuple[Call, T]:
        call = Call.of(request, body)
        return call, prepare(call)

    return await run_in_threadpool(worked)


def in_thread(work: Callable[[Call], Response]) -> Endpoint:
    """A route that is answered in a thread, so that nobody waits for it."""

    async def endpoint(request: Request) -> Response:
        call, response = await prepared(request, work)
        if request.method != "GET":
            call.conversations.live.tell(call.session_id)
        return response

    return endpoint


def streamed(prepare: Callable[[Call], T], begin: Callable[[Call, T], Drawings]) -> Endpoint:
    """A route that is answered by drawings as they come, a line of JSON each; the last one says
    ``ended``. `prepare` is called in a thread, `begin` with what it gave."""

    async def endpoint(request: Request) -> Response:
        call, found = await prepared(request, prepare)
        # What stands between must not gather lines either.
        headers = {**_NOT_KEPT, "x-accel-buffering": "no"}
        lines = _lines(begin(call, found))
        return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)

    return endpoint


async def _lines(drawings: Drawings) -> AsyncGenerator[str, None]:
    async with aclosing(drawings):
        async for drawing in drawings:
            yield json.dumps(drawing, ensure_ascii=False) + "\n"


def _fields(request: Request, body: bytes) -> Mapping[str, Any]:
    if not body:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        sent = json_from_outside(body) if kind == "application/json" else None
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict):
        raise BadInput(say("errors.not_read"))
    return sent
