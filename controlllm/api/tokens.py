"""Tokens: who may use the interface for programs, and which conversations are whose.

A token is ``cllm_ID_SECRET``. Only the SHA-256 of the whole is kept, in a database in the home
folder that its owner alone can read; the secret has 256 bits, so nothing slower is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NAME = re.compile(r"[\w][\w .@-]{0,63}")
_TOKEN = re.compile(r"cllm_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_TABLES = (
    "CREATE TABLE IF NOT EXISTS tokens ("
    "id TEXT PRIMARY KEY, name TEXT UNIQUE, hash BLOB, runs INTEGER, made REAL)",
    "CREATE TABLE IF NOT EXISTS sessions ("
    "session TEXT PRIMARY KEY, owner TEXT, passing INTEGER, made REAL)",
    "CREATE INDEX IF NOT EXISTS owners ON sessions (owner)",
)


class TokenError(ValueError):
    """A token cannot be added or found; the message is a sentence."""


@dataclass(frozen=True)
class Token:
    """Somebody who may use the interface. `id` is what conversations are kept under; a token that
    does not `runs` only reads: it lists, plans and fetches, and nothing is run or changed by it."""

    id: str
    name: str
    runs: bool = True
    made: float = 0.0


class Tokens:
    """The tokens of a home folder, and the conversations of each.

    Other programs may change them meanwhile: nothing is remembered between two questions.

    Parameters
    ----------
    home: the server's folder; it is made where it is not there.
    """

    def __init__(self, home: Path) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self._path = home / "tokens.sqlite"
        # Made by us with these rights, since the database would be made with the usual ones.
        os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
        with self._database() as database:
            for table in _TABLES:
                database.execute(table)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self._path, timeout=10)) as database, database:
            yield database

    # Tokens

    def add(self, name: str, runs: bool = True) -> str:
        """A new token, which is nowhere to be read again.

        Raises TokenError where the name is none or taken.
        """
        if not _NAME.fullmatch(name):
            raise TokenError(
                f"{name!r} cannot be the name of a token. Use up to 64 letters, digits, spaces and "
                "any of _ . @ -"
            )
        identity = secrets.token_hex(6)
        token = f"cllm_{identity}_{secrets.token_urlsafe(32)}"
        row = (identity, name, _hash(token), runs, time.time())
        try:
            with self._database() as database:
                database.execute("INSERT INTO tokens VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.IntegrityError:
            raise TokenError(
                f"There is a token called {name} already. Choose another name, or remove it first."
            ) from None
        return token

    def all(self) -> list[Token]:
        """Every token, in the order in which they were made."""
        with self._database() as database:
            rows = database.execute("SELECT id, name, runs, made FROM tokens ORDER BY made")
            return [_token(row) for row in rows.fetchall()]

    def remove(self, name: str) -> list[str]:
        """Make a token worthless; the ids of its conversations, which nobody owns any more.

        Raises TokenError where there is none of this name.
        """
        with self._database() as database:
            row = database.execute("SELECT id FROM tokens WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise TokenError(f"There is no token called {name}.")
            left = database.execute("SELECT session FROM sessions WHERE owner = ?", row).fetchall()
            database.execute("DELETE FROM sessions WHERE owner = ?", row)
            database.execute("DELETE FROM tokens WHERE id = ?", row)
        return [session for (session,) in left]

    def of(self, token: str) -> Token | None:
        """Whose token this is; None where it is nobody's."""
        found = _TOKEN.fullmatch(token)
        with self._database() as database:
            row = database.execute(
                "SELECT id, name, runs, made, hash FROM tokens WHERE id = ?",
                (found[1] if found else "",),
            ).fetchone()
        kept = row[4] if row else bytes(32)
        is_it = hmac.compare_digest(kept, _hash(token))
        return _token(row) if row and is_it else None

    # Conversations

    def own(self, owner: str, session: str, passing: bool = False) -> None:
        """Note whose a conversation is; a `passing` one makes room for others by itself."""
        with self._database() as database:
            row = (session, owner, passing, time.time())
            database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", row)

    def disown(self, session: str) -> None:
        """Forget a conversation."""
        with self._database() as database:
            database.execute("DELETE FROM sessions WHERE session = ?", (session,))

    def sessions(self, owner: str) -> list[str]:
        """The ids of the conversations of an owner, the newest first."""
        return self._sessions(owner, 0, math.inf)

    def passing(self, owner: str, seconds: float) -> list[str]:
        """The same of those that are passing and were opened longer ago than that."""
        return self._sessions(owner, 1, time.time() - seconds)

    def _sessions(self, owner: str, passing: int, before: float) -> list[str]:
        with self._database() as database:
            rows = database.execute(
                "SELECT session FROM sessions WHERE owner = ? AND passing >= ? AND made <= ? "
                "ORDER BY made DESC, rowid DESC",
                (owner, passing, before),
            )
            return [session for (session,) in rows.fetchall()]


def _token(row: tuple[Any, ...]) -> Token:
    return Token(str(row[0]), str(row[1]), bool(row[2]), float(row[3]))


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
