"""What is kept is on the disk before anybody hears of it, and what was at work is found again."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from controlllm.core.session import Turn
from controlllm.resources import Resource
from controlllm.store import Store, StoreError, UnreadableConversation
from controlllm.store.presence import Presence
from controlllm.store.store import UNUSED_FOR

RUNNING = Turn(0, "Do it")


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "home")
    yield made
    made.close()


def begun(store) -> str:
    session = store.new_session()
    store.update(session.id, lambda current: current.with_turn(RUNNING))
    return session.id


@pytest.fixture
def steps(store, monkeypatch):
    """What a store asks of the system and the database, in its order."""
    found: list[str] = []

    def spy(name, function):
        def spied(*given, **named):
            result = function(*given, **named)
            found.append(name(*given))
            return result

        return spied

    def what(descriptor):
        return "folder" if os.path.isdir(f"/proc/self/fd/{descriptor}") else "file"

    store.put_bytes(b"the first makes the connection", "text/plain")
    monkeypatch.setattr(os, "fsync", spy(what, os.fsync))
    monkeypatch.setattr(os, "replace", spy(lambda *_: "replace", os.replace))
    connection = store._database._connection

    def traced(statement):
        if statement.startswith(("PRAGMA synchronous", "COMMIT", "INSERT")):
            found.append(statement.split(" VALUES")[0])

    connection.set_trace_callback(traced)
    yield found
    connection.set_trace_callback(None)


def test_a_file_that_is_handed_over_is_safe_then_in_its_place_then_noted(store, steps):
    store.put_bytes(b"hello", "text/plain")
    assert steps == [
        *("file", "PRAGMA synchronous = NORMAL", "folder", "replace", "folder"),
        *("INSERT INTO files", "COMMIT"),
    ]


def test_results_are_in_their_places_then_safe_then_have_their_receipts(store, steps):
    made = [store.put_bytes(f"{number}".encode(), "text/plain", False) for number in range(2)]
    assert "file" not in steps and steps.count("replace") == 2
    steps.clear()
    store.settle((f"key {digest}", Resource("text", "", digest, "text/plain")) for digest in made)
    assert steps == [
        *("file", "file", "folder", "folder"),
        "PRAGMA synchronous = FULL",
        *("INSERT INTO results", "INSERT INTO results"),
        "COMMIT",
    ]


def test_a_result_whose_file_is_gone_is_given_no_receipt(store):
    made = Resource("text", "", store.put_bytes(b"hello", "text/plain"), "text/plain")
    store.path(made.digest, made.media_type).unlink()
    with pytest.raises(StoreError):
        store.settle([("key", made)])
    assert store.cached("key") is None


def test_only_one_program_takes_over_what_a_dead_one_left(tmp_path):
    script = (
        "import os, signal, sys\n"
        "from controlllm.core.session import Turn\n"
        "from controlllm.store import Store\n"
        "store = Store(__import__('pathlib').Path(sys.argv[1]))\n"
        "session = store.new_session()\n"
        "store.update(session.id, lambda current: current.with_turn(Turn(0, 'Do it')))\n"
        "print(session.id, flush=True)\n"
        "sys.stdin.readline()\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        key = (other.stdout.readline().strip(), 0)
        first, second = Store(tmp_path), Store(tmp_path)
        assert first.at_work.runs_elsewhere(*key) and first.at_work.take_over() == []
        other.stdin.write("\n")
        other.stdin.flush()
        other.wait()
        assert not first.at_work.runs_elsewhere(*key)
        assert first.at_work.take_over() == [key]
        assert second.at_work.take_over() == [] and second.at_work.runs_elsewhere(*key)
    first.close()
    assert second.at_work.take_over() == [key]
    second.close()
    assert list((tmp_path / "programs").iterdir())  # the dead one's, until the next start
    Store(tmp_path).close()
    assert not list((tmp_path / "programs").iterdir())


def test_what_has_ended_is_not_taken_over(store):
    session_id = begun(store)
    assert store.at_work.take_over() == [(session_id, 0)]
    ended = Turn(0, "Do it", state="answered")
    store.update(session_id, lambda current: current.with_turn(ended))
    assert store.at_work.take_over() == []


def test_two_that_look_at_once_do_not_take_each_other_for_the_owner(tmp_path):
    dead = Presence(tmp_path)
    name = dead.name
    os.close(dead._descriptor)
    lookers = [Presence(tmp_path) for _ in range(2)]
    assert not any(looker.is_elsewhere(name) for looker in lookers)
    assert lookers[0].name != lookers[1].name
    assert lookers[0].is_elsewhere(lookers[1].name)


def test_start_removes_files_that_nothing_names(tmp_path):
    store = Store(tmp_path)
    digest = store.put_bytes(b"noted", "text/plain")
    place = store.path(digest, "text/plain")
    orphan = place.with_name(place.name.replace(digest[2:], "0" * 62))
    orphan.write_bytes(b"put in place, and then the program died")
    store.close()
    again = Store(tmp_path)
    assert place.exists() and not orphan.exists()
    again.close()


def test_a_call_that_may_be_made_once_begins_once(store):
    assert store.begin_once("key") and not store.begin_once("key")
    store.take_back("key")
    assert store.begin_once("key")


def with_file(store: Store, content: bytes = b"hello") -> tuple[str, Resource]:
    session = store.new_session()
    digest = store.put_bytes(content, "text/plain")
    resource = Resource("text", "note.txt", digest, "text/plain")
    store.update(session.id, lambda found: found.with_resource(resource))
    return session.id, resource


def changed(store: Store, *statements: str) -> None:
    with store._database.transaction() as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("lost", [("uses",), ("files",), ("uses", "files")])
def test_what_is_noted_of_files_is_lost_and_no_living_conversation_loses_one(tmp_path, lost):
    now = [1_000_000.0]
    store = Store(tmp_path, lambda: now[0])
    session_id, resource = with_file(store)
    gone, other = with_file(store, b"of a conversation that is deleted")
    changed(store, *(f"DELETE FROM {name}" for name in lost))
    now[0] += 3 * UNUSED_FOR
    store.tidy()
    now[0] += 3 * UNUSED_FOR
    store.tidy()
    assert store.path(resource.digest, "text/plain").read_bytes() == b"hello"
    assert store.held_by([session_id]) == (1, 5)
    store.delete(gone)
    with pytest.raises(KeyError):
        store.path(other.digest, "text/plain")
    store.close()


def test_one_note_that_is_lost_is_found_in_the_conversation(tmp_path):
    now = [1_000_000.0]
    store = Store(tmp_path, lambda: now[0])
    session_id, resource = with_file(store)
    second = Resource("text", "b.txt", store.put_bytes(b"b", "text/plain"), "text/plain")
    store.update(session_id, lambda found: found.with_resource(second))
    changed(store, f"DELETE FROM uses WHERE digest = '{second.digest}'")
    now[0] += 3 * UNUSED_FOR
    store.tidy()
    assert store.path(second.digest, "text/plain").read_bytes() == b"b"
    store.close()


@pytest.mark.parametrize("content", ["", "{", '{"id": 1}', "[]", "null"])
def test_a_conversation_that_cannot_be_read_can_be_deleted(tmp_path, content):
    now = [1_000_000.0]
    store = Store(tmp_path, lambda: now[0])
    session_id, resource = with_file(store)
    other, _ = with_file(store)
    changed(store, f"UPDATE sessions SET content = '{content}' WHERE id = '{session_id}'")
    with pytest.raises(UnreadableConversation):
        store.load(session_id)
    now[0] += 2 * UNUSED_FOR
    store.tidy()
    store.delete(session_id)
    with pytest.raises(KeyError):
        store.load(session_id)
    # The other one has the same file.
    assert store.path(resource.digest, "text/plain").is_file() and store.load(other)
    now[0] += 2 * UNUSED_FOR
    store.delete(other)
    store.tidy()
    with pytest.raises(KeyError):
        store.path(resource.digest, "text/plain")
    store.close()


@pytest.mark.parametrize(
    "broken",
    [
        *(f"DROP TABLE {name}" for name in ("sessions", "uses", "files", "owned", "signed_in")),
        "ALTER TABLE shelf RENAME COLUMN owner TO whose",
        "PRAGMA user_version = 0",
    ],
)
def test_a_database_that_lacks_a_part_is_told_of_and_not_ready(tmp_path, broken):
    store = Store(tmp_path)
    store.check_whole()
    with store._database.reading() as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(broken)
    with pytest.raises(StoreError, match="is damaged"):
        if "user_version" in broken:
            Store(tmp_path)
        store.check()
    store.close()


def test_a_damaged_page_of_the_database_is_told_of_at_the_start(tmp_path):
    store = Store(tmp_path)
    for number in range(50):
        with_file(store, b"%d" % number)
    store.close()
    path = tmp_path / "sessions.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(path.read_bytes())
    content[8 * 4096 : -4096] = b"\xff" * (len(content) - 9 * 4096)
    path.write_bytes(content)

    def start():
        again = Store(tmp_path, tidies=False)
        try:
            again.check_whole()
        finally:
            again.close()

    with pytest.raises(StoreError, match="is damaged"):
        start()
