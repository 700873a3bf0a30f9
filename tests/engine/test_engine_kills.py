"""A program that is killed goes on: nothing that was finished is done again, nothing is lost."""

from __future__ import annotations

import sys

import pytest

from tests.engine.kill_points import POINTS
from tests.engine.kills import PATIENCE, TOOLS, Killing, kill
from tests.engine.quick_worker import only

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads Linux's list of processes")

#: Each point starts the program twice; this one stands for all.
QUICK = ("before the session has the result",)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kills", [3, pytest.param(100, marks=pytest.mark.long)])
def test_random_kills_lose_nothing(tmp_path, kills):
    found = kill(tmp_path, kills)
    assert found.faults == []
    assert found.kills >= kills and found.requests and found.actions == 18 * found.requests


@pytest.mark.parametrize(
    "point",
    [point if point in QUICK else pytest.param(point, marks=pytest.mark.long) for point in POINTS],
)
def test_a_kill_between_any_two_steps_of_keeping_a_result(tmp_path, point):
    only(TOOLS)
    mark = tmp_path / "mark"
    home = tmp_path / "home"
    home.mkdir()
    killing = Killing(home)
    server = killing.start(KILL_POINT=point, KILL_MARK=str(mark))
    try:
        killing.wait_until_ready(server)
        assert server.wait(PATIENCE) != 0 and mark.exists()
        killing.end(server)
        killing.finish()
    finally:
        killing.close()
    assert killing.faults == []
    assert killing.by_themselves >= 1 and killing.requests
