"""Which networks read requests to which toolbox."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controlllm.runs import planners
from controlllm.toolbox import Argument, Tool, Toolbox


@pytest.fixture
def foreign(monkeypatch):
    """Whether each reader that is made is one for tools from elsewhere."""
    made = []
    true = planners.WishReader

    def reader(*given, is_foreign=False, **named):
        made.append(is_foreign)
        return true(*given, is_foreign=is_foreign, **named)

    monkeypatch.setattr(planners, "WishReader", reader)
    return made


def test_where_tools_from_elsewhere_stand_beside_ours_other_networks_read_too(foreign):
    own = Toolbox.load()
    tide = Tool("sea_tide", "How high the sea stands.", "sea", (), Argument("result", "text", ""))
    planners.embedded_planner(own)
    planners.embedded_planner(replace(own, own=own))
    assert foreign == [False, False]
    planners.embedded_planner(replace(own, tools=(*own.tools, tide), own=own))
    assert foreign[2:] == [False, True]


def test_tools_from_elsewhere_beside_none_of_ours_are_read_by_the_other_networks_too(foreign):
    tide = Tool("sea_tide", "How high the sea stands.", "sea", (), Argument("result", "text", ""))
    planners.embedded_planner(Toolbox((tide,), own=Toolbox()))
    assert foreign == [False, True]
