"""Whose a conversation is: the owners, each with as many conversations as there are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from controlllm.core.session import handle_of
from controlllm.store import session_rows
from controlllm.store.interfaces import AnyDatabase

#: An empty conversation takes less than this, in characters of its JSON.
_SHORT = 1000


class Owners:
    """Keeps which conversations belong to whom; a deleted one is nobody's.

    An owner is any name that is known to nobody else or proven in some other way, such as the
    digest of a secret that a browser keeps. Everything raises StoreError where the database does
    not do its work.
    """

    def __init__(self, database: AnyDatabase, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    def add(self, owner: str, session_ids: Iterable[str]) -> None:
        """Give an owner conversations, as far as they exist."""
        with self._database.transaction(is_alone=False) as connection:
            connection.executemany(
                "INSERT INTO owned (owner, handle, session, since) "
                "SELECT CAST(? AS TEXT), CAST(? AS TEXT), id, CAST(? AS DOUBLE PRECISION) "
                "FROM sessions WHERE id = ? ON CONFLICT (owner, handle) DO NOTHING",
                [(owner, handle_of(one), self._clock(), one) for one in session_ids],
            )

    def move(self, owner: str, to: str) -> None:
        """Give all conversations of an owner to another one, and what is on the shelf."""
        self.add(to, self.sessions_of(owner))
        with self._database.transaction(is_alone=False) as connection:
            connection.execute("DELETE FROM owned WHERE owner = ?", (owner,))
            connection.execute("UPDATE shelf SET owner = ? WHERE owner = ?", (to, owner))

    def sessions_of(self, owner: str) -> list[str]:
        """The ids of an owner's conversations, those changed last first."""
        return [session_id for session_id, _, _ in self.titles(owner)]

    def session_of(self, owner: str, handle: str) -> str:
        """The id of an owner's conversation; raises KeyError where it is none of theirs."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT session FROM owned WHERE owner = ? AND handle = ?", (owner, handle)
            ).fetchone()
        if row is None:
            raise KeyError(handle)
        return str(row[0])

    def owner_of(self, session_id: str) -> str:
        """Who has had a conversation for longest; empty where nobody has it."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT owner FROM owned WHERE session = ? ORDER BY since, owner", (session_id,)
            ).fetchone()
        return str(row[0]) if row else ""

    def titles(self, owner: str) -> list[tuple[str, str, float]]:
        """Id, title and time of change of an owner's conversations, those changed last first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, title, updated FROM owned JOIN sessions ON id = session "
                "WHERE owner = ? ORDER BY updated DESC, id",
                (owner,),
            ).fetchall()
        return [(str(key), str(title), float(updated)) for key, title, updated in rows]

    def waiting(self) -> list[str]:
        """The ids of all conversations in which requests wait."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT session FROM waiting ORDER BY session").fetchall()
        return [str(session_id) for (session_id,) in rows]

    def empty_one(self, owner: str) -> str:
        """The id of an owner's conversation that is empty still; nothing where none is."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, content FROM owned JOIN sessions ON id = session "
                f"WHERE owner = ? AND length(content) < {_SHORT}",
                (owner,),
            ).fetchall()
        return next((str(key) for key, content in rows if session_rows.is_empty(content)), "")

    def search(self, owner: str, words: str) -> list[tuple[str, str]]:
        """The ids of an owner's conversations in which all of the words stand, in the title, a
        request or an answer, those changed last first; each with what is around one of them."""
        wanted = words.lower().split()
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, content FROM owned JOIN sessions ON id = session "
                "WHERE owner = ? ORDER BY updated DESC, id",
                (owner,),
            ).fetchall()
        found = []
        for session_id, content in rows:
            said = _said(content)
            if all(any(word in text.lower() for text in said) for word in wanted):
                found.append((str(session_id), _around(said, wanted)))
        return found


def _said(content: str) -> list[str]:
    """The title, the requests and the answers of a conversation, of this JSON."""
    try:
        session = json.loads(content)
        turns = [text for turn in session["turns"] for text in (turn["text"], turn["answer"])]
        return [str(text) for text in (session["title"], *turns)]
    except (ValueError, KeyError, TypeError):
        return []


def _around(said: list[str], wanted: list[str]) -> str:
    """What is around the first place, beside the title, where one of the words stands."""
    for text in said[1:]:
        line = " ".join(text.split())
        places = [line.lower().find(word) for word in wanted]
        place = min((place for place in places if place >= 0), default=-1)
        if place >= 0:
            start = max(0, place - 30)
            start = line.find(" ", start) + 1 if start else 0
            beginning = "… " if start else ""
            return beginning + line[start : start + 110] + ("…" if len(line) > start + 110 else "")
    return ""
