"""A step of the drawn plan, to be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controlllm.ui.components.drawn import Drawn


class PlanEditor(Drawn):
    """What can be changed at the step that is selected in the plan, and what was changed so far:
    other steps can be looked at before that is run, and other turns.

    Prop `step`: ``{"node", "turn", "handle", "by_key"}``, as `PlanGraph` tells of a node. Events:
    ``act`` with ``run-edits``, the turn and its edits; ``left`` when a person closes the step.
    Calls `look` with ``{"do": "plan", "turn", "edits", "selected", "fresh", "runs"}`` and shows the
    HTML it gives.
    """

    script = "plan_editor"

    def __init__(self, look: Callable[..., Any], value: Any = None, **props: Any) -> None:
        props.setdefault("step", {})
        super().__init__(value, server_functions=[look], **props)
