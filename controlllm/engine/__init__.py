"""The engine: runs a plan's actions, as many at once as there are workers."""

from controlllm.engine.attempt import Attempt
from controlllm.engine.processes import Limits, WorkerProcesses
from controlllm.engine.scheduler import Engine

__all__ = ["Attempt", "Engine", "Limits", "WorkerProcesses"]
