"""What is kept beside conversations: texts on a shelf, such as recipes and batches, what people
chose where there was more than one way, and who is signed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from controlllm.store.interfaces import AnyDatabase

#: Choices older than this are forgotten, in seconds; as old as a browser's cookie gets.
KEPT_FOR = 365 * 24 * 3600.0
#: So many of one person are read, the newest.
_MOST = 500


@dataclass(frozen=True)
class Kept:
    """A text on the shelf. `owner` is whose it is, as of conversations (`Owners`); `since` is when
    it was put there first, in seconds since 1970."""

    id: str
    kind: str
    owner: str
    since: float
    content: str


class Shelf:
    """Texts by their ids; safe for many threads and programs. Everything raises StoreError where
    the database does not do its work."""

    def __init__(self, database: AnyDatabase, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    def put(self, id: str, kind: str, owner: str, content: str, is_urgent: bool = True) -> None:
        """Keep a text, in the place of what had the same id. What is not urgent may be lost by a
        power cut until something urgent is kept."""
        with self._database.transaction(is_urgent, is_alone=False) as connection:
            connection.execute(
                "INSERT INTO shelf VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "content = excluded.content",
                (id, kind, owner, self._clock(), content),
            )

    def of(self, owner: str, kind: str) -> list[Kept]:
        """Everything of a kind that is one owner's, the newest first."""
        return self._found("owner = ? AND kind = ? ORDER BY since DESC, id", (owner, kind))

    def every(self, kind: str) -> list[Kept]:
        """Everything of a kind, whoever owns it, the newest first."""
        return self._found("kind = ? ORDER BY since DESC, id", (kind,))

    def find(self, id: str) -> Kept:
        """What has this id; raises KeyError where nothing has."""
        found = self._found("id = ?", (id,))
        if not found:
            raise KeyError(id)
        return found[0]

    def remove(self, id: str) -> None:
        """Forget what has this id, if anything has."""
        with self._database.transaction(is_alone=False) as connection:
            connection.execute("DELETE FROM shelf WHERE id = ?", (id,))

    def tidy(self, before: float) -> None:
        """Forget what was put here before a time by those who have no conversation any more."""
        with self._database.transaction(is_alone=False) as connection:
            connection.execute(
                "DELETE FROM shelf WHERE since < ? AND owner NOT IN (SELECT owner FROM owned)",
                (before,),
            )

    def _found(self, where: str, values: Sequence[str]) -> list[Kept]:
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT id, kind, owner, since, content FROM shelf WHERE {where}", values
            ).fetchall()
        return [Kept(*row) for row in rows]


class Choices:
    """Keeps choices as rows of words: who chose, where, of what kind, which, and over which."""

    def __init__(self, database: AnyDatabase, clock: Callable[[], float]) -> None:
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
