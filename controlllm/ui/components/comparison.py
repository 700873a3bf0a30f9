"""Two ways compared: who they are, and what they came to, but for pictures under one slider."""

from __future__ import annotations

from typing import Any

from controlllm.ui.components.drawn import Drawn


class Comparison(Drawn):
    """Two ways side by side: two sounds or videos play in step and one of them is heard; texts have
    the words marked that differ; all else stands beside each other.

    Value: ``{"parts": [html, …], "handle", "turn", "subtask"}``. Prop `standing`: ``{"handle",
    "turn", "trying", "mark"}``, how far the ways of the shown turn are compared
    (`controlllm.ui.drawings.comparison.standing`). Events: ``act`` with the data of what was
    pressed; ``moved`` with ``turn``, ``subtask``, ``handle`` and ``opens`` when what is compared
    has changed: ``opens`` where a way that was tried has ended and nothing else is in the way.
    """

    script = "comparison"

    def __init__(self, value: Any = None, **props: Any) -> None:
        props.setdefault("standing", {})
        super().__init__(value, **props)
