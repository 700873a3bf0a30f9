"""The ways of doing each part of a request, to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.components.drawn import Drawn


class SolutionCards(Drawn):
    """Ways as cards, each with what it does otherwise and what to expect of it; a preview beside
    the one that is pointed at, and the field that asks why a tool is in none.

    Value: ``{"parts": [html, …], "handle"}``. Prop `reached`: ``{"turn", "time"}``, a turn to
    whose first way that can be tried the focus goes. Event: ``act`` with the data of what was
    pressed.
    Calls `look` with ``{"do": "preview" or "why-not", …}`` and shows the HTML it gives.
    """

    script = "solution_cards"

    def __init__(self, look: Callable[..., Any], value: Any = None, **props: Any) -> None:
        props.setdefault("reached", {})
        super().__init__(value, server_functions=[look], **props)
