"""Removes files that nobody needs, and only those."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from controlllm.store import session_rows
from controlllm.store.errors import told
from controlllm.store.files import ABANDONED_AFTER, FileFolder
from controlllm.store.interfaces import AnyDatabase, Connection


@dataclass(frozen=True)
class Removal:
    """Removes the files of a store; `clock` is the time in seconds since 1970."""

    _database: AnyDatabase
    _files: FileFolder
    _clock: Callable[[], float]

    def remove_unused(self, kept_before: float) -> None:
        """Remove the files that were kept before a time and that no session uses."""
        with self._database.reading() as connection:
            unused = _unused(connection, kept_before)
        self._note_anew(unused)
        with self._database.transaction() as connection:
            gone = self.forget(connection, _unused(connection, kept_before), kept_before)
        self.remove(gone)

    def remove_unnoted(self) -> None:
        """Remove files that were put in place, or to be removed, by a program that died then."""
        with self._database.reading() as connection:
            noted = set(connection.execute("SELECT digest, suffix FROM files").fetchall())
        self._note_anew(
            digest for _, digest, suffix in self._files.kept() if (digest, suffix) not in noted
        )
        with self._database.transaction(is_urgent=False) as connection:
            noted = set(connection.execute("SELECT digest, suffix FROM files").fetchall())
            used = {row[0] for row in connection.execute("SELECT digest FROM uses")}
            for path, digest, suffix in self._files.kept():
                if (digest, suffix) in noted:
                    continue
                if digest in used:
                    # Its note is lost, and a conversation needs it.
                    connection.execute(
                        "INSERT INTO files VALUES (?, ?, ?)", (digest, suffix, self._clock())
                    )
                else:
                    with suppress(OSError):  # another process was faster
                        path.unlink()

    def _note_anew(self, digests: Iterable[str]) -> None:
        """Note which conversations use some files, where that is lost: the table of it is only
        there to be asked fast, and the conversations themselves have the last word."""
        wanted = set(digests)
        if not wanted:
            return
        with self._database.reading() as connection:
            rows = connection.execute("SELECT id FROM sessions").fetchall()
        for (session_id,) in rows:
            # One after the other: all at once might not fit into the memory.
            with self._database.reading() as connection:
                row = connection.execute(
                    "SELECT content FROM sessions WHERE id = ?", (session_id,)
                ).fetchone()
            found = session_rows.digests_in(str(row[0]), wanted) if row else set()
            if found:
                with self._database.transaction(is_alone=False) as connection:
                    connection.executemany(
                        "INSERT INTO uses SELECT id, CAST(? AS TEXT) FROM sessions WHERE id = ? "
                        "ON CONFLICT (session, digest) DO NOTHING",
                        [(digest, session_id) for digest in sorted(found)],
                    )

    def remove_strays(self) -> None:
        """The same for what lies elsewhere, as far as nobody can be about to note it."""
        strays = list(self._files.strays(time.time() - ABANDONED_AFTER))
        self.remove((path.name[:64], path.name[64:]) for path in strays)

    def forget(
        self, connection: Connection, digests: Iterable[str], kept_before: float
    ) -> list[tuple[str, str]]:
        """Forget the files of these digests that no session uses, and the results they hold; what
        is to be removed, once it is certain that they are forgotten: digests and suffixes."""
        gone = []
        for digest in digests:
            if connection.execute("SELECT 1 FROM uses WHERE digest = ?", (digest,)).fetchone():
                continue
            rows = connection.execute(
                "SELECT suffix FROM files WHERE digest = ? AND kept <= ?", (digest, kept_before)
            ).fetchall()
            if not rows:
                continue
            connection.execute("DELETE FROM results WHERE digest = ?", (digest,))
            for (suffix,) in rows:
                connection.execute(
                    "DELETE FROM files WHERE digest = ? AND suffix = ?", (digest, suffix)
                )
                gone.append((digest, suffix))
        return gone

    def remove(self, gone: Iterable[tuple[str, str]]) -> None:
        """Remove forgotten files, but for those that were kept again meanwhile, or are used."""
        with self._database.transaction(is_urgent=False) as connection:
            unnoted = [
                self._files.place(digest, suffix)
                for digest, suffix in gone
                if connection.execute(
                    "SELECT 1 FROM files WHERE digest = ? AND suffix = ? "
                    "UNION ALL SELECT 1 FROM uses WHERE digest = ?",
                    (digest, suffix, digest),
                ).fetchone()
                is None
            ]
            try:
                self._files.remove(unnoted)
            except OSError as error:
                raise told(error) from error


def _unused(connection: Connection, kept_before: float) -> list[str]:
    rows = connection.execute(
        "SELECT DISTINCT digest FROM files WHERE kept < ? "
        "AND digest NOT IN (SELECT digest FROM uses)",
        (kept_before,),
    ).fetchall()
    return [str(digest) for (digest,) in rows]
