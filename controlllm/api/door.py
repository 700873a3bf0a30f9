"""The door for programs: a token in the header ``Authorization`` and nothing else, and how often.

Cookies are not looked at, so no page in a browser can use somebody's rights without the token.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from controlllm.admission.allowance import network_of
from controlllm.api.tokens import Token, Tokens

NO_TOKEN = (
    "Send a token as the header 'Authorization: Bearer TOKEN'. Whoever runs this server makes one "
    "with: python -m controlllm tokens add NAME"
)
WRONG_TOKEN = "This token is not valid, or not any more. Ask whoever runs this server for one."
READS_ONLY = "This token only reads: it lists, plans and fetches. Ask for one that may run things."
_GUESSES_A_MINUTE = 30.0
_MOST_REMEMBERED = 20_000
#: Where the token is kept of a request that was let in.
KEY = "controlllm.token"


class Pace:
    """Lets everybody ask so often in a minute, and in a burst as often at once.

    Parameters
    ----------
    per_minute: how often; 0 means without a limit.
    clock: the time in seconds.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = per_minute
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> int:
        """Ask once more: 0 where that may be, else the seconds to wait, which is no asking."""
        if not self._most:
            return 0
        left, when = self._left.get(who, (self._most, self._clock()))
        left = min(self._most, left + (self._clock() - when) * self._most / 60)
        if left < 1:
            return max(1, math.ceil((1 - left) * 60 / self._most))
        self._left[who] = (left - 1, self._clock())
        self._left.move_to_end(who)
        while len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
        return 0


class NotLetIn(Exception):
    """A request may not come in; the message is a sentence.

    `seconds` is how long to wait where that helps, else 0.
    """

    def __init__(self, said: str, seconds: int = 0) -> None:
        super().__init__(said)
        self.seconds = seconds


class Uploads:
    """Which token has uploaded which files to Gradio's folder; the oldest are forgotten."""

    def __init__(self) -> None:
        self._own: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, paths: Iterable[str], token: Token) -> None:
        """They are the token's; who sends the same file as somebody else has it as well."""
        with self._lock:
            self._own.update(dict.fromkeys((path, token.id) for path in paths))
            while len(self._own) > _MOST_REMEMBERED:
                self._own.popitem(last=False)

    def is_of(self, path: str, token: Token) -> bool:
        """Whether a token has uploaded this file."""
        return (path, token.id) in self._own


class Gate:
    """Who may come in, and how often.

    Parameters
    ----------
    per_minute: how often a token may ask in a minute.
    tell: called with the name of a limit that was reached.
    """

    def __init__(
        self, tokens: Tokens, per_minute: float, tell: Callable[[str], None] = lambda limit: None
    ) -> None:
        self._tokens = tokens
        self._pace = Pace(per_minute)
        self._guesses = Pace(_GUESSES_A_MINUTE)
        self._tell = tell

    async def let_in(self, headers: Headers, client: Any) -> Token:
        """Whose token comes along; raises NotLetIn where there is none, or it asks too often."""
        sent = sent_token(headers)
        token = await run_in_threadpool(self._tokens.of, sent) if sent else None
        if token is not None:
            self._check("api_per_minute", self._pace.take(token.id))
            return token
        # Others behind the same address go on: only who guesses is held up.
        self._check("api_guesses", self._guesses.take(network_of((client or ("", 0))[0])))
        raise NotLetIn(WRONG_TOKEN if sent else NO_TOKEN)

    def _check(self, limit: str, seconds: int) -> None:
        if seconds:
            self._tell(limit)
            said = f"You ask too often. Ask again in {seconds} second{'s' * (seconds > 1)}."
            raise NotLetIn(said, seconds)


class Door:
    """Middleware that lets in who has a token, as often as that may be."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # What a browser asks before a page's request has no token, and is answered before this.
        if scope["type"] == "http":
            try:
                scope[KEY] = await self.gate.let_in(Headers(scope=scope), scope.get("client"))
            except NotLetIn as error:
                await refusal(error)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def token_of(scope: Scope) -> Token:
    """Who asks, of a request that was let in."""
    found: Token = scope[KEY]
    return found


def sent_token(headers: Headers) -> str:
    """The token that a request brings along; empty where there is none."""
    kind, _, sent = headers.get("authorization", "").partition(" ")
    return sent.strip() if kind.lower() == "bearer" else ""


def refusal(error: NotLetIn) -> JSONResponse:
    """The answer to who is not let in: 401, or 429 where waiting helps."""
    if error.seconds:
        return JSONResponse({"detail": str(error)}, 429, {"retry-after": str(error.seconds)})
    return JSONResponse({"detail": str(error)}, 401, {"www-authenticate": "Bearer"})
