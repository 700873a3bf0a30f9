"""One suite for every database and every place for files: what a store promises holds on all."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controlllm.core.session import Turn, handle_of
from controlllm.resources import Resource
from controlllm.store import Backends, Store, StoreError, session_rows
from controlllm.store import postgres as leases
from controlllm.store import store as store_module
from controlllm.store.bucket_files import Bucket
from tests.every_case import every_case
from tests.store.servers import BucketServer

HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
#: Servers make everything take several times as long. `test_shared` stays with them, and so does
#: the first test here.
QUICK = ("sqlite+folder",)
KINDS = ("sqlite+folder", "postgres+folder", "sqlite+bucket", "postgres+bucket")


class Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        self.now += 0.001
        return self.now


@dataclass
class Place:
    """Where stores of a test keep things; each `store` is another program's."""

    folder: Path
    backends: Backends
    server: BucketServer | None
    clock: Clock = field(default_factory=Clock)
    opened: list[Store] = field(default_factory=list)

    def store(self, home: str = "home", clock: Callable[[], float] | None = None) -> Store:
        made = Store(self.folder / home, clock or self.clock, backends=self.backends)
        self.opened.append(made)
        return made

    def other_machine(self) -> Store:
        """A program with a folder of its own, where database and files are both on servers."""
        is_shared = self.backends.database_address and self.backends.files_address
        return self.store("elsewhere" if is_shared else "home")

    def process(self, code: str, *given: object) -> subprocess.Popen:
        """Another process in which `store` is a store of this place and `given` are words."""
        begin = (
            "import os, sys\nfrom pathlib import Path\n"
            "from controlllm.resources import Resource\nfrom controlllm.core.session import Turn\n"
            "from controlllm.store import Backends, Store, postgres\npostgres.BEAT = 0.1\n"
            "given = sys.argv[2:]\n"
            "store = Store(Path(sys.argv[1]), backends=Backends.from_environment())\n"
        )
        chosen = self.backends
        environment = {
            **os.environ,
            **chosen.environment,
            "CONTROLLLM_DATABASE": chosen.database_address,
            "CONTROLLLM_FILES": chosen.files_address,
        }
        words = [str(self.folder / "home"), *map(str, given)]
        return subprocess.Popen(
            [sys.executable, "-c", begin + code, *words],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ends(self, *codes: tuple[object, ...]) -> list[int]:
        """With what processes, at work side by side, end: each with its code and its words."""
        running = [self.process(*code) for code in codes]
        for process in running:
            process.communicate()
        return [process.returncode for process in running]

    def kept(self, store: Store) -> list[str]:
        """The names of all files that are kept, wherever."""
        if self.server is not None:
            return sorted(self.server.objects(self.backends.files_address))
        return sorted(path.name for path in store._files.files.rglob("*") if path.is_file())

    def let_lease_end(self, store: Store, work: tuple[str, int]) -> None:
        """Have the program that has a turn seen last so long ago that it counts as dead, without
        waiting for it; where a database tells of the living by locks, it does so at once."""
        if self.backends.database_address:
            with store._database.transaction() as connection:
                connection.execute(
                    "UPDATE programs SET seen = seen - ? WHERE name = "
                    "(SELECT owner FROM running WHERE session = ? AND turn = ?)",
                    (2 * leases.LEASE, *work),
                )

    def damage(self, store: Store, name: str, content: bytes | None) -> None:
        """Change what is kept under a name, everywhere; None removes it."""
        for path in list(store._files.files.rglob(name)):
            path.unlink() if content is None else path.write_bytes(content)
        if self.server is not None:
            bucket = Bucket(self.backends.files_address, self.backends.environment)
            if content is None:
                bucket.remove([name])
            else:
                damaged = self.folder / "damaged"
                damaged.write_bytes(content)
                bucket.put(name, damaged)


def place_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> Place:
    database, files = kind.split("+")
    address, server, environment, bucket = "", None, {}, ""
    if database == "postgres":
        address = request.getfixturevalue("postgres").new_database()
    if files == "bucket":
        server = request.getfixturevalue("bucket_server")
        environment, bucket = server.environment, server.new_bucket()
    return Place(folder, Backends(address, bucket, environment=environment), server)


@pytest.fixture(
    params=[kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.long) for kind in KINDS]
)
def place(request, tmp_path, monkeypatch):
    monkeypatch.setattr(leases, "BEAT", 0.1)
    # However busy the machine is, no program that lives is taken for dead.
    monkeypatch.setattr(leases, "LEASE", 3600.0)
    made = place_of(request.param, request, tmp_path)
    yield made
    for store in made.opened:
        store.close()


@pytest.fixture
def store(place):
    return place.store()


def text_resource(store: Store, content: bytes, value: str = "note.txt") -> Resource:
    return Resource("text", value, store.put_bytes(content, "text/plain"), "text/plain")


def hold(store: Store, session_id: str, resource: Resource) -> None:
    store.update(session_id, lambda session: session.with_resource(resource))


def begun(store: Store) -> str:
    session = store.new_session()
    store.update(session.id, lambda current: current.with_turn(Turn(0, "Do it")))
    return session.id


def with_turn(store: Store, session_id: str, **said) -> None:
    store.update(
        session_id, lambda current: current.with_turn(Turn(0, **{"text": "Do it", **said}))
    )


# Sessions


@pytest.mark.parametrize("place", KINDS, indirect=True)
def test_what_one_keeps_another_reads(place, store):
    session = store.new_session()
    made = text_resource(store, b"hello")
    turn = Turn(0, "Do it", ("note.txt",), None, {"0.0.0": made}, "Done.", "answered")
    kept = store.update(
        session.id,
        lambda found: replace(found.with_resource(made).with_turn(turn), title="A title"),
    )
    other = place.other_machine()
    assert other.load(session.id) == kept
    assert other.titles([session.id, "unknown"]) == [(session.id, "A title", kept.updated)]
    assert other.path(made.digest, "text/plain").read_bytes() == b"hello"
    assert other.session_count() == 1
    assert other.held_by([session.id]) == (1, 5)


@every_case("unknown", ["", "x", "%", "?", "' OR 1=1 --", "\0", "%s"])
def test_unknown_ids_are_no_session(store, unknown):
    assert len(store.new_session().id) >= 32, "it could be guessed"
    with pytest.raises(KeyError):
        store.load(unknown)
    with pytest.raises(KeyError):
        store.update(unknown, lambda session: session)
    with pytest.raises(KeyError):
        store.delete(unknown)
    assert store.titles([unknown]) == []
    assert store.held_by([unknown]) == (0, 0)


def test_titles_are_newest_first(store):
    ids = [store.new_session().id for _ in range(3)]
    for number in (2, 0):
        store.update(ids[number], lambda session, n=number: replace(session, title=f"no. {n}"))
    assert [title for _, title, _ in store.titles(ids)] == ["no. 0", "no. 2", ""]
    assert store.titles([]) == [] and store.held_by([]) == (0, 0)


def test_update_that_raises_changes_nothing(store):
    session = store.new_session()

    def change(_):
        raise RuntimeError

    with pytest.raises(RuntimeError):
        store.update(session.id, change)
    assert store.load(session.id) == session
    with pytest.raises(ValueError):
        store.update(session.id, lambda found: replace(found, id="another"))
    assert store.load(session.id) == session


def test_words_of_any_characters_are_kept(place, store):
    session = store.new_session()
    turn = Turn(0, "half \ud83d of a pair, \0, %s, ? and \N{OWL}", state="answered")
    store.update(session.id, lambda found: replace(found.with_turn(turn), title="\0\ud83d%s?"))
    # Half a character is read as one that stands for it.
    turn = replace(turn, text=turn.text.replace("\ud83d", "\ufffd"))
    assert store.load(session.id).turns == (turn,)
    place.clock.now += 2 * store_module.UNUSED_FOR
    store.tidy()
    assert store.load(session.id).turns == (turn,)


def test_updates_at_once_are_all_kept(place, store):
    session, other = store.new_session(), place.other_machine()

    def add(one, start):
        for number in range(start, start + 8):
            hold(one, session.id, Resource("text", f"{number}.txt"))

    threads = [
        threading.Thread(target=add, args=(one, start))
        for start, one in enumerate([store, other, store, other])
        for start in [start * 8]
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {item.value for item in store.load(session.id).resources}
    assert found == {f"{number}.txt" for number in range(32)}


def test_processes_at_once_lose_nothing(place, store):
    session = store.new_session()
    code = (
        "for number in range(8):\n"
        "    digest = store.put_bytes(f'shared {number}'.encode(), 'text/plain')\n"
        "    made = Resource('text', f'{given[1]}-{number}.txt', digest, 'text/plain')\n"
        "    store.update(given[0], lambda session: session.with_resource(made))\n"
    )
    assert place.ends(*((code, session.id, name) for name in "abc")) == [0, 0, 0]
    found = store.load(session.id).resources
    assert {item.value for item in found} == {f"{n}-{k}.txt" for n in "abc" for k in range(8)}
    for item in found:
        number = item.value.split("-")[1].removesuffix(".txt")
        assert store.path(item.digest, "text/plain").read_text() == f"shared {number}"


def test_stores_may_be_made_at_once(place):
    assert place.ends(*[("store.new_session()",)] * 3) == [0, 0, 0]
    assert place.store().session_count() == 3


def test_process_that_dies_in_an_update_leaves_the_session_as_it_was(place, store):
    session = store.update(store.new_session().id, lambda found: replace(found, title="before"))
    code = "store.update(given[0], lambda session: os._exit(7))"
    assert place.ends((code, session.id)) == [7]
    assert store.load(session.id) == session
    assert store.update(session.id, lambda found: replace(found, title="after")).title == "after"


# Choices


def test_what_a_person_chose_is_known_to_all_programs_until_it_is_forgotten(place, store):
    store.choices.keep("ada", "one", [("picture", "a", "b"), ("picture", "a", "c")])
    store.choices.keep("ada", "two", [("sound", "d", "e")])
    store.choices.keep("ben", "one", [("picture", "b", "a")])
    # The last choice at a place counts.
    store.choices.keep("ada", "one", [("picture", "c", "a")])
    found = place.other_machine().choices.of("ada")
    assert set(found) == {("one", "picture", "c", "a"), ("two", "sound", "d", "e")}
    store.choices.forget("ada")
    assert store.choices.of("ada") == () and len(store.choices.of("ben")) == 1


# The shelf


def test_what_is_put_on_the_shelf_everybody_finds_until_it_is_removed(place, store):
    store.shelf.put("one", "recipe", "somebody", "first")
    store.shelf.put("two", "recipe", "somebody", "second")
    store.shelf.put("three", "batch", "somebody", "of another kind")
    store.shelf.put("one", "recipe", "somebody", "first, changed")
    other = place.other_machine().shelf
    assert [kept.id for kept in other.of("somebody", "recipe")] == ["two", "one"]
    assert [kept.id for kept in other.every("batch")] == ["three"]
    assert other.of("nobody", "recipe") == other.of("", "recipe") == []
    assert other.find("one").content == "first, changed"
    other.remove("one")
    other.remove("unknown")
    with pytest.raises(KeyError):
        store.shelf.find("one")


def test_what_is_on_the_shelf_moves_with_its_owner_and_goes_long_after_them(place, store):
    session = store.new_session()
    store.owners.add("guest", [session.id])
    for owner in ("guest", "gone"):
        store.shelf.put(f"of {owner}", "recipe", owner, "content")
    store.owners.move("guest", "ann")
    assert [kept.id for kept in store.shelf.of("ann", "recipe")] == ["of guest"]
    place.clock.now += 100
    store.update(session.id, lambda found: replace(found, title="at work"))
    store.tidy()
    assert [kept.id for kept in store.shelf.of("gone", "recipe")] == ["of gone"]
    store.tidy(keep_seconds=50)
    assert store.shelf.of("gone", "recipe") == []
    assert [kept.id for kept in store.shelf.of("ann", "recipe")] == ["of guest"]


def test_files_are_named_by_their_content(place, store, tmp_path):
    assert store.put_bytes(b"hello", "text/plain") == HELLO
    path = store.path(HELLO, "text/plain")
    assert path.read_bytes() == b"hello" and path.name == f"{HELLO}.txt"
    before = path.stat()
    source = tmp_path / "source.md"
    source.write_bytes(b"hello")
    assert store.put_file(source, "text/plain") == HELLO
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert place.kept(store) == [f"{HELLO}.txt"]
    assert store.put_bytes(b"hello", "text/html") == HELLO
    assert place.kept(store) == [f"{HELLO}.html", f"{HELLO}.txt"]
    assert not list(store._files.work.iterdir())


def test_damaged_file_is_written_anew(store):
    store.put_bytes(b"hello", "text/plain")
    path = store.path(HELLO, "text/plain")
    path.write_bytes(b"jello")
    assert store.put_bytes(b"hello", "text/plain") == HELLO
    assert store.path(HELLO, "text/plain").read_bytes() == b"hello"


@every_case(
    "digest",
    ["", "../" * 22, "../../etc/passwd", "/" * 64, HELLO.upper(), f"{HELLO}\n", HELLO[:-1], HELLO],
)
def test_what_is_not_kept_has_no_path(store, digest):
    with pytest.raises(KeyError):
        store.path(digest, "text/plain")


def test_results_are_remembered_everywhere(place, store):
    made = replace(text_resource(store, b"hello"), details={"characters": 5})
    store.settle([("key", replace(made, details={})), ("", made)])
    store.settle([("key", made)])
    other = place.other_machine()
    assert other.cached("key") == made and other.cached("another") is None
    with store._database.transaction() as connection:
        connection.execute("UPDATE results SET content = '{}'")
    assert other.cached("key") is None


@every_case("content", [None, b"jello", b""])
def test_damaged_result_is_forgotten(place, store, content):
    store.settle([("key", text_resource(store, b"hello"))])
    place.damage(store, f"{HELLO}.txt", content)
    assert store.cached("key") is None
    store.settle([("key", text_resource(store, b"hello"))])
    assert store.cached("key") is not None
    assert store.path(HELLO, "text/plain").read_bytes() == b"hello"


def test_a_result_whose_file_is_gone_is_given_no_receipt(place, store):
    made = Resource("text", "", store.put_bytes(b"hello", "text/plain", False), "text/plain")
    place.damage(store, f"{HELLO}.txt", None)
    with pytest.raises(StoreError):
        store.settle([("key", made)])
    assert store.cached("key") is None


def test_a_call_that_may_be_made_once_begins_once(place, store):
    other = place.other_machine()
    assert store.begin_once("key") and not other.begin_once("key")
    other.take_back("key")
    begun_by = [one.begin_once("key") for one in (other, store)]
    assert begun_by == [True, False]


# Forgetting


def test_deleting_a_session_removes_its_files_and_results(place, store):
    session = store.new_session()
    made = text_resource(store, b"made", "made.txt")
    store.settle([("key", made)])
    hold(store, session.id, text_resource(store, b"hello"))
    turn = Turn(0, "Make", results={"0.0.0": made}, state="answered")
    store.update(session.id, lambda found: found.with_turn(turn))
    other = place.other_machine()
    other.delete(session.id)
    assert place.kept(store) == []
    assert store.cached("key") is None
    assert store.held_in_all() == 0
    with pytest.raises(KeyError):
        store.load(session.id)


def test_deleting_a_session_leaves_what_others_use_or_are_about_to(place, store):
    first, second = store.new_session(), store.new_session()
    shared = text_resource(store, b"shared")
    hold(store, first.id, shared)
    hold(store, second.id, shared)
    store.delete(first.id)
    again = text_resource(place.other_machine(), b"shared")
    store.delete(second.id)
    assert place.kept(store) == [f"{again.digest}.txt"]
    assert store.path(again.digest, "text/plain").read_bytes() == b"shared"


def test_tidying_removes_what_nobody_needs_and_nothing_else(place, store):
    empty = store.new_session()
    used = store.new_session()
    hold(store, used.id, text_resource(store, b"used"))
    unused = store.put_bytes(b"unused", "text/plain")
    place.clock.now += 3600
    young = store.new_session()
    store.tidy()
    assert store.load(empty.id) == empty and len(place.kept(store)) == 2
    place.clock.now += 24 * 3600 - 1800
    store.tidy()
    with pytest.raises(KeyError):
        store.load(empty.id)
    with pytest.raises(KeyError):
        store.path(unused, "text/plain")
    assert store.load(young.id) == young and store.load(used.id).resources
    assert store.held_in_all() == 4
    place.clock.now += 10 * 24 * 3600
    store.tidy(keep_seconds=30 * 24 * 3600)
    assert store.load(used.id).resources
    store.tidy(keep_seconds=5 * 24 * 3600)
    assert store.session_count() == 0 and store.held_in_all() == 0
    assert place.kept(store) == []


# Work in progress


def test_only_one_program_takes_over_what_a_dead_one_left(place):
    code = (
        "session = store.new_session()\n"
        "store.update(session.id, lambda current: current.with_turn(Turn(0, 'Do it')))\n"
        "print(session.id, flush=True)\n"
        "sys.stdin.readline()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    first, second = place.store(), place.other_machine()
    with place.process(code) as other:
        key = (other.stdout.readline().strip(), 0)
        assert first.at_work.runs_elsewhere(*key)
        assert first.at_work.take_over() == [] and first.at_work.take_over(is_start=False) == []
        with pytest.raises(StoreError, match="Another program works on this"):
            with_turn(first, key[0], state="cancelled")
        other.communicate("\n")
    place.let_lease_end(first, key)
    assert not first.at_work.runs_elsewhere(*key)
    assert first.at_work.is_left(*key) and second.at_work.is_left(*key)
    assert first.at_work.take_over(is_start=False) == [key]
    assert first.at_work.take_over(is_start=False) == [] and second.at_work.take_over() == []
    assert second.at_work.runs_elsewhere(*key) and not first.at_work.runs_elsewhere(*key)
    assert not first.at_work.is_left(*key) and not second.at_work.is_left(*key)
    first.close()
    assert second.at_work.take_over(is_start=False) == [key]


def test_what_this_program_works_on_it_does_not_take_over_until_it_lets_go(store):
    session_id = begun(store)
    assert store.at_work.take_over(is_start=False) == []
    store.at_work.let_go((session_id, 0))
    assert store.at_work.take_over(is_start=False) == [(session_id, 0)]
    with_turn(store, session_id, state="answered")
    assert store.at_work.take_over() == []
    with_turn(store, session_id)
    assert store.at_work.take_over(is_start=False) == []


def test_an_update_that_fails_begins_no_work(store, monkeypatch):
    session = store.new_session()
    monkeypatch.setattr(session_rows, "write", lambda *given: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        with_turn(store, session.id)
    monkeypatch.undo()
    with_turn(store, session.id)
    with_turn(store, session.id, state="answered", answer="Done.")
    assert store.load(session.id).turns[0].answer == "Done."


def test_something_else_may_change_while_another_program_works(place, store):
    session_id = begun(store)
    other = place.other_machine()
    hold(other, session_id, text_resource(other, b"hello"))
    assert other.at_work.runs_elsewhere(session_id, 0)
    with_turn(store, session_id, state="answered")
    with_turn(other, session_id)
    assert store.at_work.runs_elsewhere(session_id, 0)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["begin", "add", "forget", "restart"]),
        st.integers(0, 2),
        st.sampled_from([b"a", b"b", b"c"]),
    ),
    max_size=14,
)


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_files_are_those_that_are_used_whatever_happens(place, tmp_path_factory, steps):
    place.folder = tmp_path_factory.mktemp("home")
    stores = [place.store(), place.other_machine()]
    held: dict[str, set[bytes]] = {}
    for step, which, content in steps:
        store = stores[which % 2]
        if step == "begin":
            held[store.new_session().id] = set()
        elif step == "restart":
            stores[which % 2].close()
            place.opened.remove(store)
            stores[which % 2] = place.store() if which % 2 == 0 else place.other_machine()
        elif held and step == "add":
            session_id = sorted(held)[which % len(held)]
            hold(store, session_id, text_resource(store, content, content.decode()))
            held[session_id].add(content)
        elif held:
            session_id = sorted(held)[which % len(held)]
            place.clock.now += store_module.ABOUT_TO_BE_USED + 1
            store.delete(session_id)
            del held[session_id]
        assert len(place.kept(store)) == len(set().union(*held.values()))
    for session_id, contents in held.items():
        for store in stores:
            for item in store.load(session_id).resources:
                assert store.path(item.digest, "text/plain").read_bytes() in contents
    for session_id in held:
        place.clock.now += store_module.ABOUT_TO_BE_USED + 1
        stores[0].delete(session_id)
    for store in stores:
        store.close()
        place.opened.remove(store)


def test_everybody_has_their_own_conversations(store):
    mine, both, other = (store.new_session().id for _ in range(3))
    store.owners.add("me", [mine, both, "no such session"])
    store.owners.add("you", [both, other])
    store.owners.add("you", [both])
    store.update(mine, lambda found: replace(found, title="Mine"))
    assert [title for _, title, _ in store.owners.titles("me")] == ["Mine", ""]
    assert store.owners.session_of("me", handle_of(both)) == both
    with pytest.raises(KeyError):
        store.owners.session_of("me", handle_of(other))
    assert store.owners.owner_of(both) == "me"
    store.owners.move("me", "you")
    assert store.owners.sessions_of("me") == []
    assert set(store.owners.sessions_of("you")) == {mine, both, other}
    store.delete(both)
    assert set(store.owners.sessions_of("you")) == {mine, other}


def test_conversations_are_searched_by_what_was_said(store):
    first, second = (store.new_session().id for _ in range(2))
    store.owners.add("me", [first, second])
    said = {first: ("Wo ist der Ärger?", "Hier nicht."), second: ("Crop the cup", "Here it is.")}
    for session_id, (text, answer) in said.items():
        with_turn(store, session_id, text=text, answer=answer, state="answered")
    assert store.owners.search("me", "ÄRGER wo") == [(first, "Wo ist der Ärger?")]
    assert [found for found, _ in store.owners.search("me", "i")] == [second, first]
    assert store.owners.search("me", "nothing such") == []
    assert store.owners.search("you", "cup") == []
    assert store.owners.empty_one("me") == ""
    third = store.new_session().id
    store.owners.add("me", [third])
    assert store.owners.empty_one("me") == third


# Sign-ins


@pytest.mark.parametrize("place", KINDS, indirect=True)
def test_a_sign_in_is_known_to_all_programs_until_one_ends_it(place):
    now = [1000.0]
    store, other = place.store(clock=lambda: now[0]), place.other_machine()
    for digest, account in (("a", "ada"), ("b", "ada"), ("c", "ben")):
        store.sign_ins.begin(digest, account, f"who {account} is")
    now[0] = 1060.0
    assert store.sign_ins.find("a") == ("who ada is", 60.0)
    assert other.sign_ins.find("c")[0] == "who ben is"
    other.sign_ins.end("a")
    assert store.sign_ins.find("a") is None and store.sign_ins.find("b") is not None
    assert store.sign_ins.find("b") is not None
    store.sign_ins.tidy(1001.0)
    assert store.sign_ins.find("b") is store.sign_ins.find("c") is None


@pytest.mark.parametrize("place", KINDS, indirect=True)
def test_of_an_account_so_many_sign_ins_are_kept_the_newest(place):
    now = iter(range(1000, 2000))
    store = place.store(clock=lambda: float(next(now)))
    for number in range(102):
        store.sign_ins.begin(str(number), "ada", "")
    store.sign_ins.begin("other", "ben", "")
    held = [store.sign_ins.find(str(number)) is not None for number in range(102)]
    assert held == [False] * 2 + [True] * 100 and store.sign_ins.find("other") is not None


# A database that lacks a part


@pytest.mark.parametrize("place", KINDS, indirect=True)
def test_a_table_that_is_gone_is_told_of(place, store):
    store.check_whole()
    with store._database.transaction() as connection:
        connection.execute("DROP TABLE uses")
    with pytest.raises(StoreError, match="is damaged"):
        store.check()
