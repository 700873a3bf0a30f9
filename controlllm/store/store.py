"""The store: sessions and results in a database, files by their content."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from pathlib import Path

from controlllm.core.session import Session
from controlllm.resources import Resource
from controlllm.store import session_rows
from controlllm.store.backends import FOLDER, Backends
from controlllm.store.errors import StoreError, told
from controlllm.store.files import Reserve, digest_of, suffix_of
from controlllm.store.owners import Owners
from controlllm.store.removal import Removal
from controlllm.store.shelf import Choices, Shelf, SignIns
from controlllm.store.turns_at_work import KeyOfTurn, TurnsAtWork

#: A file that no session uses is removed when it has been kept for this long, in seconds.
UNUSED_FOR = 24 * 3600.0

#: No sign-in holds for longer than this, in seconds; whoever asks for them may want them shorter.
SIGNED_IN_FOR = 31 * 24 * 3600.0

#: A file that was kept this recently may be one that a session is just about to use, in seconds.
ABOUT_TO_BE_USED = 600.0


class Store:
    """Keeps sessions, files and results; safe for many threads and processes.

    Everything raises StoreError, with a sentence for the person, where the disk or the database
    do not do their work; then nothing of the change is kept. What a method has kept when it returns
    outlives a power cut, but for what it says otherwise.

    Parameters
    ----------
    folder: made where it is not there; what is in it can be read by its owner alone.
    clock: the time in seconds since 1970.
    tidies: whether what nobody needs any more is removed first.
    backends: where it is kept: in the folder, or on servers that several programs share; then the
        folder holds what was used last.
    """

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], float] = time.time,
        *,
        tidies: bool = True,
        backends: Backends = FOLDER,
    ) -> None:
        self._files = backends.files(Path(folder).absolute())
        self._reserve = Reserve(self._files.folder / "reserve")
        self._database, self._presence = self._reserve.used_where_full(
            lambda: backends.database(self._files.folder)
        )
        self._clock = clock
        self._removal = Removal(self._database, self._files, clock)
        self.owners = Owners(self._database, clock)
        self.shelf = Shelf(self._database, clock)
        self.choices = Choices(self._database, clock)
        self.sign_ins = SignIns(self._database, clock)
        self.at_work = TurnsAtWork(self._database, self._presence)
        if tidies:
            self._remove_left()

    @property
    def folder(self) -> Path:
        """The folder of this machine."""
        return self._files.folder

    # Sessions

    def new_session(self) -> Session:
        """An empty session, kept, with an id that cannot be guessed."""
        session = Session(secrets.token_urlsafe(24), updated=self._clock())
        with self._database.transaction(is_alone=False) as connection:
            session_rows.write(connection, session)
        return session

    def load(self, session_id: str) -> Session:
        """The session of this id; raises KeyError where there is none."""
        with self._database.reading() as connection:
            return session_rows.read(connection, session_id)

    def update(
        self, session_id: str, change: Callable[[Session], Session], is_urgent: bool = True
    ) -> Session:
        """Change a session in one step and give the changed one back.

        Others who change it meanwhile wait; where `change` raises, nothing is changed. What is not
        urgent may be lost by a power cut until something urgent is kept.
        Raises KeyError where there is no such session, StoreError where it is about a turn that
        another living program works on, or has taken over from this one.
        """
        begun: set[KeyOfTurn] = set()
        try:
            with self._database.transaction(is_urgent, is_alone=False) as connection:
                found = session_rows.read(connection, session_id, self._database.for_update)
                changed = change(found)
                if changed.id != session_id:
                    raise ValueError("A session keeps its id.")
                changed = replace(changed, updated=self._clock())
                begun, ended = self.at_work.note(connection, found, changed)
                session_rows.write(connection, changed)
        except BaseException:
            self.at_work.let_go(*begun)
            raise
        self.at_work.let_go(*ended)
        return changed

    def add(self, session_id: str, resource: Resource) -> Resource:
        """Put a resource into a session, under its own name where that is free there; as it is
        kept, with the number of the next turn. Raises as `update` does."""
        added: list[Resource] = []

        def change(session: Session) -> Session:
            name = session.free_name(resource.value)
            added[:] = [replace(resource, value=name, turn=len(session.turns))]
            return session.with_resource(added[0])

        self.update(session_id, change)
        return added[0]

    def delete(self, session_id: str) -> None:
        """Forget a session, with its files and results as far as no other session uses them; also
        on a full disk, so that room can be made there.

        Raises KeyError where there is no such session.
        """
        self._reserve.used_where_full(lambda: self._delete(session_id))
        self._reserve.fill()

    def _delete(self, session_id: str) -> None:
        with self._database.transaction() as connection:
            # Its content is not read as a session: one that cannot be read can be deleted.
            row = connection.execute(
                "SELECT content, updated FROM sessions WHERE id = ?", (session_id,)
            ).fetchone()
            if row is None:
                raise KeyError(session_id)
            digests = sorted(session_rows.digests_in(str(row[0])))
            connection.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
            # A file that was kept again since may be about to be used by another session.
            before = max(float(row[1]), self._clock() - ABOUT_TO_BE_USED)
            gone = self._removal.forget(connection, digests, kept_before=before)
        self._removal.remove(gone)

    def titles(self, session_ids: Iterable[str]) -> list[tuple[str, str, float]]:
        """Id, title and time of change of those of the sessions that exist, newest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, title, updated FROM sessions "
                f"WHERE id IN ({self._database.listed}) ORDER BY updated DESC, id",
                (session_rows.listed(session_ids),),
            ).fetchall()
        return [(str(key), str(title), float(updated)) for key, title, updated in rows]

    def check(self) -> None:
        """Raise StoreError where nothing could be kept now, or a part of the database is gone."""
        self._files.check()
        self._database.check()

    def check_whole(self) -> None:
        """Raise StoreError where something that is kept is damaged; before a program begins, since
        all is looked at."""
        self.check()
        self._database.check_whole()

    def session_count(self) -> int:
        """How many sessions are kept."""
        with self._database.reading() as connection:
            return int(connection.execute("SELECT count(*) FROM sessions").fetchone()[0])

    def held_by(self, session_ids: Iterable[str]) -> tuple[int, int]:
        """How many different files these sessions use, and how many bytes these take."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT DISTINCT files.digest, suffix FROM files JOIN uses USING (digest) "
                f"WHERE session IN ({self._database.listed})",
                (session_rows.listed(session_ids),),
            ).fetchall()
        return len(rows), self._files.sizes(rows)

    def held_in_all(self) -> int:
        """How many bytes all files take."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT digest, suffix FROM files").fetchall()
        return self._files.sizes(rows)

    def tidy(self, keep_seconds: float = 0.0) -> None:
        """Remove what nobody needs any more: what programs that died have left, files that no
        session uses, sessions in which nothing was ever said or handed over; and, where
        `keep_seconds` is not zero, those that were not changed for so long."""
        now = self._clock()
        with self._database.reading() as connection:
            old = connection.execute(
                "SELECT id FROM sessions WHERE updated < ?",
                (now - keep_seconds if keep_seconds else 0.0,),
            ).fetchall()
            # The JSON of a session in which nothing was said or handed over has both in it.
            maybe = connection.execute(
                "SELECT id, content FROM sessions WHERE updated < ? AND content LIKE ? "
                "AND content LIKE ?",
                (now - UNUSED_FOR, '%"turns": []%', '%"resources": []%'),
            ).fetchall()
        gone = {key for (key,) in old} | {
            key for key, content in maybe if session_rows.is_empty(content)
        }
        for session_id in sorted(gone):
            with suppress(KeyError):  # somebody was faster
                self.delete(session_id)
        self.shelf.tidy(now - keep_seconds if keep_seconds else 0.0)
        self.sign_ins.tidy(now - SIGNED_IN_FOR)
        self._remove_left()

    def _remove_left(self) -> None:
        """Remove what programs that died have left, and files that nothing uses."""
        self._presence.remove_dead()
        self._files.remove_abandoned()
        since = self._clock() - UNUSED_FOR
        self._reserve.used_where_full(lambda: self._removal.remove_unused(since))
        self._removal.remove_unnoted()
        if self._files.is_cache:
            self._removal.remove_strays()
        self._reserve.fill()

    # Files

    def put_bytes(self, content: bytes, media_type: str, is_urgent: bool = True) -> str:
        """Keep some bytes; their SHA-256, in hexadecimal. What is there already costs nothing.

        What is not urgent may be lost by a power cut until `settle` is told of it.
        """
        return self._put(content, media_type, is_urgent)

    def put_file(self, path: Path, media_type: str, is_urgent: bool = True) -> str:
        """Keep a copy of a file, as `put_bytes` does; its SHA-256, in hexadecimal."""
        return self._put(Path(path), media_type, is_urgent)

    def path(self, digest: str, media_type: str) -> Path:
        """Where the file of this digest lies; raises KeyError where it is not kept."""
        path = self._files.place(digest, suffix_of(media_type))
        if not self._files.found(path):
            raise KeyError(digest)
        return path

    def work_folder(self, is_made: bool = True) -> AbstractContextManager[Path]:
        """A new empty folder for files that are being made, or one that whoever needs it makes;
        removed at the end."""
        return self._files.work_folder(is_made)

    def remove_left_by(self, process: int) -> None:
        """Remove the work of a process of this machine that has ended."""
        self._files.remove_left_by(process)

    def _put(self, source: bytes | Path, media_type: str, is_urgent: bool) -> str:
        suffix = suffix_of(media_type)
        try:
            digest = digest_of(source)
            if self._note(digest, suffix, None, is_urgent):
                return digest
            with self._files.written(source, is_urgent) as (temporary, digest):
                self._files.send(temporary, digest + suffix)
                self._note(digest, suffix, temporary, is_urgent)
            return digest
        except OSError as error:
            raise told(error) from error

    def _note(self, digest: str, suffix: str, temporary: Path | None, is_urgent: bool) -> bool:
        """Note that a file is kept, and move it in where it is not there; False without either."""
        place = self._files.place(digest, suffix)
        there = self._files.is_kept(place)
        if temporary is None and not there:
            return False
        # The result that needs the file is kept afterwards, and gets to the disk after it.
        with self._database.transaction(is_urgent=False, is_alone=False) as connection:
            # A session that is deleted meanwhile may take the file with it until this point.
            if not (there and self._files.is_there(place)):
                if temporary is None:
                    return False
                self._files.move_in(temporary, place, is_urgent)
            connection.execute(
                "INSERT INTO files VALUES (?, ?, ?) "
                "ON CONFLICT (digest, suffix) DO UPDATE SET kept = excluded.kept",
                (digest, suffix, self._clock()),
            )
        return True

    # Results

    def cached(self, key: str) -> Resource | None:
        """The result kept under a key, or None; one whose file is gone or damaged is forgotten."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT content FROM results WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        try:
            resource = Resource.from_json(json.loads(row[0]))
            place = self._files.place(resource.digest, suffix_of(resource.media_type))
        except (ValueError, TypeError, KeyError, StoreError):
            place = None
        if place is not None and self._files.is_intact(place):
            return resource
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM results WHERE key = ?", (key,))
        return None

    def settle(self, results: Iterable[tuple[str, Resource]]) -> None:
        """Keep results of tools, each under a key that stands for everything that it depends on; of
        those without a key only their files. First the files are on the disk, then all keys."""
        made = list(results)
        try:
            self._files.sync(
                self._files.place(resource.digest, suffix_of(resource.media_type))
                for _, resource in made
            )
        except OSError as error:
            raise told(error) from error
        with self._database.transaction(is_alone=False) as connection:
            # In one order, so that no two programs wait for each other.
            connection.executemany(
                "INSERT INTO results VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET "
                "digest = excluded.digest, content = excluded.content",
                [
                    (key, resource.digest, json.dumps(resource.to_json()))
                    for key, resource in sorted(made, key=lambda item: item[0])
                    if key
                ],
            )

    def begin_once(self, key: str) -> bool:
        """Note that a call begins which may be made once only; False where it had begun before."""
        with self._database.transaction() as connection:
            known = connection.execute("SELECT 1 FROM begun WHERE key = ?", (key,)).fetchone()
            if known is None:
                connection.execute("INSERT INTO begun VALUES (?, ?)", (key, self._clock()))
        return known is None

    def take_back(self, key: str) -> None:
        """Note that a call which may be made once only has done nothing."""
        with self._database.transaction() as connection:
            connection.execute("DELETE FROM begun WHERE key = ?", (key,))

    def settle_database(self) -> None:
        """Have the database lie in one file, for the program is about to end."""
        self._database.settle()

    def close(self) -> None:
        """Let go of the database; the store cannot be used afterwards."""
        self._presence.leave()
        self._database.close()
