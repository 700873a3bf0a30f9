"""Candidate tools for a request out of tens of thousands."""

from controlllm.retrieval.index import ToolIndex
from controlllm.retrieval.narrowing import WHOLE, narrowed
from controlllm.retrieval.planners import Planners

__all__ = ["WHOLE", "Planners", "ToolIndex", "narrowed"]
