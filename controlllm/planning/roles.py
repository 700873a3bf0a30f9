"""The planner's parts as interfaces; each has an embedded and, later, a prompted keeper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from controlllm.plan import Request, Subtask
from controlllm.toolbox import Tool


class Decomposer(Protocol):
    """Breaks a request into subtasks (paper Sec. 3.1)."""

    def decompose(self, request: Request) -> tuple[Subtask, ...]: ...


class Assessor(Protocol):
    """Scores tools for a subtask, 1..5 (paper Sec. 3.2.2)."""

    def assess(self, subtask: Subtask, tools: Sequence[Tool]) -> Mapping[str, float]: ...
