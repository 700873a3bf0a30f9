"""What protects the page: who may talk to the server, and what a browser may do with its answers.

A local server is reachable by every web page that its owner's browser shows. So a request must name
one of our hosts (a foreign name that resolves to this machine is refused), and a request that
changes something must come from our own page (Origin).
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Drawings say in attributes where things lie on a picture.
        "style-src-attr 'unsafe-inline'",
        "img-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
#: The same for a page of Gradio, which writes its own scripts and styles into the page and makes
#: functions of its templates: nothing may come from elsewhere, and nothing may go there.
GRADIO_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "worker-src 'self' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "media-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' data: blob:",
        "manifest-src 'self'",
        "frame-src 'self'",
        "base-uri 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
#: A file that somebody made runs nothing, loads nothing and belongs to no origin.
FILE_POLICY = (
    "sandbox; default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; "
    "font-src data:; frame-ancestors 'self'"
)

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "microphone=(self), camera=(), geolocation=(), payment=(), usb=()",
}
#: Where programs ask, not pages.
FOR_PROGRAMS = ("/programs", "/api/files/", "/mcp")
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


class Guard:
    """Middleware that refuses foreign hosts and origins and adds the security headers.

    Parameters
    ----------
    hosts: the names, without port, under which the server may be addressed.
    origins: the pages of elsewhere whose scripts may use the interface for programs, which takes a
        token and no cookie.
    policy: what the page may load and run.
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str],
        origins: Iterable[str] = (),
        policy: str = PAGE_POLICY,
    ) -> None:
        self.app = app
        self.policy = policy
        self.origins = frozenset(origins)
        self.hosts = {host.lower().strip("[]") for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                return
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    added.setdefault(name, value)
                added.setdefault("content-security-policy", self.policy)
            await send(message)

        if refusal is not None:
            await refusal(scope, receive, send_guarded)
        else:
            await self.app(scope, receive, send_guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if _name(host) not in self.hosts:
            return PlainTextResponse(
                "This server is not known by that name. Open it by the address it printed, or "
                "start it with --allow-host NAME.",
                400,
            )
        is_for_programs = scope["path"].startswith(FOR_PROGRAMS)
        if is_for_programs and headers.get("origin") in self.origins:
            return None
        if scope["method"] not in _SAFE_METHODS and not _is_own(headers, host):
            return PlainTextResponse("Only the page of this server may do that.", 403)
        return None


def _name(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_own(headers: Headers, host: str) -> bool:
    """Whether a request comes from our own page, or from no page at all (a program)."""
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("same-origin", "none")
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()
