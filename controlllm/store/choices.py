"""What people chose where there was more than one way, each person's own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from controlllm.store.interfaces import AnyDatabase

#: Choices older than this are forgotten, in seconds; as old as a browser's cookie gets.
KEPT_FOR = 365 * 24 * 3600.0
#: So many of one person are read, the newest.
_MOST = 500


class Choices:
    """Keeps choices as rows of words: who chose, where, of what kind, which, and over which."""

    def __init__(self, database: AnyDatabase, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def keep(self, person: str, place: str, rows: Iterable[tuple[str, str, str]]) -> None:
        """Keep what was chosen at a place: kind, chosen, other. The last choice there counts."""
        now = self._clock()
        with self._database.transaction(is_urgent=False) as connection:
            connection.execute("DELETE FROM choices WHERE kept < ?", (now - KEPT_FOR,))
            connection.execute(
                "DELETE FROM choices WHERE person = ? AND place = ?", (person, place)
            )
            connection.executemany(
                "INSERT INTO choices VALUES (?, ?, ?, ?, ?, ?)",
                [(person, place, *row, now) for row in sorted(set(rows))],
            )

    def of(self, person: str) -> tuple[tuple[str, str, str, str], ...]:
        """Place, kind, chosen and other of what a person chose, the newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT place, kind, chosen, other FROM choices WHERE person = ? "
                f"ORDER BY kept DESC, place DESC, other LIMIT {_MOST}",
                (person,),
            ).fetchall()
        return tuple((str(one[0]), str(one[1]), str(one[2]), str(one[3])) for one in rows)

    def forget(self, person: str) -> None:
        """Forget all that a person chose."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM choices WHERE person = ?", (person,))
