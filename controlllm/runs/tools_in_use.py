"""The tools that requests are planned with, read once for all, and which of them cannot run; they
can be exchanged."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from controlllm.core.plans import Request
from controlllm.planning.planner import Planner
from controlllm.retrieval import Planners
from controlllm.runs.planners import embedded_planner_over
from controlllm.settings import Settings
from controlllm.sources.loading import sources_of
from controlllm.toolbox import Toolbox

#: Planned to load what every request needs.
_FIRST = Request("Describe the picture")


class ToolsInUse:
    """A toolbox with its planners. Safe to use from many threads.

    Parameters
    ----------
    kept: the file in which an index of a large toolbox is kept for the next start.
    planner: one for all requests, in place of those that are made of the toolbox.
    """

    def __init__(self, toolbox: Toolbox, kept: Path, planner: Planner | None = None) -> None:
        self._planner = planner
        self._loading = threading.Lock()
        #: One exchange after the other: each goes on from the last, and they keep one file.
        self._exchanging = threading.Lock()
        self._is_warm = False
        self.toolbox = toolbox
        self._availability = Availability(toolbox)
        self._planners = Planners(toolbox, embedded_planner_over, kept, sources_of(toolbox))

    def exchange(self, toolbox: Toolbox) -> None:
        """Plan with other tools from now on; it takes a moment until what they say of themselves
        is read, and until then requests are planned with those before."""
        with self._exchanging:
            planners = self._planners
            if self._planner is None:
                planners = planners.exchanged(toolbox, sources_of(toolbox))
            with self._loading:
                self._planners, self._availability = planners, Availability(toolbox)
                self.toolbox = toolbox

    def planner_for(self, request: Request) -> Planner:
        """The planner for a request, made when first needed: the sentence encoder takes a moment to
        load. It is the same for all requests, unless there are too many tools for that."""
        return self._planner or self._planners(request)

    def planner_here(self, settings: Settings, request: Request) -> Planner:
        """The planner for a request that knows what cannot run; waits where it is being loaded."""
        with self._loading:
            planners, availability = self._planners, self._availability
        planner = self._planner or planners(request)
        return planner.with_parts(unavailable=availability.reasons(settings))

    def warm_up(self) -> None:
        """Load what every request needs, so that the first one does not wait for it."""
        with self._loading:
            self.planner_for(_FIRST).decompose(_FIRST)
            # What is loaded by now stays; to look through it again and again for garbage takes a
            # tenth of a second each time, in the middle of somebody's request.
            gc.collect()
            gc.freeze()
        self._is_warm = True

    def is_warm(self) -> bool:
        """Whether all is loaded that every request needs."""
        return self._is_warm


#: How long what was looked up holds, in seconds: weights that were just fetched count soon.
HOLDS = 2.0
#: For so many different settings it is remembered.
_MOST = 64


class Availability:
    """Why tools cannot run under given settings. Safe to call from many threads.

    To look it up asks the disk for the weights of every tool, a hundredth of a second each time.
    """

    def __init__(self, toolbox: Toolbox, clock: Callable[[], float] = time.monotonic) -> None:
        self._toolbox = toolbox
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[tuple[object, ...], tuple[float, Mapping[str, str]]] = {}

    def reasons(self, settings: Settings) -> Mapping[str, str]:
        """The reason in words by the name of every tool that cannot run."""
        key = (settings.mark, settings.runtimes)
        with self._lock:
            since, reasons = self._known.get(key, (0.0, None))
            if reasons is not None and self._clock() - since < HOLDS:
                return reasons
        found = self._toolbox.reasons_unavailable(settings.capabilities, settings.runtimes)
        with self._lock:
            self._known.pop(key, None)
            while len(self._known) >= _MOST:
                self._known.pop(next(iter(self._known)))
            self._known[key] = self._clock(), found
        return found
