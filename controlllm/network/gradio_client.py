"""The way of Gradio's client to an app: to this app alone, at checked addresses, answers bounded.

The client takes options for each of its requests, and one of them sees every request before it is
sent and every answer before it is read: what is meant for signing in. That is where it is watched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from typing import Any

import httpx

from controlllm.network.addresses import Refused, machines_of
from controlllm.network.transport import place_of
from controlllm.toolbox import ToolError

MOST_BYTES = 64 * 1024 * 1024


class Watched(httpx.Auth):
    """Sends requests to the place of an address alone, to a machine that was judged just then.

    Parameters
    ----------
    is_local: whether that may be this machine or one nearby.
    most: the bytes that one answer may have.
    """

    def __init__(self, address: str, is_local: bool, most: int) -> None:
        self.place = place_of(address)
        self._own = self.place if is_local else None
        self._most = most

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Raises Refused where a request leads elsewhere, ToolError for an answer not asked for."""
        where = place_of(str(request.url))
        if where != self.place:
            raise Refused(f"{self.place.host} leads to {where.host}, which is not asked.")
        try:
            machines = asyncio.run(machines_of(where, self._own))
        except OSError as error:
            raise httpx.ConnectError(f"{where.host} is not known") from error
        if not machines:
            raise httpx.ConnectError(f"{where.host} has no address")
        # The name stays in the Host header and for TLS.
        request.url = request.url.copy_with(host=machines[0])
        request.extensions = {**request.extensions, "sni_hostname": where.host}
        request.headers["Accept-Encoding"] = "identity"
        response = yield request
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            response.close()
            raise ToolError(f"{where.host} packs its answers, which was not asked for.")
        assert isinstance(response.stream, httpx.SyncByteStream)
        response.stream = _Counted(response.stream, self._most)


class _Counted(httpx.SyncByteStream):
    def __init__(self, inner: httpx.SyncByteStream, most: int) -> None:
        self._inner, self._left = inner, most

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise httpx.ReadError("The answer is too long.")
            yield piece

    def close(self) -> None:
        self._inner.close()


def fetched(url: str, watched: Watched, headers: Any) -> bytes:
    """The bytes at an address of an app; raises httpx's errors, Refused where it is elsewhere."""
    with httpx.stream("GET", url, headers=headers, auth=watched, trust_env=False) as response:
        response.raise_for_status()
        return response.read()
