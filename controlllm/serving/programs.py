"""The interface for programs as the server mounts it beside the page."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from controlllm.resources import BadInput
from controlllm.runs.sent_plans import BadPlan
from controlllm.serving.bearer import Bearer, token_of
from controlllm.serving.calls import PREFIX, Answer, Call
from controlllm.serving.mcp_http import Door, manager_of
from controlllm.serving.openapi import document, page
from controlllm.serving.pace import Pace
from controlllm.serving.routes import OPERATIONS, call_tool_once
from controlllm.serving.service import Service
from controlllm.settings.environment import number
from controlllm.settings.quotas import LimitReached
from controlllm.store import StoreError

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
#: Headers of MCP's own over HTTP: those that a client sends, and those that it has to read.
_MCP_SENT = ("last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id")
_MCP_SHOWN = ("mcp-session-id",)
READS_ONLY = "This token only reads: it lists, plans and fetches. Ask for one that may run things."


@dataclass(frozen=True)
class Wanted:
    """What an operator has asked for.

    Parameters
    ----------
    per_minute: how many requests a token may make in a minute; 0 means without a limit.
    origins: the pages of elsewhere whose scripts may use the interface.
    each_tool: whether each tool is a tool of the MCP server too.
    """

    api: bool = False
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
            environment.get("CONTROLLLM_API", "").strip() == "1",
            pace,
            tuple(said),
            environment.get("CONTROLLLM_MCP_EACH_TOOL", "").strip() == "1",
        )


class Programs:
    """What programs reach: the routes, and what has to run beside them.

    Parameters
    ----------
    tell: called with the name of a limit that was reached.
    """

    def __init__(self, service: Service, wanted: Wanted, tell: Callable[[str], None]) -> None:
        self.service = service
        self.wanted = wanted
        self._tell = tell
        self._pace = Pace(wanted.per_minute)

    @cached_property
    def routes(self) -> tuple[BaseRoute, ...]:
        """The routes, to be mounted at the root."""
        door: ASGIApp = Bearer(
            Door(self._manager), tokens=self.service.tokens, pace=self._pace, tell=self._tell
        )
        for allowed in self._for_pages(_MCP_SENT, _MCP_SHOWN):
            door = allowed.cls(door, *allowed.args, **allowed.kwargs)
        return (Mount(PREFIX, app=self._api()), Route("/mcp", door))

    def _for_pages(self, sent: Sequence[str], shown: Sequence[str]) -> list[Middleware]:
        """What answers the browsers of pages of elsewhere that may use the interface.

        Parameters
        ----------
        sent: the headers that they may send; `shown` those of an answer that they may read.
        """
        if not self.wanted.origins:
            return []
        return [
            Middleware(
                CORSMiddleware,
                allow_origins=self.wanted.origins,
                allow_methods=["GET", "POST", "DELETE"],
                allow_headers=["authorization", "content-type", *sent],
                expose_headers=["retry-after", *shown],
            )
        ]

    @cached_property
    def _manager(self) -> StreamableHTTPSessionManager:
        return manager_of(self.service, self.wanted.each_tool)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """What has to run as long as the server does."""
        async with self._manager.run():
            try:
                yield
            finally:
                await self.service.works.have_ended(1.0)

    def _api(self) -> Starlette:
        routes = [
            Route(
                operation.path,
                self._endpoint(operation.does, operation.runs),
                methods=[operation.method],
            )
            for operation in OPERATIONS
        ]
        routes.append(
            Route("/tools/{tool}", self._endpoint(call_tool_once, True), methods=["POST"])
        )
        routes.append(Route("/openapi.json", self._document))
        routes.append(Route("/", self._page))
        open_paths = frozenset({PREFIX, f"{PREFIX}/", f"{PREFIX}/openapi.json"})
        middleware = [
            *self._for_pages((), ("x-run", "x-type")),
            Middleware(
                Bearer,
                tokens=self.service.tokens,
                pace=self._pace,
                open_paths=open_paths,
                tell=self._tell,
            ),
        ]
        app = Starlette(
            routes=routes,
            middleware=middleware,
            exception_handlers={
                HTTPException: _refused,
                BadInput: _bad,
                BadPlan: _bad,
                StoreError: _not_kept,
                LimitReached: self._too_much,
                ClientDisconnect: _gone,
                Exception: _broken,
            },
        )
        app.router.redirect_slashes = False
        return app

    def _endpoint(self, does: Answer, runs: bool) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            token = token_of(request.scope)
            if runs and not token.runs:
                raise HTTPException(403, READS_ONLY)
            return await does(Call(request, token, self.service))

        return endpoint

    @cached_property
    def _described(self) -> tuple[bytes, str]:
        found = document(OPERATIONS, self.service.assistant.toolbox, PREFIX)
        return json.dumps(found).encode(), page(found)

    async def _document(self, request: Request) -> Response:
        return Response(self._described[0], media_type="application/json")

    async def _page(self, request: Request) -> Response:
        return HTMLResponse(self._described[1], headers={"content-security-policy": _POLICY})

    def _too_much(self, _: Request, error: Exception) -> Response:
        assert isinstance(error, LimitReached)
        self._tell(error.limit)
        return JSONResponse({"detail": str(error)}, 429)


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


def _bad(_: Request, error: Exception) -> Response:
    told = {"detail": str(error)}
    if isinstance(error, BadPlan):
        told["node"] = error.node
    return JSONResponse(told, 422)


def _not_kept(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 507)


def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=499)


def _broken(_: Request, __: Exception) -> Response:
    return JSONResponse({"detail": "Something went wrong on our side. Try it again, please."}, 500)
