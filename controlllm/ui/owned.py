"""What Gradio keeps for a browser is that browser's alone: its uploads, and the streams that tell
it what happens. For anybody else they do not exist (404)."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, unquote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controlllm.ui.visitor import Visitor

_GRADIO = "/gradio_api/"
_FILE = f"{_GRADIO}file="
_UPLOAD = f"{_GRADIO}upload"
#: What Gradio offers beside that and this page has no use for: media streams, links that keep a
#: state, requests passed on to addresses elsewhere, what was run before, and calls without a page's
#: session, which reach also what is the page's alone.
_CLOSED = (
    "api/",
    "call/",
    "process_recording",
    "profiling/",
    "vibe-",
    "undo-vibe-edit",
    "stream/",
    "proxy=",
    "file/",
    "deep_link",
    "run-history",
    "runs",
    "custom_component",
    "dev/",
)
#: Where the session of a page is named in the body.
_IN_BODY = ("queue/join", "run/", "cancel", "reset", "component_server")
_MOST = 100_000
#: Stands in the last message of a stream that has told everything.
_LAST = b'"close_stream"'


class Owners:
    """Who has uploaded a file, and whose a page's session is; the oldest are forgotten."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, thing: str, owner: str) -> None:
        """Whoever has it first keeps it."""
        with self._lock:
            self._owners.setdefault(thing, owner)
            while len(self._owners) > _MOST:
                self._owners.popitem(last=False)

    def is_of(self, thing: str, owner: str) -> bool:
        """Whether it is this owner's."""
        return bool(owner) and self._owners.get(thing) == owner

    def note_file(self, path: str, owner: str) -> None:
        """Note that somebody has uploaded a file. Gradio names files by what they hold, so who has
        sent the same has the same path."""
        self.note(f"file:{owner}:{path}", owner)

    def has_file(self, path: str, owner: str) -> bool:
        """Whether this owner has uploaded it."""
        return self.is_of(f"file:{owner}:{path}", owner)


class Owned:
    """Middleware that keeps visitors apart, and gives a browser that opens the page its secret.

    Parameters
    ----------
    visitor: who sends a request.
    owners: of uploads and of the sessions of pages.
    """

    def __init__(self, app: ASGIApp, visitor: Callable[[Request], Visitor], owners: Owners) -> None:
        self.app = app
        self._visitor = visitor
        self._owners = owners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or not (path == "/" or path.startswith(_GRADIO)):
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        visitor = self._visitor(request)
        if path == "/":
            await self.app(scope, receive, _with_secret(request, visitor, send))
            return
        rest = path[len(_GRADIO) :]
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        refused = rest.startswith(_CLOSED)
        if path.startswith(_FILE):
            refused = not self._owners.has_file(unquote(path[len(_FILE) :]), visitor.owner)
        elif path.rstrip("/") == _UPLOAD:
            self._note_all(query, "upload_id", visitor.owner)
            send = self._noting(visitor.owner, send)
        elif rest.startswith("upload_progress"):
            refused = not self._is_own(query, "upload_id", visitor.owner)
        elif rest.startswith("queue/data"):
            refused = not self._is_own(query, "session_hash", visitor.owner)
            receive, send = _to_its_end(receive, send)
        elif rest.startswith("heartbeat/"):
            refused = not self._claimed(rest.split("/")[1], visitor.owner)
        elif rest.startswith(_IN_BODY) and scope["method"] == "POST":
            body = await request.body()
            refused = not self._claimed(_session_of(body), visitor.owner)
            receive = _again(body, receive)
        if refused:
            await JSONResponse({"detail": "Not found."}, 404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    def _claimed(self, name: str, owner: str) -> bool:
        """Whether a page's session is the visitor's; it is whoever names it first."""
        if not name:
            return True
        self._owners.note(f"session:{name}", owner)
        return self._owners.is_of(f"session:{name}", owner)

    def _note_all(self, query: dict[str, list[str]], name: str, owner: str) -> None:
        for value in query.get(name, ()):
            self._owners.note(f"{name}:{value}", owner)

    def _is_own(self, query: dict[str, list[str]], name: str, owner: str) -> bool:
        values = query.get(name, [])
        if name == "session_hash":
            return all(self._claimed(value, owner) for value in values)
        self._note_all(query, name, owner)
        return all(self._owners.is_of(f"{name}:{value}", owner) for value in values)

    def _noting(self, owner: str, send: Send) -> Send:
        """Sends an answer on, and notes the files that it names as the owner's."""
        pieces: list[bytes] = []

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.body":
                pieces.append(message.get("body", b""))
                if not message.get("more_body", False):
                    for path in _strings(b"".join(pieces)):
                        self._owners.note_file(path, owner)
            await send(message)

        return noting


def _to_its_end(receive: Receive, send: Send) -> tuple[Receive, Send]:
    """A stream that has told everything comes to its end by itself, also where its page hangs up
    first: told of that then, Gradio would forget what the page has asked for in between, and say to
    it "404: Not Found"."""
    has_told_all = False

    async def sending(message: Message) -> None:
        nonlocal has_told_all
        has_told_all = has_told_all or _LAST in message.get("body", b"")
        await send(message)

    async def receiving() -> Message:
        message = await receive()
        if has_told_all and message["type"] == "http.disconnect":
            await asyncio.Event().wait()
        return message

    return receiving, sending


def _with_secret(request: Request, visitor: Visitor, send: Send) -> Send:
    """Sends the page on, with a secret for a browser that has none."""
    if visitor.owner:
        return send
    visitor.have_secret()
    holder = Response()
    visitor.remember(holder, request.url.scheme == "https")
    cookies = [(name, value) for name, value in holder.raw_headers if name == b"set-cookie"]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *cookies]}
        await send(message)

    return sending


def _session_of(body: bytes) -> str:
    found = _json(body)
    return str(found.get("session_hash") or "") if isinstance(found, dict) else ""


def _strings(body: bytes) -> list[str]:
    found = _json(body)
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def _json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _again(body: bytes, receive: Receive) -> Receive:
    """Receives a body that was read already, then what comes after it."""
    is_sent = False

    async def receiving() -> Message:
        nonlocal is_sent
        if is_sent:
            return await receive()
        is_sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving
