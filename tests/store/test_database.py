"""The store's database from version to version."""

from __future__ import annotations

import sqlite3

import pytest

from controlllm.store import Store, StoreError
from controlllm.store.database import MIGRATIONS, Database


def test_migrations_run_in_order_and_once(tmp_path):
    path = tmp_path / "sessions.sqlite"
    Database(path).close()

    second = ("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",)
    third = ("UPDATE sessions SET colour = 'blue'",)
    for _ in range(2):
        Database(path, (*MIGRATIONS, second, third)).close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + 2
        connection.execute("SELECT colour FROM sessions")
    connection.close()


def test_migration_that_fails_leaves_the_database_as_it_was(tmp_path):
    path = tmp_path / "sessions.sqlite"
    Database(path).close()
    with pytest.raises(StoreError):
        Database(path, (*MIGRATIONS, ("DROP TABLE results", "no statement")))
    again = Database(path)
    with again.reading() as connection:
        assert connection.execute("SELECT count(*) FROM results").fetchone() == (0,)
    again.close()


def test_database_of_a_newer_version_is_refused(tmp_path):
    Store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / "sessions.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="newer version"):
        Store(tmp_path)


def test_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "sessions.sqlite").write_bytes(b"this is no database" * 100)
    with pytest.raises(StoreError, match="damaged"):
        Store(tmp_path)
