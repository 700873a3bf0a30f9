"""A planner for each request to a toolbox that is too large to plan with as a whole."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from controlllm.core.plans import Request
from controlllm.planning.graph import ToolGraph
from controlllm.planning.planner import Planner
from controlllm.retrieval.index import ToolIndex
from controlllm.retrieval.narrowing import WHOLE, narrowed
from controlllm.toolbox import Toolbox

#: What more tools than these say of themselves is kept in an index, not read anew at each start.
SMALL = 300
#: Makes a planner over a toolbox; the index, where there is one, has read its tools already.
Make = Callable[[Toolbox, ToolIndex | None], Planner]


class Planners:
    """The planner for a request: always the same up to `WHOLE` tools, over more of them one over
    what matters to the request. Safe to call from many threads."""

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
        self._lock = threading.RLock()
        self._whole: Planner | None = None
        self._index: ToolIndex | None = None
        self._graph: ToolGraph | None = None

    def __call__(self, request: Request) -> Planner:
        """The planner for a request. The first call over more than a few hundred tools of which no
        index is kept takes ten milliseconds a tool.

        Raises ModelFileError where the networks are not intact, OSError where the index cannot be
        kept.
        """
        if len(self._toolbox) <= WHOLE:
            return self._made()
        index, graph = self._shared()
        return self._make(narrowed(self._toolbox, request, index, graph), index)

    def get_ready(self) -> None:
        """Make what all requests share, so that none waits for it; raises as a call does."""
        if len(self._toolbox) <= WHOLE:
            self._made()
        else:
            self._shared()

    def exchanged(self, toolbox: Toolbox, sources: Iterable[str] = ()) -> Planners:
        """The planners over another toolbox, ready to be called: of an index that there is only
        what came, went or changed is exchanged. These here stay as they are, and in use where a
        request has them. Raises as a call does."""
        found = Planners(toolbox, self._make, self._kept, sources)
        with self._lock:
            index = self._index
        if index is not None and len(toolbox) > SMALL:
            found._index = index.exchanged(toolbox, found._sources)
            found._keep(found._index)
        found.get_ready()
        return found

    def _made(self) -> Planner:
        with self._lock:
            if self._whole is None:
                index = self._read() if len(self._toolbox) > SMALL else None
                self._whole = self._make(self._toolbox, index)
            return self._whole

    def _shared(self) -> tuple[ToolIndex, ToolGraph]:
        with self._lock:
            if self._graph is None:
                self._graph = ToolGraph(self._toolbox)
            return self._read(), self._graph

    def _read(self) -> ToolIndex:
        with self._lock:
            if self._index is None:
                lattice = self._toolbox.lattice
                self._index = ToolIndex(self._toolbox, lattice, self._kept, self._sources)
                self._keep(self._index)
            return self._index

    def _keep(self, index: ToolIndex) -> None:
        if self._kept is not None and index.encoded_tools:
            index.save(self._kept)
