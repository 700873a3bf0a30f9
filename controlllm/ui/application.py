"""The web application: Gradio's page and what browsers fetch beside it, behind one guard."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Protocol

import gradio as gr
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from controlllm.accounts import Accounts
from controlllm.admission.bodies import Bodies
from controlllm.admission.security import GRADIO_POLICY, LOCAL_HOSTS, Guard
from controlllm.core.plans import NotThere
from controlllm.layout import ASSETS
from controlllm.resources.probing import BadInput, Limits
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import StoreError
from controlllm.ui import fetched, operating, page_files
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.owned import Owned, Owners
from controlllm.ui.page import Page
from controlllm.ui.signing_in import SignedIn, routes_for
from controlllm.ui.texts import Speaking
from controlllm.ui.theme import THEME, head

_log = logging.getLogger(__name__)
_BETWEEN_TIDYINGS = 3600.0
_BETWEEN_LOOKS = 5.0
#: Gradio keeps a third of a megabyte for each page that was opened, for an hour after it is left.
#: The page's own state is in the browser and in the store, so that older ones may be forgotten.
_MOST_SESSIONS = 400


class Beside(Protocol):
    """What is served beside the page."""

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Its routes."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """What has to run as long as the server does."""


@dataclass(frozen=True)
class Served:
    """How an application is served.

    Parameters
    ----------
    host, port: where it will listen. `also` are more names by which it may be addressed.
    may_pull: whether people may have weights fetched to this machine and removed from it; where it
        is None, only those who sit at it.
    quotas: what people may take of it.
    origins: the pages of elsewhere whose scripts may use the interface for programs.
    accounts: how people sign in; None where everybody who reaches it may use it.
    """

    host: str = "127.0.0.1"
    port: int = 7860
    also: tuple[str, ...] = ()
    may_pull: bool | None = None
    quotas: Quotas = field(default_factory=Quotas)
    origins: tuple[str, ...] = ()
    accounts: Accounts | None = None

    @property
    def is_shared(self) -> bool:
        """Whether others than the one who runs it reach it."""
        return self.host not in LOCAL_HOSTS or self.accounts is not None


def create_app(
    assistant: Assistant,
    served: Served = Served(),
    state: Operating | None = None,
    beside: Callable[[Conversations, Operating], Beside] | None = None,
) -> FastAPI:
    """The whole web application.

    Parameters
    ----------
    state: what is known of the server's own state.
    beside: makes what is served beside the page and shares its line and limits.
    """
    allowed = served.host in LOCAL_HOSTS if served.may_pull is None else served.may_pull
    cookie = f"controlllm-{served.port}"
    conversations = Conversations(assistant, cookie, allowed, served.quotas, served.is_shared)
    state = state or Operating(assistant.store)
    line = conversations.shared.line
    line.tell = conversations.reached = state.reached
    waiting = "Requests that wait for their turn."
    state.figures.read_also("requests_waiting", waiting, lambda: line.counts()[0])
    hosts = [*LOCAL_HOSTS, served.host, *served.also]
    guard = Middleware(Guard, hosts=hosts, origins=served.origins, policy=GRADIO_POLICY)
    also_served = beside(conversations, state) if beside is not None else None
    return application(conversations, state, [guard], also_served, served.accounts)


def application(
    conversations: Conversations,
    state: Operating,
    before: Iterable[Middleware] = (),
    beside: Beside | None = None,
    accounts: Accounts | None = None,
) -> FastAPI:
    """The page with what browsers fetch; what is `before` looks at each request first."""
    owners, keeper = Owners(), conversations.assistant.store.sign_ins
    signed_in = (
        [Middleware(SignedIn, accounts=accounts, keeper=keeper)] if accounts is not None else []
    )
    app = FastAPI(
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        routes=[
            *operating.ROUTES,
            *page_files.ROUTES,
            *fetched.ROUTES,
            *(routes_for(accounts, keeper) if accounts is not None else ()),
            *(beside.routes if beside is not None else ()),
        ],
        middleware=[
            *before,
            Middleware(Speaking),
            *signed_in,
            Middleware(page_files.First),
            Middleware(Bodies, quotas=conversations.quotas, tell=state.reached),
            Middleware(Owned, visitor=conversations.visitor, owners=owners),
        ],
        lifespan=_lifespan,
    )
    app.add_exception_handler(HTTPException, _refused)
    for kind in _STATUS:
        app.add_exception_handler(kind, _refused)
    app.router.redirect_slashes = False
    app.state.conversations = conversations
    app.state.operating = state
    app.state.beside = beside
    # What is uploaded lies with everything else of this program, and nowhere else.
    os.environ["GRADIO_TEMP_DIR"] = str(conversations.assistant.store.folder / "uploads")
    page = Page(conversations, owners)
    page.demo.options = {
        "theme": THEME,
        "head": head(),
        "i18n": page.texts,
        "favicon_path": str(ASSETS / "logo.svg"),
        "max_file_size": Limits().max_bytes,
        "footer_links": [],
        "run_history": False,
        "ssr_mode": False,
        "mcp_server": False,
    }
    page.demo.application = app
    page.demo.state_session_capacity = _MOST_SESSIONS
    # Each page that is open holds one of the places of Gradio's queue: with its usual 40 places
    # whatever is pressed in the forty-first would wait until one is closed.
    page.demo.max_threads = 2 * conversations.quotas.all_connections
    page.demo.queue()
    gr.mount_gradio_app(app, page.demo, "/", allowed_paths=[], **page.demo.options)
    app.state.page = page
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    conversations = app.state.conversations
    conversations.go_on()
    tidying = asyncio.create_task(_tidy(conversations))
    taking_over = asyncio.create_task(_take_over(conversations))
    beside: Beside | None = app.state.beside
    try:
        async with beside.running() if beside is not None else contextlib.nullcontext():
            yield
    finally:
        tidying.cancel()
        taking_over.cancel()
        await conversations.pulls.stop_all()
        conversations.self_tests.stop()
        await conversations.shared.jobs.have_ended(1.0)
        conversations.deletions.end()
        await conversations.glances.end()


async def _tidy(conversations: Conversations) -> None:
    """Remove now and then what nobody needs any more."""
    seconds = conversations.quotas.keep_days * 24 * 3600
    while True:
        try:
            await run_in_threadpool(conversations.assistant.store.tidy, seconds)
        except StoreError:
            _log.exception("What nobody needs could not be removed.")
        await asyncio.sleep(_BETWEEN_TIDYINGS)


async def _take_over(conversations: Conversations) -> None:
    """Look now and then whether another program that shares the store has left something."""
    while True:
        await asyncio.sleep(_BETWEEN_LOOKS)
        try:
            await conversations.go_on_for_others()
        except (KeyError, StoreError):
            _log.exception("What another program has left could not be taken over.")


#: With which status what was refused is told to a browser that fetches something.
_STATUS: dict[type[Exception], int] = {
    NotThere: 404, BadInput: 422, StoreError: 507, LimitReached: 429, ClientDisconnect: 499,
}  # fmt: skip


def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        return JSONResponse({"detail": error.detail}, error.status_code, error.headers)
    if isinstance(error, LimitReached):
        request.app.state.operating.reached(error.limit)
    status = next(_STATUS[kind] for kind in type(error).__mro__ if kind in _STATUS)
    return JSONResponse({"detail": str(error)}, status)
