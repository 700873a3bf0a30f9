"""The store keeps what it was given, through restarts, faults and other processes."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from controlllm.core.plans import Action, Literal, Plan, Reference, Solution, Subtask, TypedValue
from controlllm.core.session import Turn
from controlllm.resources import Resource
from controlllm.store import Store, StoreError
from controlllm.store import store as store_module
from controlllm.store.files import ABANDONED_AFTER
from tests.every_case import every_case

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    kept = Store(tmp_path / "home", clock)
    yield kept
    kept.close()


def text_resource(store: Store, content: bytes, value: str = "note.txt") -> Resource:
    return Resource("text", value, store.put_bytes(content, "text/plain"), "text/plain")


def hold(store: Store, session_id: str, resource: Resource) -> None:
    store.update(session_id, lambda session: session.with_resource(resource))


def files_in(store: Store) -> list[str]:
    return sorted(path.name for path in store._files.files.rglob("*") if path.is_file())


# Sessions


def test_session_survives_a_restart(tmp_path):
    first = Store(tmp_path)
    session = first.new_session()
    picture = Resource("image", "a.png", HELLO, "image/png", details={"width": 3, "height": 2})
    action = Action("halve", {"image": Reference("a.png")}, TypedValue("image", "<GEN>-0"))
    subtask = Subtask(
        0, "Halve it", ("general",), (TypedValue("image", "a.png"),), TypedValue("image", "<GEN>-0")
    )
    plan = Plan((subtask,), {0: (Solution((action,), 4.5, "It fits."),)})
    turn = Turn(0, "Halve it", ("a.png",), plan, {"0.0.0": picture}, "Done.", "answered")
    kept = first.update(
        session.id,
        lambda found: replace(found.with_resource(picture).with_turn(turn), title="Halves"),
    )
    first.close()
    second = Store(tmp_path)
    assert second.load(session.id) == kept
    assert second.load(session.id).turns == (turn,)
    assert second.titles([session.id]) == [(session.id, "Halves", kept.updated)]
    second.close()


def test_plan_that_hands_words_on_survives_a_restart(store):
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
    session = store.new_session()
    store.update(session.id, lambda found: found.with_turn(Turn(0, "Read", plan=plan)))
    assert store.load(session.id).turns[0].plan == plan


def test_ids_cannot_be_guessed_and_unknown_ones_are_no_session(store):
    ids = {store.new_session().id for _ in range(50)}
    assert len(ids) == 50
    assert all(len(session_id) >= 32 for session_id in ids)
    for unknown in ("", "x", "%", "' OR 1=1 --", "../sessions"):
        with pytest.raises(KeyError):
            store.load(unknown)
        with pytest.raises(KeyError):
            store.update(unknown, lambda session: session)
        with pytest.raises(KeyError):
            store.delete(unknown)


def test_titles_are_of_known_sessions_only_newest_first(store):
    ids = [store.new_session().id for _ in range(3)]
    for number in (2, 0):
        store.update(ids[number], lambda session, n=number: replace(session, title=f"no. {n}"))
    found = store.titles([ids[0], ids[2], "unknown"])
    assert [(key, title) for key, title, _ in found] == [(ids[0], "no. 0"), (ids[2], "no. 2")]
    assert store.titles([]) == []


def test_update_sets_the_time(store, clock):
    session = store.new_session()
    clock.now += 60
    assert store.update(session.id, lambda found: found).updated > session.updated + 59


def test_words_that_are_no_valid_unicode_come_back_as_some_that_are(store):
    session = store.new_session()
    turn = Turn(0, "half \ud83d of a pair")
    store.update(session.id, lambda found: replace(found.with_turn(turn), title="\ud83d"))
    assert store.load(session.id).turns[0].text == "half \ufffd of a pair"


def test_updates_of_many_threads_are_all_kept(store):
    session = store.new_session()

    def add(start):
        for number in range(start, start + 10):
            hold(store, session.id, Resource("text", f"{number}.txt"))

    threads = [threading.Thread(target=add, args=(start,)) for start in range(0, 40, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {item.value for item in store.load(session.id).resources} == {
        f"{number}.txt" for number in range(40)
    }


_OTHER_PROCESS = """
import sys
from pathlib import Path
from controlllm.resources import Resource
from controlllm.store import Store

store = Store(Path(sys.argv[1]))
for number in range(15):
    digest = store.put_bytes(f"shared {number}".encode(), "text/plain")
    made = Resource("text", f"{sys.argv[3]}-{number}.txt", digest, "text/plain")
    store.update(sys.argv[2], lambda session: session.with_resource(made))
"""


def other_process(code: str, *arguments: object) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, "-c", code, *map(str, arguments)])


@pytest.mark.long
def test_processes_at_once_lose_nothing(tmp_path):
    store = Store(tmp_path)
    session = store.new_session()
    running = [other_process(_OTHER_PROCESS, tmp_path, session.id, name) for name in "abc"]
    assert [process.wait() for process in running] == [0, 0, 0]
    found = store.load(session.id).resources
    assert {item.value for item in found} == {f"{n}-{k}.txt" for n in "abc" for k in range(15)}
    for item in found:
        number = item.value.split("-")[1].removesuffix(".txt")
        assert store.path(item.digest, "text/plain").read_text() == f"shared {number}"
    store.close()


@pytest.mark.long
def test_processes_may_make_the_same_store_at_once(tmp_path):
    code = (
        "import sys; from pathlib import Path; from controlllm.store import Store; "
        "Store(Path(sys.argv[1])).new_session()"
    )
    running = [other_process(code, tmp_path / "new") for _ in range(4)]
    assert [process.wait() for process in running] == [0] * 4


@pytest.mark.long
def test_process_that_dies_in_an_update_leaves_the_session_as_it_was(tmp_path):
    store = Store(tmp_path)
    session = store.update(store.new_session().id, lambda found: replace(found, title="before"))
    code = (
        "import os, sys; from pathlib import Path; from controlllm.store import Store; "
        "Store(Path(sys.argv[1])).update(sys.argv[2], lambda session: os._exit(7))"
    )
    assert other_process(code, tmp_path, session.id).wait() == 7
    assert store.load(session.id) == session
    assert store.update(session.id, lambda found: replace(found, title="after")).title == "after"
    store.close()


# Files


def test_files_are_named_by_their_content(store, tmp_path):
    assert store.put_bytes(b"hello", "text/plain") == HELLO
    path = store.path(HELLO, "text/plain")
    assert path.read_bytes() == b"hello"
    assert path.name == f"{HELLO}.txt"
    source = tmp_path / "source.md"
    source.write_bytes(b"hello")
    assert store.put_file(source, "text/plain") == HELLO
    assert source.read_bytes() == b"hello"
    assert files_in(store) == [f"{HELLO}.txt"]


def test_keeping_what_is_there_writes_nothing(store, tmp_path):
    store.put_bytes(b"hello", "text/plain")
    before = store.path(HELLO, "text/plain").stat()
    source = tmp_path / "again"
    source.write_bytes(b"hello")
    store.put_bytes(b"hello", "text/plain")
    store.put_file(source, "text/plain")
    after = store.path(HELLO, "text/plain").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_damaged_file_is_written_anew(store):
    store.put_bytes(b"hello", "text/plain")
    path = store.path(HELLO, "text/plain")
    path.write_bytes(b"jello")
    assert store.put_bytes(b"hello", "text/plain") == HELLO
    assert path.read_bytes() == b"hello"


@every_case(
    "digest",
    ["", "../" * 22, "../../etc/passwd", HELLO.upper(), HELLO + "\n", HELLO[:-1], "/" * 64],
    anew=(clock, store),
)
def test_no_path_leaves_the_folder(store, digest):
    with pytest.raises(KeyError):
        store.path(digest, "text/plain")


def test_absent_file_and_unknown_media_type(store):
    with pytest.raises(KeyError):
        store.path(HELLO, "text/plain")
    with pytest.raises(StoreError, match="x-sh"):
        store.put_bytes(b"hello", "application/x-sh")


def test_only_the_owner_can_read(store):
    session = store.new_session()
    hold(store, session.id, text_resource(store, b"hello"))
    home = store._files.folder
    for path in (home, *home.rglob("*")):
        allowed = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == allowed, path


def test_full_disk_leaves_nothing_half_written(store, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="disk is full"):
        store.put_bytes(b"hello", "text/plain")
    monkeypatch.undo()
    assert files_in(store) == []
    assert list(store._files.work.iterdir()) == []
    assert store.put_bytes(b"hello", "text/plain") == HELLO


def test_full_database_changes_nothing(store):
    session = store.new_session()
    with store._database.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="disk is full"):
        store.update(session.id, lambda found: replace(found, title="x" * 100_000))
    assert store.load(session.id) == session


def test_source_that_is_not_there(store, tmp_path):
    with pytest.raises(StoreError, match="no such file"):
        store.put_file(tmp_path / "absent", "text/plain")


def test_work_folder_is_removed_with_what_is_in_it(store):
    with store.work_folder() as folder:
        (folder / "deep").mkdir()
        (folder / "deep" / "file").write_text("x")
        with store.work_folder() as other:
            assert other != folder
    assert not folder.exists()


def test_start_removes_what_died_and_leaves_what_lives(tmp_path):
    store = Store(tmp_path)
    for name, age in (("old", ABANDONED_AFTER + 60), ("new", 60)):
        folder = tmp_path / "work" / name
        folder.mkdir()
        (folder / "file").write_text("x")
        os.utime(folder, (time.time() - age,) * 2)
    store.close()
    Store(tmp_path).close()
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["new"]


# Results


def test_results_are_remembered_through_a_restart(tmp_path):
    store = Store(tmp_path)
    resource = replace(text_resource(store, b"hello"), details={"characters": 5})
    store.settle([("key", resource)])
    store.close()
    again = Store(tmp_path)
    assert again.cached("key") == resource
    assert again.cached("another") is None
    again.close()


@every_case(
    "damage",
    ["gone", "changed", "cut", "row"],
    anew=(clock, store),
)
def test_damaged_result_is_forgotten(store, damage):
    store.settle([("key", text_resource(store, b"hello"))])
    path = store.path(HELLO, "text/plain")
    if damage == "gone":
        path.unlink()
    elif damage == "changed":
        path.write_bytes(b"jello")
    elif damage == "cut":
        path.write_bytes(b"")
    else:
        with store._database.transaction() as connection:
            connection.execute("UPDATE results SET content = '{}'")
    assert store.cached("key") is None
    store.settle([("key", text_resource(store, b"hello"))])
    assert store.cached("key") is not None


# Forgetting


def test_deleting_a_session_removes_its_files_and_results(store, clock):
    session = store.new_session()
    made = text_resource(store, b"made", "made.txt")
    store.settle([("key", made)])
    hold(store, session.id, text_resource(store, b"hello"))
    turn = Turn(0, "Make", results={"0.0.0": made})
    store.update(session.id, lambda found: found.with_turn(turn))
    store.delete(session.id)
    assert files_in(store) == []
    assert store.cached("key") is None
    with pytest.raises(KeyError):
        store.load(session.id)


def test_deleting_a_session_leaves_what_others_use(store):
    first, second = store.new_session(), store.new_session()
    shared = text_resource(store, b"shared")
    hold(store, first.id, shared)
    hold(store, second.id, shared)
    store.delete(first.id)
    assert files_in(store) == [f"{shared.digest}.txt"]
    store.delete(second.id)
    assert files_in(store) == []


def test_deleting_a_session_leaves_what_another_is_about_to_use(store):
    first, second = store.new_session(), store.new_session()
    hold(store, first.id, text_resource(store, b"shared"))
    again = text_resource(store, b"shared")  # kept for the second, which does not hold it yet
    store.delete(first.id)
    hold(store, second.id, again)
    assert store.path(again.digest, "text/plain").read_bytes() == b"shared"


def test_start_removes_what_nobody_uses_any_more(tmp_path, clock):
    store = Store(tmp_path, clock)
    session = store.new_session()
    used = text_resource(store, b"used")
    hold(store, session.id, used)
    store.settle([("old", text_resource(store, b"old"))])
    clock.now += store_module.UNUSED_FOR + 60
    recent = text_resource(store, b"recent")
    store.close()
    again = Store(tmp_path, clock)
    assert files_in(again) == sorted([f"{used.digest}.txt", f"{recent.digest}.txt"])
    assert again.cached("old") is None
    again.close()


def test_session_that_cannot_be_read_says_so(store):
    session = store.new_session()
    with store._database.transaction() as connection:
        connection.execute("UPDATE sessions SET content = ?", (json.dumps({"id": 1}),))
    with pytest.raises(StoreError, match="start a new one"):
        store.load(session.id)


class StoreModel(RuleBasedStateMachine):
    """Whatever happens, a session's files are there, and those of no session are not for long."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.store = Store(Path(self.folder.name) / "home", self.clock)
        self.held: dict[str, set[bytes]] = {}

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()

    @rule()
    def begin(self) -> None:
        self.held[self.store.new_session().id] = set()

    @precondition(lambda self: self.held)
    @rule(content=st.sampled_from([b"a", b"b", b"c"]), choice=st.randoms(use_true_random=False))
    def add(self, content, choice) -> None:
        session_id = choice.choice(sorted(self.held))
        hold(self.store, session_id, text_resource(self.store, content, content.decode()))
        self.held[session_id].add(content)

    @precondition(lambda self: self.held)
    @rule(choice=st.randoms(use_true_random=False))
    def forget(self, choice) -> None:
        session_id = choice.choice(sorted(self.held))
        self.clock.now += store_module.ABOUT_TO_BE_USED + 1
        self.store.delete(session_id)
        del self.held[session_id]

    @rule()
    def restart(self) -> None:
        folder = self.store._files.folder
        self.store.close()
        self.store = Store(folder, self.clock)

    @invariant()
    def files_are_those_that_are_used(self) -> None:
        wanted = set().union(*self.held.values())
        found = {path.read_bytes() for path in self.store._files.files.rglob("*.txt")}
        assert found == wanted
        for session_id, contents in self.held.items():
            resources = self.store.load(session_id).resources
            assert {item.value.encode() for item in resources} == contents


TestStoreModel = StoreModel.TestCase
TestStoreModel.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
# `test_conformance` tries the same of any two programs, in fewer steps.
TestStoreModel = pytest.mark.long(TestStoreModel)


def test_a_conversation_that_was_kept_with_half_a_character_opens_with_a_whole_one(store):
    session = store.new_session()
    store.update(session.id, lambda found: replace(found, title="Hello"))
    with store._database.transaction() as connection:
        connection.execute(
            "UPDATE sessions SET content = replace(content, 'Hello', ?) WHERE id = ?",
            ("Hello \\ud83d", session.id),
        )
    assert store.load(session.id).title == "Hello \ufffd"
