"""What a person can do in the page: one layer between it and the assistant.

A module for each thing that they are about; each verb is a function of what was sent
(`controlllm.ui.calls.Call`) that returns what changes in the page
(`controlllm.ui.outcome.Outcome`).
"""

from __future__ import annotations

from controlllm.ui.verbs import (
    asking,
    batches,
    conversations,
    files,
    plan_editing,
    pointing,
    recipes,
    settings,
    sources,
    toolbox,
    ways,
)
from controlllm.ui.verbs.registry import LOOKS, VERBS

__all__ = [
    "LOOKS", "VERBS", "asking", "batches", "conversations", "files", "plan_editing", "pointing",
    "recipes", "settings", "sources", "toolbox", "ways",
]  # fmt: skip
