"""A disk with no room left: a sentence, nothing lost, and room can be made."""

from __future__ import annotations

import errno
import sqlite3

import pytest

from controlllm.core.session import Turn
from controlllm.resources import Resource
from controlllm.store import Store, StoreError
from controlllm.store.errors import DiskFull, told
from controlllm.store.files import FileFolder, Reserve


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "home")
    yield made
    made.close()


def with_file(store, content):
    session = store.new_session()
    digest = store.put_bytes(content, "text/plain")
    made = Resource("text", "a.txt", digest, "text/plain", "uploaded", 0)
    return store.update(session.id, lambda current: current.with_resource(made))


def no_room(*args, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


def full_until_given_back(store, monkeypatch):
    """Let nothing be written to the database while the reserve is there."""
    usual = store._database.transaction

    def transaction(*args, **options):
        if store._reserve.path.exists():
            raise told(sqlite3.OperationalError("database or disk is full"))
        return usual(*args, **options)

    monkeypatch.setattr(store._database, "transaction", transaction)


def test_a_file_that_does_not_fit_leaves_nothing_and_says_so(store, monkeypatch):
    session = with_file(store, b"what was there")
    monkeypatch.setattr("controlllm.store.files._copy", no_room)
    with pytest.raises(StoreError, match="The disk is full"):
        store.put_bytes(b"new", "text/plain")
    assert not list((store.folder / "work").iterdir())
    assert store.load(session.id) == session
    assert store.path(session.resources[0].digest, "text/plain").read_bytes() == b"what was there"


def test_a_database_that_cannot_grow_keeps_what_it_has(store):
    session = with_file(store, b"what was there")
    with store._database.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    long = Turn(0, "words " * 100_000)
    with pytest.raises(StoreError, match="The disk is full"):
        store.update(session.id, lambda current: current.with_turn(long))
    assert store.load(session.id) == session


def test_something_can_be_deleted_on_a_full_disk(store, monkeypatch):
    session, other = with_file(store, b"to go"), with_file(store, b"to stay")
    place = store.path(session.resources[0].digest, "text/plain")
    assert store._reserve.path.stat().st_size > 1_000_000
    full_until_given_back(store, monkeypatch)
    with pytest.raises(DiskFull):
        store.new_session()
    store.delete(session.id)
    assert store.held_by([session.id]) == (0, 0)
    assert not place.exists()
    with pytest.raises(KeyError):
        store.load(session.id)
    assert store.load(other.id) == other
    assert store._reserve.path.exists()


def test_readiness_knows_of_a_full_disk(store, monkeypatch):
    store.check()
    monkeypatch.setattr("pathlib.Path.write_bytes", no_room)
    with pytest.raises(StoreError, match="The disk is full"):
        store.check()


def test_the_reserve_takes_no_room_where_there_is_little(tmp_path, monkeypatch):
    reserve = Reserve(tmp_path / "reserve")
    found = type("Found", (), {"f_bavail": 10, "f_frsize": 4096})
    monkeypatch.setattr("controlllm.store.files.os.statvfs", lambda path: found)
    reserve.fill()
    assert not reserve.path.exists()


def test_where_the_reserve_is_no_help_the_sentence_stays(tmp_path):
    reserve = Reserve(tmp_path / "reserve")

    def work():
        raise DiskFull("The disk is full.")

    with pytest.raises(DiskFull):
        reserve.used_where_full(work)
    reserve.path.write_bytes(b"x")
    with pytest.raises(DiskFull):
        reserve.used_where_full(work)
    assert not reserve.path.exists()


def test_a_file_too_large_for_the_system_says_so(tmp_path, monkeypatch):
    folder = FileFolder(tmp_path / "home")

    def too_big(*args):
        raise OSError(errno.EFBIG, "File too large")

    monkeypatch.setattr("controlllm.store.files._copy", too_big)
    with pytest.raises(OSError) as error, folder.written(b"x"):
        pass
    assert "larger than one may be" in str(told(error.value))
