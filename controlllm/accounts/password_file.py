"""A file of names, roles and hashed passwords: a line each, ``name:role:hash:id`` (Argon2id).

The id is given when an account is made and stays with it. Lines of earlier versions have none.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from pathlib import Path
from typing import cast, get_args

from controlllm.accounts.account import Account, Role

NAME = "accounts.txt"
_NAMES = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,63}")
#: So short a password is guessed soon, however slow the hash is.
SHORTEST, LONGEST = 10, 200


class PasswordFile:
    """The accounts of a file. It is read anew each time, so that a change holds at once."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def accounts(self) -> tuple[Account, ...]:
        """All of them; raises ValueError, with the line's number, where one cannot be read."""
        return tuple(account for account, _ in self._read())

    def account(self, name: str) -> Account | None:
        """The account of a name as it is now; None where there is none any more."""
        return next((account for account in self.accounts() if account.name == name), None)

    def check(self, name: str, password: str) -> Account | None:
        """The account whose password this is, else None. It takes as long where there is no such
        name, so that nobody can tell which names there are."""
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError

        hasher = PasswordHasher()
        known = {account.name: (account, kept) for account, kept in self._read()}
        account, kept = known.get(name, (None, _NOBODY))
        try:
            hasher.verify(kept, password[:LONGEST])
        except (VerificationError, InvalidHashError):
            return None
        return account

    def add(self, name: str, password: str, role: Role = "visitor") -> None:
        """Add an account, or give one another password and role; whoever is signed in with it is so
        no more. One that is added again after it was removed is another account.

        Raises ValueError where the name or the password cannot be one.
        """
        from argon2 import PasswordHasher

        if not _NAMES.fullmatch(name):
            raise ValueError(
                f"{name!r} cannot be a name: letters, digits and . _ @ - are taken, 64 at most."
            )
        if not SHORTEST <= len(password) <= LONGEST:
            raise ValueError(f"A password has {SHORTEST} to {LONGEST} characters.")
        known = self._read()
        others = [(account, kept) for account, kept in known if account.name != name]
        same = next((account for account, _ in known if account.name == name), None)
        # One that was made without an id has its conversations under its name, and keeps them.
        id = same.id if same is not None else secrets.token_urlsafe(12)
        hashed = PasswordHasher().hash(password)
        self._write([*others, (Account(name, role, name, id), hashed)])

    def remove(self, name: str) -> None:
        """Remove an account; raises KeyError where there is none of that name."""
        known = self._read()
        left = [(account, kept) for account, kept in known if account.name != name]
        if len(left) == len(known):
            raise KeyError(name)
        self._write(left)

    def _read(self) -> list[tuple[Account, str]]:
        try:
            lines = self.path.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for number, line in enumerate(lines, 1):
            if not line.strip() or line.startswith("#"):
                continue
            name, _, rest = line.partition(":")
            role, _, rest = rest.partition(":")
            kept, _, id = (part.strip() for part in rest.partition(":"))
            if not _NAMES.fullmatch(name) or role not in get_args(Role) or not kept:
                raise ValueError(f"Line {number} of {self.path.name} is no account.")
            mark = hashlib.sha256(f"{kept} {id}".encode()).hexdigest()
            found.append((Account(name, cast(Role, role), name, id, mark), kept))
        return found

    def _write(self, accounts: list[tuple[Account, str]]) -> None:
        content = "".join(
            f"{item.name}:{item.role}:{kept}{f':{item.id}' if item.id else ''}\n"
            for item, kept in accounts
        )
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = self.path.with_name(f".{self.path.name}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        new.replace(self.path)


#: What nobody's password is compared with, so that a name that there is not takes as long.
_NOBODY = (
    "$argon2id$v=19$m=65536,t=3,p=4$c29tZSBzYWx0IHRoYXQgaXM$"
    "kJx2O2Zf3mRvZVh9S0F2l0yq3C1Xo7Zr9l1oVh3aYxk"
)
