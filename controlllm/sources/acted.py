"""What is said where a tool was called, and what came back is of no use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from controlllm.sources.source import ForeignTool
from controlllm.toolbox import ToolError


@contextmanager
def after_acting(tool: ForeignTool) -> Iterator[None]:
    """Around what reads the answer of a tool: the engine takes a ToolError for a word that nothing
    was done, and would call it again, unless an error of the network is its cause."""
    fault: ToolError
    try:
        yield
        return
    except ToolError as error:
        if not tool.acts_outside:
            raise
        fault = ToolError(str(error), error.code)
    raise fault from ConnectionError()
