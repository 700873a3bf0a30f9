"""The engine: runs a plan's actions, as many at once as there are workers."""

from controlllm.engine.scheduler import Engine

__all__ = ["Engine"]
