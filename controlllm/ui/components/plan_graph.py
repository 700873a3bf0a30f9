"""The plan of a turn as a picture that lives, with its steps below."""

from __future__ import annotations

from typing import Any

from controlllm.ui.components.drawn import Drawn


class PlanGraph(Drawn):
    """Resources and tools of a plan; pressing a node shows what is known of it and opens its step
    for changes.

    Value: ``{"parts": [html, …], "handle", "turn"}``. Prop `selected`: ``{"node", "turn",
    "time"}``, a node that is selected and gets the focus from outside; none where it is empty.
    Events: ``act`` with the data of what was pressed; ``node`` with ``node`` (its key, empty where
    none is selected any more), ``turn``, ``handle`` and ``by_key`` (whether the keyboard did it).
    """

    script = "plan_graph"

    def __init__(self, value: Any = None, **props: Any) -> None:
        props.setdefault("selected", {})
        super().__init__(value, **props)
