"""Which conversations a browser owns: those that the store has under the secret of its cookie.

The page and its addresses name a conversation by a handle, which is derived from the id and opens
nothing without it. Two tabs may so show two conversations, or the same one.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Mapping

from starlette.responses import Response

from controlllm.core.session import handle_of
from controlllm.store import Store

#: What tells a browser's own secret from the ids that cookies held once.
_MARK = "~"
_SECRET = re.compile(rf"{_MARK}[A-Za-z0-9_-]{{32,64}}")
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
#: Ids in a cookie of an earlier version: it had room for no more.
_MOST_IDS = 80


class Visitor:
    """The browser that sends a request. Looks into the store, so use it in a thread.

    A cookie of an earlier version holds the ids of conversations: they are the browser's as well,
    and become those of its secret as soon as it has one.

    Parameters
    ----------
    cookies: those of the request.
    cookie: the name of ours. It holds the port, since browsers do not tell ports apart.
    account: the key of the account of whoever has signed in: then the conversations are theirs in
        each browser, and the cookie says nothing.
    """

    def __init__(
        self, cookies: Mapping[str, str], cookie: str, store: Store, account: str = ""
    ) -> None:
        self.cookie = cookie
        self._store = store
        self._is_signed_in = bool(account)
        value = cookies.get(cookie, "")
        self._secret = value if _SECRET.fullmatch(value) else ""
        if account:
            self._secret, value = f"account:{account}", ""
        ids = [] if self._secret else value.split(".")
        self._early_ids = [item for item in ids if _ID.fullmatch(item)][:_MOST_IDS]

    @property
    def owner(self) -> str:
        """The name under which the store has the browser's conversations; empty where it has none
        under one."""
        known = self._secret or next(iter(self._early_ids), "")
        return hashlib.sha256(known.encode()).hexdigest() if known else ""

    @property
    def ids(self) -> list[str]:
        """The ids of the browser's conversations, those changed last first."""
        return [session_id for session_id, _, _ in self.titles()]

    def titles(self) -> list[tuple[str, str, float]]:
        """Id, title and time of change of the browser's conversations, those changed last first."""
        if self._early_ids:
            return self._store.titles(self._early_ids)
        return self._store.owners.titles(self.owner) if self._secret else []

    def session_id(self, handle: str) -> str:
        """The id of an own conversation; raises KeyError for anybody else's."""
        if self._secret:
            return self._store.owners.session_of(self.owner, handle)
        for session_id in self.ids:
            if handle_of(session_id) == handle:
                return session_id
        raise KeyError(handle)

    def add(self, session_id: str) -> None:
        """Make a conversation the browser's own."""
        self.have_secret()
        self._store.owners.add(self.owner, [session_id])

    def have_secret(self) -> None:
        """Give a browser that has none a secret, and to that the conversations it has."""
        if self._secret:
            return
        self._secret = _MARK + secrets.token_urlsafe(32)
        self._store.owners.add(self.owner, self._early_ids)
        self._early_ids = []

    def remember(self, response: Response, secure: bool) -> None:
        """Have the browser keep its secret; no script and no other site gets to read it."""
        if self._secret and not self._is_signed_in:
            response.set_cookie(
                self.cookie,
                self._secret,
                max_age=365 * 24 * 3600,
                httponly=True,
                samesite="strict",
                secure=secure,
            )
