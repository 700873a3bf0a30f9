"""A planner for each request to a toolbox that is too large to plan with as a whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from controlllm.graph import ToolGraph
from controlllm.planning.planner import Planner
from controlllm.plans import Request
from controlllm.retrieval.index import ToolIndex
from controlllm.retrieval.narrowing import SMALL, narrowed
from controlllm.toolbox import Toolbox

#: Makes a planner over a toolbox; the index, where there is one, has read its tools already.
Make = Callable[[Toolbox, ToolIndex | None], Planner]


class Planners:
    """The planner for a request: always the same where the toolbox is small; where it is large,
    one over what matters to the request. Safe to call from many threads."""

    def __init__(
        self,
        toolbox: Toolbox,
        make: Make,
        kept: Path | None = None,
        sources: Iterable[str] = (),
    ) -> None:
        """`kept` is the file in which an index is kept for the next start, `sources` are as in
        `ToolIndex`."""
        self._toolbox, self._make = toolbox, make
        self._kept, self._sources = kept, frozenset(sources)
        self._lock = threading.Lock()
        self._whole: Planner | None = None
        self._large: tuple[ToolIndex, ToolGraph] | None = None

    def __call__(self, request: Request) -> Planner:
        """The planner for a request. The first call over a large toolbox of which no index is kept
        takes ten milliseconds a tool.

        Raises ModelFileError where the networks are not intact, OSError where the index cannot be
        kept.
        """
        if len(self._toolbox) <= SMALL:
            with self._lock:
                if self._whole is None:
                    self._whole = self._make(self._toolbox, None)
                return self._whole
        with self._lock:
            if self._large is None:
                self._large = self._indexed(), ToolGraph(self._toolbox)
        index, graph = self._large
        return self._make(narrowed(self._toolbox, request, index, graph), index)

    def _indexed(self) -> ToolIndex:
        index = ToolIndex(self._toolbox, self._toolbox.lattice, self._kept, self._sources)
        if self._kept is not None and index.encoded_tools:
            index.save(self._kept)
        return index
