"""Which tools cannot run, and why: looked up for many requests at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from controlllm.settings import Settings
from controlllm.toolbox import Toolbox

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
