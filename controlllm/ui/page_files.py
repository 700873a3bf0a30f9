"""The page itself and what it is made of, as a browser gets them: compressed, and not sent again
where the browser has them already."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

from controlllm.asset_folder import ASSETS
from controlllm.ui.page import document

_SCRIPTS = {path.name: path for path in sorted((ASSETS / "page").glob("*.js"))}
_FILES = {
    "style.css": ASSETS / "style.css",
    "logo.svg": ASSETS / "logo.svg",
    **_SCRIPTS,
    **{
        f"examples/{path.name}": path
        for path in (ASSETS / "examples").iterdir()
        if path.suffix not in (".json", ".md", ".py")
    },
}
_COMPRESSED = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
#: Asked for anew each time, which costs next to nothing where nothing has changed.
_CHECKED = {"cache-control": "no-cache", "vary": "accept-encoding"}


async def page(request: Request) -> Response:
    """The page, before the first word is said."""
    content, packed = _document()
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if _takes_gzip(request):
        return HTMLResponse(packed, headers={**headers, "content-encoding": "gzip"})
    return HTMLResponse(content, headers=headers)


async def page_file(request: Request) -> Response:
    """A script, the style, a picture of the page."""
    path = _FILES.get(request.path_params["name"])
    if path is None:
        raise HTTPException(404, "There is no such file.")
    state = path.stat()
    if path.suffix not in _COMPRESSED:
        response: Response = FileResponse(path, headers=_CHECKED, stat_result=state)
    else:
        content, packed, tag = _packed(path, state.st_mtime_ns)
        headers = {**_CHECKED, "etag": tag}
        if _takes_gzip(request):
            content, headers["content-encoding"] = packed, "gzip"
        response = Response(content, headers=headers, media_type=_COMPRESSED[path.suffix])
    known = request.headers.get("if-none-match", "")
    if response.headers["etag"] in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers={**_CHECKED, "etag": response.headers["etag"]})
    return response


ROUTES = (Route("/", page), Route("/page/{name:path}", page_file))


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


@cache
def _document() -> tuple[bytes, bytes]:
    content = document(tuple(_SCRIPTS)).encode()
    return content, gzip.compress(content, mtime=0)


@lru_cache(maxsize=64)
def _packed(path: Path, changed: int) -> tuple[bytes, bytes, str]:
    """A file as it is and compressed, with its tag, as it was when it was `changed`."""
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return content, gzip.compress(content, mtime=0), tag
