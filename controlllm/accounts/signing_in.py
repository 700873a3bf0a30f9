"""What keeps somebody signed in, and what keeps others from guessing."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, cast

from itsdangerous import BadSignature, URLSafeTimedSerializer

from controlllm.accounts.account import Account, Role

DAYS = 30
HOURS = 12
#: With what the names of accounts begin that a provider tells of.
PROVIDED = "openid:"
_SECRET = "accounts-secret"
#: Tries of a name, and from an address, within so many seconds.
_MOST_OF_NAME, _MOST_OF_ADDRESS, _SECONDS = 5, 30, 300.0
_MOST_REMEMBERED = 20_000


def secret_of(home: Path) -> str:
    """The secret that signs cookies: of a file that the owner alone can read, made where there is
    none. CONTROLLLM_ACCOUNTS_SECRET names one that several servers share."""
    told = os.environ.get("CONTROLLLM_ACCOUNTS_SECRET", "").strip()
    if told:
        return told
    path = home / _SECRET
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text("ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    return path.read_text("ascii").strip()


class Keeper(Protocol):
    """Keeps who is signed in, by digests: `controlllm.store.shelf.SignIns`."""

    def begin(self, digest: str, account: str, content: str) -> None: ...

    def find(self, digest: str) -> tuple[str, float] | None: ...

    def end(self, digest: str) -> None: ...


class LoginSessions:
    """Who is signed in. A browser holds a random value and nothing else: what it is worth is known
    here alone, and ends here.

    Parameters
    ----------
    now: who somebody is now who signed in as this account; None where that holds no more.
    """

    def __init__(self, keeper: Keeper, now: Callable[[Account], Account | None]) -> None:
        self._keeper = keeper
        self._now = now

    def begin(self, account: Account) -> str:
        """Sign somebody in; what their browser is to hold."""
        value = secrets.token_urlsafe(32)
        told = [account.name, account.role, account.shown, account.mark]
        self._keeper.begin(_digest(value), account.name, json.dumps(told))
        return value

    def account(self, value: str) -> Account | None:
        """Who holds a value; None where it is nobody's, was ended, or is older than it may be, and
        where the account was removed or has another password. What a provider said holds for some
        hours only, since nobody tells us when it says otherwise."""
        found = self._keeper.find(_digest(value)) if value else None
        if found is None:
            return None
        (name, role, shown, mark), seconds = json.loads(found[0]), found[1]
        hours = HOURS if name.startswith(PROVIDED) else 24 * DAYS
        account = self._now(Account(name, cast(Role, role), shown, mark=mark))
        if account is None or account.mark != mark or seconds > hours * 3600:
            self.end(value)
            return None
        return account

    def end(self, value: str) -> None:
        """Sign out whoever holds a value."""
        self._keeper.end(_digest(value))


def _digest(value: str) -> str:
    # A browser may send anything, and whoever reads the database must not learn what browsers hold.
    return hashlib.sha256(value.encode("utf-8", "replace")).hexdigest()


class Ways:
    """Writes and reads what a browser holds on the way to a provider and back."""

    def __init__(self, secret: str) -> None:
        self._on_the_way = URLSafeTimedSerializer(secret, "on the way")

    def written(self, held: dict[str, str]) -> str:
        """What has to come back from a provider, for the minutes between."""
        return self._on_the_way.dumps(held)

    def read(self, value: str) -> dict[str, str]:
        """What was written; empty where it is not ours, or too old."""
        return dict(_read(self._on_the_way, value, 600) or {})


def _read(serializer: URLSafeTimedSerializer, value: str, seconds: int) -> Any:
    try:
        return serializer.loads(value, max_age=seconds)
    except BadSignature:
        return None


class TooManyTries(Exception):
    """Somebody has tried too many passwords; the message says when to try again."""


class Tries:
    """Counts wrong passwords by name and by address of the network."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, name: str, address: str) -> None:
        """Raise TooManyTries where no further one is looked at for now."""
        with self._lock:
            for key, most in ((f"name {name}", _MOST_OF_NAME), (f"at {address}", _MOST_OF_ADDRESS)):
                if len(self._lately(key)) >= most:
                    raise TooManyTries(
                        "Too many wrong passwords. Try again in five minutes, or ask whoever runs "
                        "this server."
                    )

    def was_wrong(self, name: str, address: str) -> None:
        """Count a wrong one."""
        with self._lock:
            for key in (f"name {name}", f"at {address}"):
                lately = self._lately(key)
                lately.append(self._now())
                self._wrong[key] = lately
                self._wrong.move_to_end(key)
            while len(self._wrong) > _MOST_REMEMBERED:
                self._wrong.popitem(last=False)

    def _lately(self, key: str) -> deque[float]:
        since = self._now() - _SECONDS
        return deque(then for then in self._wrong.get(key, ()) if then > since)
