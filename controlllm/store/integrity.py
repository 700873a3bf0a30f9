"""Whether what the database holds is whole, and what can be told anew where it is not.

Which files a conversation uses stands in its own content. The table of it is only there to be asked
fast, so nothing is removed on its word alone.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cache

from controlllm.store import session_rows
from controlllm.store.errors import StoreError
from controlllm.store.interfaces import AnyDatabase, Connection

_TABLE = re.compile(r"[a-z_]+")


@cache
def expected_tables(
    migrations: Sequence[Callable[[Connection], None]],
) -> dict[str, tuple[str, ...]]:
    """The tables with their columns that a database has after some migrations."""
    connection = sqlite3.connect(":memory:")
    try:
        for migrate in migrations:
            migrate(connection)
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: tuple(row[1] for row in connection.execute(f"PRAGMA table_info({name})"))
            for (name,) in rows
            if _TABLE.fullmatch(name)
        }
    finally:
        connection.close()


def check_tables(
    connection: Connection, migrations: Sequence[Callable[[Connection], None]]
) -> None:
    """Ask each table for each of its columns, so that one that is gone is told of."""
    for name, columns in expected_tables(tuple(migrations)).items():
        connection.execute(f"SELECT {', '.join(columns)} FROM {name} LIMIT 1").fetchall()


def restore_uses(database: AnyDatabase, digests: Set[str] | None = None) -> int:
    """Note anew which conversations use files where that is lost; how many such notes were missing.

    Looks at the conversations of which no file at all is noted; where there are `digests`, at all
    conversations, but for these files alone.
    """
    which = (
        "WHERE id NOT IN (SELECT session FROM uses) AND content LIKE ?" if digests is None else ""
    )
    with database.reading() as connection:
        values = ('%"digest"%',) if digests is None else ()
        rows = connection.execute(f"SELECT id FROM sessions {which}", values).fetchall()
    restored = 0
    for (session_id,) in rows:
        # One after the other: all at once might not fit into the memory.
        with database.reading() as connection:
            row = connection.execute(
                "SELECT content FROM sessions WHERE id = ?", (session_id,)
            ).fetchone()
        found = session_rows.digests_in(str(row[0]), digests) if row else set()
        if found:
            restored += _noted(database, session_id, found)
    return restored


def _noted(database: AnyDatabase, session_id: str, digests: Iterable[str]) -> int:
    with database.transaction(is_alone=False) as connection:
        try:
            # It may have changed, or be gone.
            now = session_rows.digests_of(session_rows.read(connection, session_id))
        except KeyError:
            return 0
        except StoreError:
            now = set(digests)
        rows = connection.execute("SELECT digest FROM uses WHERE session = ?", (session_id,))
        missing = (now & set(digests)) - {row[0] for row in rows}
        connection.executemany(
            "INSERT INTO uses VALUES (?, ?)", [(session_id, digest) for digest in sorted(missing)]
        )
    return len(missing)
