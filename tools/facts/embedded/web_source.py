"""Asking public services on the network for JSON: only where the person has allowed it."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from controlllm.surroundings import Surroundings
from controlllm.toolbox import Context, ToolError
from tools.shared.waiting import pause, wait_for

NEEDS_SETTING = (
    "needs a public service on the network, which your settings do not allow to be asked"
)
USER_AGENT = "ControlLLM/0.1 (one person's own assistant; python-httpx)"
CONNECT_SECONDS = 4.0
WHOLE_SECONDS = 10.0
RETRIES = 2
FIRST_PAUSE = 0.4
MOST_BYTES = 2 * 1024 * 1024
_MOST_REDIRECTS = 3
_MOST_KEPT = 256

_LOCK = threading.Lock()
#: Answers by address with the moment until which each is good; the oldest first.
_KEPT: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
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


def reason_not_allowed(surroundings: Surroundings) -> str | None:
    """Why no service may be asked, or None where they may: the `check` of implementations."""
    return None if surroundings.public_services else NEEDS_SETTING


def fetch_json(
    service: Service,
    path: str,
    parameters: Mapping[str, object] | None = None,
    *,
    keep_seconds: float = 600.0,
    whole_seconds: float = WHOLE_SECONDS,
    most_bytes: int = MOST_BYTES,
    context: Context | None = None,
) -> Any:
    """What a service answers at a path, read as JSON; None where it says that there is nothing.

    An answer is kept in memory for `keep_seconds`. Faults that may pass are tried again twice, all
    within `whole_seconds`. Raises ServiceError where no answer comes, and ToolError where the
    person has not allowed asking services.
    """
    context = context or Context()
    if not context.surroundings.public_services:
        raise ToolError(f"{service.name} was not asked: this {NEEDS_SETTING}.")
    url = f"{service.address}/{path.lstrip('/')}"
    url += f"?{urlencode(parameters)}" if parameters else ""
    with _LOCK:
        until, body = _KEPT.get(url, (0.0, b""))
    if until <= time.monotonic():
        body = _ask(service, url, time.monotonic() + whole_seconds, most_bytes, context)
        until = time.monotonic() + keep_seconds
    with reading(service):
        answer = json.loads(body)
    with _LOCK:
        _KEPT[url] = (until, body)
        while len(_KEPT) > _MOST_KEPT:
            _KEPT.popitem(last=False)
    return answer


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
    """Drop all answers that are kept, and what services asked for."""
    with _LOCK:
        _KEPT.clear()
        _EARLIEST.clear()


@dataclass(frozen=True)
class _Reply:
    """What one request came to: a body, or the words of a fault that may pass or not."""

    body: bytes = b""
    fault: str = ""
    passes: bool = False
    wait: float = 0.0


def _ask(service: Service, url: str, deadline: float, most_bytes: int, context: Context) -> bytes:
    for attempt in range(RETRIES + 1):
        with _LOCK:
            turn = max(time.monotonic(), _EARLIEST.get(service.address, 0.0))
            _EARLIEST[service.address] = turn + service.interval
        if turn >= deadline:
            raise ServiceError(
                f"{service.name} has had too many requests and asks to wait "
                f"{turn - time.monotonic():.0f} seconds; ask again then."
            )
        pause(turn - time.monotonic(), context)
        reply = wait_for(lambda: _request(service, url, deadline, most_bytes, context), context)
        # Raised out here, where no cause hangs on it, since the engine would take a lost connection
        # behind it for a reason to do all of this again.
        if not reply.fault:
            return reply.body
        with _LOCK:
            held = max(time.monotonic() + reply.wait, _EARLIEST[service.address])
            _EARLIEST[service.address] = held
        following = time.monotonic() + max(FIRST_PAUSE * 2**attempt, reply.wait)
        if not reply.passes or attempt == RETRIES or following >= deadline:
            raise ServiceError(reply.fault)
        pause(following - time.monotonic(), context)
    raise AssertionError("the loop returns or raises")


def _request(
    service: Service, url: str, deadline: float, most_bytes: int, context: Context
) -> _Reply:
    import httpx

    name = service.name
    left = max(deadline - time.monotonic(), 0.05)
    limits = httpx.Timeout(left, connect=min(CONNECT_SECONDS, left))
    headers = {"User-Agent": USER_AGENT, "Accept": "application/json", "Accept-Language": "en"}
    try:
        with httpx.Client(timeout=limits, headers=headers) as client:
            for _ in range(_MOST_REDIRECTS + 1):
                with client.stream("GET", url) as response:
                    if not response.is_redirect:
                        return _read(name, response, deadline, most_bytes, context)
                    target = urljoin(url, response.headers.get("location", ""))
                    if not _is_same_place(url, target):
                        return _Reply(fault=f"{name} has moved elsewhere; ask another way.")
                    url = target
            return _Reply(fault=f"{name} sends from one address to the next without end.")
    except httpx.ConnectError:
        fault = "could not be reached. This computer seems to be offline; check the connection"
    except httpx.TimeoutException:
        fault = "did not answer in time. Check the connection"
    except httpx.HTTPError:
        fault = "broke off its answer; wait a while"
    return _Reply(fault=f"{name} {fault} and ask again.", passes=True)


def _is_same_place(url: str, target: str) -> bool:
    """Whether a redirect stays at the service, and does not leave an encrypted connection."""
    before, after = urlsplit(url), urlsplit(target)
    if after.scheme == "https" and before.scheme == "http":
        return before.hostname == after.hostname
    return (before.scheme, before.netloc) == (after.scheme, after.netloc)


def _read(name: str, response: Any, deadline: float, most_bytes: int, context: Context) -> _Reply:
    """The body of a response, or its fault. `response` is an open httpx.Response."""
    status = response.status_code
    if status == 404:
        return _Reply(b"null")
    if status in (408, 425, 429) or status >= 500:
        wait = _retry_after(response.headers.get("retry-after", ""))
        fault = f"has a fault of its own ({status}); ask again in a while"
        if status == 429:
            until = f"asks to wait {wait:.0f} seconds" if wait else "needs a little rest"
            fault = f"has had too many requests and {until}; ask again then"
        return _Reply(fault=f"{name} {fault}.", passes=True, wait=wait)
    if status != 200:
        return _Reply(fault=f"{name} refused the request ({status}); ask in other words.")
    body = bytearray()
    for chunk in response.iter_bytes():
        context.check()
        body += chunk
        if len(body) > most_bytes:
            return _Reply(fault=f"{name}'s answer is too large; ask for something narrower.")
        if time.monotonic() > deadline:
            return _Reply(fault=f"{name} answers too slowly; ask again in a while.")
    return _Reply(bytes(body))


def _retry_after(told: str) -> float:
    """The seconds that a Retry-After header asks to wait, 0 where it does not say."""
    if told.strip().isdigit():
        return float(told)
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except ValueError:
        return 0.0
