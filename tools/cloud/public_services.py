"""Asking public services on the network for JSON: only where the person has allowed it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from controlllm.network.retry_after import retry_after
from controlllm.toolbox import Context, Reason, ToolError
from controlllm.toolbox.capabilities import Capabilities

from .waiting import Answer, Fault, answered, pause, wait_for

NEEDS_SETTING = Reason(
    "needs a public service on the network, which your settings do not allow to be asked",
    "public_service",
)
CONNECT_SECONDS = 4.0
WHOLE_SECONDS = 10.0
MOST_BYTES = 2 * 1024 * 1024
_HEADERS = {
    "User-Agent": "ControlLLM/0.1 (one person's own assistant; python-httpx)",
    "Accept": "application/json",
    "Accept-Language": "en",
}

_LOCK = threading.Lock()
#: When each service may be asked again, by its address.
_EARLIEST: dict[str, float] = {}


@dataclass(frozen=True)
class Service:
    """A service on the network: its name for people, its address without a slash at the end, and
    how many seconds it wants between two requests."""

    name: str
    address: str
    interval: float = 0.0


class ServiceError(ToolError):
    """A service could not answer. The message says which, why and what to do next."""


def reason_not_allowed(capabilities: Capabilities) -> str | None:
    """Why no service may be asked, or None where they may: the `check` of implementations."""
    return None if capabilities.public_services else NEEDS_SETTING


def fetch_json(
    service: Service,
    path: str,
    parameters: Mapping[str, object] | None = None,
    *,
    whole_seconds: float = WHOLE_SECONDS,
    most_bytes: int = MOST_BYTES,
    context: Context | None = None,
) -> Any:
    """What a service answers at a path, read as JSON; None where it says that there is nothing.

    Faults that may pass are tried again twice, all within `whole_seconds`. Raises ServiceError
    where no answer comes, and ToolError where the person has not allowed asking services.
    """
    context = context or Context()
    if not context.capabilities.public_services:
        raise ToolError(f"{service.name} was not asked: this {NEEDS_SETTING}.")
    url = f"{service.address}/{path.lstrip('/')}"
    url += f"?{urlencode(parameters)}" if parameters else ""
    deadline = time.monotonic() + whole_seconds

    def once() -> Answer | Fault:
        with _LOCK:
            turn = max(time.monotonic(), _EARLIEST.get(service.address, 0.0))
            _EARLIEST[service.address] = turn + service.interval
        left = turn - time.monotonic()
        if turn >= deadline:
            told = f"has had too many requests and asks to wait {left:.0f} seconds; ask again then"
            return Fault(f"{service.name} {told}.")
        pause(left, context)
        found = wait_for(
            lambda: _request(service.name, url, deadline, most_bytes, context), context
        )
        if isinstance(found, Fault) and found.wait:
            with _LOCK:
                held = max(time.monotonic() + found.wait, _EARLIEST[service.address])
                _EARLIEST[service.address] = held
        return found

    body = answered(once, context, deadline=deadline, error=ServiceError).body
    with reading(service):
        return json.loads(body)


@contextmanager
def reading(service: Service) -> Iterator[None]:
    """Raise ServiceError where what is taken from a service's answer is not there."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise ServiceError(
            f"{service.name} sent an answer that cannot be read; ask again in a while."
        ) from None


def forget() -> None:
    """Drop what services asked to wait."""
    with _LOCK:
        _EARLIEST.clear()


def _request(
    name: str, url: str, deadline: float, most_bytes: int, context: Context
) -> Answer | Fault:
    import httpx

    left = max(deadline - time.monotonic(), 0.05)
    limits = httpx.Timeout(left, connect=min(CONNECT_SECONDS, left))
    begin = httpx.URL(url)

    def stay(request: httpx.Request) -> None:
        if (request.url.scheme, request.url.netloc) != (begin.scheme, begin.netloc):
            raise httpx.TooManyRedirects("a redirect to another place", request=request)

    try:
        with (
            httpx.Client(
                timeout=limits,
                headers=_HEADERS,
                follow_redirects=True,
                max_redirects=3,
                event_hooks={"request": [stay]},
            ) as client,
            client.stream("GET", url) as response,
        ):
            return _read(name, response, deadline, most_bytes, context)
    except httpx.TooManyRedirects:
        return Fault(f"{name} has moved elsewhere; ask another way.")
    except httpx.ConnectError:
        fault = "could not be reached. This computer seems to be offline; check the connection"
    except httpx.TimeoutException:
        fault = "did not answer in time. Check the connection"
    except httpx.HTTPError:
        fault = "broke off its answer; wait a while"
    return Fault(f"{name} {fault} and ask again.", passes=True)


def _read(
    name: str, response: Any, deadline: float, most_bytes: int, context: Context
) -> Answer | Fault:
    """The body of a response, or its fault. `response` is an open httpx.Response."""
    status = response.status_code
    if status == 404:
        return Answer(b"null", "")
    if status in (408, 425, 429) or status >= 500:
        wait = retry_after(response.headers) or 0.0
        fault = f"has a fault of its own ({status}); ask again in a while"
        if status == 429:
            until = f"asks to wait {wait:.0f} seconds" if wait else "needs a little rest"
            fault = f"has had too many requests and {until}; ask again then"
        return Fault(f"{name} {fault}.", passes=True, wait=wait)
    if status != 200:
        return Fault(f"{name} refused the request ({status}); ask in other words.")
    body = bytearray()
    for chunk in response.iter_bytes():
        context.check()
        body += chunk
        if len(body) > most_bytes:
            return Fault(f"{name}'s answer is too large; ask for something narrower.")
        if time.monotonic() > deadline:
            return Fault(f"{name} answers too slowly; ask again in a while.")
    return Answer(bytes(body), "")
