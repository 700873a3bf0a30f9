"""Answers of others that are read no further than they may be long, whole or as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx2


class AnswerTooLarge(Exception):
    """An answer has more bytes than it may have, or is packed so that nobody knows."""


def bounded_to(most_bytes: int) -> dict[str, Any]:
    """Options for an `httpx2.AsyncClient` by which no answer's body has more bytes, also not that
    of a refusal; reading more raises AnswerTooLarge.

    Nothing packed is asked for or taken: a few packed bytes may stand for any number.
    """

    async def bound(response: httpx2.Response) -> None:
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity"):
            raise AnswerTooLarge(f"It is packed as {encoding[:20]!r}, which was not asked for.")
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Bounded(response.stream, most_bytes)

    hooks: dict[str, list[Callable[..., Awaitable[None]]]] = {"response": [bound]}
    return {"event_hooks": hooks, "headers": {"accept-encoding": "identity"}}


class _Bounded(httpx2.AsyncByteStream):
    """A body that is read no further than it may be long."""

    def __init__(self, inner: httpx2.AsyncByteStream, most_bytes: int) -> None:
        self._inner = inner
        self._left = most_bytes

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise AnswerTooLarge("It is longer than it may be.")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()
