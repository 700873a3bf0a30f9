"""What answers at the server's port from the first moment: a page that waits, then the page itself.

To import Gradio and to load the tools takes seconds; nobody looks at an error until then. Nothing
heavy may be imported here.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

_WAITING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>ControlLLM</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>
body { margin: 0; height: 100vh; display: grid; place-content: center; gap: 14px;
  text-align: center; font: 500 17px system-ui, sans-serif; background: #f6f5f1; color: #1b2527 }
i { display: block; margin: auto; width: 34px; height: 34px; border: 4px solid #9ccfc9;
  border-top-color: #0d6e70; border-radius: 50%; animation: turn 1s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }
@media (prefers-color-scheme: dark) { body { background: #101618; color: #e7eded } }
@media (prefers-reduced-motion: reduce) { i { animation: none } }
</style>
<body><i></i><p role="status">ControlLLM is starting.</p>
<noscript>This page needs scripts. Load it again in a moment.</noscript>
<script>
const look = async () => {
  try { if ((await fetch('/page/texts.json')).ok) return location.reload(); } catch { }
  setTimeout(look, 150);
};
look();
</script>"""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Front:
    """What the server is started with: it waits until there is an application to pass on to."""

    def __init__(self) -> None:
        self._app: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lifespan: contextlib.AsyncExitStack | None = None
        self._listens = threading.Event()

    def enter(self, app: Any) -> None:
        """Pass everything on to an application from now on, once it has begun; called in a thread.

        Raises what its beginning raises.
        """
        self._listens.wait()
        assert self._loop is not None
        asyncio.run_coroutine_threadsafe(self._enter(app), self._loop).result()

    async def _enter(self, app: Any) -> None:
        self._lifespan = contextlib.AsyncExitStack()
        await self._lifespan.enter_async_context(app.router.lifespan_context(app))
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._app is not None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._wait(scope["path"], send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._loop = asyncio.get_running_loop()
        self._listens.set()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if self._lifespan is not None:
            await self._lifespan.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _wait(self, path: str, send: Send) -> None:
        """The page that waits; everything else is asked to come again."""
        kind, status, body = b"application/json", 503, '{"detail": "ControlLLM is starting."}'
        if path == "/":
            kind, status, body = b"text/html; charset=utf-8", 200, _WAITING
        elif path == "/health":
            status, body = 200, '{"state": "ok"}'
        elif path == "/ready":
            body = '{"ready": false, "wrong": ["The page is still being loaded."]}'
        headers = [
            (b"content-type", kind),
            (b"cache-control", b"no-store"),
            (b"retry-after", b"1"),
            (b"x-content-type-options", b"nosniff"),
        ]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body.encode()})
