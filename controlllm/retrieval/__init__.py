"""Candidate tools for a request out of tens of thousands."""

from controlllm.retrieval.index import ToolIndex
from controlllm.retrieval.narrowing import SMALL, narrowed

__all__ = ["SMALL", "ToolIndex", "narrowed"]
