"""What keeps somebody signed in, and what keeps others from guessing."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from itsdangerous import BadSignature, URLSafeTimedSerializer

from controlllm.accounts.account import Account, Role

DAYS = 30
HOURS = 12
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


class SignedInCookies:
    """Writes and reads what a browser brings along once somebody has signed in."""

    def __init__(self, secret: str) -> None:
        self._signed_in = URLSafeTimedSerializer(secret, "signed in")
        self._on_the_way = URLSafeTimedSerializer(secret, "on the way")

    def written(self, account: Account) -> str:
        """The value for somebody."""
        return self._signed_in.dumps([account.name, account.role, account.shown])

    def account(self, value: str) -> Account | None:
        """Whose value it is; None where it is nobody's, or older than it may be. What a provider
        said holds for some hours only, since nobody tells us when it says otherwise."""
        name, role, shown = _read(self._signed_in, value, DAYS * 24 * 3600) or ("", "", "")
        if name.startswith("openid:") and _read(self._signed_in, value, HOURS * 3600) is None:
            return None
        return Account(name, cast(Role, role), shown) if name else None

    def written_on_the_way(self, held: dict[str, str]) -> str:
        """What has to come back from a provider, for the minutes between."""
        return self._on_the_way.dumps(held)

    def on_the_way(self, value: str) -> dict[str, str]:
        """What was written for the way; empty where it is not ours, or too old."""
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
