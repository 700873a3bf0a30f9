"""Which programs that share a database are alive, on whatever machine: each says so now and then.

The times are those of the server, so that machines need not agree. A program that has ended is
taken for alive for at most `LEASE` seconds more. One that was out of touch for longer may have lost
its work to another; the store then keeps nothing more of it, see `Store.update`.
"""

from __future__ import annotations

import logging
import secrets
import threading

from controlllm.store.errors import StoreError
from controlllm.store.postgres import PostgresDatabase

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
