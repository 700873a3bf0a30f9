"""What a person can do in the page, and what a component asks while somebody works in it, by name:
one function for each, wherever its button stands."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any, TypeVar

from controlllm.resources.probing import BadInput
from controlllm.ui.calls import Call
from controlllm.ui.outcome import Outcome
from controlllm.ui.texts import say

F = TypeVar("F", bound=Callable[[Call], Any])

VERBS: dict[str, Callable[[Call], Outcome]] = {}
LOOKS: dict[str, Callable[[Call], Any]] = {}


def _register(names: tuple[str, ...], into: dict[str, Callable[[Call], Any]]) -> Callable[[F], F]:
    def register(function: F) -> F:
        for name in names:
            assert name not in into, name
            into[name] = function
        return function

    return register


def verb(*names: str) -> Callable[[F], F]:
    """Register a function under the names that the page's buttons give in ``data-do``.

    It is called in a thread, and may raise BadInput, LimitReached, StoreError or HTTPException: the
    sentence is shown, and nothing else changes.
    """
    return _register(names, VERBS)


def look(name: str) -> Callable[[F], F]:
    """Register a function under the name by which components ask for it (``do``): nothing in the
    page changes by it but there. It is called in a thread, or on the event loop where it is
    asynchronous, returns what JSON can hold, and may raise what verbs may."""
    return _register((name,), LOOKS)


@look("panel")
def look_at_panel(call: Call) -> dict[str, Any]:
    """How a panel looks now in which something goes on: what its verb draws, without what that is
    known by its mark to the page already."""
    panel = VERBS[call.field("panel", str)](call).panel
    if panel is None:
        raise BadInput(say("errors.field_not_read", field="panel"))
    parts, known = [panel.html, *panel.pieces], call.field("marks", list, [])
    marks = [f"{zlib.crc32(part.encode()):x}" for part in parts]
    changed = [
        None if place < len(known) and known[place] == mark else part
        for place, (part, mark) in enumerate(zip(parts, marks, strict=True))
    ]
    return {"parts": changed, "marks": marks, "live": panel.is_live, "title": panel.title}
