"""The interface for programs as a server mounts it beside the page: the verbs on a Gradio app of
their own, with a door before it, the way to files, and the MCP server.

Programs come in with a token, no oftener than they may, and what one has uploaded is nobody else's.
What Gradio offers beside its API is closed to them.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controlllm.admission.security import FILE_POLICY, GRADIO_POLICY
from controlllm.api.door import (
    KEY,
    READS_ONLY,
    Door,
    Gate,
    NotLetIn,
    Uploads,
    refusal,
    sent_token,
    token_of,
)
from controlllm.api.mcp_server import Known, manager_of
from controlllm.api.outcomes import FILES
from controlllm.api.service import Service
from controlllm.api.taking import Taking
from controlllm.api.tokens import Token
from controlllm.api.verbs import NAMES
from controlllm.resources import Limits
from controlllm.resources.well_formed import well_formed_value
from controlllm.settings.environment import number
from controlllm.settings.quotas import LimitReached

if TYPE_CHECKING:
    from fastapi import FastAPI
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

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
    """

    def __init__(self, app: ASGIApp, service: Service, gate: Gate, uploads: Uploads) -> None:
        self.app = app
        self._service = service
        self._gate = gate
        self._uploads = uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        headers = Headers(scope=scope)
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


#: Where the verbs are, and Gradio's page that shows them.
PREFIX = "/programs"
#: Headers of MCP's own over HTTP: those that a client sends, and those that it has to read.
_MCP_SENT = ("last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id")
_MCP_SHOWN = ("mcp-session-id",)


@dataclass(frozen=True)
class Wanted:
    """What an operator has asked for.

    Parameters
    ----------
    per_minute: how many requests a token may make in a minute; 0 means without a limit.
    origins: the pages of elsewhere whose scripts may use the interface.
    each_tool: whether each tool is a tool of the MCP server too.
    """

    per_minute: float = 600.0
    origins: tuple[str, ...] = ()
    each_tool: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Wanted:
        """What environment variables ask for; docs/api.md lists them.

        Raises ValueError, with the variable's name, where one is no such number or no origin.
        """
        said = environment.get("CONTROLLLM_API_ORIGINS", "").replace(",", " ").split()
        for origin in said:
            if not origin.startswith(("http://", "https://")) or origin.count("/") != 2:
                raise ValueError(
                    f"CONTROLLLM_API_ORIGINS has {origin!r}; an origin is such as "
                    "https://example.org, without a path."
                )
        pace = number(
            environment, "CONTROLLLM_API_PER_MINUTE", cls.per_minute, 1.0, may_be_zero=True
        )
        return cls(
            pace, tuple(said), environment.get("CONTROLLLM_MCP_EACH_TOOL", "").strip() == "1"
        )


class Programs:
    """What programs reach: the routes, and what has to run beside them."""

    def __init__(self, service: Service, wanted: Wanted) -> None:
        self.service = service
        self.wanted = wanted
        self.gate = Gate(service.tokens, wanted.per_minute, service.tell)
        self.uploads = Uploads()

    @cached_property
    def routes(self) -> tuple[BaseRoute, ...]:
        """The routes, to be mounted at the root."""
        door = GradioDoor(self.app, self.service, self.gate, self.uploads)
        mcp = Door(Known(self._manager), self.gate)
        return (
            Mount(PREFIX, app=door),
            _fetching(self.service, self.gate, self._for_pages),
            Route("/mcp", self._for_pages(mcp, _MCP_SENT, _MCP_SHOWN)),
        )

    @cached_property
    def app(self) -> FastAPI:
        """The verbs on a Gradio app, without a door before it."""
        import gradio as gr
        from fastapi import FastAPI
        from fastapi.exceptions import RequestValidationError

        from controlllm.api.programs import add_programs

        # What is uploaded lies with everything else of this program, and nowhere else.
        os.environ["GRADIO_TEMP_DIR"] = str(self.service.assistant.store.folder / "uploads")
        with gr.Blocks(
            title="ControlLLM for programs", analytics_enabled=False, delete_cache=(600, 3600)
        ) as demo:
            gr.Markdown(
                "# ControlLLM for programs\nEvery call needs the header `Authorization: Bearer "
                "TOKEN`. What can be called is shown by *Use via API*, below."
            )
            add_programs(self.service, Taking(self.service, uploads=self.uploads))
        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        # What Gradio raises where a call is none.
        nonsense = (RequestValidationError, KeyError, TypeError, ValueError)
        # Gradio would let in every page of elsewhere where nothing else is said.
        app.add_middleware(CORSMiddleware, **self._cors())
        return gr.mount_gradio_app(
            app,
            demo,
            "/",
            app_kwargs={"exception_handlers": dict.fromkeys(nonsense, _not_understood)},
            max_file_size=Limits().max_bytes,
            allowed_paths=[],
            footer_links=["api"],
            run_history=False,
            ssr_mode=False,
            mcp_server=False,
        )

    def _cors(self, sent: Sequence[str] = (), shown: Sequence[str] = ()) -> dict[str, Any]:
        """What tells browsers which pages of elsewhere may use the interface: the headers that they
        may send, and those of an answer that they may read."""
        return {
            "allow_origins": self.wanted.origins,
            "allow_methods": ["GET", "POST", "DELETE"],
            "allow_headers": ["authorization", "content-type", *sent],
            "expose_headers": ["retry-after", *shown],
        }

    def _for_pages(self, app: ASGIApp, *headers: Sequence[str]) -> ASGIApp:
        return CORSMiddleware(app, **self._cors(*headers)) if self.wanted.origins else app

    @cached_property
    def _manager(self) -> StreamableHTTPSessionManager:
        return manager_of(self.service, self.wanted.each_tool)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """What has to run as long as the server does."""
        async with self._manager.run(), self.app.router.lifespan_context(self.app):
            try:
                yield
            finally:
                await self.service.end(1.0)


def _not_understood(_: Request, __: Exception) -> Response:
    said = (
        "This is no call of a verb. Send an object of JSON: the verb's parameters by their names."
    )
    return JSONResponse({"detail": said}, 422)


def _fetching(service: Service, gate: Gate, around: Callable[[ASGIApp], ASGIApp]) -> Route:
    """The route by which files of a session are fetched with its token."""

    async def fetch(request: Request) -> Response:
        name = request.path_params["name"]
        try:
            session = await run_in_threadpool(
                service.session, token_of(request.scope), request.path_params["session"]
            )
            path, kind = await run_in_threadpool(service.assistant.file, session.id, name)
        except KeyError:
            raise HTTPException(404, "There is no such file.") from None
        headers = {"content-security-policy": FILE_POLICY, "cache-control": "private, no-cache"}
        return FileResponse(path, media_type=kind, filename=name, headers=headers)

    route = Route(f"{FILES}/{{session}}/{{name:path}}", fetch)
    return Route(route.path, around(Door(route.app, gate)), methods=["GET", "OPTIONS"])
