"""A store's database on a PostgreSQL server that several programs, on any machines, share, and
which of these are alive.

The statements are those of SQLite; the few words that differ are put in here. Each program says now
and then that it is alive. The times are those of the server, so that machines need not agree. A
program that has ended is taken for alive for at most `LEASE` seconds more. One that was out of
touch for longer may have lost its work to another; the store then keeps nothing more of it, see
`Store.update`.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from controlllm.store.database import MIGRATIONS, Migrations, check_tables, migrate
from controlllm.store.errors import DiskFull, StoreError
from controlllm.store.interfaces import Connection, Rows

if TYPE_CHECKING:
    import psycopg

#: Which variable holds the server's address.
VARIABLE = "CONTROLLLM_DATABASE"

#: How long is waited for a connection, and for others who write, in seconds.
PATIENCE = 20.0
_SECONDS_TO_CONNECT = 5
_MOST_CONNECTIONS = 10

#: The lock of those who write: shared, or alone. Whoever uses the database for something else as
#: well has another number.
_WRITING = 0x436F6E74726F6C

#: A program that was stopped in the middle of a change must not keep all others waiting.
_BEGINNING = (
    "SET lock_timeout = '20s'; SET idle_in_transaction_session_timeout = '60s'; "
    "SET statement_timeout = '120s'; SET tcp_user_timeout = '30s'; "
    "SET tcp_keepalives_idle = '15s'; SET tcp_keepalives_interval = '5s'; "
    "SET tcp_keepalives_count = 3"
)

_MISSING = (
    f"{VARIABLE} names a PostgreSQL server, and what talks to one is not installed here. Run "
    "pip install --group shared, or do without the variable."
)
_GONE = (
    f"The database's server cannot be reached. See to it that PostgreSQL runs at the address in "
    f"{VARIABLE}, and try again."
)
_BROKEN = "The database's server did not do its work. Look into its log, and try again."

DAMAGED = (
    f"The database that {VARIABLE} names is damaged: a table of it is gone. Put a copy of it back, "
    "or name another one."
)

#: What the server's codes mean for a person; https://www.postgresql.org/docs/current/errcodes-appendix.html
_SAID = {
    "28": f"The database's server refused the name or the password in {VARIABLE}. Correct it.",
    "3D": f"The database that {VARIABLE} names is not on its server. Make it, or correct the name.",
    "42501": f"The user in {VARIABLE} may not do that in the database. Give it the rights to.",
    "25006": "The database's server takes no changes now. Try again when it does.",
    "53200": "The database's server has no memory left. Try again.",
    "53300": "The database's server takes no more connections. Try again, or let it take more.",
    "42P01": DAMAGED,
    "42P07": DAMAGED,
    "42703": DAMAGED,
    "55P03": "Another program is using the sessions' database. Try again.",
    "57014": "The database's server took too long. Try again.",
    "57P": _GONE,
    "08": _GONE,
}


class PostgresDatabase:
    """Connections to one database of a server; made anew where the server was started again.

    Raises StoreError where it cannot be reached, or was used by a newer version of the program.

    Parameters
    ----------
    address: like ``postgresql://user:password@host:5432/database``.
    """

    listed = "SELECT json_array_elements_text(CAST(? AS json))"
    for_update = " FOR UPDATE"

    def __init__(self, address: str, migrations: Migrations = MIGRATIONS) -> None:
        try:
            import psycopg
            from psycopg_pool import ConnectionPool
        except ImportError as error:
            raise StoreError(_MISSING) from error
        self._mine = threading.local()
        self._migrations = migrations
        options: Any = {
            "autocommit": True,
            "connect_timeout": _SECONDS_TO_CONNECT,
            "application_name": "controlllm",
        }
        try:
            # The pool would say only that it had none in time.
            psycopg.connect(address, **options).close()
            self._pool = ConnectionPool(
                address,
                kwargs=options,
                min_size=1,
                max_size=_MOST_CONNECTIONS,
                timeout=PATIENCE,
                reconnect_timeout=_SECONDS_TO_CONNECT,
                configure=_begin,
                check=ConnectionPool.check_connection,
                num_workers=1,
                open=True,
            )
        except psycopg.Error as error:
            raise told(error) from error
        try:
            with self.transaction() as connection:
                _migrate(connection, migrations)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self, is_urgent: bool = True, is_alone: bool = True) -> Iterator[Connection]:
        """See `controlllm.store.interfaces.AnyDatabase`."""
        shared = "" if is_alone else "_shared"
        with self._connected() as connection, connection.transaction():
            connection.execute(
                f"SELECT pg_advisory_xact_lock{shared}(%s), "
                "set_config('synchronous_commit', %s, true)",
                (_WRITING, "on" if is_urgent else "off"),
            )
            self._mine.connection = connection
            try:
                yield _Translated(connection)
            finally:
                self._mine.connection = None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """The connection of this thread's transaction, or one for a single question."""
        current = getattr(self._mine, "connection", None)
        if current is not None:
            yield _Translated(current)
            return
        with self.apart() as connection:
            yield connection

    @contextmanager
    def apart(self) -> Iterator[Connection]:
        """A connection outside of any transaction: each statement is kept by itself, at once."""
        with self._connected() as connection:
            yield _Translated(connection)

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection]:
        import psycopg

        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg.Error as error:
            raise told(error) from error

    def check(self) -> None:
        """Raise StoreError where nothing could be kept now, or a table or column is gone."""
        with self.transaction() as connection:
            check_tables(connection, self._migrations)

    def check_whole(self) -> None:
        """The same: whether its files are whole its server knows."""
        self.check()

    def settle(self) -> None:
        """Nothing: where it lies is its server's matter."""

    def close(self) -> None:
        self._pool.close()


class _Translated:
    """A connection that takes the statements of SQLite."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        return self._connection.execute(_translated(statement), _texts(values))

    def executemany(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        with self._connection.cursor() as cursor:
            cursor.executemany(_translated(statement), [_texts(row) for row in values])


@cache
def _translated(statement: str) -> bytes:
    said = statement.replace("%", "%%").replace("?", "%s")
    return said.replace(" WITHOUT ROWID", "").replace(" REAL ", " DOUBLE PRECISION ").encode()


def _texts(values: Sequence[Any]) -> tuple[Any, ...]:
    """The values; PostgreSQL keeps no text with the character 0, which is in no word."""
    return tuple(
        value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
        for value in values
    )


def _begin(connection: psycopg.Connection) -> None:
    connection.execute(_BEGINNING)


def _migrate(connection: Connection, migrations: Migrations) -> None:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS programs (name TEXT PRIMARY KEY, seen REAL NOT NULL)"
    )
    connection.execute("CREATE TABLE IF NOT EXISTS version (number INTEGER NOT NULL)")
    row = connection.execute("SELECT number FROM version").fetchone()
    version = row[0] if row else 0
    migrate(connection, version, migrations)
    if version < len(migrations):
        connection.execute("DELETE FROM version")
        connection.execute("INSERT INTO version VALUES (?)", (len(migrations),))


def told(error: psycopg.Error) -> StoreError:
    """The StoreError that says in words what an error of the server or the way to it means."""
    import psycopg

    code = error.sqlstate or ""
    if code == "53100":
        return DiskFull("The disk of the database's server is full. Make some room there.")
    for beginning, said in _SAID.items():
        if code.startswith(beginning):
            return StoreError(said)
    if not code and isinstance(error, psycopg.OperationalError):
        # Before there is a connection there is no code, only words.
        words = str(error)
        if "authentication failed" in words or "no password" in words:
            return StoreError(_SAID["28"])
        if "does not exist" in words:
            return StoreError(_SAID["3D"])
        if "too many" in words or "remaining connection slots" in words:
            return StoreError(_SAID["53300"])
        return StoreError(_GONE)
    if isinstance(error, psycopg.ProgrammingError) and not code:
        return StoreError(f"{VARIABLE} is no address of a PostgreSQL server. Correct it.")
    return StoreError(_BROKEN)


_log = logging.getLogger(__name__)

#: For how long a program that says nothing is taken for alive, and how often it says that it is, in
#: seconds.
LEASE = 20.0
BEAT = 4.0

_NOW = "extract(epoch FROM clock_timestamp())"


class Leases:
    """The programs that use a database, each by a name of its own: a row with when it was seen."""

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database
        self._name = ""
        self._lock = threading.Lock()
        self._left = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def name(self) -> str:
        """The name of this program; from the first time on others see that it is alive."""
        with self._lock:
            if not self._name:
                name = secrets.token_hex(8)
                self._beat(name)
                self._name, self._left = name, threading.Event()
                self._thread = threading.Thread(
                    target=self._go_on, args=(name, self._left), name="lease", daemon=True
                )
                self._thread.start()
            return self._name

    def is_elsewhere(self, name: str) -> bool:
        """Whether another program of this name is alive."""
        if name == self._name:
            return False
        with self._database.reading() as connection:
            row = connection.execute(
                f"SELECT 1 FROM programs WHERE name = ? AND seen > {_NOW} - ?", (name, LEASE)
            ).fetchone()
        return row is not None

    def remove_dead(self) -> None:
        """Forget the programs that have ended."""
        with self._database.apart() as connection:
            connection.execute(f"DELETE FROM programs WHERE seen < {_NOW} - ?", (10 * LEASE,))

    def leave(self) -> None:
        """This program has let go of all its work."""
        with self._lock:
            name, self._name = self._name, ""
            self._left.set()
        if name:
            if self._thread is not None:
                self._thread.join()  # it would say once more that the program is alive
            try:
                with self._database.apart() as connection:
                    connection.execute("DELETE FROM programs WHERE name = ?", (name,))
            except StoreError:
                _log.warning("That this program has ended could not be told; it will be noticed.")

    def _go_on(self, name: str, left: threading.Event) -> None:
        while not left.wait(BEAT):
            try:
                self._beat(name)
            except StoreError:
                _log.warning("The database's server cannot be told that this program is alive.")

    def _beat(self, name: str) -> None:
        with self._database.apart() as connection:
            connection.execute(
                f"INSERT INTO programs VALUES (?, {_NOW}) "
                "ON CONFLICT (name) DO UPDATE SET seen = excluded.seen",
                (name,),
            )
