"""Which conversations a browser owns: a cookie holds their secret ids and nothing else does.

The page and its addresses name a conversation by a handle, which is derived from the id and opens
nothing without it. Two tabs may so show two conversations, or the same one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.responses import Response

from controlllm.session import handle_of

_MOST = 80  # ids of 32 characters, so that the cookie stays below 4 KB
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Visitor:
    """The browser that sends a request.

    Parameters
    ----------
    cookies: those of the request.
    cookie: the name of ours. It holds the port, since browsers do not tell ports apart.
    """

    def __init__(self, cookies: Mapping[str, str], cookie: str) -> None:
        self.cookie = cookie
        ids = cookies.get(cookie, "").split(".")
        self.ids = [session_id for session_id in ids if _ID.fullmatch(session_id)][:_MOST]

    def session_id(self, handle: str) -> str:
        """The id of an own conversation; raises KeyError for anybody else's."""
        for session_id in self.ids:
            if handle_of(session_id) == handle:
                return session_id
        raise KeyError(handle)

    def add(self, session_id: str) -> None:
        self.ids = [session_id, *(item for item in self.ids if item != session_id)][:_MOST]

    def remove(self, session_id: str) -> None:
        self.ids = [item for item in self.ids if item != session_id]

    def remember(self, response: Response, secure: bool) -> None:
        """Have the browser keep the ids; no script and no other site gets to read them."""
        response.set_cookie(
            self.cookie,
            ".".join(self.ids),
            max_age=365 * 24 * 3600,
            httponly=True,
            samesite="strict",
            secure=secure,
        )
