"""Asking public services on the network for JSON: only where the person has allowed it."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
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
_TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})


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
    if parameters:
        url += "?" + urlencode({name: str(value) for name, value in parameters.items()})
    kept = _ANSWERS.find(url)
    if kept is not None:
        return json.loads(kept)
    body = _ask(service, url, time.monotonic() + whole_seconds, most_bytes, context)
    try:
        answer = json.loads(body)
    except ValueError:
        answer = _UNREADABLE
    if answer is _UNREADABLE:
        raise ServiceError(
            f"{service.name} sent an answer that cannot be read; ask again in a while."
        )
    _ANSWERS.keep(url, body, keep_seconds)
    return answer


def forget() -> None:
    """Drop all answers that are kept, and what services asked for."""
    _ANSWERS.clear()
    _PACE.clear()


_UNREADABLE = object()


class _Answers:
    """Answers by address until they expire; the oldest go first where there are too many."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, bytes]] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, url: str) -> bytes | None:
        with self._lock:
            until, body = self._kept.get(url, (0.0, b""))
            return body if until > time.monotonic() else None

    def keep(self, url: str, body: bytes, seconds: float) -> None:
        with self._lock:
            self._kept.pop(url, None)
            if seconds > 0:
                self._kept[url] = (time.monotonic() + seconds, body)
            while len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()


class _Pace:
    """When each service may be asked again, by address."""

    def __init__(self) -> None:
        self._earliest: dict[str, float] = {}
        self._lock = threading.Lock()

    def turn(self, service: Service) -> float:
        """The moment of this caller's turn; the next one's is the service's interval later."""
        with self._lock:
            moment = max(time.monotonic(), self._earliest.get(service.address, 0.0))
            if service.interval:
                self._earliest[service.address] = moment + service.interval
            return moment

    def hold(self, service: Service, seconds: float) -> None:
        with self._lock:
            moment = max(time.monotonic() + seconds, self._earliest.get(service.address, 0.0))
            self._earliest[service.address] = moment

    def clear(self) -> None:
        with self._lock:
            self._earliest.clear()


_ANSWERS = _Answers()
_PACE = _Pace()


@dataclass(frozen=True)
class _Reply:
    """What one request came to: a body, or the words of a fault that may pass or not."""

    body: bytes = b""
    fault: str = ""
    passes: bool = False
    wait: float | None = None


def _ask(service: Service, url: str, deadline: float, most_bytes: int, context: Context) -> bytes:
    next_pause = FIRST_PAUSE
    for attempt in range(RETRIES + 1):
        moment = _PACE.turn(service)
        if moment >= deadline:
            wait = moment - time.monotonic()
            raise ServiceError(
                f"{service.name} has had too many requests and asks to wait "
                f"{wait:.0f} seconds; ask again then."
            )
        pause(moment - time.monotonic(), context)
        reply = wait_for(lambda: _request(service, url, deadline, most_bytes, context), context)
        # Raised out here, where no cause hangs on it, since the engine would take a lost connection
        # behind it for a reason to do all of this again.
        if not reply.fault:
            return reply.body
        if reply.wait is not None:
            _PACE.hold(service, reply.wait)
        following = time.monotonic() + max(next_pause, reply.wait or 0.0)
        if not reply.passes or attempt == RETRIES or following >= deadline:
            raise ServiceError(reply.fault)
        pause(following - time.monotonic(), context)
        next_pause *= 2
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
                    if response.is_redirect:
                        target = urljoin(url, response.headers.get("location", ""))
                        if not _is_same_place(url, target):
                            return _Reply(fault=f"{name} has moved elsewhere; ask another way.")
                        url = target
                        continue
                    return _read(service, response, deadline, most_bytes, context)
            return _Reply(fault=f"{name} sends from one address to the next without end.")
    except httpx.ConnectError:
        return _Reply(
            fault=f"{name} could not be reached. This computer seems to be offline; check the "
            "connection and ask again.",
            passes=True,
        )
    except httpx.TimeoutException:
        return _Reply(
            fault=f"{name} did not answer in time. Check the connection, or ask again in a while.",
            passes=True,
        )
    except httpx.HTTPError:
        return _Reply(fault=f"{name}'s answer broke off; ask again in a while.", passes=True)


def _is_same_place(url: str, target: str) -> bool:
    """Whether a redirect stays at the service, and does not leave an encrypted connection."""
    before, after = urlsplit(url), urlsplit(target)
    if after.scheme == "https" and before.scheme == "http":
        return before.hostname == after.hostname
    return (before.scheme, before.netloc) == (after.scheme, after.netloc)


def _read(
    service: Service, response: Any, deadline: float, most_bytes: int, context: Context
) -> _Reply:
    """The body of a response, or its fault. `response` is an open httpx.Response."""
    name, status = service.name, response.status_code
    if status == 404:
        return _Reply(b"null")
    if status == 429 or status == 503:
        wait = _retry_after(response.headers.get("retry-after", ""))
        if status == 429 and wait is not None:
            words = f"has had too many requests and asks to wait {wait:.0f} seconds; ask again then"
        elif status == 429:
            words = "has had too many requests; wait a little and ask again"
        else:
            words = "is busy; ask again in a while"
        return _Reply(fault=f"{name} {words}.", passes=True, wait=wait)
    if status >= 500 or status in _TRANSIENT:
        return _Reply(
            fault=f"{name} has a fault of its own ({status}); ask again in a while.", passes=True
        )
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


def _retry_after(told: str) -> float | None:
    """The seconds that a Retry-After header asks to wait, None where it does not say."""
    if told.strip().isdigit():
        return float(told)
    try:
        return max(parsedate_to_datetime(told).timestamp() - time.time(), 0.0)
    except ValueError:
        return None
