"""What the page is made of beside Gradio's own, as a browser gets it: compressed, and not sent
again where the browser has it already."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

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
