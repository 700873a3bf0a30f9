"""The page itself and what it is made of, as a browser gets them: compressed, and not sent again
where the browser has them already."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache, lru_cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from controlllm.layout import ASSETS
from controlllm.ui.drawings.page import document
from controlllm.ui.texts import current_language, details_of, say

_SCRIPTS = {path.name: path for path in sorted((ASSETS / "page").glob("*.js"))}
#: One sheet, put together in the order of the files' names: what is last overrules.
_STYLE = sorted((ASSETS / "style").glob("*.css"))
_NEW_STYLE = sorted((Path(__file__).parent / "style").glob("*.css"))
_FILES = {
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
    content, packed = _document(current_language())
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if _takes_gzip(request):
        return HTMLResponse(packed, headers={**headers, "content-encoding": "gzip"})
    return HTMLResponse(content, headers=headers)


async def texts(_: Request) -> Response:
    """What the page's scripts say, in the reader's language."""
    return JSONResponse(details_of(current_language()), headers={"cache-control": "no-store"})


async def style(request: Request) -> Response:
    """The page's one style sheet."""
    changed = max(path.stat().st_mtime_ns for path in _STYLE)
    return _compressed(request, *_packed(tuple(_STYLE), changed), ".css")


async def new_style(request: Request) -> Response:
    """The same of the page in Gradio."""
    changed = max(path.stat().st_mtime_ns for path in _NEW_STYLE)
    return _compressed(request, *_packed(tuple(_NEW_STYLE), changed), ".css")


async def page_file(request: Request) -> Response:
    """A script, a picture of the page."""
    path = _FILES.get(request.path_params["name"])
    if path is None:
        raise HTTPException(404, say("errors.no_file"))
    state = path.stat()
    if path.suffix in _COMPRESSED:
        return _compressed(request, *_packed((path,), state.st_mtime_ns), path.suffix)
    return _unless_known(request, FileResponse(path, headers=_CHECKED, stat_result=state))


def _compressed(request: Request, content: bytes, packed: bytes, tag: str, kind: str) -> Response:
    headers = {**_CHECKED, "etag": tag}
    if _takes_gzip(request):
        content, headers["content-encoding"] = packed, "gzip"
    return _unless_known(request, Response(content, headers=headers, media_type=_COMPRESSED[kind]))


def _unless_known(request: Request, response: Response) -> Response:
    """The response, or that the browser has it already."""
    known = request.headers.get("if-none-match", "")
    if response.headers["etag"] in (tag.strip().removeprefix("W/") for tag in known.split(",")):
        return Response(status_code=304, headers={**_CHECKED, "etag": response.headers["etag"]})
    return response


#: What the page in Gradio fetches.
FETCHED = (
    Route("/page/texts.json", texts),
    Route("/page/style.css", new_style),
    Route("/page/{name:path}", page_file),
)
ROUTES = (
    Route("/", page),
    Route("/page/texts.json", texts),
    Route("/page/style.css", style),
    Route("/page/{name:path}", page_file),
)


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


@cache
def _document(language: str) -> tuple[bytes, bytes]:
    content = document(tuple(_SCRIPTS)).encode()
    return content, gzip.compress(content, mtime=0)


@lru_cache(maxsize=64)
def _packed(paths: tuple[Path, ...], changed: int) -> tuple[bytes, bytes, str]:
    """Files as one and compressed, with its tag, as they were when the last was `changed`."""
    content = b"".join(path.read_bytes() for path in paths)
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return content, gzip.compress(content, mtime=0), tag
