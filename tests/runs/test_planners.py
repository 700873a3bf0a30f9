"""Which networks read requests to which toolbox."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.runs import planners
from controlllm.toolbox import Argument, Tool, Toolbox


@pytest.fixture
def readers(monkeypatch):
    """What each reader that is made is for."""
    made = []
    true = planners.WishReader

    def reader(*given, is_foreign=False, **more):
        made.append("elsewhere" if is_foreign else "own")
        return true(*given, is_foreign=is_foreign, **more)

    monkeypatch.setattr(planners, "WishReader", reader)
    return made


def test_where_tools_from_elsewhere_stand_beside_ours_other_networks_read_too(readers):
    own = Toolbox.load()
    tide = Tool("sea_tide", "How high the sea stands.", "sea", (), Argument("result", "text", ""))
    planners.embedded_planner(own)
    planners.embedded_planner(replace(own, own=own))
    assert readers == ["own"] * 2
    planners.embedded_planner(replace(own, tools=(*own.tools, tide), own=own))
    assert readers[2:] == ["own", "elsewhere"]


def test_tools_from_elsewhere_beside_none_of_ours_are_read_by_the_other_networks_too(readers):
    tide = Tool("sea_tide", "How high the sea stands.", "sea", (), Argument("result", "text", ""))
    planners.embedded_planner(Toolbox((tide,), own=Toolbox()))
    assert readers == ["own", "elsewhere"]
