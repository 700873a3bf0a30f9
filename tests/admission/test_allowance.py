"""What visitors may have: conversations, files, room on the disk."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import replace
from types import SimpleNamespace

import pytest

from controlllm.admission.allowance import Allowance, network_of
from controlllm.resources import Resource
from controlllm.settings.quotas import LimitReached, Quotas
from controlllm.store import Store


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path / "home")
    yield made
    made.close()


def with_file(store, content, session=None):
    session = session or store.new_session()
    digest = store.put_bytes(content, "text/plain")
    name = f"{digest[:6]}.txt"
    made = Resource("text", name, digest, "text/plain", "uploaded", 0)
    return store.update(session.id, lambda current: current.with_resource(made))


def refusal(check, *args):
    with pytest.raises(LimitReached) as reached:
        check(*args)
    assert str(reached.value).endswith(".")
    return reached.value.limit


def test_conversations_of_a_visitor_are_counted(store):
    allowance = Allowance(store, Quotas(visitor_sessions=3))
    allowance.check_session(2, "192.0.2.1")
    assert refusal(allowance.check_session, 3, "192.0.2.1") == "visitor_sessions"


def test_an_address_opens_so_many_a_minute_whatever_cookies_it_forgets(store, monkeypatch):
    clock = [0.0]
    told = SimpleNamespace(monotonic=lambda: clock[0])
    monkeypatch.setattr("controlllm.admission.allowance.time", told)
    allowance = Allowance(store, Quotas(address_sessions=5))
    for _ in range(5):
        allowance.check_session(0, "2001:db8:1:2:aaaa::1")
    assert refusal(allowance.check_session, 0, "2001:db8:1:2:bbbb::2") == "address_sessions"
    allowance.check_session(0, "2001:db8:1:3::1")
    clock[0] = 61.0
    allowance.check_session(0, "2001:db8:1:2:aaaa::1")


def test_all_conversations_are_counted(store):
    allowance = Allowance(store, Quotas(all_sessions=2))
    for _ in range(2):
        allowance.check_session(0, "192.0.2.1")
        store.new_session()
    assert refusal(allowance.check_session, 0, "192.0.2.1") == "all_sessions"


def test_files_and_bytes_of_a_visitor_are_counted_over_all_conversations(store):
    first, second = with_file(store, b"x" * 600), with_file(store, b"y" * 300)
    both, one = [first.id, second.id], [first.id]
    quotas = Quotas(visitor_bytes=1000, free_bytes=0)
    allowance = Allowance(store, quotas)
    assert store.held_by(both) == (2, 900)
    allowance.check_file(both, 100)
    assert refusal(allowance.check_file, both, 101) == "visitor_bytes"
    allowance.check_file(one, 101)
    few = Allowance(store, replace(quotas, visitor_files=2))
    assert refusal(few.check_file, both, 1) == "visitor_files"
    few.check_file(one, 1)


def test_a_file_that_two_conversations_use_counts_once(store):
    first = with_file(store, b"x" * 600)
    second = with_file(store, b"x" * 600)
    assert store.held_by([first.id, second.id]) == (1, 600)


def test_bytes_of_all_and_room_on_the_disk_are_counted(store, monkeypatch):
    session = with_file(store, b"x" * 600)
    allowance = Allowance(store, Quotas(all_bytes=1000, free_bytes=0))
    assert refusal(allowance.check_file, [], 401) == "all_bytes"
    allowance.check_file([session.id], 400)
    usage = namedtuple("usage", "total used free")
    found = usage(10**12, 10**12 - 5000, 5000)
    monkeypatch.setattr("controlllm.admission.allowance.shutil.disk_usage", lambda folder: found)
    little = Allowance(store, Quotas(free_bytes=4000))
    little.check_file([session.id], 1000)
    assert refusal(little.check_file, [session.id], 1001) == "free_bytes"


def test_addresses_of_one_network_are_one():
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1")
    assert network_of("192.0.2.1") != network_of("192.0.2.2")
    assert network_of("::1") == "::1"
    assert network_of("testclient") == "testclient"


def test_limits_come_from_the_environment_with_sane_ones_where_there_are_none():
    usual = Quotas.from_environment({})
    assert usual == Quotas()
    assert Quotas.from_environment({}, is_shared=True).visitor_seconds == 3600
    told = {
        "CONTROLLLM_VISITOR_GIGABYTES": "0.5",
        "CONTROLLLM_VISITOR_SESSIONS": "900",
        "CONTROLLLM_VISITOR_SECONDS": "0",
        "CONTROLLLM_BODY_MEGABYTES": "5",
    }
    found = Quotas.from_environment(told, is_shared=True)
    assert (found.visitor_bytes, found.body_bytes) == (500_000_000, 5_000_000)
    assert (found.visitor_sessions, found.visitor_seconds) == (900, 0)
    for wrong in ("0", "-1", "many", "nan", "inf"):
        with pytest.raises(ValueError, match="CONTROLLLM_ALL_REQUESTS"):
            Quotas.from_environment({"CONTROLLLM_ALL_REQUESTS": wrong})
