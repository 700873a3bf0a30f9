"""Which accounts a server has, as its environment says."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from controlllm.accounts.account import Account
from controlllm.accounts.openid import OpenID
from controlllm.accounts.password_file import NAME, PasswordFile
from controlllm.accounts.signing_in import PROVIDED, Keeper, LoginSessions, Tries, Ways, secret_of


@dataclass(frozen=True)
class Accounts:
    """How people sign in here: by passwords, at a provider, or either."""

    passwords: PasswordFile | None
    openid: OpenID | None
    ways: Ways
    tries: Tries = field(default_factory=Tries)

    def logins(self, keeper: Keeper) -> LoginSessions:
        """Who is signed in, as it is kept there."""
        return LoginSessions(keeper, self._now)

    def _now(self, account: Account) -> Account | None:
        if account.name.startswith(PROVIDED):
            return account if self.openid is not None else None
        return self.passwords.account(account.name) if self.passwords is not None else None


def accounts_from_environment(
    home: Path, environment: Mapping[str, str] = os.environ
) -> Accounts | None:
    """The accounts of a server; None where everybody who reaches it may use it.

    CONTROLLLM_ACCOUNTS is ``password``, ``openid`` or both, with a comma between; docs/operating.md
    has the rest. Raises ValueError with a sentence where something is missing.
    """
    wanted = {item.strip() for item in environment.get("CONTROLLLM_ACCOUNTS", "").split(",")} - {""}
    if not wanted:
        return None
    unknown = wanted - {"password", "openid"}
    if unknown:
        raise ValueError(
            f"CONTROLLLM_ACCOUNTS says {sorted(unknown)[0]!r}; it is password, openid, or both."
        )
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    passwords = PasswordFile(home / NAME) if "password" in wanted else None
    if passwords is not None:
        passwords.accounts()
    openid = _openid(environment) if "openid" in wanted else None
    return Accounts(passwords, openid, Ways(secret_of(home)))


def _openid(environment: Mapping[str, str]) -> OpenID:
    names = ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", "ADDRESS")
    told = {name: environment.get(f"CONTROLLLM_OPENID_{name}", "").strip() for name in names}
    for name, value in told.items():
        if not value:
            raise ValueError(f"CONTROLLLM_OPENID_{name} has to be set for accounts by openid.")
    issuer = urlsplit(told["ISSUER"])
    if issuer.scheme != "https" and issuer.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise ValueError("CONTROLLLM_OPENID_ISSUER must begin with https://.")
    operators = environment.get("CONTROLLLM_OPENID_OPERATORS", "").split(",")
    made = OpenID(
        told["ISSUER"],
        told["CLIENT_ID"],
        told["CLIENT_SECRET"],
        frozenset(item.strip().lower() for item in operators) - {""},
    )
    return replace(made, callback=f"{told['ADDRESS'].rstrip('/')}/sign-in/back")
