"""Candidate tools for a request out of tens of thousands."""

from controlllm.retrieval.index import ToolIndex, encoded_tool
from controlllm.retrieval.narrowing import SMALL, narrowed

__all__ = ["SMALL", "ToolIndex", "encoded_tool", "narrowed"]
