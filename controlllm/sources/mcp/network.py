"""The way of MCP to servers on the network: checked addresses, bounded answers, their secrets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx2

from controlllm.network.transport import CheckedTransport, place_of
from controlllm.sources.secrets import secret
from controlllm.sources.source import Source
from controlllm.toolbox import ToolError

#: Seconds that a server may keep still, and to connect; a call has its own limit besides.
_SILENT, _CONNECT = 300.0, 10.0


#: Is told the status of an answer, or why there is none; says whether whoever asked hears of it.
Note = Callable[[int | Exception], bool]


def client_for(source: Source, most: int, note: Note) -> httpx2.AsyncClient:
    """A client for a server of MCP, which sends it its source's secrets.

    Parameters
    ----------
    most: the bytes that one answer may have.
    note: is told the status of each answer, or why there is none. Where whoever asked hears of that
        it is no error here: the SDK would end all other requests of the connection with it.

    Raises ToolError where a secret is not set or the address is not to be asked.
    """
    own = place_of(source.address)
    headers = {"Accept-Encoding": "identity"}
    for role, name in source.secrets.items():
        value = secret(name, source.home)
        headers["Authorization" if role == "bearer" else role] = (
            f"Bearer {value}" if role == "bearer" else value
        )
    checked = CheckedTransport(own if source.options.get("is_local") else None)
    return httpx2.AsyncClient(
        transport=_Bounded(checked, most, note),
        headers=headers,
        timeout=httpx2.Timeout(_SILENT, connect=_CONNECT),
        trust_env=False,
    )


class _Bounded(httpx2.AsyncBaseTransport):
    """Carries requests on, and lets no answer be longer than it may be."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, most: int, note: Note) -> None:
        self._inner, self._most, self._note = inner, most, note

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            response = await self._answer(request)
        except (httpx2.TransportError, ToolError) as error:
            if not self._note(error):
                raise
            return httpx2.Response(502, request=request)
        self._note(response.status_code)
        return response

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise ToolError(f"{request.url.host} packs its answers, which was not asked for.")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Counted(response.stream, self._most)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, most: int) -> None:
        self._inner, self._left = inner, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # The SDK takes an error of this kind alone for one of this answer, and ends all requests of
        # the connection with any other.
        try:
            async for piece in self._inner:
                self._left -= len(piece)
                if self._left < 0:
                    raise httpx2.StreamError("The answer is too long.")
                yield piece
        except httpx2.TransportError as error:
            raise httpx2.StreamError(str(error)) from error

    async def aclose(self) -> None:
        await self._inner.aclose()
