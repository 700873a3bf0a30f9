"""What stands before Gradio's routes: programs come in with a token, no oftener than they may, and
what one has uploaded is nobody else's. What Gradio offers beside its API is closed to programs."""

from __future__ import annotations

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controlllm.admission.security import GRADIO_POLICY
from controlllm.api.door import KEY, READS_ONLY, Gate, NotLetIn, Uploads, refusal, sent_token
from controlllm.api.service import Service
from controlllm.api.tokens import Token
from controlllm.api.verbs import NAMES
from controlllm.resources import Limits
from controlllm.resources.well_formed import well_formed_value
from controlllm.settings.quotas import LimitReached

_PREFIX = "/gradio_api/"
_ASKING = ("call/", "queue/join")
_UPLOAD = "upload"
#: What a program may have beside: how its calls go on, and what calls there are. Gradio's own way
#: to files is not among it, since that serves them to anybody who knows a path.
_OPEN = ("queue/data", "cancel", "heartbeat/", "info", "openapi.json", "startup-events", "app_id",
         "theme.css")  # fmt: skip
_NO_JSON = "This is no object of JSON, or it is nested too deeply."


class GradioDoor:
    """Middleware for the routes of a Gradio app.

    Parameters
    ----------
    uploads: where it is noted who has uploaded what.
    alone: whether only programs use this app; else what comes without a token is left to those who
        look after the page's visitors.
    """

    def __init__(
        self, app: ASGIApp, service: Service, gate: Gate, uploads: Uploads, alone: bool = True
    ) -> None:
        self.app = app
        self._service = service
        self._gate = gate
        self._uploads = uploads
        self._alone = alone

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "").removeprefix(scope.get("root_path", ""))
        headers = Headers(scope=scope) if scope["type"] == "http" else Headers()
        if scope["type"] != "http" or not (self._alone or sent_token(headers)):
            await self.app(scope, receive, send)
            return
        if self._alone:
            send = _with_policy(send)
        if path.startswith(_PREFIX):
            part = path[len(_PREFIX) :]
            refused = await self._looked_at(part, scope, headers)
            if refused is None and part.rstrip("/") == _UPLOAD:
                send = self._noting(scope[KEY], send)
            elif refused is None and _is_call(part, scope):
                try:
                    scope, receive = await _plainly(scope, receive)
                except (ValueError, RecursionError):
                    refused = JSONResponse({"detail": _NO_JSON}, 422)
            if refused is not None:
                await refused(scope, receive, send)
                return
        await self.app(scope, receive, send)

    async def _looked_at(self, part: str, scope: Scope, headers: Headers) -> JSONResponse | None:
        """Note whose a request is; the answer where it may not go further."""
        is_upload, is_call = part.rstrip("/") == _UPLOAD, _is_call(part, scope)
        if not (is_upload or part.startswith((*_ASKING, *_OPEN))):
            return JSONResponse({"detail": "Not found."}, 404)
        if is_call and part.startswith("call/") and part.rstrip("/").split("/")[-1] not in NAMES:
            said = f"There is no such verb. There are: {', '.join(NAMES)}."
            return JSONResponse({"detail": said}, 404)
        if not (is_upload or is_call):
            found = await run_in_threadpool(self._service.tokens.of, sent_token(headers))
            if found is not None:
                scope[KEY] = found
            return None
        try:
            token = scope[KEY] = await self._gate.let_in(headers, scope.get("client"))
        except NotLetIn as error:
            # Who only lacks a token hears so of the call itself, as clients of Gradio expect it.
            return refusal(error) if error.seconds or is_upload else None
        return await self._unless_it_fits(token, headers) if is_upload else None

    async def _unless_it_fits(self, token: Token, headers: Headers) -> JSONResponse | None:
        told = headers.get("content-length", "")
        if not token.runs:
            return JSONResponse({"detail": READS_ONLY}, 403)
        if not told.isdecimal():
            return JSONResponse({"detail": "Say how long the body is (Content-Length)."}, 411)
        if int(told) > Limits().max_bytes + 1_000_000:
            said = f"This is more than {Limits().max_bytes // 1_000_000} MB."
            return JSONResponse({"detail": said}, 413)
        try:
            await run_in_threadpool(self._service.check_file, token, int(told))
        except LimitReached as error:
            self._service.tell(error.limit)
            return JSONResponse({"detail": str(error)}, 429)
        return None

    def _noting(self, token: Token, send: Send) -> Send:
        pieces: list[bytes] = []

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.body":
                pieces.append(message.get("body", b""))
                if not message.get("more_body", False):
                    self._uploads.note(_paths(b"".join(pieces)), token)
            await send(message)

        return noting


def _is_call(part: str, scope: Scope) -> bool:
    return scope["method"] == "POST" and part.startswith(_ASKING)


async def _plainly(scope: Scope, receive: Receive) -> tuple[Scope, Receive]:
    """A call with its texts made sound, and files in it as plain data: what is marked as a file
    Gradio would copy from wherever it lies, or fetch where it is an address.

    Raises ValueError or RecursionError where it is no object of JSON.
    """
    found = json.loads(await Request(scope, receive).body())
    if not isinstance(found, dict):
        raise ValueError("no object")
    body = json.dumps(well_formed_value(_unmarked(found))).encode()
    kept = [(name, value) for name, value in scope["headers"] if name != b"content-length"]
    headers = [*kept, (b"content-length", str(len(body)).encode())]
    pieces: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return pieces.pop() if pieces else await receive()

    return {**scope, "headers": headers}, again


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        is_file = isinstance(value.get("meta"), dict) and "_type" in value["meta"]
        kept = {key: item for key, item in value.items() if not (is_file and key == "meta")}
        return {key: _unmarked(item) for key, item in kept.items()}
    return [_unmarked(item) for item in value] if isinstance(value, list) else value


def _paths(body: bytes) -> list[str]:
    try:
        found = json.loads(body)
    except ValueError:
        return []
    return [item for item in found if isinstance(item, str)] if isinstance(found, list) else []


def _with_policy(send: Send) -> Send:
    """Gradio's API page runs scripts of its own, and may load nothing from elsewhere."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            name, value = b"content-security-policy", GRADIO_POLICY.encode()
            message = {**message, "headers": [*message["headers"], (name, value)]}
        await send(message)

    return sending
