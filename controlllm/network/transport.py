"""Carries requests to machines whose addresses were judged just before.

A host is resolved anew for each request, also for one that a redirect leads to; all that it stands
for is judged, and what was judged is connected to, so that a name cannot mean another machine
between the check and the connection. The name stays in the Host header and for TLS.
"""

from __future__ import annotations

import ssl
from functools import cache

import httpx2

from controlllm.network.addresses import (
    Place,
    Refused,
    Resolve,
    machines_of,
    place,
    resolved,
)

_MOST_MACHINES = 4


@cache
def _trusted() -> ssl.SSLContext:
    """Whose certificates are believed; reading them takes longer than most answers."""
    return httpx2.create_ssl_context()


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Carries requests of an `httpx2.AsyncClient` to checked addresses only.

    Parameters
    ----------
    own: the place of a source that the operator let be nearby (`place_of` of its address).
    resolve: how names become addresses.
    inner: what carries a request whose host is an address already.
    """

    def __init__(
        self,
        own: Place | None = None,
        resolve: Resolve = resolved,
        inner: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._own = own
        self._resolve = resolve
        # No connection is used twice: the next request may be for another name at this address,
        # whose certificate nobody would have seen.
        limits = httpx2.Limits(max_connections=20, max_keepalive_connections=0)
        self._inner = inner or httpx2.AsyncHTTPTransport(verify=_trusted(), limits=limits)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """The response; raises Refused where the address is not to be asked."""
        where = place_of(request.url)
        try:
            machines = await machines_of(where, self._own, self._resolve)
        except OSError as error:
            raise httpx2.ConnectError(f"{where.host} is not known", request=request) from error
        failed: httpx2.TransportError | None = None
        for machine in machines[:_MOST_MACHINES]:
            try:
                return await self._inner.handle_async_request(_to(machine, where, request))
            except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                failed = error
        raise failed or httpx2.ConnectError(f"{where.host} has no address", request=request)

    async def aclose(self) -> None:
        await self._inner.aclose()


def _to(machine: str, where: Place, request: httpx2.Request) -> httpx2.Request:
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=machine),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": where.host},
    )


def place_of(url: httpx2.URL | str) -> Place:
    """The place that an URL leads to; raises Refused where it is none that is ever asked."""
    try:
        parts = httpx2.URL(url)
        # As it is written, not as it would be shown: the same bytes are sent.
        host = parts.raw_host.decode("ascii").strip("[]")
        return place(parts.scheme, parts.userinfo, host, parts.port)
    except (httpx2.InvalidURL, UnicodeError, ValueError):
        raise Refused("This is no address on the web.") from None
