"""A small crowd, a rough tool and costs, with a real server."""

from __future__ import annotations

import sys
import time

import pytest

from tests.crowd import crowd, rough, sizing
from tests.crowd.client import Refused, Visitor
from tests.crowd.light import PAGES, light_visitor
from tests.crowd.served import served
from tests.crowd.wishes import LIGHT, Mark
from tests.waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's list of processes"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.mark.long
def test_a_small_crowd_gets_what_is_its_own(server):
    with light_visitor(server.address) as light:
        began = time.monotonic()
        found = crowd.crowd(server, visitors=3, seconds=12)
        wait_until(
            lambda: {item.what for item in light.met if item.began >= began} >= set(PAGES),
            patience=2 * PATIENCE,
        )
    found.look_at(light, began, float("inf"))
    assert (found.faults, found.crossed) == ([], [])
    assert found.is_right and len(found.answered) == len(found.asked) >= 3
    assert all(found.pages[what] for what in PAGES)
    assert found.memory and found.processor.workers > 0
    assert any("faults" in line for line in crowd.report(found, server, 3))
    assert not server.complaints()


@pytest.mark.long
def test_what_goes_wrong_is_told(server):
    visitor, other = Visitor(server.address, "127.0.4.1"), Visitor(server.address, "127.0.4.2")
    visitor.open()
    other.open()
    own, other.handle = other.handle, visitor.handle
    with pytest.raises(Refused):
        other.ask("What is in this conversation?")
    with pytest.raises(Refused, match="404"):
        other.conversation()
    other.handle = own
    found = crowd.Found()
    crowd._look_for_others(found, f"I saw {Mark(1, 2).words}", Mark(3, 4))
    assert found.crossed and not found.is_right
    ended = other.ask("Describe this picture.")
    assert not ended.is_met and ended.said
    visitor.close()
    other.close()


@pytest.mark.long
def test_one_that_is_asked_costs_something(server):
    cost = sizing._cost(server, LIGHT.name, False, 1, 1)
    assert not cost.fault and cost.processor.both > 0 and cost.memory > 0
    assert any("core" in line for line in sizing.report([cost], server, 2))


@pytest.mark.long
def test_a_rough_tool_is_stopped_and_told_of(tmp_path):
    met = rough.meet(tmp_path, next(item for item in rough.ALL if item.tool == "hangs"), 3)
    assert met.now and len(met.stopped) == 1 and met.gone is not None
    assert not [fault for fault in met.faults if not fault.startswith("The stop button took")]
    assert any("hangs" in line for line in rough.report([met]))


def test_every_rough_tool_is_there(tmp_path):
    for number, item in enumerate(rough.ALL):
        assert (rough.alone(item.tool, tmp_path / str(number)) / "alone.py").exists()
