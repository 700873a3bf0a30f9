"""The database of a store: one SQLite file that many threads and processes may use at once, and
which of the programs that share it are alive.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from controlllm.store.errors import DAMAGED, StoreError, told
from controlllm.store.interfaces import Connection

#: How long a process waits while another one writes, in seconds.
PATIENCE = 20.0

#: How long is tried to have everything in one file, in seconds.
_SETTLING = 0.5

#: What is said of a database of a newer version of the program.
NEWER = (
    "The sessions were kept by a newer version of this program. Update it, or choose another "
    "folder for the sessions."
)


#: How a database of version n becomes one of version n + 1: statements in the SQL that SQLite and
#: PostgreSQL have in common. Entries are only ever added.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT NOT NULL, "
        "updated REAL NOT NULL, content TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE uses (session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, "
        "digest TEXT NOT NULL, PRIMARY KEY (session, digest)) WITHOUT ROWID",
        "CREATE INDEX uses_by_digest ON uses (digest)",
        "CREATE TABLE files (digest TEXT NOT NULL, suffix TEXT NOT NULL, kept REAL NOT NULL, "
        "PRIMARY KEY (digest, suffix)) WITHOUT ROWID",
        "CREATE TABLE results (key TEXT PRIMARY KEY, digest TEXT NOT NULL, "
        "content TEXT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX results_by_digest ON results (digest)",
    ),
    (
        "CREATE TABLE running (session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, "
        "turn INTEGER NOT NULL, owner TEXT NOT NULL, PRIMARY KEY (session, turn)) WITHOUT ROWID",
        "CREATE TABLE begun (key TEXT PRIMARY KEY, since REAL NOT NULL) WITHOUT ROWID",
    ),
    (
        "CREATE TABLE owned (owner TEXT NOT NULL, handle TEXT NOT NULL, "
        "session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE, "
        "since REAL NOT NULL, PRIMARY KEY (owner, handle)) WITHOUT ROWID",
        "CREATE INDEX owned_by_session ON owned (session)",
    ),
    (
        "CREATE TABLE shelf (id TEXT PRIMARY KEY, kind TEXT NOT NULL, "
        "owner TEXT NOT NULL, since REAL NOT NULL, content TEXT NOT NULL) WITHOUT ROWID",
        "CREATE INDEX shelf_by_owner ON shelf (owner)",
    ),
    (
        "CREATE TABLE choices (person TEXT NOT NULL, place TEXT NOT NULL, kind TEXT NOT NULL, "
        "chosen TEXT NOT NULL, other TEXT NOT NULL, kept REAL NOT NULL, "
        "PRIMARY KEY (person, place, other)) WITHOUT ROWID",
    ),
    (
        "CREATE TABLE waiting (session TEXT PRIMARY KEY "
        "REFERENCES sessions (id) ON DELETE CASCADE) WITHOUT ROWID",
    ),
    (
        "CREATE TABLE signed_in (digest TEXT PRIMARY KEY, account TEXT NOT NULL, "
        "content TEXT NOT NULL, since REAL NOT NULL) WITHOUT ROWID",
        "CREATE INDEX signed_in_by_account ON signed_in (account)",
    ),
)
Migrations = Sequence[Sequence[str]]


def migrate(connection: Connection, version: int, migrations: Migrations) -> None:
    """Bring tables of a version up to date; raises StoreError where they are newer than all."""
    if version > len(migrations):
        raise StoreError(NEWER)
    for statements in migrations[version:]:
        for statement in statements:
            connection.execute(statement)


def check_tables(connection: Connection, migrations: Migrations) -> None:
    """Ask each table for each of its columns, so that one that is gone is told of."""
    for name, columns in _expected(tuple(map(tuple, migrations))).items():
        connection.execute(f"SELECT {', '.join(columns)} FROM {name} LIMIT 1").fetchall()


@cache
def _expected(migrations: Migrations) -> dict[str, tuple[str, ...]]:
    """The tables with their columns that a database has after some migrations."""
    with closing(sqlite3.connect(":memory:")) as connection:
        migrate(connection, 0, migrations)
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        ).fetchall()
        return {
            name: tuple(row[1] for row in connection.execute(f"PRAGMA table_info({name})"))
            for (name,) in rows
        }


class Database:
    """One connection, used by one thread at a time; other processes have their own.

    Raises StoreError where the file is no database, or one of a newer version of the program.
    """

    listed = "SELECT value FROM json_each(?)"
    for_update = ""

    def __init__(self, path: Path, migrations: Migrations = MIGRATIONS) -> None:
        self._lock = threading.RLock()
        try:
            # The database's companion files take their permissions from this one.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._connection = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            self._use_write_ahead_log()
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA secure_delete = ON")
        except (OSError, sqlite3.Error) as error:
            raise told(error) from error
        self._migrations = migrations
        with self.transaction() as connection:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            migrate(connection, version, migrations)
            connection.execute(f"PRAGMA user_version = {len(migrations)}")

    def _use_write_ahead_log(self) -> None:
        # SQLite does not wait for others here, as it does everywhere else.
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    @contextmanager
    def transaction(
        self, is_urgent: bool = True, is_alone: bool = True
    ) -> Iterator[sqlite3.Connection]:
        """Everything inside happens, or, where it raises, nothing; nobody else writes meanwhile.

        At its end it is on the disk and outlives a power cut. What is not urgent gets there with
        the next that is, in order, and spares a few milliseconds; a power cut before that takes
        all of it back. Errors of the database come out as StoreError. Everybody is alone here.
        """
        with self._lock:
            try:
                mode = "FULL" if is_urgent else "NORMAL"
                self._connection.execute(f"PRAGMA synchronous = {mode}")
                self._connection.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                raise told(error) from error
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException as error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise told(error) from error
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection for a single question; errors come out as StoreError."""
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise told(error) from error

    def check(self) -> None:
        """Raise StoreError where nothing could be kept now, or a table or column is gone."""
        with self.transaction() as connection:
            check_tables(connection, self._migrations)

    def check_whole(self) -> None:
        """The same where a page of the file is damaged; reads all of it."""
        self.check()
        with self.reading() as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                raise StoreError(DAMAGED)

    def settle(self) -> None:
        """Write what the write-ahead log holds into the database's own file, so that a copy of that
        one file is whole; where another program is just reading, as far as that goes."""
        # The end of a program waits for nobody.
        if not self._lock.acquire(timeout=_SETTLING):
            return
        try:
            with suppress(sqlite3.Error):
                self._connection.execute(f"PRAGMA busy_timeout = {int(_SETTLING * 1000)}")
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
                self._connection.execute(f"PRAGMA busy_timeout = {int(PATIENCE * 1000)}")
        finally:
            self._lock.release()

    def close(self) -> None:
        self.settle()
        with self._lock:
            self._connection.close()


@dataclass
class Presence:
    """The programs that use a store, each by a name of its own: a locked file in `folder`."""

    folder: Path
    _descriptor: int = -1
    _name: str = ""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """The name of this program; from the first time on others see that it is alive."""
        with self._lock:
            try:
                while not self._name:
                    self._name = self._held(secrets.token_hex(8))
            except OSError as error:
                raise told(error) from error
            return self._name

    def is_elsewhere(self, name: str) -> bool:
        """Whether another program of this name is alive."""
        if name == self._name:
            return False
        try:
            descriptor = os.open(self.folder / name, os.O_RDWR)
        except OSError:
            return False
        try:
            # Shared, so that two who look at once do not take each other for the owner.
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return True
        finally:
            os.close(descriptor)
        return False

    def remove_dead(self) -> None:
        """Remove the files of programs that have ended."""
        for path in self.folder.glob("*"):
            if path.name != self._name and not self.is_elsewhere(path.name):
                with suppress(OSError):
                    path.unlink()

    def leave(self) -> None:
        """This program has let go of all its work."""
        with self._lock:
            if self._name:
                with suppress(OSError):
                    (self.folder / self._name).unlink()
                os.close(self._descriptor)
                self._name, self._descriptor = "", -1

    def _held(self, name: str) -> str:
        """The name, with its file locked; empty where another program took it for a dead one's."""
        self.folder.mkdir(mode=0o700, exist_ok=True)
        path = self.folder / name
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_nlink:
                self._descriptor = descriptor
                return name
        except OSError:
            pass
        os.close(descriptor)
        return ""
