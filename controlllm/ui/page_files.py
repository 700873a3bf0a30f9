"""The page as a browser gets it, with what has to run before Gradio does, and what it is made of
beside Gradio's own: compressed, and not sent again where the browser has it already."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controlllm.layout import ASSETS
from controlllm.ui.texts import current_language, details_of, say

#: One sheet, put together in the order of the files' names: what is last overrules.
_STYLE = tuple(sorted((Path(__file__).parent / "style").glob("*.css")))
_FILES = {
    "logo.svg": ASSETS / "logo.svg",
    **{
        f"examples/{path.name}": path
        for path in (ASSETS / "examples").iterdir()
        if path.suffix not in (".json", ".md", ".py")
    },
}
#: Gradio puts a page's own head in only later.
_SCRIPT = (Path(__file__).parent / "components" / "first.js").read_text()
_ADDED = f"<head><script>{_SCRIPT}</script>".encode()
#: Asked for anew each time, which costs next to nothing where nothing has changed.
_CHECKED = {"cache-control": "no-cache", "vary": "accept-encoding"}


async def texts(_: Request) -> Response:
    """What the page's scripts say, in the reader's language."""
    return JSONResponse(details_of(current_language()), headers={"cache-control": "no-store"})


async def style(request: Request) -> Response:
    """The page's own style sheet."""
    content, packed, tag = _packed(max(path.stat().st_mtime_ns for path in _STYLE))
    headers = {**_CHECKED, "etag": tag}
    if "gzip" in request.headers.get("accept-encoding", ""):
        content, headers["content-encoding"] = packed, "gzip"
    return _unless_known(request, Response(content, headers=headers, media_type="text/css"))


async def page_file(request: Request) -> Response:
    """A picture of the page."""
    path = _FILES.get(request.path_params["name"])
    if path is None:
        raise HTTPException(404, say("errors.no_file"))
    return _unless_known(request, FileResponse(path, headers=_CHECKED, stat_result=path.stat()))


def _unless_known(request: Request, response: Response) -> Response:
    """The response, or that the browser has it already."""
    known = request.headers.get("if-none-match", "")
    if response.headers["etag"] in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers={**_CHECKED, "etag": response.headers["etag"]})
    return response


@lru_cache(maxsize=4)
def _packed(changed: int) -> tuple[bytes, bytes, str]:
    """The sheet plain and compressed, with its tag; the last of its files was then `changed`."""
    content = b"".join(path.read_bytes() for path in _STYLE)
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return content, gzip.compress(content, mtime=0), tag


ROUTES = (
    Route("/page/texts.json", texts),
    Route("/page/style.css", style),
    Route("/page/{name:path}", page_file),
)


class First:
    """Middleware that puts a script at the beginning of the page, and compresses it; no browser
    keeps it."""

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
