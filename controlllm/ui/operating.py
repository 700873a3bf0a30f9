"""What operators and their programs ask of the server: is it alive, is it ready, its figures."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controlllm.admission.security import LOCAL_HOSTS
from controlllm.observing.figures import Figures
from controlllm.observing.wanted import Readers
from controlllm.store import Store, StoreError

#: For how long an answer about readiness holds, in seconds: asking costs a write to the disk.
_READY_HOLDS = 2.0
#: Headers by which a program in between says that it asks for somebody else.
_ON_BEHALF = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


@dataclass
class Operating:
    """What is known of the server's own state.

    Parameters
    ----------
    store: has to be writable for the server to be ready.
    can_work: whether a call of a tool could be made now.
    can_plan: whether all is loaded that planning needs.
    figures: what is counted; `readers` says who may read it.
    """

    store: Store
    can_work: Callable[[], bool] = lambda: True
    can_plan: Callable[[], bool] = lambda: True
    figures: Figures = field(default_factory=Figures)
    readers: Readers = "here"
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _found: tuple[float, dict[str, Any]] = (0.0, {})

    def reached(self, limit: str) -> None:
        """Count that somebody was refused something by a limit."""
        self.figures.limits.labels(limit).inc()

    def readiness(self) -> dict[str, Any]:
        """Whether requests can be answered: the parts, ``ready`` for all, and what is wrong."""
        with self._lock:
            when, found = self._found
            if not found or time.monotonic() - when > _READY_HOLDS:
                found = self._look()
                self._found = (time.monotonic(), found)
        return found

    def _look(self) -> dict[str, Any]:
        wrong = []
        try:
            self.store.check()
            is_writable = True
        except StoreError as error:
            is_writable = False
            wrong.append(str(error))
        workers = self.can_work()
        if not workers:
            wrong.append("No worker is ready yet.")
        planner = self.can_plan()
        if not planner:
            wrong.append("The planner is still being loaded.")
        parts = {"store": is_writable, "workers": workers, "planner": planner}
        return {"ready": all(parts.values()), **parts, "wrong": wrong}


def _operating(request: Request) -> Operating:
    found: Operating = request.app.state.operating
    return found


async def health(request: Request) -> Response:
    """That the server answers at all."""
    return JSONResponse({"state": "ok"})


def ready(request: Request) -> Response:
    """Whether requests can be answered now: 200, else 503 with the reasons."""
    found = _operating(request).readiness()
    return JSONResponse(found, 200 if found["ready"] else 503, {"cache-control": "no-store"})


def metrics(request: Request) -> Response:
    """The figures, for those who may read them."""
    state = _operating(request)
    if state.readers == "nobody" or (state.readers == "here" and not is_from_here(request)):
        raise HTTPException(404, "Not found.")
    figures = state.figures
    return Response(
        figures.text(), headers={"cache-control": "no-store"}, media_type=figures.content_type
    )


ROUTES = (Route("/health", health), Route("/ready", ready), Route("/metrics", metrics))


def is_on_behalf(request: Request) -> bool:
    """Whether something between says that it passes a request on for somebody else."""
    return any(map(request.headers.get, _ON_BEHALF))


def is_from_here(request: Request) -> bool:
    """Whether a request was made by a program on this machine, and for nobody elsewhere."""
    try:
        is_near = (
            request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
        )
        host = urlsplit(f"//{request.headers.get('host', '')}").hostname
    except ValueError:
        return False
    return is_near and host in LOCAL_HOSTS and not is_on_behalf(request)
