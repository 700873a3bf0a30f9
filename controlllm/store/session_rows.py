"""How sessions are written down in the database."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Set
from functools import lru_cache

from controlllm.core.session import Session
from controlllm.resources.well_formed import json_from_outside, well_formed
from controlllm.store.errors import StoreError, UnreadableConversation
from controlllm.store.interfaces import Connection

_DIGEST = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")

#: A page asks for each picture of a conversation by itself.
_MOST_READ = 16


def read(connection: Connection, session_id: str, for_update: str = "") -> Session:
    """The session of an id, its row to be changed where `for_update` says so.

    Raises KeyError where there is none, StoreError where it cannot be read.
    """
    row = connection.execute(
        f"SELECT content FROM sessions WHERE id = ?{for_update}", (session_id,)
    ).fetchone()
    if row is None:
        raise KeyError(session_id)
    return _session(str(row[0]))


@lru_cache(maxsize=_MOST_READ)
def _session(content: str) -> Session:
    """The session of this JSON; sessions are values, so one that was read is read no more."""
    try:
        return Session.from_json(json_from_outside(content))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise UnreadableConversation(
            "This conversation cannot be read any more. Delete it, or start a new one."
        ) from error


def write(connection: Connection, session: Session) -> None:
    """Write a session, and which files it uses."""
    connection.execute(
        "INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "title = excluded.title, updated = excluded.updated, content = excluded.content",
        (
            session.id,
            well_formed(session.title),
            session.updated,
            json.dumps(session.to_json()),
        ),
    )
    kept = (
        "INSERT INTO waiting VALUES (?) ON CONFLICT (session) DO NOTHING"
        if session.waiting
        else "DELETE FROM waiting WHERE session = ?"
    )
    connection.execute(kept, (session.id,))
    rows = connection.execute("SELECT digest FROM uses WHERE session = ?", (session.id,))
    before, now = {row[0] for row in rows}, digests_of(session)
    connection.executemany(
        "DELETE FROM uses WHERE session = ? AND digest = ?",
        [(session.id, digest) for digest in before - now],
    )
    connection.executemany(
        "INSERT INTO uses VALUES (?, ?)", [(session.id, digest) for digest in now - before]
    )


def listed(session_ids: Iterable[str]) -> str:
    """Ids as the one value that `AnyDatabase.listed` takes; what can be none is left out."""
    return json.dumps([one for one in session_ids if one.isascii() and one.isprintable()])


def is_empty(content: str) -> bool:
    """Whether in a session, of this JSON, nothing was said or handed over."""
    try:
        session = json.loads(content)
        return session["turns"] == session["resources"] == []
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def digests_in(content: str, known: Set[str] | None = None) -> set[str]:
    """The digests of the files that a session, of this JSON, refers to, as far as `known` has them;
    of one that cannot be read everything that may be one, so that none is taken from it."""
    if known is not None and known.isdisjoint(_DIGEST.findall(content)):
        return set()
    try:
        found = digests_of(_session(content))
    except StoreError:
        found = set(_DIGEST.findall(content))
    return found if known is None else found & known


def digests_of(session: Session) -> set[str]:
    """The digests of every file that a session refers to."""
    resources = [*session.resources]
    for turn in session.turns:
        resources.extend(turn.every)
    originals = {str(resource.details.get("original", "")) for resource in resources}
    return {resource.digest for resource in resources if resource.digest} | originals - {""}
