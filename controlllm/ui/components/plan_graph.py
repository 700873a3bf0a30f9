"""The plan of a turn as a picture that lives, with its steps below."""

from __future__ import annotations

from controlllm.ui.components.drawn import Drawn


class PlanGraph(Drawn):
    """Resources and tools of a plan; pressing a node shows what is known of it and opens its step
    for changes.

    Value: ``{"parts": [html, …], "handle", "turn"}``. Events: ``act`` with the data of what was
    pressed; ``node`` with ``node`` (its key, empty where none is selected any more) and ``turn``.
    """

    script = "plan_graph"
