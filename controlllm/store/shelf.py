"""What people keep beside their conversations, such as recipes and batches: texts on a shelf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from controlllm.store import session_rows
from controlllm.store.interfaces import AnyDatabase


@dataclass(frozen=True)
class Kept:
    """A text on the shelf. `owner` is the id of the conversation that it was put there from; with
    that conversation it is forgotten, unless it was handed on before. `since` is when it was put
    there first, in seconds since 1970."""

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
        """Keep a text, in the place of what had the same id. Raises KeyError where there is no such
        owner."""
        with self._database.transaction(is_urgent, is_alone=False) as connection:
            session_rows.check(connection, owner)
            connection.execute(
                "INSERT INTO shelf VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
                "content = excluded.content",
                (id, kind, owner, self._clock(), content),
            )

    def of(self, owners: Iterable[str], kind: str) -> list[Kept]:
        """Everything of a kind that these conversations own, the newest first."""
        return self._found(
            f"kind = ? AND owner IN ({self._database.listed}) ORDER BY since DESC, id",
            (kind, session_rows.listed(owners)),
        )

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

    def hand_on(self, owner: str, to: str, kind: str) -> None:
        """Everything of a kind that one conversation owns belongs to another one from now on.

        Raises KeyError where there is no such other one.
        """
        with self._database.transaction(is_alone=False) as connection:
            session_rows.check(connection, to)
            connection.execute(
                "UPDATE shelf SET owner = ? WHERE owner = ? AND kind = ?", (to, owner, kind)
            )

    def _found(self, where: str, values: Sequence[str]) -> list[Kept]:
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT id, kind, owner, since, content FROM shelf WHERE {where}", values
            ).fetchall()
        return [Kept(*row) for row in rows]
