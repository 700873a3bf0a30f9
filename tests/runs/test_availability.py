"""Why tools cannot run is looked up once in a while, for each settings apart."""

from __future__ import annotations

from controlllm.resources import Text
from controlllm.runs.tools_in_use import HOLDS, Availability
from controlllm.settings import Settings
from controlllm.toolbox import Toolbox, tool

LACKS: list[str] = []


@tool(domain="general", examples=["Look it up."])
def look_up(text: Text) -> Text:
    """Look something up."""


@look_up.implementation("embedded", check=lambda around: _asked(around.public_services))
def _(text):
    return text


def _asked(is_allowed: bool) -> str | None:
    LACKS.append("asked")
    return None if is_allowed else "needs your leave"


def test_it_is_looked_up_once_in_a_while_for_each_settings():
    LACKS.clear()
    now = [100.0]
    known = Availability(Toolbox.of([look_up]), clock=lambda: now[0])
    assert known.reasons(Settings()) == {"look_up": "needs your leave"}
    once = len(LACKS)
    assert known.reasons(Settings()) == {"look_up": "needs your leave"}
    assert len(LACKS) == once
    assert known.reasons(Settings(public_services=True)) == {}
    now[0] += HOLDS
    before = len(LACKS)
    known.reasons(Settings())
    assert len(LACKS) > before
