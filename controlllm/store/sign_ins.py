"""Who is signed in: kept by the server, so that it can end it."""

from __future__ import annotations

from collections.abc import Callable

from controlllm.store.interfaces import AnyDatabase

#: Of one account at a time, the newest; a browser that is never heard of again leaves one behind.
_MOST_OF_ACCOUNT = 100


class SignIns:
    """Sign-ins by the digests of what browsers hold; safe for many threads and programs.

    Everything raises StoreError where the database does not do its work.
    """

    def __init__(self, database: AnyDatabase, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    def begin(self, digest: str, account: str, content: str) -> None:
        """Keep that somebody has signed in now, with what is to be known of them."""
        with self._database.transaction(is_alone=False) as connection:
            connection.execute(
                "INSERT INTO signed_in VALUES (?, ?, ?, ?)",
                (digest, account, content, self._clock()),
            )
            connection.execute(
                "DELETE FROM signed_in WHERE account = ? AND digest NOT IN ("
                "SELECT digest FROM signed_in WHERE account = ? "
                f"ORDER BY since DESC LIMIT {_MOST_OF_ACCOUNT})",
                (account, account),
            )

    def find(self, digest: str) -> tuple[str, float] | None:
        """What was kept, and how many seconds ago that was; None where nobody is signed in."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT content, since FROM signed_in WHERE digest = ?", (digest,)
            ).fetchone()
        return (str(row[0]), self._clock() - float(row[1])) if row else None

    def end(self, digest: str) -> None:
        """Forget a sign-in, if there is one."""
        with self._database.transaction(is_alone=False) as connection:
            connection.execute("DELETE FROM signed_in WHERE digest = ?", (digest,))

    def tidy(self, before: float) -> None:
        """Forget those of before a time."""
        with self._database.transaction(is_alone=False) as connection:
            connection.execute("DELETE FROM signed_in WHERE since < ?", (before,))
