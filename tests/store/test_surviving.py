"""What is kept is on the disk before anybody hears of it, and there again at the next start."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from dataclasses import replace

import pytest

from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.resources import Resource
from controlllm.store import Store, StoreError, UnreadableConversation
from controlllm.store.database import Presence
from controlllm.store.files import ABANDONED_AFTER
from controlllm.store.store import UNUSED_FOR


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "home")
    yield made
    made.close()


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


def test_a_session_with_its_plans_survives_a_restart(tmp_path):
    first = Store(tmp_path)
    picture = Resource("image", "a.png", "0" * 64, "image/png", details={"width": 3, "height": 2})
    words = TypedValue("text", "German", "prompt")
    given = (TypedValue("text", "<GEN>-0"), TypedValue("text", "notes.txt"), words)
    actions = (
        Action("read", {"image": Reference("a.png")}, TypedValue("text", "<GEN>-0")),
        Action(
            "translate",
            {"text": Reference("<GEN>-0"), "note": Reference("notes.txt"), "to": Literal("German")},
            TypedValue("text", "<GEN>-1"),
        ),
    )
    subtasks = (
        Subtask(0, "Read it", ("general",), (TypedValue("image", "a.png"),), actions[0].output),
        Subtask(1, "Translate it", ("general",), given, actions[1].output, (0,)),
    )
    plan = Plan(subtasks, {place: (Solution((one,), 4.0),) for place, one in enumerate(actions)})
    turn = Turn(0, "Read it", ("a.png",), plan, {"0.0.0": picture}, "Done.", "answered")
    kept = first.update(
        first.new_session().id,
        lambda found: replace(found.with_resource(picture).with_turn(turn), title="Words"),
    )
    first.close()
    second = Store(tmp_path)
    assert second.load(kept.id) == kept and kept.turns == (turn,)
    assert second.titles([kept.id]) == [(kept.id, "Words", kept.updated)]
    second.close()


def test_only_the_owner_can_read(store):
    with_file(store)
    for path in (store.folder, *store.folder.rglob("*")):
        allowed = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == allowed, path


def test_what_cannot_be_kept_is_told(store, tmp_path):
    with pytest.raises(StoreError, match="no such file"):
        store.put_file(tmp_path / "absent", "text/plain")
    with pytest.raises(StoreError, match="x-sh"):
        store.put_bytes(b"hello", "application/x-sh")


def test_a_work_folder_is_removed_with_what_is_in_it(store):
    with store.work_folder() as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_text("x")
        with store.work_folder() as other:
            assert other != folder
    assert not folder.exists()


def test_a_start_removes_what_programs_that_died_have_left(tmp_path):
    store = Store(tmp_path)
    for name, age in (("old", ABANDONED_AFTER + 60), ("new", 60)):
        folder = tmp_path / "work" / name
        folder.mkdir()
        (folder / "file").write_text("x")
        os.utime(folder, (time.time() - age,) * 2)
    (tmp_path / "programs").mkdir(exist_ok=True)
    (tmp_path / "programs" / "dead").touch()
    store.close()
    Store(tmp_path).close()
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["new"]
    assert not list((tmp_path / "programs").iterdir())


def test_a_start_removes_what_nobody_uses_any_more(tmp_path):
    now = [1_000_000.0]
    store = Store(tmp_path, lambda: now[0])
    _, used = with_file(store, b"used")
    old = Resource("text", "", store.put_bytes(b"old", "text/plain"), "text/plain")
    store.settle([("old", old)])
    now[0] += UNUSED_FOR + 60
    recent = store.put_bytes(b"recent", "text/plain")
    store.close()
    again = Store(tmp_path, lambda: now[0])
    for digest in (used.digest, recent):
        assert again.path(digest, "text/plain").is_file()
    with pytest.raises(KeyError):
        again.path(old.digest, "text/plain")
    assert again.cached("old") is None
    again.close()


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


@pytest.mark.parametrize(
    "lost",
    [
        *(("DELETE FROM uses",), ("DELETE FROM files",), ("DELETE FROM uses", "DELETE FROM files")),
        ("DELETE FROM uses WHERE digest = (SELECT max(digest) FROM uses)",),
    ],
)
def test_what_is_noted_of_files_is_lost_and_no_living_conversation_loses_one(tmp_path, lost):
    now = [1_000_000.0]
    store = Store(tmp_path, lambda: now[0])
    session_id, resource = with_file(store)
    second = Resource("text", "b.txt", store.put_bytes(b"b", "text/plain"), "text/plain")
    store.update(session_id, lambda found: found.with_resource(second))
    gone, other = with_file(store, b"of a conversation that is deleted")
    changed(store, *lost)
    for _ in range(2):
        now[0] += 3 * UNUSED_FOR
        store.tidy()
    assert store.path(resource.digest, "text/plain").read_bytes() == b"hello"
    assert store.path(second.digest, "text/plain").read_bytes() == b"b"
    assert store.held_by([session_id]) == (2, 6)
    store.delete(gone)
    with pytest.raises(KeyError):
        store.path(other.digest, "text/plain")
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
