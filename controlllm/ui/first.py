"""The page as it is sent: with what has to run before Gradio does, which puts a page's own head in
only later; compressed, and kept by no browser."""

from __future__ import annotations

import gzip
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SCRIPT = (Path(__file__).parent / "components" / "first.js").read_text()
_ADDED = f"<head><script>{_SCRIPT}</script>".encode()


class First:
    """Middleware that puts a script at the beginning of the page, and compresses it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        started: Message = {}
        content = b""

        async def gather(message: Message) -> None:
            nonlocal started, content
            if message["type"] == "http.response.start":
                started = message
            elif message["type"] == "http.response.body":
                content += message.get("body", b"")
                if not message.get("more_body"):
                    await finish()

        async def finish() -> None:
            headers = MutableHeaders(scope=started)
            body = content
            if "text/html" in headers.get("content-type", ""):
                body = content.replace(b"<head>", _ADDED, 1)
                # What it names may be gone when the program is a newer one.
                headers["cache-control"] = "no-store"
                headers.add_vary_header("accept-encoding")
                if "gzip" in Headers(scope=scope).get("accept-encoding", ""):
                    body = gzip.compress(body, compresslevel=4, mtime=0)
                    headers["content-encoding"] = "gzip"
                headers["content-length"] = str(len(body))
            await send(started)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, gather)
