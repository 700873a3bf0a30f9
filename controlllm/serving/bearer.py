"""The door of the interface for programs: a token in the header ``Authorization``, nothing else.

Cookies are not looked at, so no page in a browser can use somebody's rights without the token.
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from controlllm.admission.allowance import network_of
from controlllm.serving.pace import Pace
from controlllm.serving.tokens import Token, Tokens

NO_TOKEN = (
    "Send a token as the header 'Authorization: Bearer TOKEN'. Whoever runs this server makes one "
    "with: python -m controlllm tokens add NAME"
)
WRONG_TOKEN = "This token is not valid, or not any more. Ask whoever runs this server for one."
_GUESSES_A_MINUTE = 30.0
#: Where the token is kept of a request that was let in.
KEY = "controlllm.token"


class Bearer:
    """Middleware that lets in who has a token, as often as that may be.

    Parameters
    ----------
    open_paths: what everybody may read.
    tell: called with the name of a limit that was reached.
    """

    def __init__(
        self,
        app: ASGIApp,
        tokens: Tokens,
        pace: Pace,
        open_paths: frozenset[str] = frozenset(),
        tell: Callable[[str], None] = lambda limit: None,
    ) -> None:
        self.app = app
        self._tokens = tokens
        self._pace = pace
        self._guesses = Pace(_GUESSES_A_MINUTE)
        self._open_paths = open_paths
        self._tell = tell

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # What a browser asks before a page's request has no token, and is answered before this.
        if scope["type"] != "http" or scope["path"] in self._open_paths:
            await self.app(scope, receive, send)
            return
        refusal = await self._refusal(scope)
        await (refusal or self.app)(scope, receive, send)

    async def _refusal(self, scope: Scope) -> JSONResponse | None:
        kind, _, sent = Headers(scope=scope).get("authorization", "").partition(" ")
        if kind.lower() != "bearer" or not sent.strip():
            return _unknown(NO_TOKEN)
        token = await run_in_threadpool(self._tokens.of, sent.strip())
        if token is None:
            # Others behind the same address go on: only who guesses is held up.
            seconds = self._guesses.take(network_of((scope.get("client") or ("", 0))[0]))
            return self._too_fast("api_guesses", seconds) if seconds else _unknown(WRONG_TOKEN)
        seconds = self._pace.take(token.id)
        if seconds:
            return self._too_fast("api_per_minute", seconds)
        scope[KEY] = token
        return None

    def _too_fast(self, limit: str, seconds: int) -> JSONResponse:
        self._tell(limit)
        said = f"You ask too often. Ask again in {seconds} second{'s' * (seconds > 1)}."
        return JSONResponse({"detail": said}, 429, {"retry-after": str(seconds)})


def token_of(scope: Scope) -> Token:
    """Who asks, of a request that was let in."""
    found: Token = scope[KEY]
    return found


def _unknown(said: str) -> JSONResponse:
    return JSONResponse({"detail": said}, 401, {"www-authenticate": "Bearer"})
