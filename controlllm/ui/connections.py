"""How many connections there may be, and how long one may keep the server waiting."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from controlllm.admission.allowance import network_of
from controlllm.settings.quotas import Quotas

_REFUSAL = (
    "HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 10\r\n"
    "content-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{said}"
)
_TOO_MANY = "There are too many connections to this server. Try again in a moment."


class Connections:
    """What is open, by the address that opened it.

    Parameters
    ----------
    tell: called with the name of a limit that was reached.
    """

    def __init__(self, quotas: Quotas, tell: Callable[[str], None]) -> None:
        self.quotas = quotas
        self.tell = tell
        self._open: Counter[str] = Counter()

    def count(self) -> int:
        """How many connections are open."""
        return self._open.total()

    def opened(self, address: str) -> bool:
        """Note a connection; whether it may stay."""
        network = network_of(address)
        self._open[network] += 1
        if self._open.total() > self.quotas.all_connections:
            self.tell("all_connections")
            return False
        # All that comes through a proxy of this machine seems to come from it.
        if not _is_here(address) and self._open[network] > self.quotas.address_connections:
            self.tell("address_connections")
            return False
        return True

    def closed(self, address: str) -> None:
        """Note that a connection of this address has ended."""
        network = network_of(address)
        self._open[network] -= 1
        if self._open[network] <= 0:
            del self._open[network]

    def protocol(self) -> type[H11Protocol]:
        """Uvicorn's protocol, held to these limits."""
        connections = self

        class Bounded(_BoundedProtocol):
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                self.open_ones = connections

        return Bounded


class _BoundedProtocol(H11Protocol):
    """Closes connections on which nothing moves: headers that do not end, answers not read."""

    open_ones: Connections
    _address = ""
    #: Since when it waits for a request, or for the other side to read; None where it does neither.
    _asked_since: float | None = None
    _unread_since: float | None = None
    _look: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        self._asked_since = time.monotonic()
        if self.open_ones.opened(self._address):
            self._look_later()
        else:
            said = _REFUSAL.format(length=len(_TOO_MANY), said=_TOO_MANY)
            transport.write(said.encode())
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_ones.closed(self._address)
        if self._look is not None:
            self._look.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._asked_since = None

    def on_response_complete(self) -> None:
        self._asked_since = time.monotonic()
        super().on_response_complete()
        if self.cycle is not None and not self.cycle.response_complete:
            self._asked_since = None  # the next request had come already

    def pause_writing(self) -> None:
        self._unread_since = time.monotonic()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._unread_since = None
        super().resume_writing()

    def _look_later(self) -> None:
        seconds = self.open_ones.quotas.slow_seconds / 4
        self._look = self.loop.call_later(seconds, self._look_now)

    def _look_now(self) -> None:
        slow, now = self.open_ones.quotas.slow_seconds, time.monotonic()
        # A film that is paused is not read either; players ask again for the rest.
        for since, most in ((self._asked_since, slow), (self._unread_since, 2 * slow)):
            if since is not None and now - since > most:
                self.open_ones.tell("slow_seconds")
                self.transport.abort()
                return
        self._look_later()


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True  # a socket of this machine's file system
