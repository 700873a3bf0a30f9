"""What is kept is on the disk before anybody hears of it, and what was at work is found again."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from controlllm.core.session import Turn
from controlllm.resources import Resource
from controlllm.store import Store, StoreError
from controlllm.store.presence import Presence

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
        assert first.runs_elsewhere(*key) and first.take_over() == []
        other.stdin.write("\n")
        other.stdin.flush()
        other.wait()
        assert not first.runs_elsewhere(*key)
        assert first.take_over() == [key]
        assert second.take_over() == [] and second.runs_elsewhere(*key)
    first.close()
    assert second.take_over() == [key]
    second.close()
    assert list((tmp_path / "programs").iterdir())  # the dead one's, until the next start
    Store(tmp_path).close()
    assert not list((tmp_path / "programs").iterdir())


def test_what_has_ended_is_not_taken_over(store):
    session_id = begun(store)
    assert store.take_over() == [(session_id, 0)]
    ended = Turn(0, "Do it", state="answered")
    store.update(session_id, lambda current: current.with_turn(ended))
    assert store.take_over() == []


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
