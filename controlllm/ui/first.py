"""What has to run in the page before Gradio does, which puts a page's own head in only later."""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SCRIPT = (Path(__file__).parent / "components" / "first.js").read_text()
_ADDED = f"<head><script>{_SCRIPT}</script>".encode()


class First:
    """Middleware that puts a script at the beginning of the page."""

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
                headers["content-length"] = str(len(body))
            await send(started)
            await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, gather)
