"""How much a request may send, and how slowly."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controlllm.settings.quotas import Quotas

#: Files, and messages with files in them, are measured by the route that takes them.
_FILES = re.compile(r"(/programs)?/gradio_api/upload|/mcp")
#: Whoever sends less than this for long only holds a place, in bytes a second.
_SLOWEST = 1000


class Bodies:
    """Middleware that refuses bodies which are too large or come too slowly.

    Parameters
    ----------
    tell: called with the name of a limit that was reached.
    """

    def __init__(self, app: ASGIApp, quotas: Quotas, tell: Callable[[str], None]) -> None:
        self.app = app
        self._quotas = quotas
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_file = bool(_FILES.fullmatch(scope["path"]))
        most = float("inf") if is_file else self._quotas.body_bytes
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await self._refuse("body_bytes", scope, receive, send)
            return
        body = _Body(receive, most, self._quotas.slow_seconds)
        is_answered = False

        async def send_unless_refused(message: Message) -> None:
            nonlocal is_answered
            if body.limit and not is_answered:
                return
            is_answered = True
            await send(message)

        try:
            await self.app(scope, body.receive, send_unless_refused)
        except ClientDisconnect:
            if not body.limit:
                raise
        if body.limit and not is_answered:
            await self._refuse(body.limit, scope, receive, send)

    async def _refuse(self, limit: str, scope: Scope, receive: Receive, send: Send) -> None:
        self._tell(limit)
        if limit == "slow_seconds":
            status, said = 408, "This came too slowly. Check your connection and try it again."
        else:
            most = self._quotas.body_bytes / 1e6
            status = 413
            said = f"This is more than {most:.3g} MB, the most that fits in a message. Send a file."
        answer = JSONResponse({"detail": said}, status, {"connection": "close"})
        await answer(scope, receive, send)


class _Body:
    """A request's body on its way in; `limit` is what it has passed, empty as long as nothing."""

    def __init__(self, receive: Receive, most: float, slow_seconds: float) -> None:
        self._receive = receive
        self._most = most
        self._slow_seconds = slow_seconds
        self._received = 0
        self._began = time.monotonic()
        self._is_whole = False
        self.limit = ""

    async def receive(self) -> Message:
        if self._is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout(self._slow_seconds):
                message = await self._receive()
        except TimeoutError:
            return self._passed("slow_seconds")
        self._is_whole = not message.get("more_body", False)
        self._received += len(message.get("body", b""))
        if self._received > self._most:
            return self._passed("body_bytes")
        seconds = time.monotonic() - self._began
        if seconds > self._slow_seconds and self._received < _SLOWEST * seconds:
            return self._passed("slow_seconds")
        return message

    def _passed(self, limit: str) -> Message:
        self.limit = limit
        self._is_whole = True
        return {"type": "http.disconnect"}
