"""What only servers can do: be away, refuse, come back; and the folder before a bucket."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controlllm.core.session import Turn
from controlllm.resources import Resource
from controlllm.store import Backends, Store, StoreError, bucket_files
from controlllm.store import postgres as leases
from controlllm.store.bucket_files import Bucket, BucketFiles
from controlllm.store.database import MIGRATIONS
from controlllm.store.errors import DiskFull
from controlllm.store.postgres import PostgresDatabase, told
from tests.every_case import every_case
from tests.store.servers import BucketServer, PostgresServer, free_port, have_bucket, have_postgres


@pytest.fixture
def database(postgres):
    return postgres.new_database()


@pytest.fixture
def bucket(bucket_server):
    return Bucket(bucket_server.new_bucket(), bucket_server.environment)


@pytest.fixture
def files(bucket, tmp_path):
    return BucketFiles(tmp_path / "home", bucket=bucket)


def put(files: BucketFiles, content: bytes) -> Path:
    with files.written(content) as (temporary, digest):
        place = files.place(digest, ".txt")
        files.send(temporary, place.name)
        files.move_in(temporary, place)
    return place


# The choice


def test_without_variables_everything_is_in_the_folder(tmp_path):
    store = Store(tmp_path, backends=Backends.from_environment({}))
    store.put_bytes(b"hello", "text/plain")
    assert {"files", "sessions.sqlite"} <= {path.name for path in tmp_path.iterdir()}
    store.close()


@every_case(
    ("name", "value", "said"),
    [
        ("CONTROLLLM_DATABASE", "mysql://host/name", "address of a PostgreSQL database"),
        ("CONTROLLLM_FILES", "/some/folder", "address of a bucket"),
        ("CONTROLLLM_CACHE_GIGABYTES", "much", "a number above zero"),
    ],
)
def test_what_is_no_choice_is_said(name, value, said):
    with pytest.raises(ValueError, match=said):
        Backends.from_environment({name: value})


@every_case(
    ("library", "backends"),
    [
        ("psycopg", Backends("postgresql://user@127.0.0.1:1/database")),
        ("psycopg_pool", Backends("postgresql://user@127.0.0.1:1/database")),
        ("obstore.store", Backends("", "s3://bucket")),
    ],
)
def test_where_a_library_is_missing_that_is_said(tmp_path, monkeypatch, library, backends):
    if library == "psycopg_pool" and not have_postgres():
        pytest.skip("psycopg is missed before")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(StoreError, match=r"pip install --group shared"):
        Store(tmp_path, backends=backends)


def test_nothing_of_the_libraries_is_loaded_where_they_are_not_used(tmp_path):
    code = (
        "import pathlib, sys; from controlllm.store import Backends, Store;"
        "Store(pathlib.Path(sys.argv[1]), backends=Backends.from_environment({})).close();"
        "sys.exit(bool({'psycopg', 'psycopg_pool', 'obstore'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], check=True)


# The database


def test_database_that_cannot_be_reached(tmp_path):
    if not have_postgres():
        pytest.skip("psycopg is not here")
    address = f"postgresql://user:secret@127.0.0.1:{free_port()}/name"
    with pytest.raises(StoreError, match="cannot be reached") as found:
        Store(tmp_path, backends=Backends(address))
    assert "secret" not in str(found.value)


@every_case(
    ("change", "said"),
    [
        (lambda server: server.address(password="wrong"), "refused the name or the password"),
        (lambda server: server.address("absent"), "is not on its server"),
        (lambda server: server.address() + "?no_such_option=1", "is no address"),
    ],
)
def test_database_that_refuses(postgres, tmp_path, change, said):
    with pytest.raises(StoreError, match=said):
        Store(tmp_path, backends=Backends(change(postgres)))


def test_database_of_a_newer_version_is_refused_and_of_an_older_brought_up(database):
    second = ("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'",)
    PostgresDatabase(database).close()
    with pytest.raises(StoreError):
        PostgresDatabase(database, (*MIGRATIONS, ("DROP TABLE results", "no statement")))
    newer = PostgresDatabase(database, (*MIGRATIONS, second))
    with newer.reading() as connection:
        assert connection.execute("SELECT colour FROM sessions").fetchall() == []
        assert connection.execute("SELECT count(*) FROM results").fetchone() == (0,)
    newer.close()
    with pytest.raises(StoreError, match="newer version"):
        PostgresDatabase(database)


def test_full_disk_of_the_server_is_a_full_disk(postgres):
    psycopg = pytest.importorskip("psycopg")
    assert isinstance(told(psycopg.errors.DiskFull("no room")), DiskFull)


def test_what_is_not_urgent_waits_for_no_disk(database):
    made = PostgresDatabase(database)
    asked = "SELECT current_setting('synchronous_commit')"
    with made.transaction(is_urgent=False) as connection:
        assert connection.execute(asked).fetchone() == ("off",)
    with made.transaction() as connection:
        assert connection.execute(asked).fetchone() == ("on",)
    made.close()


@pytest.fixture
def a_server():
    if not have_postgres():
        pytest.skip("there is no server here")
    server = PostgresServer()
    yield server
    server.close()


@pytest.mark.long
def test_server_that_was_started_again_is_used_again(a_server, tmp_path, monkeypatch):
    monkeypatch.setattr(leases, "BEAT", 0.1)
    monkeypatch.setattr(leases, "LEASE", 3600.0)
    backends = Backends(a_server.address())
    store, other = (Store(tmp_path, backends=backends) for _ in range(2))
    session = store.new_session()
    store.update(session.id, lambda found: found.with_turn(Turn(0, "Do it")))
    pools = [one._database._pool for one in (store, other)]
    for pool in pools:
        pool.timeout = 1.0  # nobody waits long for one that is away
    a_server.stop()
    with pytest.raises(StoreError, match="cannot be reached"):
        store.load(session.id)
    with pytest.raises(StoreError, match="cannot be reached"):
        store.check()
    a_server.start()
    for pool in pools:
        pool.timeout = 60.0
    # Each program has connections of its own to renew.
    deadline = time.monotonic() + 120
    while True:
        try:
            assert store.load(session.id).turns and other.load(session.id).turns
            store.check()
            other.check()
            break
        except StoreError:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    # Nobody has lost what it was at work on.
    assert other.at_work.runs_elsewhere(session.id, 0) and other.at_work.take_over() == []
    ended = Turn(0, "Do it", state="answered")
    store.update(session.id, lambda found: found.with_turn(ended))
    store.close()
    other.close()


def test_program_that_was_out_of_touch_keeps_nothing_of_what_another_took(
    database, tmp_path, monkeypatch
):
    monkeypatch.setattr(leases, "BEAT", 3600.0)
    first, second = (Store(tmp_path, backends=Backends(database)) for _ in range(2))
    session = first.new_session()
    first.update(session.id, lambda found: found.with_turn(Turn(0, "Do it")))
    monkeypatch.setattr(leases, "LEASE", 0.0)
    assert second.at_work.take_over() == [(session.id, 0)]
    monkeypatch.setattr(leases, "LEASE", 3600.0)

    def late(found):
        return found.with_turn(Turn(0, "Do it", answer="late"))

    with pytest.raises(StoreError, match="another has taken this request over"):
        first.update(session.id, late)
    done = Turn(0, "Do it", state="answered", answer="Done.")
    second.update(session.id, lambda found: found.with_turn(done))
    with pytest.raises(StoreError, match="another has taken this request over"):
        first.update(session.id, late)
    assert first.load(session.id).turns == (done,)
    # What else changes is kept, and once it has let go of the request it may begin it anew.
    first.update(session.id, lambda found: found.with_resource(Resource("text", "a.txt")))
    first.at_work.let_go((session.id, 0))
    first.update(session.id, late)
    assert second.at_work.runs_elsewhere(session.id, 0)
    first.close()
    second.close()


# The bucket


@every_case(
    ("address", "change", "said"),
    [
        ("s3://absent/prefix", {}, "is not there"),
        ("s3://absent", {"AWS_SECRET_ACCESS_KEY": "wrong"}, "refused the keys"),
        ("s3://", {}, "has to be a bucket's address"),
    ],
)
def test_bucket_that_refuses(bucket_server, tmp_path, address, change, said):
    (tmp_path / "file").write_bytes(b"hello")
    with pytest.raises(StoreError, match=said):
        Bucket(address, {**bucket_server.environment, **change}).put("name", tmp_path / "file")


def test_bucket_that_is_away_and_comes_back(tmp_path):
    if not have_bucket():
        pytest.skip("there is no server here")
    server = BucketServer()
    backends = Backends("", server.new_bucket(), environment=server.environment)
    store = Store(tmp_path / "home", backends=backends)
    kept = store.put_bytes(b"kept", "text/plain")
    server.stop()
    with pytest.raises(StoreError, match="object storage with the files cannot be reached"):
        store.put_bytes(b"hello", "text/plain")
    with pytest.raises(StoreError, match="cannot be reached"):
        store.check()
    assert store.path(kept, "text/plain").read_bytes() == b"kept"
    assert not list(store._files.work.iterdir())
    server.start()
    digest = store.put_bytes(b"hello", "text/plain")
    assert store.path(digest, "text/plain").read_bytes() == b"hello"
    store.close()
    server.close()


def test_damaged_object_is_removed_and_never_handed_out(files, bucket, tmp_path):
    place = put(files, b"hello")
    place.unlink()
    (tmp_path / "damaged").write_bytes(b"jello")
    bucket.put(place.name, tmp_path / "damaged")
    assert not files.found(place) and not place.exists()
    assert bucket.size(place.name) is None


def test_what_was_not_used_for_the_longest_time_leaves_the_folder(bucket, tmp_path, monkeypatch):
    monkeypatch.setattr(bucket_files, "_BETWEEN_LOOKS", 0.0)
    files = BucketFiles(tmp_path / "home", bucket=bucket, most_bytes=25, in_use=3600)
    places = []
    for number, age in enumerate([40_000, 30_000, 20_000, 10_000]):
        places.append(put(files, f"{number:010}".encode()))
        then = time.time() - age
        os.utime(places[-1], (then, then))
    assert files.found(places[0])  # it is used now
    put(files, b"new")
    assert [place.exists() for place in places] == [True, False, False, True]
    assert files.found(places[1]) and places[1].read_bytes() == b"0000000001"


def test_object_that_goes_before_its_note_is_put_again(files, bucket):
    with files.written(b"hello") as (temporary, digest):
        place = files.place(digest, ".txt")
        files.send(temporary, place.name)
        bucket.remove([place.name])
        files.move_in(temporary, place)
    assert bucket.size(place.name) == 5


def test_what_lies_in_the_bucket_and_nobody_noted_goes_when_it_is_old(bucket_server, tmp_path):
    address = bucket_server.new_bucket()
    backends = Backends("", address, environment=bucket_server.environment)
    store = Store(tmp_path / "home", backends=backends)
    noted = store.put_bytes(b"noted", "text/plain")
    digest = noted.replace(noted[2:], "0" * 62)
    (tmp_path / "stray").write_bytes(b"its program died before it was noted")
    store._files.bucket.put(f"{digest}.txt", tmp_path / "stray")
    store.tidy()
    assert len(bucket_server.objects(address)) == 2
    # A server that is asked a day later.
    usual = store._files.strays
    store._files.strays = lambda before: usual(before + 2 * 24 * 3600)
    store.tidy()
    assert list(bucket_server.objects(address)) == [f"{noted}.txt"]
    store.close()


def test_sizes_of_many_are_asked_for_at_once(files):
    names = []
    for number in range(12):
        place = put(files, b"x" * number)
        names.append((place.name[:64], ".txt"))
        place.unlink()
    assert files.sizes(names) == sum(range(12))
    assert files.sizes([*names[:2], ("0" * 64, ".txt")]) == 1
