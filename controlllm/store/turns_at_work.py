"""Which program works on which turns, and which were left by one that has ended."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field

from controlllm.core.session import Session
from controlllm.store.errors import ELSEWHERE, LOST, StoreError
from controlllm.store.interfaces import AnyDatabase, AnyPresence, Connection

#: Session and number of a turn.
KeyOfTurn = tuple[str, int]


@dataclass
class TurnsAtWork:
    """The turns that are said to run, each with the program that works on it."""

    _database: AnyDatabase
    _presence: AnyPresence
    #: Those that this program works on.
    _here: set[KeyOfTurn] = field(default_factory=set)

    def take_over(self, is_start: bool = True) -> list[KeyOfTurn]:
        """Session and number of the turns that are said to run and that no living program works on.

        From now on they are this program's, so each is given to one only. Later than at the start
        (`is_start` false) what this program works on is not among them.
        """
        with self._database.reading() as connection:
            if not self._abandoned(connection, is_start):
                return []
        with self._database.transaction() as connection:
            found = self._abandoned(connection, is_start)
            connection.executemany(
                "UPDATE running SET owner = ? WHERE session = ? AND turn = ?",
                [(self._presence.name, session, turn) for session, turn in found],
            )
        self._here.update(found)
        return found

    def _abandoned(self, connection: Connection, is_start: bool) -> list[KeyOfTurn]:
        rows = connection.execute(
            "SELECT session, turn, owner FROM running ORDER BY session, turn"
        ).fetchall()
        mine = set() if is_start else self._here
        return [
            (str(session), int(turn))
            for session, turn, owner in rows
            if (session, turn) not in mine and not self._presence.is_elsewhere(owner)
        ]

    def let_go(self, *turns: KeyOfTurn) -> None:
        """This program works on these no more, whether their end could be kept or not."""
        self._here.difference_update(turns)

    def runs_elsewhere(self, session_id: str, turn: int) -> bool:
        """Whether another living program works on a turn."""
        owner = self._owner_of(session_id, turn)
        return bool(owner) and self._presence.is_elsewhere(owner)

    def is_left(self, session_id: str, turn: int) -> bool:
        """Whether another program left a turn when it ended, and nobody has taken it over yet."""
        owner = self._owner_of(session_id, turn)
        return owner not in ("", self._presence.name) and not self._presence.is_elsewhere(owner)

    def _owner_of(self, session_id: str, turn: int) -> str:
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT owner FROM running WHERE session = ? AND turn = ?", (session_id, turn)
            ).fetchone()
        return str(row[0]) if row else ""

    def note(
        self, connection: Connection, before: Session, session: Session
    ) -> tuple[set[KeyOfTurn], set[KeyOfTurn]]:
        """Note what of a session that is changed begins to run here, and what has ended: both.

        Raises StoreError where it is about a turn that another living program works on, or has
        taken over from this one.
        """
        rows = connection.execute(
            "SELECT turn, owner FROM running WHERE session = ?", (session.id,)
        ).fetchall()
        owners = {int(turn): str(owner) for turn, owner in rows}
        known = {turn.number: turn for turn in before.turns}
        changed = {turn.number for turn in session.turns if turn != known.get(turn.number)}
        self._check_owned(session.id, changed, owners)
        now = {turn.number for turn in session.turns if turn.state == "running"}
        ended = owners.keys() - now
        # What a dead program left is taken over, unless somebody begins it anew.
        begun = {
            turn
            for turn in now
            if turn not in owners or (turn in changed and not self._is_owned(owners[turn]))
        }
        connection.executemany(
            "DELETE FROM running WHERE session = ? AND turn = ?",
            [(session.id, turn) for turn in ended],
        )
        connection.executemany(
            "INSERT INTO running VALUES (?, ?, ?) "
            "ON CONFLICT (session, turn) DO UPDATE SET owner = excluded.owner",
            [(session.id, turn, self._presence.name) for turn in begun],
        )
        begins = {(session.id, turn) for turn in begun}
        # Before others can see them: `take_over` must not take them for abandoned.
        self._here |= begins
        return begins, {(session.id, turn) for turn in ended}

    def _check_owned(self, session_id: str, changed: Set[int], owners: Mapping[int, str]) -> None:
        """Raise StoreError where a turn is changed that another program works on, or that one took
        over when this one had lost touch with the database in the middle of it."""
        for turn in changed:
            owner = owners.get(turn, "")
            if owner == self._presence.name:
                continue
            if (session_id, turn) in self._here:
                raise StoreError(LOST)
            if owner and self._presence.is_elsewhere(owner):
                raise StoreError(ELSEWHERE)

    def _is_owned(self, owner: str) -> bool:
        """Whether a living program, this or another one, is the owner of a turn."""
        return owner == self._presence.name or self._presence.is_elsewhere(owner)
