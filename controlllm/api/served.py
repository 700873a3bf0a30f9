"""The interface for programs as a server mounts it beside the page: the verbs on a Gradio app of
their own, the way to files, and the MCP server."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp

from controlllm.admission.security import FILE_POLICY
from controlllm.api.door import Door, Gate, Uploads, token_of
from controlllm.api.mcp_http import Known, manager_of
from controlllm.api.outcomes import FILES
from controlllm.api.service import Service
from controlllm.api.taking import Taking
from controlllm.resources import Limits
from controlllm.settings.environment import number

if TYPE_CHECKING:
    from fastapi import FastAPI
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

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
        from controlllm.api.gradio_door import GradioDoor

        door = GradioDoor(self.app, self.service, self.gate, self.uploads)
        mcp = Door(Known(self._manager), self.gate)
        return (
            Mount(PREFIX, app=door),
            *fetching(self.service, self.gate, self._for_pages),
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


def alone(service: Service, wanted: Wanted = Wanted()) -> Starlette:
    """An application that serves programs and nothing else, for a server of its own and for tests.
    Nothing stands before it that looks at hosts and origins (`controlllm.admission.security`)."""
    programs = Programs(service, wanted)

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with programs.running():
            yield

    return Starlette(routes=programs.routes, lifespan=running)


def _not_understood(_: Request, __: Exception) -> Response:
    said = (
        "This is no call of a verb. Send an object of JSON: the verb's parameters by their names."
    )
    return JSONResponse({"detail": said}, 422)


def fetching(
    service: Service, gate: Gate, around: Callable[[ASGIApp], ASGIApp] = lambda app: app
) -> tuple[Route, ...]:
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
    return (Route(route.path, around(Door(route.app, gate)), methods=["GET", "OPTIONS"]),)
