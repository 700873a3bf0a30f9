"""The server: the page and its routes, behind one guard."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from controlllm.accounts import Accounts
from controlllm.admission.bodies import Bodies
from controlllm.admission.security import LOCAL_HOSTS, Guard
from controlllm.core.plans import NotThere
from controlllm.resources.probing import BadInput
from controlllm.runs.assistant import Assistant
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import StoreError
from controlllm.ui import operating, page_files, routes
from controlllm.ui.conversations import Conversations
from controlllm.ui.operating import Operating
from controlllm.ui.routes.pointing import glances_of
from controlllm.ui.signing_in import SignedIn, routes_for
from controlllm.ui.texts import Speaking

_log = logging.getLogger(__name__)
_BETWEEN_TIDYINGS = 3600.0
_BETWEEN_LOOKS = 5.0


def create_app(
    assistant: Assistant,
    host: str = "127.0.0.1",
    port: int = 7860,
    also: Iterable[str] = (),
    may_pull: bool | None = None,
    state: Operating | None = None,
    quotas: Quotas | None = None,
    beside: Callable[[Conversations, Operating], Beside] | None = None,
    origins: Iterable[str] = (),
    accounts: Accounts | None = None,
) -> Starlette:
    """The whole web application.

    Parameters
    ----------
    host, port: where it will listen. `also` are more names by which it may be addressed.
    may_pull: whether people may have weights fetched to this machine and removed from it; where it
        is None, only those who sit at it.
    state: what is known of the server's own state.
    quotas: what people may take of it.
    beside: makes what is served beside the page and shares its line and limits.
    origins: the pages of elsewhere whose scripts may use that.
    accounts: how people sign in; None where everybody who reaches it may use it.
    """
    allowed = host in LOCAL_HOSTS if may_pull is None else may_pull
    quotas = quotas or Quotas()
    is_shared = host not in LOCAL_HOSTS or accounts is not None
    conversations = Conversations(assistant, f"controlllm-{port}", allowed, quotas, is_shared)
    state = state or Operating(assistant.store)
    conversations.line.tell = state.reached
    waiting = "Requests that wait for their turn."
    state.figures.read_also("requests_waiting", waiting, lambda: conversations.line.counts()[0])
    guard = Middleware(Guard, hosts=[*LOCAL_HOSTS, host, *also], origins=origins)
    also_served = beside(conversations, state) if beside is not None else None
    return routes_of(conversations, state, guard, beside=also_served, accounts=accounts)


class Beside(Protocol):
    """What is served beside the page."""

    @property
    def routes(self) -> Sequence[BaseRoute]:
        """Its routes."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """What has to run as long as the server does."""


def routes_of(
    conversations: Conversations,
    state: Operating,
    *before: Middleware,
    beside: Beside | None = None,
    accounts: Accounts | None = None,
) -> Starlette:
    """The page and its routes; what is `before` them looks at each request first."""
    bodies = Middleware(Bodies, quotas=conversations.quotas, tell=state.reached)
    keeper = conversations.assistant.store.sign_ins
    signed_in = (
        [Middleware(SignedIn, accounts=accounts, keeper=keeper)] if accounts is not None else []
    )
    app = Starlette(
        routes=[
            *operating.ROUTES,
            *page_files.ROUTES,
            *routes.ROUTES,
            *(routes_for(accounts, keeper) if accounts is not None else ()),
            *(beside.routes if beside is not None else ()),
        ],
        middleware=[*before, Middleware(Speaking), *signed_in, bodies],
        exception_handlers={
            HTTPException: _refused,
            NotThere: _not_there,
            BadInput: _bad_input,
            StoreError: _not_kept,
            LimitReached: _too_much,
            ClientDisconnect: _gone,
        },
        lifespan=_lifespan,
    )
    app.router.redirect_slashes = False
    app.state.conversations = conversations
    app.state.operating = state
    app.state.beside = beside
    return app


@contextlib.asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
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
        await conversations.runs.have_ended(1.0)
        await conversations.batches.have_ended(1.0)
        await conversations.pulls.stop_all()
        conversations.self_tests.stop()
        await glances_of(app).end()


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


def _too_much(request: Request, error: Exception) -> Response:
    assert isinstance(error, LimitReached)
    request.app.state.operating.reached(error.limit)
    return JSONResponse({"detail": str(error)}, 429)


def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": error.detail}, error.status_code, error.headers)


def _not_there(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 404)


def _bad_input(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 422)


def _not_kept(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": str(error)}, 507)


def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=499)
