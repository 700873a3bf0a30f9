"""What a tool remarks on its result, and that it found nothing, stays with the result."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from controlllm.cli.terminal import show_events
from controlllm.core.events import ActionFinished, Event
from controlllm.engine.attempt import AttemptHere, Call, Made
from controlllm.engine.scheduler import details_of
from controlllm.resources import REMARKS, Box, Boxes, Resource
from controlllm.store import Store
from controlllm.toolbox import Context, tool


@tool(domain="general", examples=["Find them."])
def found_by_a_test(count: float = 0.0, context: Context | None = None) -> Boxes:
    """Find so many things.

    Args:
        count: how many there are
    """
    part = (context or Context()).part(0.0, 0.5)
    part.remark(f"{count:g} were found.")
    part.remark(f"{count:g} were found.")
    return tuple(Box(0, 0, 1, 1, "thing", 0.9) for _ in range(int(count)))


def made(folder: Path, count: float) -> Resource:
    store = Store(folder)
    parameters: dict[str, Any] = {"count": count}
    definition = found_by_a_test
    call = Call(definition.tool, definition.implementations[0], {}, parameters, "key", False)
    import threading

    outcome = AttemptHere(store, details_of)(call, threading.Event(), lambda *_: None)
    assert isinstance(outcome, Made), outcome
    return outcome.resource


def test_remarks_stay_with_the_result_each_once(tmp_path: Path) -> None:
    resource = made(tmp_path, 2)
    assert resource.details[REMARKS] == ["2 were found."]
    assert not resource.holds_nothing
    assert Resource.from_json(resource.to_json()) == resource


def test_what_a_step_did_not_find_is_no_result(tmp_path: Path) -> None:
    empty, full = made(tmp_path / "a", 0), made(tmp_path / "b", 1)
    assert empty.holds_nothing and not full.holds_nothing

    async def events() -> AsyncIterator[Event]:
        for resource in (empty, full):
            yield ActionFinished("0.0.0", "found_by_a_test", resource, 0.1, False)

    kept: list[Resource] = []
    shown = asyncio.run(show_events(events(), io.StringIO(), as_json=True, keep=kept.append))
    assert kept == [full] and shown.made == 1
